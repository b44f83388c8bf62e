/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "base/lazy_memory.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Linux has it from 5.14 on; older headers do not name it, older kernels refuse it. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Guarded by the lock. */
static struct {
  void *memory; /* NULL: none */
  size_t bytes;
} kept[CSD_KEPT_BLOCKS];

/* Takes a block of so many bytes that is kept; of any size if `bytes` is 0. NULL: there is none. */
static void *take_kept(size_t bytes, size_t *taken) {
  void *memory = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < CSD_KEPT_BLOCKS && memory == NULL; i++) {
    if (kept[i].memory != NULL && (bytes == 0 || kept[i].bytes == bytes)) {
      memory = kept[i].memory;
      *taken = kept[i].bytes;
      kept[i].memory = NULL;
    }
  }
  pthread_mutex_unlock(&lock);
  return memory;
}

static void *map(size_t bytes) {
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void *csd_lazy_alloc(uint64_t count, size_t size) {
  if (count == 0 || size == 0 || count > PTRDIFF_MAX / size) {
    return NULL;
  }
  const size_t bytes = (size_t)count * size;
  size_t taken;
  void *memory = take_kept(bytes, &taken);
  if (memory != NULL || (memory = map(bytes)) != NULL) {
    return memory;
  }
  /* What is kept for others may be in the way. */
  for (void *other = take_kept(0, &taken); other != NULL; other = take_kept(0, &taken)) {
    munmap(other, taken);
  }
  return map(bytes);
}

void csd_lazy_free(void *memory, uint64_t count, size_t size) {
  if (memory != NULL) {
    munmap(memory, (size_t)count * size);
  }
}

bool csd_lazy_zero(void *memory, size_t bytes) {
#ifdef __linux__
  return madvise(memory, bytes, MADV_DONTNEED) == 0;
#else /* elsewhere that is a hint, and the bytes may stay */
  return mmap(memory, bytes, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
#endif
}

/* Zeros a block, and lets go of all but its first pages. Returns whether the system did. */
static bool empty(uint8_t *memory, size_t bytes, uint64_t touched) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t most = touched < CSD_KEPT_BYTES ? (size_t)touched : CSD_KEPT_BYTES;
  const size_t whole = (most + page - 1) / page * page;
  const size_t backed = whole < bytes ? whole : bytes;
  if (backed < bytes && !csd_lazy_zero(memory + backed, bytes - backed)) {
    return false;
  }
  memset(memory, 0, backed);
  return true;
}

void csd_lazy_keep(void *memory, uint64_t count, size_t size, uint64_t touched) {
  const size_t bytes = (size_t)count * size;
  if (memory == NULL) {
    return;
  }
  bool done = false;
  if (empty(memory, bytes, touched)) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < CSD_KEPT_BLOCKS && !done; i++) {
      if (kept[i].memory == NULL) {
        kept[i].memory = memory;
        kept[i].bytes = bytes;
        done = true;
      }
    }
    pthread_mutex_unlock(&lock);
  }
  if (!done) {
    munmap(memory, bytes);
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

void csd_lazy_huge(void *memory, size_t bytes) {
#ifdef __linux__
  (void)madvise(memory, bytes, MADV_HUGEPAGE);
#else
  (void)memory, (void)bytes;
#endif
}
