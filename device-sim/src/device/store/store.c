/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/status.h"
#include "base/whole_io.h"

typedef unsigned long long ull;

/* The status of a system call that failed with an errno. */
static int fail_errno(const char *call, int cause, uint64_t lba) {
  const bool full = cause == ENOSPC || cause == EDQUOT || cause == EFBIG;
  return csd_fail(full ? CSD_STATUS_NO_SPACE : CSD_STATUS_IO_ERROR,
                  "store: %s at LBA %llu failed: %s", call, (ull)lba, strerror(cause));
}

/* Checks a file that has just been opened, and locks it for a writer. */
static int check_opened(const struct csd_store *store, int file, bool writing) {
  struct stat info;
  if (fstat(file, &info) != 0) {
    return csd_fail(CSD_STATUS_IO_ERROR, "store %s: fstat: %s", store->path, strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "store %s: %s, not a regular file", store->path,
                    S_ISDIR(info.st_mode) ? "a folder" : "a device, pipe or socket");
  }
  if (writing && flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) {
      return csd_fail(CSD_STATUS_LOCKED, "store %s: open for writing elsewhere", store->path);
    }
    return csd_fail(CSD_STATUS_IO_ERROR, "store %s: flock: %s", store->path, strerror(errno));
  }
  if ((uint64_t)info.st_size > store->lba_count * CSD_LBA_BYTES) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "store %s: %llu bytes exceed the capacity of %llu",
                    store->path, (ull)info.st_size, (ull)(store->lba_count * CSD_LBA_BYTES));
  }
  return 0;
}

static int fail_open(const struct csd_store *store, bool writing) {
  const int cause = errno;
  const bool refused = cause == EACCES || cause == EPERM || cause == EROFS;
  const enum csd_status status = cause == EISDIR      ? CSD_STATUS_INVALID_ARGUMENT
                                 : writing && refused ? CSD_STATUS_READ_ONLY
                                                      : CSD_STATUS_IO_ERROR;
  return csd_fail(status, "store %s: open%s: %s", store->path, writing ? " for writing" : "",
                  strerror(cause));
}

/* Opens and checks the file. Returns its number, a negated status, or ABSENT. */
enum { ABSENT = INT_MIN };

static int open_file(const struct csd_store *store, bool writing, bool may_be_absent) {
  /* O_NONBLOCK: a FIFO of that name must not hang us before we can refuse it. */
  const int file =
      open(store->path, (writing ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
           S_IRUSR | S_IWUSR);
  if (file < 0) {
    return errno == ENOENT && may_be_absent ? ABSENT : fail_open(store, writing);
  }
  const int status = check_opened(store, file, writing);
  if (status == 0) {
    return file;
  }
  close(file);
  return status;
}

int csd_store_open(struct csd_store *store, const char *path, uint64_t lba_count,
                   enum csd_store_access access) {
  *store =
      (struct csd_store){.file = -1, .direct_file = -1, .lba_count = lba_count, .access = access};
  store->path = strdup(path);
  if (store->path == NULL) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "store");
  }
  const bool writing = access == CSD_STORE_WRITE;
  const int file = open_file(store, writing, access == CSD_STORE_READ_FIRST);
  if (file < 0 && file != ABSENT) {
    free(store->path);
    return file;
  }
  pthread_mutex_init(&store->lock, NULL);
  store->file = file == ABSENT ? -1 : file;
  atomic_init(&store->absent, file == ABSENT);
  atomic_init(&store->writable, writing);
  return 0;
}

/* Makes direct reads go where store->file leads now; through the system's cache if they must. */
static int lead_directly(const struct csd_store *store) {
  if (store->direct_file < 0) {
    return 0;
  }
  const int file = csd_open_direct(store->file);
  const int cause = csd_lead_file(store->direct_file, file >= 0 ? file : store->file);
  if (file >= 0) {
    close(file);
  }
  return cause;
}

/* Makes store->file lead to another file, and owns it from then on. A read that has begun ends with
   the old file. The caller holds the lock. */
