/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The backing store: a sparse file, LBA n at byte n * CSD_LBA_BYTES. No metadata of its own. What
 * lies beyond the file's end reads as zeros. One process writes at a time (an advisory lock on the
 * file); readers take no lock. The file is never mapped: a truncated file gives zeros, no signal.
 *
 * Threads: all functions but open and close may run at once.
 */
#ifndef CSD_STORE_H
#define CSD_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct csd_store {
  int file;
  bool read_only;
  uint64_t lba_count;
  atomic_bool flush_failed; /* sticky: the kernel forgets the pages that it failed to write */
};

/**
 * Opens the file, making it if it is absent and may be written.
 *
 * @return 0, or a negated status: LOCKED, IO_ERROR, INVALID_ARGUMENT (no regular file, or larger
 *         than the capacity)
 */
int csd_store_open(struct csd_store *store, const char *path, uint64_t lba_count, bool read_only);
void csd_store_close(struct csd_store *store);

/** @return 0, or a negated status: OUT_OF_RANGE, IO_ERROR; write also READ_ONLY, NO_SPACE */
int csd_store_read(struct csd_store *store, uint64_t lba, uint64_t count, void *bytes);
int csd_store_write(struct csd_store *store, uint64_t lba, uint64_t count, const void *bytes);

/** Frees the room of LBAs; they read as zeros, or unchanged where the file system cannot do it. */
int csd_store_trim(struct csd_store *store, uint64_t lba, uint64_t count);

/** Makes earlier writes durable. Once it has failed, it fails for good. */
int csd_store_flush(struct csd_store *store);

/** @return 0, or -OUT_OF_RANGE */
int csd_store_check_range(const struct csd_store *store, uint64_t lba, uint64_t count);

#endif
