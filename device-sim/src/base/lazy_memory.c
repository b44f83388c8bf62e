/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "base/lazy_memory.h"

#include <sys/mman.h>
#include <unistd.h>

/* Linux has it from 5.14 on; older headers do not name it, older kernels refuse it. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

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

void csd_lazy_prepare(void *memory, size_t bytes) {
#ifdef __linux__
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t from = (uintptr_t)memory & ~(page - 1);
  const uintptr_t to = ((uintptr_t)memory + bytes + page - 1) & ~(page - 1);
  (void)madvise((void *)from, to - from, MADV_POPULATE_WRITE);
#else
  (void)memory, (void)bytes;
#endif
}
