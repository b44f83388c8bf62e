/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "base/whole_io.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int csd_read_whole(int file, void *bytes, uint64_t count, uint64_t at) {
  uint8_t *to = bytes;
  while (count > 0) {
    const ssize_t got = pread(file, to, (size_t)count, (off_t)at);
    if (got < 0 && errno != EINTR) {
      return errno;
    }
    if (got == 0) { /* beyond the end of the file: never written */
      memset(to, 0, (size_t)count);
      return 0;
    }
    if (got > 0) {
      to += got, at += (uint64_t)got, count -= (uint64_t)got;
    }
  }
  return 0;
}

int csd_write_whole(int file, const void *bytes, uint64_t count, uint64_t at) {
  const uint8_t *from = bytes;
  while (count > 0) {
    const ssize_t put = pwrite(file, from, (size_t)count, (off_t)at);
    if (put == 0) {
      return EIO;
    }
    if (put < 0 && errno != EINTR) {
      return errno;
    }
    if (put > 0) {
      from += put, at += (uint64_t)put, count -= (uint64_t)put;
    }
  }
  return 0;
}
