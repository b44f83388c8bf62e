/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "identity.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "csd/csd.h"
#include "log.h"
#include "options.h"
#include "uuid.h"

enum { FILE_BYTES = 1024, PATH_BYTES = PATH_MAX + 16 };

/* A file as its file system knows it. Another one may get the inode, but not its time of birth. */
struct origin {
  uint64_t inode;
  int64_t born_s; /* 0 and 0: the file system does not know */
  uint32_t born_ns;
};

struct kept {
  uint8_t uuid[16];
  struct origin origin;
};

static void format_uuid(const uint8_t *uuid, char *text) {
  for (int i = 0; i < 16; i++) {
    const bool hyphen = i == 4 || i == 6 || i == 8 || i == 10;
    text += sprintf(text, "%s%02x", hyphen ? "-" : "", uuid[i]);
  }
}

static int fail(const char *path, const char *call) {
  return csd_fail(CSD_STATUS_IO_ERROR, "identity %s: %s: %s; --uuid does without the file", path,
                  call, strerror(errno));
}

static int origin_of(const char *store, struct origin *origin) {
  struct statx info;
  if (statx(AT_FDCWD, store, 0, STATX_INO | STATX_BTIME, &info) != 0) {
    return fail(store, "statx");
  }
  *origin = (struct origin){.inode = info.stx_ino};
  if ((info.stx_mask & STATX_BTIME) != 0) {
    origin->born_s = info.stx_btime.tv_sec;
    origin->born_ns = info.stx_btime.tv_nsec;
  }
  return 0;
}

static bool same_file(const struct origin *a, const struct origin *b) {
  const bool a_born = a->born_s != 0 || a->born_ns != 0, b_born = b->born_s != 0 || b->born_ns != 0;
  if (a->inode != b->inode) {
    return false;
  }
  return !a_born || !b_born || (a->born_s == b->born_s && a->born_ns == b->born_ns);
}

/* Reads what tgt_identity_open() wrote. */
static bool parse(char *text, struct kept *kept) {
  bool has_uuid = false, has_origin = false;
  char *rest, *line = strtok_r(text, "\n", &rest);
  for (; line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    unsigned long long inode;
    long long seconds;
    unsigned nanoseconds;
    int end = 0;
    if (line[0] == '#') {
      continue;
    }
    if (!has_uuid && strncmp(line, "uuid ", 5) == 0) {
      has_uuid = tgt_uuid_parse(line + 5, kept->uuid);
      if (!has_uuid) {
        return false;
      }
    } else if (!has_origin &&
               sscanf(line, "store %llu %lld.%9u%n", &inode, &seconds, &nanoseconds, &end) == 3 &&
               line[end] == 0) {
      kept->origin = (struct origin){inode, seconds, nanoseconds};
      has_origin = true;
    } else {
      return false;
    }
  }
  return has_uuid && has_origin;
}

/* @return 1 if there is an identity, 0 if there is no file, or a negated status */
static int load(const char *path, struct kept *kept) {
  char text[FILE_BYTES];
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) {
    return errno == ENOENT ? 0 : fail(path, "open");
  }
  const ssize_t bytes = read(file, text, sizeof text - 1);
  const int cause = errno;
  close(file);
  errno = cause;
  if (bytes < 0) {
    return fail(path, "read");
  }
  text[bytes] = 0;
  if (parse(text, kept)) {
    return 1;
  }
  return csd_fail(CSD_STATUS_INVALID_ARGUMENT,
                  "identity %s: damaged; restore it, or remove it and hosts see another drive",
                  path);
}

static bool write_all(int file, const char *text, size_t bytes) {
  while (bytes > 0) {
    const ssize_t put = write(file, text, bytes);
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put <= 0) {
      return false;
    }
    text += put, bytes -= (size_t)put;
  }
  return fsync(file) == 0;
}

/* The whole file or none: a crash leaves the old one. */
static int keep(const char *path, const struct kept *kept) {
  char text[FILE_BYTES], uuid[UUID_TEXT + 1], temporary[PATH_BYTES + 8];
  format_uuid(kept->uuid, uuid);
  const int bytes = snprintf(text, sizeof text,
                             "# Identity of the store beside this file. Keep it with the store.\n"
                             "uuid %s\nstore %llu %lld.%09u\n",
                             uuid, (unsigned long long)kept->origin.inode,
                             (long long)kept->origin.born_s, kept->origin.born_ns);
  snprintf(temporary, sizeof temporary, "%s.new", path);
  (void)unlink(temporary);
  const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) {
    return fail(temporary, "open");
  }
  const bool written = write_all(file, text, (size_t)bytes);
  const int cause = errno;
  close(file);
  errno = cause;
  if (written && rename(temporary, path) == 0) {
    return 0;
  }
  const int status = fail(path, written ? "rename" : "write");
  (void)unlink(temporary);
  return status;
}

/* Version 4: random but for six bits. */
static int make_uuid(uint8_t *uuid) {
  if (getrandom(uuid, 16, 0) != 16) {
    return csd_fail(CSD_STATUS_IO_ERROR, "identity: getrandom: %s", strerror(errno));
  }
  uuid[6] = (uint8_t)((uuid[6] & 0x0F) | 0x40);
  uuid[8] = (uint8_t)((uuid[8] & 0x3F) | 0x80);
  return 0;
}

/* The UUID of the store: that which is kept, or a new one. */
static int find_uuid(const struct tgt_options *o, uint8_t *uuid) {
  char store[PATH_MAX], path[PATH_BYTES];
  struct kept kept;
  struct origin origin;
  if (realpath(o->store, store) == NULL) {
    return fail(o->store, "realpath");
  }
  snprintf(path, sizeof path, "%s.id", store);
  int status = origin_of(store, &origin);
  if (status < 0) {
    return status;
  }
  const int found = load(path, &kept);
  if (found < 0) {
    return found;
  }
  if (found == 1 && same_file(&kept.origin, &origin)) {
    memcpy(uuid, kept.uuid, sizeof kept.uuid);
    return 0;
  }
  if (found == 1) {
    tgt_log(TGT_WARNING,
            "identity %s was made for another file: this store is a copy, and gets"
            " an identity of its own",
            path);
  }
  status = make_uuid(uuid);
  if (status < 0) {
    return status;
  }
  if (o->read_only) {
    tgt_log(TGT_WARNING,
            "identity: none is kept in %s, and --read-only writes none: hosts see"
            " another drive after each start; --uuid gives one",
            path);
    return 0;
  }
  memcpy(kept.uuid, uuid, sizeof kept.uuid);
  kept.origin = origin;
  return keep(path, &kept);
}

int tgt_identity_open(struct tgt_identity *id, const struct tgt_options *o) {
  char text[UUID_TEXT + 1];
  memset(id, 0, sizeof *id);
  if (o->uuid != NULL) {
    (void)tgt_uuid_parse(o->uuid, id->uuid); /* the command line's has been checked */
  } else {
    const int status = find_uuid(o, id->uuid);
    if (status < 0) {
      return status;
    }
  }
  format_uuid(id->uuid, text);
  if (o->subsystem != NULL) {
    snprintf(id->subsystem, sizeof id->subsystem, "%s", o->subsystem);
  } else {
    snprintf(id->subsystem, sizeof id->subsystem, NVME_UUID_NQN "%s", text);
  }
  if (o->serial != NULL) {
    snprintf(id->serial, sizeof id->serial, "%s", o->serial);
  } else {
    for (int i = 0; i < 10; i++) {
      snprintf(id->serial + 2 * i, 3, "%02x", id->uuid[i]);
    }
  }
  return 0;
}
