/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILES = 512, PATH_BYTES = 256 };

static char folder[PATH_BYTES];
static char paths[MAX_FILES][2 * PATH_BYTES];
static int count;

static void clean_up(void) {
  for (int i = 0; i < count; i++) {
    char index[2 * PATH_BYTES + 8]; /* of a store */
    snprintf(index, sizeof index, "%.*s.idx", 2 * PATH_BYTES, paths[i]);
    unlink(index);
    unlink(paths[i]);
  }
  rmdir(folder);
}

const char *scratch_path(const char *name) {
  if (folder[0] == 0) {
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/csd-test-XXXXXX", base != NULL ? base : "/tmp");
    if (mkdtemp(folder) == NULL) {
      abort();
    }
    atexit(clean_up);
  }
  char path[2 * PATH_BYTES];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (int i = 0; i < count; i++) {
    if (strcmp(paths[i], path) == 0) {
      return paths[i];
    }
  }
  if (count == MAX_FILES) {
    abort();
  }
  strcpy(paths[count], path);
  return paths[count++];
}
