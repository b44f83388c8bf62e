/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

typedef unsigned long long ull;

/* The status of a failed system call. */
static int fail_errno(const char *call, uint64_t lba) {
  const int cause = errno;
  const bool full = cause == ENOSPC || cause == EDQUOT || cause == EFBIG;
  return csd_fail(full ? CSD_STATUS_NO_SPACE : CSD_STATUS_IO_ERROR,
                  "store: %s at LBA %llu failed: %s", call, (ull)lba, strerror(cause));
}

static int open_checked(struct csd_store *store, const char *path) {
  struct stat info;
  if (fstat(store->file, &info) != 0) {
    return csd_fail(CSD_STATUS_IO_ERROR, "store %s: fstat: %s", path, strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "store %s: not a regular file", path);
  }
  if (!store->read_only && flock(store->file, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) {
      return csd_fail(CSD_STATUS_LOCKED, "store %s: open for writing elsewhere", path);
    }
    return csd_fail(CSD_STATUS_IO_ERROR, "store %s: flock: %s", path, strerror(errno));
  }
  if ((uint64_t)info.st_size > store->lba_count * CSD_LBA_BYTES) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "store %s: %llu bytes exceed the capacity of %llu",
                    path, (ull)info.st_size, (ull)(store->lba_count * CSD_LBA_BYTES));
  }
  return 0;
}

int csd_store_open(struct csd_store *store, const char *path, uint64_t lba_count, bool read_only) {
  *store = (struct csd_store){.read_only = read_only, .lba_count = lba_count};
  /* O_NONBLOCK: a FIFO of that name must not hang us before we can refuse it. */
  store->file =
      open(path, (read_only ? O_RDONLY : O_RDWR | O_CREAT) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
           0666);
  if (store->file < 0) {
    return csd_fail(errno == EISDIR ? CSD_STATUS_INVALID_ARGUMENT : CSD_STATUS_IO_ERROR,
                    "store %s: open: %s", path, strerror(errno));
  }
  const int status = open_checked(store, path);
  if (status != 0) csd_store_close(store);
  return status;
}

void csd_store_close(struct csd_store *store) {
  if (store->file >= 0) close(store->file);
  store->file = -1;
}

int csd_store_check_range(const struct csd_store *store, uint64_t lba, uint64_t count) {
  if (lba >= store->lba_count || count > store->lba_count - lba) {
    return csd_fail(CSD_STATUS_OUT_OF_RANGE, "LBA %llu + %llu is outside the device of %llu LBAs",
                    (ull)lba, (ull)count, (ull)store->lba_count);
  }
  return 0;
}

static int check_writable(const struct csd_store *store) {
  return store->read_only ? csd_fail(CSD_STATUS_READ_ONLY, "store: open for reading only") : 0;
}

int csd_store_read(struct csd_store *store, uint64_t lba, uint64_t count, void *bytes) {
  const int status = csd_store_check_range(store, lba, count);
  if (status != 0) return status;
  uint8_t *to = bytes;
  uint64_t at = lba * CSD_LBA_BYTES;
  for (uint64_t left = count * CSD_LBA_BYTES; left > 0;) {
    const ssize_t got = pread(store->file, to, (size_t)left, (off_t)at);
    if (got < 0) {
      if (errno == EINTR) continue;
      return fail_errno("pread", lba);
    }
    if (got == 0) { /* beyond the end of the file: never written */
      memset(to, 0, (size_t)left);
      break;
    }
    to += got, at += (uint64_t)got, left -= (uint64_t)got;
  }
  return 0;
}

int csd_store_write(struct csd_store *store, uint64_t lba, uint64_t count, const void *bytes) {
  int status = check_writable(store);
  if (status == 0) status = csd_store_check_range(store, lba, count);
  if (status != 0) return status;
  const uint8_t *from = bytes;
  uint64_t at = lba * CSD_LBA_BYTES;
  for (uint64_t left = count * CSD_LBA_BYTES; left > 0;) {
    const ssize_t put = pwrite(store->file, from, (size_t)left, (off_t)at);
    if (put < 0) {
      if (errno == EINTR) continue;
      return fail_errno("pwrite", lba);
    }
    if (put == 0) return csd_fail(CSD_STATUS_IO_ERROR, "store: pwrite at LBA %llu wrote nothing",
                                  (ull)lba);
    from += put, at += (uint64_t)put, left -= (uint64_t)put;
  }
  return 0;
}

int csd_store_trim(struct csd_store *store, uint64_t lba, uint64_t count) {
  int status = check_writable(store);
  if (status == 0) status = csd_store_check_range(store, lba, count);
  if (status != 0 || count == 0) return status;
  while (fallocate(store->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                   (off_t)(lba * CSD_LBA_BYTES), (off_t)(count * CSD_LBA_BYTES)) != 0) {
    if (errno == EINTR) continue;
    if (errno == EOPNOTSUPP || errno == ENOSYS) return 0; /* undefined contents: keep them */
    return fail_errno("fallocate", lba);
  }
  return 0;
}

int csd_store_flush(struct csd_store *store) {
  if (store->read_only) return 0; /* nothing of ours can be unwritten */
  if (atomic_load(&store->flush_failed)) {
    return csd_fail(CSD_STATUS_IO_ERROR, "store: an earlier flush failed, writes may be lost");
  }
  while (fdatasync(store->file) != 0) {
    if (errno == EINTR) continue;
    atomic_store(&store->flush_failed, true);
    return fail_errno("fdatasync", 0);
  }
  return 0;
}
