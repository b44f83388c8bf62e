/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "base/lazy_memory.h"

#include <sys/mman.h>

void *csd_lazy_alloc(uint64_t count, size_t size) {
  if (count == 0 || size == 0 || count > PTRDIFF_MAX / size) {
    return NULL;
  }
  void *memory = mmap(NULL, (size_t)count * size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void csd_lazy_free(void *memory, uint64_t count, size_t size) {
  if (memory != NULL) {
    munmap(memory, (size_t)count * size);
  }
}
