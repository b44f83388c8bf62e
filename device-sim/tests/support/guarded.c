/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/guarded.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static size_t usable(size_t bytes) {
  return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

void *guarded_take(size_t bytes) {
  const size_t size = usable(bytes);
  uint8_t *start =
      mmap(NULL, size + page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED || mprotect(start + size, page_bytes(), PROT_NONE) != 0) {
    perror("guarded memory");
    exit(1);
  }
  return start + size - bytes;
}

void guarded_free(void *memory, size_t bytes) {
  const size_t size = usable(bytes);
  munmap((uint8_t *)memory + bytes - size, size + page_bytes());
}
