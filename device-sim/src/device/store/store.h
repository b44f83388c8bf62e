/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The backing store: a sparse file with LBA n at byte n * CSD_LBA_BYTES and no metadata of its own.
 * Beyond the file's end it reads zeros. One process writes at a time and holds an advisory lock on
 * the file. Readers take no lock; one of them may become the writer later. The file is never
 * mapped, so that a truncated file gives zeros and no signal.
 *
 * Reads go through the system's cache, and so does what is asked for ahead: the system reads it
 * while the caller works or asks for more, at whatever depth the drive takes. A read that comes too
 * early waits for its own bytes. It needs no thread, no buffer and no more than one system call for
 * a stretch of LBAs; io_uring, tried for the same reads, is no faster at depths up to 32.
 *
 * A direct store reads pages past that cache, so that no page is in memory twice. What is asked for
 * ahead then comes into slots of its own (reader.h).
 *
 * Threads: all functions but open and close may run at the same time.
 */
#ifndef CSD_STORE_H
#define CSD_STORE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "device/store/reader.h"

enum csd_store_access {
  CSD_STORE_WRITE,      /* for reading and writing; the file is made, for its owner only (mode
                           0600), if it is absent */
  CSD_STORE_READ,       /* for reading alone; the file must be there */
  CSD_STORE_READ_FIRST, /* for reading, until csd_store_open_for_writing(); it may be absent */
};

struct csd_store {
  int file; /* its number never changes, though the file behind it may; -1: absent */
  char *path;
  uint64_t lba_count;
  enum csd_store_access access;
  pthread_mutex_t lock; /* held while `file` is made to lead elsewhere */
  atomic_bool absent;   /* read first, and no file yet: all zeros */
  atomic_bool writable;
  int direct_file; /* leads to the same file as `file`, past the system's cache; -1: not direct */
  struct csd_reader *reader; /* of a direct store */
  atomic_bool flush_failed;  /* sticky: the kernel forgets the pages that it failed to write */
};

/**
 * Opens the file.
 *
 * @return 0, or a negated status: LOCKED, IO_ERROR, NO_MEMORY, INVALID_ARGUMENT (no regular file,
 *         or larger than the capacity)
 */
int csd_store_open(struct csd_store *store, const char *path, uint64_t lba_count,
                   enum csd_store_access access);

/**
 * Makes a store that was opened with CSD_STORE_READ_FIRST writable, and makes the file if it is
 * absent. Does nothing if the store is writable. If another file has replaced the opened one, the
 * store uses that one from now on. Reads may run meanwhile. On failure the store is as before.
 *
 * @return 0, or a negated status: LOCKED (another process writes), READ_ONLY (no permission, or a
 *         read-only file system), IO_ERROR, INVALID_ARGUMENT as when opening
 */
int csd_store_open_for_writing(struct csd_store *store);

/**
 * Makes reads of pages direct from now on, if file system and system let them be. Call it before
 * anything is read.
 *
 * @param bytes_per_s  0, or what the drive is slowed to
 * @return whether they are
 */
bool csd_store_read_directly(struct csd_store *store, enum csd_read_way way, uint64_t bytes_per_s);

void csd_store_close(struct csd_store *store);

/** @return 0, or a negated status: OUT_OF_RANGE, IO_ERROR; write also READ_ONLY, NO_SPACE */
int csd_store_read(struct csd_store *store, uint64_t lba, uint64_t count, void *bytes);
int csd_store_write(struct csd_store *store, uint64_t lba, uint64_t count, const void *bytes);

/**
 * Reads the page of an LBA, if it was asked for from where it has come; status as csd_store_read.
 * A direct store does not look into the system's cache.
 */
int csd_store_read_page(struct csd_store *store, uint64_t lba, uint8_t *page);

/**
 * Asks for LBAs that will be read soon. Does not wait, cannot fail, and may do nothing.
 *
 * @param owner  number of who asks; they share what room there is
 * @return LBAs, from the first on, that were asked for
 */
uint64_t csd_store_ask(struct csd_store *store, uint32_t owner, uint64_t lba, uint64_t count);

/** Says that who asked for pages needs no more of them. */
void csd_store_leave(struct csd_store *store, uint32_t owner);

/** Says that what was asked for of an LBA is out of date. */
void csd_store_forget(struct csd_store *store, uint64_t lba);

/** Frees the space of LBAs. They then read zeros, or stay if the file system cannot free it. */
int csd_store_trim(struct csd_store *store, uint64_t lba, uint64_t count);

/** Makes earlier writes durable. Once it has failed, it fails for good. */
int csd_store_flush(struct csd_store *store);

/** Returns the number of LBAs up to the end of the file; 0 if it is not known. */
uint64_t csd_store_used_lbas(const struct csd_store *store);

/** @return 0, or -OUT_OF_RANGE */
int csd_store_check_range(const struct csd_store *store, uint64_t lba, uint64_t count);

#endif