static int lead_to(struct csd_store *store, int file) {
  if (store->file < 0) {
    store->file = file;
    const int refused = lead_directly(store);
    if (refused != 0) {
      store->file = -1;
      close(file);
      return csd_fail(CSD_STATUS_IO_ERROR, "store %s: dup3: %s", store->path, strerror(refused));
    }
    atomic_store(&store->absent, false);
    return 0;
  }
  const int moved = csd_lead_file(store->file, file);
  const int cause = moved == 0 ? lead_directly(store) : moved;
  close(file); /* the lock stays: it belongs to the open file that both numbers share */
  return cause == 0
             ? 0
             : csd_fail(CSD_STATUS_IO_ERROR, "store %s: dup3: %s", store->path, strerror(cause));
}

int csd_store_open_for_writing(struct csd_store *store) {
  if (atomic_load(&store->writable)) {
    return 0;
  }
  if (store->access == CSD_STORE_READ) {
    return csd_fail(CSD_STATUS_READ_ONLY, "store %s: opened for reading only", store->path);
  }
  pthread_mutex_lock(&store->lock);
  int status = 0;
  if (!atomic_load(&store->writable)) {
    const int file = open_file(store, true, false);
    status = file < 0 ? file : lead_to(store, file);
    if (status == 0) {
      atomic_store(&store->writable, true);
    }
  }
  pthread_mutex_unlock(&store->lock);
  return status;
}

/* Opens the file if another process has made it meanwhile; sets *there to whether it is there. */
static int open_if_there(struct csd_store *store, bool *there) {
  int status = 0;
  pthread_mutex_lock(&store->lock);
  if (atomic_load(&store->absent)) {
    const int file = open_file(store, false, true);
    if (file >= 0) {
      status = lead_to(store, file);
    } else if (file != ABSENT) {
      status = file;
    }
  }
  *there = !atomic_load(&store->absent);
  pthread_mutex_unlock(&store->lock);
  return status;
}

bool csd_store_read_directly(struct csd_store *store, enum csd_read_way way, uint64_t bytes_per_s) {
  /* Of a file that is absent yet the number is kept free. */
  const int file =
      store->file < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : csd_open_direct(store->file);
  struct csd_reader *reader = file < 0 ? NULL : malloc(sizeof *reader);
  if (reader == NULL || !csd_reader_open(reader, file, way, bytes_per_s)) {
    free(reader);
    if (file >= 0) {
      close(file);
    }
    return false;
  }
  store->direct_file = file;
  store->reader = reader;
  return true;
}

void csd_store_close(struct csd_store *store) {
  if (store->reader != NULL) {
    csd_reader_close(store->reader);
    free(store->reader);
    close(store->direct_file);
    store->reader = NULL, store->direct_file = -1;
  }
  if (store->file >= 0) {
    close(store->file);
  }
  store->file = -1;
  pthread_mutex_destroy(&store->lock);
  free(store->path);
}

uint64_t csd_store_used_lbas(const struct csd_store *store) {
  struct stat info;
  const uint64_t bytes = fstat(store->file, &info) == 0 ? (uint64_t)info.st_size : 0;
  return (bytes + CSD_LBA_BYTES - 1) / CSD_LBA_BYTES;
}

int csd_store_check_range(const struct csd_store *store, uint64_t lba, uint64_t count) {
  if (lba >= store->lba_count || count > store->lba_count - lba) {
    return csd_fail(CSD_STATUS_OUT_OF_RANGE, "LBA %llu + %llu is outside the device of %llu LBAs",
                    (ull)lba, (ull)count, (ull)store->lba_count);
  }
  return 0;
}

static int check_writable(const struct csd_store *store) {
  return atomic_load(&store->writable)
             ? 0
             : csd_fail(CSD_STATUS_READ_ONLY, "store: open for reading only");
}

