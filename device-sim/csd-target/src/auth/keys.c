/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "auth/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "auth/crypto.h"

enum { LINE_BYTES = 1024 };

static bool fail(const char *path, uint32_t line, const char *what) {
  if (line == 0) {
    fprintf(stderr, "csd-target: key file %s: %s\n", path, what);
  } else {
    fprintf(stderr, "csd-target: key file %s, line %u: %s\n", path, line, what);
  }
  return false;
}

/* The next word of a line; *length 0: there is none. */
static char *word(char **at, size_t *length) {
  char *start = *at + strspn(*at, " \t\r\n");
  *length = strcspn(start, " \t\r\n");
  *at = start + *length;
  return start;
}

static const char *take_line(char *line, const char *kind, struct tgt_keys *keys) {
  struct tgt_key key = {0};
  const char *fault;
  size_t length;
  char *at = line;
  const char *text = word(&at, &length);
  if (length == 0 || text[0] == '#') {
    return NULL;
  }
  if (length == 4 && memcmp(text, "none", length) == 0) {
    keys->none = true;
    return NULL;
  }
  if (length >= sizeof key.host || strncmp(text, "nqn.", 4) != 0) {
    return "it does not begin with the NQN of a host";
  }
  memcpy(key.host, text, length);
  text = word(&at, &length);
  fault = tgt_secret_parse(text, length, kind, &key.secret);
  if (fault != NULL) {
    return fault;
  }
  text = word(&at, &length);
  if (length > 0 && text[0] != '#') {
    if (strcmp(kind, TGT_CHAP_SECRET) != 0) {
      return "there is something after the key";
    }
    fault = tgt_secret_parse(text, length, kind, &key.controller);
    if (fault != NULL) {
      return fault;
    }
    key.mutual = true;
    text = word(&at, &length);
    if (length > 0 && text[0] != '#') {
      return "there is something after the controller's secret";
    }
    /* With one secret for both, an answer of the one could be had from the other. */
    if (key.controller.bytes == key.secret.bytes &&
        memcmp(key.controller.key, key.secret.key, key.secret.bytes) == 0) {
      return "the secrets of host and controller are the same";
    }
  }
  if (tgt_keys_of(keys, key.host) != NULL) {
    return "this host has a line already";
  }
  if (keys->count == TGT_MAX_KEYS) {
    return "there are too many hosts";
  }
  struct tgt_key *more = realloc(keys->keys, (keys->count + 1) * sizeof *more);
  if (more == NULL) {
    return "memory is short";
  }
  keys->keys = more;
  keys->keys[keys->count++] = key;
  tgt_wipe(&key, sizeof key);
  return NULL;
}

static bool read_lines(FILE *file, const char *path, const char *kind, struct tgt_keys *keys) {
  char line[LINE_BYTES];
  const char *fault = NULL;
  uint32_t number = 0;
  while (fault == NULL && fgets(line, sizeof line, file) != NULL) {
    number++;
    fault =
        strchr(line, '\n') == NULL && !feof(file) ? "it is too long" : take_line(line, kind, keys);
  }
  tgt_wipe(line, sizeof line);
  if (fault != NULL) {
    return fail(path, number, fault);
  }
  if (keys->none && keys->count > 0) {
    return fail(path, 0, "it says \"none\" and has keys");
  }
  return keys->none || keys->count > 0 || fail(path, 0, "there is no key in it");
}

static bool draw_stranger(const char *path, struct tgt_keys *keys) {
  if (keys->count == 0) {
    return true;
  }
  keys->stranger.secret = keys->keys[0].secret; /* whose length and hash it has */
  return tgt_random(keys->stranger.secret.key, keys->stranger.secret.bytes) ||
         fail(path, 0, "no random numbers");
}

/* Whether a file lies in a folder, or in one below it; links are followed. */
static bool lies_in(const char *path, const char *folder) {
  char file[PATH_MAX], above[PATH_MAX];
  if (folder == NULL || realpath(path, file) == NULL || realpath(folder, above) == NULL) {
    return false;
  }
  const size_t length = strlen(above);
  return length > 1 && strncmp(file, above, length) == 0 && file[length] == '/';
}

bool tgt_keys_are_open(const struct stat *about, bool secrets) {
  const mode_t group = about->st_uid == 0 ? S_IRGRP : 0;
  const mode_t reads = secrets ? S_IRGRP | S_IROTH : group;
  return (about->st_mode & (S_IRWXG | S_IRWXO) & ~reads) != 0;
}

bool tgt_keys_read(const char *path, const char *kind, struct tgt_keys *keys) {
  struct stat about;
  char buffer[BUFSIZ];
  *keys = (struct tgt_keys){0};
#ifndef __SANITIZE_ADDRESS__ /* which traces the process to find leaks */
  prctl(PR_SET_DUMPABLE, 0); /* keys are to be in no core dump */
#endif
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0 || fstat(descriptor, &about) != 0) {
    const int error = errno;
    if (descriptor >= 0) {
      close(descriptor);
    }
    return fail(path, 0, strerror(error));
  }
  bool good = S_ISREG(about.st_mode) || fail(path, 0, "it is not a regular file");
  const bool secrets =
      lies_in(path, getenv("CREDENTIALS_DIRECTORY")) || lies_in(path, "/run/secrets");
  good = good && (!tgt_keys_are_open(&about, secrets) ||
                  fail(path, 0, "others than its owner may read or write it: chmod 600"));
  FILE *file = good ? fdopen(descriptor, "r") : NULL;
  if (file == NULL) {
    close(descriptor);
    return false;
  }
  setvbuf(file, buffer, _IOFBF, sizeof buffer);
  good = read_lines(file, path, kind, keys) && draw_stranger(path, keys);
  fclose(file);
  tgt_wipe(buffer, sizeof buffer);
  if (!good) {
    tgt_keys_free(keys);
  }
  return good;
}

const struct tgt_key *tgt_keys_of(const struct tgt_keys *keys, const char *host) {
  for (uint32_t i = 0; i < keys->count; i++) {
    if (strcmp(keys->keys[i].host, host) == 0) {
      return &keys->keys[i];
    }
  }
  return NULL;
}

void tgt_keys_free(struct tgt_keys *keys) {
  if (keys->keys != NULL) {
    tgt_wipe(keys->keys, keys->count * sizeof *keys->keys);
  }
  free(keys->keys);
  *keys = (struct tgt_keys){0};
}
