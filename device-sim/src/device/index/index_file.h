/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The file of the page index, beside the store's file and named after it: STORE.idx. It is derived
 * data. Without it, or with an old one, every answer is the same: a page's entry is found by the
 * stamp and number of the page, which never changes, so an old entry only describes a page that is
 * gone.
 *
 * Its first 4 KiB are a head: whether the writer has closed it in order. Index page n is n + 1
 * times 4 KiB into the file (index_codec.h). Pages that were never written are zeros.
 *
 * One process writes it and holds an advisory lock on it. Readers take none.
 */
#ifndef CSD_INDEX_FILE_H
#define CSD_INDEX_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "device/index/index_codec.h"
#include "device/store/store.h"

struct csd_index_file {
  int file; /* -1: none */
  bool writing;
  bool was_closed; /* in order, by the writer before */
  bool unsynced;   /* written since csd_index_file_to_sync */
  uint64_t groups; /* index pages up to the end of the file */
};

/**
 * Opens the file of a store; makes it if it is to be written. It is emptied if the store is empty.
 * If it cannot be opened, or if it is no file of ours, `file` is -1, and the index lives in memory
 * alone.
 */
void csd_index_file_open(struct csd_index_file *file, const struct csd_store *store, bool writing);

/** Closes it. `in_order`: all index pages are written, and nothing is pending. */
void csd_index_file_close(struct csd_index_file *file, bool in_order);

/** Reads an index page; zeros where there is none. @return 0, or -IO_ERROR */
int csd_index_file_read(struct csd_index_file *file, uint64_t group, uint8_t *page);

/** Asks for index pages that will be read soon. Does not wait, and may do nothing. */
void csd_index_file_ask(const struct csd_index_file *file, uint64_t group, uint64_t count);

/** Writes an index page. @return 0, or -IO_ERROR */
int csd_index_file_write(struct csd_index_file *file, uint64_t group, const uint8_t *page);

/** Writes the pending bits of an index page alone. @return 0, or -IO_ERROR */
int csd_index_file_note(struct csd_index_file *file, uint64_t group, const uint64_t *pending);

/** Makes index pages zeros. @return 0, or -IO_ERROR */
int csd_index_file_empty(struct csd_index_file *file, uint64_t group, uint64_t count);

/** Returns the number of the open file if it was written since the last call, else -1. */
int csd_index_file_to_sync(struct csd_index_file *file);

/** Makes what was written to an open file durable. @return 0, or -IO_ERROR */
int csd_index_file_sync(int file);

/** Gives writing up after a failure, and empties the file if that can be done. */
void csd_index_file_abandon(struct csd_index_file *file);

#endif