int csd_store_read(struct csd_store *store, uint64_t lba, uint64_t count, void *bytes) {
  const int status = csd_store_check_range(store, lba, count);
  if (status < 0) {
    return status;
  }
  if (atomic_load(&store->absent)) {
    bool there = false;
    const int opened = open_if_there(store, &there);
    if (opened < 0) {
      return opened;
    }
    if (!there) {
      memset(bytes, 0, (size_t)(count * CSD_LBA_BYTES));
      return 0;
    }
  }
  const int cause = csd_read_whole(store->file, bytes, count * CSD_LBA_BYTES, lba * CSD_LBA_BYTES);
  return cause == 0 ? 0 : fail_errno("pread", cause, lba);
}

int csd_store_read_page(struct csd_store *store, uint64_t lba, uint8_t *page) {
  if (store->reader == NULL || atomic_load(&store->absent)) {
    return csd_store_read(store, lba, 1, page);
  }
  if (csd_reader_take(store->reader, lba, page)) {
    return 0;
  }
  _Alignas(CSD_LBA_BYTES) uint8_t bytes[CSD_LBA_BYTES]; /* direct reads need the alignment */
  const int status = csd_store_check_range(store, lba, 1);
  if (status < 0) {
    return status;
  }
  const int cause = csd_read_whole(store->direct_file, bytes, CSD_LBA_BYTES, lba * CSD_LBA_BYTES);
  if (cause == EINVAL) {
    return csd_store_read(store, lba, 1, page); /* the file's end is not aligned */
  }
  if (cause != 0) {
    return fail_errno("pread", cause, lba);
  }
  memcpy(page, bytes, sizeof bytes);
  csd_reader_pass(store->reader, sizeof bytes);
  return 0;
}

uint64_t csd_store_ask(struct csd_store *store, uint32_t owner, uint64_t lba, uint64_t count) {
  if (atomic_load(&store->absent) || lba >= store->lba_count) {
    return 0;
  }
  const uint64_t left = store->lba_count - lba;
  const uint64_t most = count < left ? count : left;
  if (store->reader != NULL) {
    return csd_reader_ask(store->reader, owner, lba,
                          most < CSD_READER_SLOTS ? (uint32_t)most : CSD_READER_SLOTS);
  }
  csd_ask_ahead(store->file, most * CSD_LBA_BYTES, lba * CSD_LBA_BYTES);
  return most;
}

void csd_store_leave(struct csd_store *store, uint32_t owner) {
  if (store->reader != NULL) {
    csd_reader_leave(store->reader, owner);
  }
}

void csd_store_forget(struct csd_store *store, uint64_t lba) {
  if (store->reader != NULL) {
    csd_reader_forget(store->reader, lba);
  }
}

int csd_store_write(struct csd_store *store, uint64_t lba, uint64_t count, const void *bytes) {
  int status = check_writable(store);
  if (status == 0) {
    status = csd_store_check_range(store, lba, count);
  }
  if (status < 0) {
    return status;
  }
  const int cause = csd_write_whole(store->file, bytes, count * CSD_LBA_BYTES, lba * CSD_LBA_BYTES);
  return cause == 0 ? 0 : fail_errno("pwrite", cause, lba);
}

int csd_store_trim(struct csd_store *store, uint64_t lba, uint64_t count) {
  int status = check_writable(store);
  if (status == 0) {
    status = csd_store_check_range(store, lba, count);
  }
  if (status < 0 || count == 0) {
    return status;
  }
  const int cause = csd_punch_hole(store->file, count * CSD_LBA_BYTES, lba * CSD_LBA_BYTES);
  if (cause == 0 || cause == EOPNOTSUPP || cause == ENOSYS) {
    return 0; /* undefined contents: without holes, they are kept */
  }
  return fail_errno("fallocate", cause, lba);
}

int csd_store_flush(struct csd_store *store) {
  if (!atomic_load(&store->writable)) {
    return 0; /* this store has written nothing */
  }
  if (atomic_load(&store->flush_failed)) {
    return csd_fail(CSD_STATUS_IO_ERROR, "store: an earlier flush failed, writes may be lost");
  }
  const int cause = csd_sync_whole(store->file);
  if (cause != 0) {
    atomic_store(&store->flush_failed, true);
    return fail_errno("fdatasync", cause, 0);
  }
  return 0;
}
