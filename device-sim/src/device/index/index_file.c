/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/index/index_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/status.h"
#include "base/whole_io.h"
#include "core/kernels/crc32c.h"

typedef unsigned long long ull;

#define HEAD_MAGIC UINT32_C(0x58445343) /* "CSDX" */
enum { HEAD_VERSION = 1 };

struct head {
  uint32_t magic;
  uint32_t crc32c; /* of version and group_lbas */
  uint32_t version;
  uint32_t group_lbas;
  uint8_t closed; /* 1: in order; a byte, which a crash cannot leave half written */
};
enum { HEAD_BYTES = 17 };

static uint32_t head_crc(const struct head *head) {
  return csd_crc32c(0, (const uint8_t *)&head->version,
                    offsetof(struct head, closed) - offsetof(struct head, version));
}

/* The status of a system call that returned or left an errno; 0: it did not fail. */
static int status_of(const char *call, int cause, uint64_t at) {
  return cause == 0 ? 0
                    : csd_fail(CSD_STATUS_IO_ERROR, "page index: %s at byte %llu failed: %s", call,
                               (ull)at, strerror(cause));
}

static int write_bytes(struct csd_index_file *file, const void *bytes, uint64_t count,
                       uint64_t at) {
  file->unsynced = true;
  return status_of("pwrite", csd_write_whole(file->file, bytes, count, at), at);
}

static int read_bytes(const struct csd_index_file *file, void *bytes, uint64_t count, uint64_t at) {
  return status_of("pread", csd_read_whole(file->file, bytes, count, at), at);
}

static uint64_t place_of(uint64_t group) { return (group + 1u) * CSD_INDEX_PAGE_BYTES; }

static int write_head(struct csd_index_file *file) {
  struct head head = {.magic = HEAD_MAGIC, .version = HEAD_VERSION, .group_lbas = CSD_GROUP_LBAS};
  head.crc32c = head_crc(&head);
  return write_bytes(file, &head, HEAD_BYTES, 0);
}

static int write_closed(struct csd_index_file *file, uint8_t closed) {
  return write_bytes(file, &closed, sizeof closed, offsetof(struct head, closed));
}

static int empty_file(struct csd_index_file *file) {
  file->groups = 0;
  return status_of("ftruncate", ftruncate(file->file, 0) == 0 ? 0 : errno, 0);
}

/* Looks at a file that has just been opened. Returns whether it can be used. */
static bool begin(struct csd_index_file *file, bool store_is_empty) {
  struct stat info;
  struct head head;
  if (fstat(file->file, &info) != 0 || !S_ISREG(info.st_mode) ||
      (file->writing && flock(file->file, LOCK_EX | LOCK_NB) != 0) ||
      read_bytes(file, &head, HEAD_BYTES, 0) < 0) {
    return false;
  }
  if (info.st_size > 0 && head.magic != HEAD_MAGIC) {
    return false; /* somebody else's */
  }
  const bool sound = info.st_size > 0 && head.crc32c == head_crc(&head) &&
                     head.version == HEAD_VERSION && head.group_lbas == CSD_GROUP_LBAS;
  const uint64_t pages = ((uint64_t)info.st_size + CSD_INDEX_PAGE_BYTES - 1) / CSD_INDEX_PAGE_BYTES;
  file->groups = pages > 0 ? pages - 1 : 0;
  file->was_closed = sound && head.closed == 1;
  if (!file->writing) {
    return sound;
  }
  if (!sound || store_is_empty) {
    file->was_closed = true; /* nothing in it is left to be rebuilt */
    return empty_file(file) == 0 && write_head(file) == 0;
  }
  return !file->was_closed || write_closed(file, 0) == 0;
}

void csd_index_file_open(struct csd_index_file *file, const struct csd_store *store, bool writing) {
  *file = (struct csd_index_file){.file = -1, .writing = writing, .was_closed = true};
  struct stat info;
  char *path = NULL;
  if (fstat(store->file, &info) != 0 || asprintf(&path, "%s.idx", store->path) < 0) {
    return;
  }
  /* O_NONBLOCK: a FIFO of that name must not hang us before we can refuse it. Who may read the
     store may read this file. */
  file->file =
      open(path, (writing ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
           info.st_mode & 0666);
  free(path);
  if (file->file >= 0 && !begin(file, info.st_size == 0)) {
    close(file->file);
    file->file = -1;
  }
}

void csd_index_file_close(struct csd_index_file *file, bool in_order) {
  if (file->file < 0) {
    return;
  }
  if (file->writing && in_order) {
    (void)write_closed(file, 1); /* if it fails, the next writer looks at every index page */
  }
  close(file->file);
  file->file = -1;
}

int csd_index_file_read(struct csd_index_file *file, uint64_t group, uint8_t *page) {
  return read_bytes(file, page, CSD_INDEX_PAGE_BYTES, place_of(group));
}

void csd_index_file_ask(const struct csd_index_file *file, uint64_t group, uint64_t count) {
  csd_ask_ahead(file->file, count * CSD_INDEX_PAGE_BYTES, place_of(group));
}

static void extend(struct csd_index_file *file, uint64_t group) {
  if (file->groups <= group) {
    file->groups = group + 1;
  }
}

int csd_index_file_write(struct csd_index_file *file, uint64_t group, const uint8_t *page) {
  const int status = write_bytes(file, page, CSD_INDEX_PAGE_BYTES, place_of(group));
  if (status == 0) {
    extend(file, group);
  }
  return status;
}

int csd_index_file_note(struct csd_index_file *file, uint64_t group, const uint64_t *pending) {
  const int status = write_bytes(file, pending, CSD_GROUP_WORDS * sizeof *pending,
                                 place_of(group) + CSD_INDEX_PENDING_AT);
  if (status == 0) {
    extend(file, group);
  }
  return status;
}

int csd_index_file_empty(struct csd_index_file *file, uint64_t group, uint64_t count) {
  const uint64_t left = group < file->groups ? file->groups - group : 0;
  const uint64_t end = group + (count < left ? count : left);
  static const uint8_t zeros[CSD_INDEX_PAGE_BYTES];
  if (group >= end) {
    return 0;
  }
  if (csd_punch_hole(file->file, (end - group) * CSD_INDEX_PAGE_BYTES, place_of(group)) == 0) {
    return 0;
  }
  int status = 0; /* a file system without holes */
  for (; group < end && status == 0; group++) {
    status = csd_index_file_write(file, group, zeros);
  }
  return status;
}

int csd_index_file_to_sync(struct csd_index_file *file) {
  const bool unsynced = file->unsynced;
  file->unsynced = false;
  return unsynced ? file->file : -1;
}

int csd_index_file_sync(int file) { return status_of("fdatasync", csd_sync_whole(file), 0); }

void csd_index_file_abandon(struct csd_index_file *file) {
  file->writing = false;
  (void)empty_file(file);
}
