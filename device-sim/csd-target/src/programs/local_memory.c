/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "programs/local_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "controller/controller.h"
#include "controller/share.h"
#include "programs/programs.h"

static uint64_t block_count(const struct tgt_local_memory *m) {
  return m->bytes / TGT_MEMORY_BLOCK;
}

bool tgt_local_memory_open(struct tgt_local_memory *m, uint64_t bytes) {
  m->bytes = bytes / TGT_MEMORY_BLOCK * TGT_MEMORY_BLOCK;
  m->written = calloc(block_count(m), sizeof *m->written);
  if (m->written == NULL) {
    return false;
  }
  void *start = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) {
    free(m->written);
    return false;
  }
  m->start = start;
  pthread_mutex_init(&m->lock, NULL);
  return true;
}

void tgt_local_memory_close(struct tgt_local_memory *m) {
  munmap(m->start, m->bytes);
  free(m->written);
  pthread_mutex_destroy(&m->lock);
}

void tgt_local_memory_clear(struct tgt_local_memory *m) {
  pthread_mutex_lock(&m->lock);
  madvise(m->start, m->bytes, MADV_DONTNEED); /* private and anonymous: zeros from here on */
  memset(m->written, 0, block_count(m));
  pthread_mutex_unlock(&m->lock);
}

bool tgt_local_memory_has(const struct tgt_local_memory *m, uint64_t from, uint64_t bytes) {
  return from % 4 == 0 && bytes % 4 == 0 && from <= m->bytes && bytes <= m->bytes - from;
}

void tgt_local_memory_read(struct tgt_local_memory *m, uint64_t from, void *to, uint64_t bytes) {
  pthread_mutex_lock(&m->lock);
  memcpy(to, m->start + from, bytes);
  pthread_mutex_unlock(&m->lock);
}

/* Takes the blocks of a range that have not been written yet; the lock is held. */
static bool take_blocks(struct tgt_controller *c, uint64_t from, uint64_t bytes) {
  struct tgt_local_memory *m = &c->programs->memory;
  const uint64_t first = from / TGT_MEMORY_BLOCK;
  const uint64_t end = (from + bytes + TGT_MEMORY_BLOCK - 1) / TGT_MEMORY_BLOCK;
  uint64_t missing = 0;
  for (uint64_t block = first; block < end; block++) {
    missing += !m->written[block];
  }
  if (missing == 0) {
    return true;
  }
  if (!tgt_share_memory(c, missing * TGT_MEMORY_BLOCK)) {
    return false;
  }
  memset(m->written + first, true, end - first);
  return true;
}

bool tgt_local_memory_write(struct tgt_controller *c, uint64_t to, const void *data,
                            uint64_t bytes) {
  struct tgt_local_memory *m = &c->programs->memory;
  pthread_mutex_lock(&m->lock);
  const bool there = bytes == 0 || take_blocks(c, to, bytes);
  if (there && bytes > 0 && data != NULL) {
    memcpy(m->start + to, data, bytes);
  } else if (there && bytes > 0) {
    memset(m->start + to, 0, bytes);
  }
  pthread_mutex_unlock(&m->lock);
  return there;
}

bool tgt_local_memory_copy(struct tgt_controller *c, uint64_t to, uint64_t from, uint64_t bytes) {
  struct tgt_local_memory *m = &c->programs->memory;
  pthread_mutex_lock(&m->lock);
  const bool there = bytes == 0 || take_blocks(c, to, bytes);
  if (there && bytes > 0) {
    memcpy(m->start + to, m->start + from, bytes);
  }
  pthread_mutex_unlock(&m->lock);
  return there;
}
