/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Feeds a fuzz target without a fuzzer: the bytes of every golden vector of the kinds named, and of
 * each a fixed number of alterations, the same at every run.
 *
 *   replay <vectors folder> <alterations> <kind>...
 * or, to repeat a finding:
 *   replay <file>
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "vector_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char **kinds;
static int alterations;
static int inputs;

static void alter(uint8_t *bytes, size_t size, uint64_t *seed) {
  static const uint8_t odd[] = {0, 1, 2, 127, 128, 255};
  const uint32_t changes = 1 + check_random_below(seed, 4);
  for (uint32_t i = 0; i < changes && size > 0; i++) {
    /* Mostly where the structure is. */
    const size_t span = check_random_below(seed, 4) != 0 && size > 320 ? 320 : size;
    const size_t at = check_random_below(seed, (uint32_t)span);
    if (check_random_below(seed, 2) != 0) {
      bytes[at] = odd[check_random_below(seed, sizeof odd)];
    } else {
      bytes[at] = (uint8_t)(bytes[at] ^ (1u << check_random_below(seed, 8)));
    }
  }
}

static void feed(const struct vector_file *vector) {
  int kind = 0;
  while (kinds[kind] != NULL && strcmp(kinds[kind], vector->kind) != 0) kind++;
  if (kinds[kind] == NULL) return;
  const struct vector_section *section =
      vector_section_of(vector, strcmp(vector->kind, "program") == 0 ? "plan" : "bytes", 0);
  if (section == NULL) return;
  uint64_t seed = 1;
  for (const char *c = vector->name; *c != 0; c++) seed = seed * 31 + (uint64_t)*c;
  for (int i = 0; i <= alterations; i++) {
    uint8_t *input = malloc(section->size + 1); /* of its very size, for the sanitizers */
    if (input == NULL) abort();
    memcpy(input, section->bytes, section->size);
    if (i > 0) alter(input, section->size, &seed);
    LLVMFuzzerTestOneInput(input, section->size);
    free(input);
    inputs++;
  }
}

static int feed_file(const char *path) {
  FILE *file = fopen(path, "rb");
  static uint8_t bytes[1 << 20];
  if (file == NULL) return 1;
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  LLVMFuzzerTestOneInput(bytes, size);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2) return feed_file(argv[1]);
  if (argc < 4) return 2;
  alterations = atoi(argv[2]);
  kinds = argv + 3;
  char folder[1024];
  for (int bad = 0; bad < 2; bad++) {
    snprintf(folder, sizeof folder, "%s/%s", argv[1], bad ? "bad" : "good");
    vector_files_each(folder, feed);
  }
  printf("%d inputs\n", inputs);
  return inputs > 10 ? 0 : 1;
}
