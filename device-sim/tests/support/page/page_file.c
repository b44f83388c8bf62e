/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/page/page_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "csd/csd_wire.h"
#include "tests/support/scratch.h"

enum { WORDS = CSD_PAGE_BYTES / 8 };

static uint64_t word_of(uint32_t number, uint32_t version, uint32_t at) {
  return ((uint64_t)number << 40 | (uint64_t)version << 16 | at) * UINT64_C(0x9E3779B97F4A7C15);
}

void page_file_write(int file, uint32_t number, uint32_t version) {
  uint64_t words[WORDS];
  for (uint32_t i = 0; i < WORDS; i++) {
    words[i] = word_of(number, version, i);
  }
  if (pwrite(file, words, sizeof words, (off_t)number * CSD_PAGE_BYTES) != sizeof words) {
    abort();
  }
}

int page_file_make(const char *name, uint32_t pages) {
  const int file = open(scratch_path(name), O_RDWR | O_CREAT | O_TRUNC, 0600);
  for (uint32_t i = 0; i < pages; i++) {
    page_file_write(file, i, 0);
  }
  return file;
}

uint32_t page_file_version(const uint8_t *page, uint32_t number) {
  const uint64_t *words = (const uint64_t *)(const void *)page;
  for (uint32_t version = 0; version < 4; version++) {
    uint32_t i = 0;
    while (i < WORDS && words[i] == word_of(number, version, i)) {
      i++;
    }
    if (i == WORDS) {
      return version;
    }
  }
  return UINT32_MAX;
}
