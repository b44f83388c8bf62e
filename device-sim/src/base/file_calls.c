/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "base/file_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#ifdef __APPLE__

#include <sys/param.h>

void csd_ask_ahead(int file, uint64_t count, uint64_t at) {
  struct radvisory bytes = {.ra_offset = (off_t)at, .ra_count = (int)(count & INT32_MAX)};
  (void)fcntl(file, F_RDADVISE, &bytes);
}

/* fsync() leaves the bytes in the drive's cache. Some file systems have nothing better. */
static int sync_bytes(int file) {
  const int result = fcntl(file, F_FULLFSYNC);
  return result == 0 || errno == EINTR ? result : fsync(file);
}

int csd_open_direct(int file) {
  char path[MAXPATHLEN];
  if (fcntl(file, F_GETPATH, path) != 0) {
    return -1;
  }
  const int direct = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (direct >= 0) {
    (void)fcntl(direct, F_NOCACHE, 1);
  }
  return direct;
}

static int lead(int number, int file) {
  return dup2(file, number) < 0 ? -1 : fcntl(number, F_SETFD, FD_CLOEXEC);
}

static int punch(int file, uint64_t count, uint64_t at) {
  struct fpunchhole hole = {.fp_offset = (off_t)at, .fp_length = (off_t)count};
  const int result = fcntl(file, F_PUNCHHOLE, &hole);
  if (result != 0 && (errno == EINVAL || errno == ENOTTY || errno == ENOTSUP)) {
    errno = EOPNOTSUPP; /* the file system's blocks are larger, or it knows no holes */
  }
  return result;
}

#else

#include <stdio.h>

void csd_ask_ahead(int file, uint64_t count, uint64_t at) {
  (void)posix_fadvise(file, (off_t)at, (off_t)count, POSIX_FADV_WILLNEED);
}

static int sync_bytes(int file) { return fdatasync(file); }

int csd_open_direct(int file) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return open(path, O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOCTTY);
}

static int lead(int number, int file) { return dup3(file, number, O_CLOEXEC); }

static int punch(int file, uint64_t count, uint64_t at) {
  return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)count);
}

#endif

int csd_sync_whole(int file) {
  while (sync_bytes(file) != 0) {
    if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

int csd_lead_file(int number, int file) {
  while (lead(number, file) < 0) {
    if (errno != EINTR && errno != EBUSY) {
      return errno;
    }
  }
  return 0;
}

int csd_punch_hole(int file, uint64_t count, uint64_t at) {
  while (punch(file, count, at) != 0) {
    if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}
