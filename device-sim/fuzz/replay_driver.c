/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Feeds a fuzz target without a fuzzer: its corpus, what the golden vectors of the kinds named make
 * for it, and of each of these a fixed number of alterations, the same at every run.
 *
 *   replay <corpus folder> <vectors folder> <alterations> <kind>...
 * or, to repeat findings:
 *   replay <file>...
 * or, to write the inputs to the working directory, as seeds for a fuzzer:
 *   replay --export <corpus folder> <vectors folder> <alterations> <kind>...
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/check.h"
#include "tests/vectors/vector_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Makes an input of a vector, at most `room` bytes; 0: none. A target may have its own. */
__attribute__((weak)) size_t fuzz_seed(const struct vector_file *vector, uint8_t *input,
                                       size_t room);

enum { MAX_BYTES = 1 << 20, MAX_FILES = 4096 };

static char **kinds;
static int alterations;
static int inputs;
static bool exporting;
static uint8_t bytes[MAX_BYTES];

static void alter(uint8_t *input, size_t size, uint64_t *seed) {
  static const uint8_t odd[] = {0, 1, 2, 127, 128, 255};
  const uint32_t changes = 1 + check_random_below(seed, 4);
  for (uint32_t i = 0; i < changes && size > 0; i++) {
    /* Mostly where the structure is. */
    const size_t span = check_random_below(seed, 4) != 0 && size > 320 ? 320 : size;
    const size_t at = check_random_below(seed, (uint32_t)span);
    if (check_random_below(seed, 2) != 0) {
      input[at] = odd[check_random_below(seed, sizeof odd)];
    } else {
      input[at] = (uint8_t)(input[at] ^ (1u << check_random_below(seed, 8)));
    }
  }
}

static void export_input(const uint8_t *input, size_t size) {
  char name[32];
  snprintf(name, sizeof name, "seed-%05d", inputs);
  FILE *file = fopen(name, "wb");
  if (file == NULL || fwrite(input, 1, size, file) != size || fclose(file) != 0) {
    perror(name);
    exit(1);
  }
}

/* An input and its alterations, which depend on its name alone. */
static void feed(const char *name, const uint8_t *from, size_t size) {
  uint64_t seed = 1;
  for (const char *c = name; *c != 0; c++) {
    seed = seed * 31 + (uint64_t)*c;
  }
  for (int i = 0; i <= alterations; i++) {
    uint8_t *input = malloc(size + 1); /* of its very size, for the sanitizers */
    if (input == NULL) {
      abort();
    }
    memcpy(input, from, size);
    if (i > 0) {
      alter(input, size, &seed);
    }
    if (exporting) {
      export_input(input, size);
    } else {
      LLVMFuzzerTestOneInput(input, size);
    }
    free(input);
    inputs++;
  }
}

static void feed_vector(const struct vector_file *vector) {
  int kind = 0;
  while (kinds[kind] != NULL && strcmp(kinds[kind], vector->kind) != 0) {
    kind++;
  }
  if (kinds[kind] == NULL) {
    return;
  }
  if (fuzz_seed != NULL) {
    const size_t size = fuzz_seed(vector, bytes, sizeof bytes);
    if (size > 0) {
      feed(vector->name, bytes, size);
    }
    return;
  }
  const struct vector_section *section =
      vector_section_of(vector, strcmp(vector->kind, "program") == 0 ? "plan" : "bytes", 0);
  if (section != NULL) {
    feed(vector->name, section->bytes, section->size);
  }
}

static int feed_file(const char *path, const char *name) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    return 1;
  }
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  feed(name, bytes, size);
  return 0;
}

static int by_name(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The files of a folder, in the order of their names; returns how many, or -1. */
static int feed_folder(const char *path) {
  static char *names[MAX_FILES];
  int count = 0;
  DIR *folder = opendir(path);
  if (folder == NULL) {
    perror(path);
    return -1;
  }
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    if (entry->d_name[0] != '.' && count < MAX_FILES) {
      names[count++] = strdup(entry->d_name);
    }
  }
  closedir(folder);
  qsort(names, (size_t)count, sizeof names[0], by_name);
  for (int i = 0; i < count; i++) {
    char file[1024];
    snprintf(file, sizeof file, "%s/%s", path, names[i]);
    if (feed_file(file, names[i]) != 0) {
      return -1;
    }
    free(names[i]);
  }
  return count;
}

int main(int argc, char **argv) {
  struct stat info;
  exporting = argc > 1 && strcmp(argv[1], "--export") == 0;
  if (exporting) {
    argc--, argv++;
  }
  if (argc < 2) {
    return 2;
  }
  if (stat(argv[1], &info) == 0 && S_ISREG(info.st_mode)) {
    for (int i = 1; i < argc; i++) {
      if (feed_file(argv[i], argv[i]) != 0) {
        return 1;
      }
    }
    return 0;
  }
  if (argc < 4) {
    return 2;
  }
  alterations = atoi(argv[3]);
  kinds = argv + 4;
  const int files = feed_folder(argv[1]);
  const int of_files = inputs;
  char folder[1024];
  for (int bad = 0; bad < 2; bad++) {
    snprintf(folder, sizeof folder, "%s/%s", argv[2], bad ? "bad" : "good");
    vector_files_each(folder, feed_vector);
  }
  printf("%d inputs: %d of %d corpus files, %d of golden vectors\n", inputs, of_files, files,
         inputs - of_files);
  return files > 0 && inputs > 10 ? 0 : 1;
}
