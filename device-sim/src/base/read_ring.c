/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* io_uring by its system calls: no library is needed where this is built or run. */
#include "base/read_ways.h"

#if defined(__linux__) && __has_include(<linux/io_uring.h>)

#include <errno.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The words of the rings that the kernel reads or writes, too. */
typedef _Atomic uint32_t shared;

struct csd_read_ring {
  int file;
  uint8_t *rings;
  size_t ring_bytes;
  struct io_uring_sqe *entries;
  size_t entry_bytes;
  shared *sent_head, *sent_tail, *ended_head, *ended_tail;
  uint32_t sent_mask, ended_mask;
  uint32_t *sent_array;
  struct io_uring_cqe *ended;
  pthread_mutex_t lock;         /* guards the list below */
  struct csd_read_job *refused; /* jobs that the kernel did not take */
  atomic_bool has_refused;
};

static int enter(const struct csd_read_ring *ring, uint32_t send, uint32_t wait) {
  return (int)syscall(__NR_io_uring_enter, ring->file, send, wait,
                      wait > 0 ? IORING_ENTER_GETEVENTS : 0, NULL, 0);
}

/* Whether the kernel takes jobs: a process may be let make a ring, and not use it. */
static bool works(struct csd_read_ring *ring) {
  struct csd_read_job none = {.piece_count = 0};
  csd_read_ring_submit(ring, &none);
  ring->entries[0].opcode = IORING_OP_NOP;
  return enter(ring, 1, 1) == 1 && csd_read_ring_reap(ring, false) == &none && none.result == 0;
}

struct csd_read_ring *csd_read_ring_open(uint32_t most) {
  struct io_uring_params p;
  memset(&p, 0, sizeof p);
  const int file = (int)syscall(__NR_io_uring_setup, most, &p);
  if (file < 0) {
    return NULL;
  }
  struct csd_read_ring *ring = calloc(1, sizeof *ring);
  const size_t sent = p.sq_off.array + p.sq_entries * sizeof(uint32_t);
  const size_t ended = p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe);
  const bool usable = (p.features & IORING_FEAT_SINGLE_MMAP) != 0 &&
                      (p.features & IORING_FEAT_NODROP) != 0 && ring != NULL;
  if (!usable) {
    close(file);
    free(ring);
    return NULL;
  }
  ring->file = file;
  ring->ring_bytes = sent > ended ? sent : ended;
  ring->entry_bytes = p.sq_entries * sizeof(struct io_uring_sqe);
  void *rings = mmap(NULL, ring->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                     file, IORING_OFF_SQ_RING);
  void *entries = mmap(NULL, ring->entry_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                       file, IORING_OFF_SQES);
  if (rings == MAP_FAILED || entries == MAP_FAILED) {
    if (rings != MAP_FAILED) {
      munmap(rings, ring->ring_bytes);
    }
    close(file);
    free(ring);
    return NULL;
  }
  ring->rings = rings;
  ring->entries = entries;
  ring->sent_head = (shared *)(ring->rings + p.sq_off.head);
  ring->sent_tail = (shared *)(ring->rings + p.sq_off.tail);
  ring->sent_array = (uint32_t *)(ring->rings + p.sq_off.array);
  memcpy(&ring->sent_mask, ring->rings + p.sq_off.ring_mask, sizeof ring->sent_mask);
  ring->ended_head = (shared *)(ring->rings + p.cq_off.head);
  ring->ended_tail = (shared *)(ring->rings + p.cq_off.tail);
  ring->ended = (struct io_uring_cqe *)(ring->rings + p.cq_off.cqes);
  memcpy(&ring->ended_mask, ring->rings + p.cq_off.ring_mask, sizeof ring->ended_mask);
  pthread_mutex_init(&ring->lock, NULL);
  if (!works(ring)) {
    csd_read_ring_close(ring);
    return NULL;
  }
  return ring;
}

void csd_read_ring_close(struct csd_read_ring *ring) {
  munmap(ring->entries, ring->entry_bytes);
  munmap(ring->rings, ring->ring_bytes);
  close(ring->file);
  pthread_mutex_destroy(&ring->lock);
  free(ring);
}

void csd_read_ring_submit(struct csd_read_ring *ring, struct csd_read_job *job) {
  const uint32_t tail = atomic_load_explicit(ring->sent_tail, memory_order_relaxed);
  const uint32_t at = tail & ring->sent_mask;
  struct io_uring_sqe *entry = &ring->entries[at];
  memset(entry, 0, sizeof *entry);
  entry->opcode = IORING_OP_READV;
  entry->fd = job->file;
  entry->off = job->at;
  entry->addr = (uintptr_t)job->pieces;
  entry->len = (uint32_t)job->piece_count;
  entry->user_data = (uintptr_t)job;
  ring->sent_array[at] = at;
  atomic_store_explicit(ring->sent_tail, tail + 1, memory_order_release);
}

/* Ends the jobs that the kernel has not taken: they are as if they had failed. */
static void refuse(struct csd_read_ring *ring, int cause) {
  pthread_mutex_lock(&ring->lock);
  const uint32_t head = atomic_load_explicit(ring->sent_head, memory_order_acquire);
  uint32_t tail = atomic_load_explicit(ring->sent_tail, memory_order_relaxed);
  while (tail != head) {
    tail--;
    struct csd_read_job *job =
        (struct csd_read_job *)(uintptr_t)ring->entries[tail & ring->sent_mask].user_data;
    job->result = -cause;
    job->next = ring->refused;
    ring->refused = job;
  }
  atomic_store_explicit(ring->sent_tail, tail, memory_order_release);
  atomic_store(&ring->has_refused, ring->refused != NULL);
  pthread_mutex_unlock(&ring->lock);
}

void csd_read_ring_send(struct csd_read_ring *ring) {
  for (int tries = 0;; tries++) {
    const uint32_t left = atomic_load_explicit(ring->sent_tail, memory_order_relaxed) -
                          atomic_load_explicit(ring->sent_head, memory_order_acquire);
    if (left == 0) {
      return;
    }
    if (enter(ring, left, 0) < 0 && errno != EINTR) {
      if ((errno != EAGAIN && errno != EBUSY) || tries == 3) {
        refuse(ring, errno);
        return;
      }
    }
  }
}

static struct csd_read_job *reap_refused(struct csd_read_ring *ring) {
  pthread_mutex_lock(&ring->lock);
  struct csd_read_job *job = ring->refused;
  if (job != NULL) {
    ring->refused = job->next;
  }
  atomic_store(&ring->has_refused, ring->refused != NULL);
  pthread_mutex_unlock(&ring->lock);
  return job;
}

struct csd_read_job *csd_read_ring_reap(struct csd_read_ring *ring, bool wait) {
  for (;;) {
    if (atomic_load(&ring->has_refused)) {
      struct csd_read_job *job = reap_refused(ring);
      if (job != NULL) {
        return job;
      }
    }
    const uint32_t head = atomic_load_explicit(ring->ended_head, memory_order_relaxed);
    if (head != atomic_load_explicit(ring->ended_tail, memory_order_acquire)) {
      const struct io_uring_cqe *end = &ring->ended[head & ring->ended_mask];
      struct csd_read_job *job = (struct csd_read_job *)(uintptr_t)end->user_data;
      job->result = end->res;
      atomic_store_explicit(ring->ended_head, head + 1, memory_order_release);
      return job;
    }
    if (!wait) {
      return NULL;
    }
    if (enter(ring, 0, 1) < 0 && errno != EINTR) {
      /* What is under way ends all the same. */
      nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
  }
}

#else /* no io_uring where this is built */

#include <stddef.h>

struct csd_read_ring *csd_read_ring_open(uint32_t most) {
  (void)most;
  return NULL;
}

void csd_read_ring_close(struct csd_read_ring *ring) { (void)ring; }

void csd_read_ring_submit(struct csd_read_ring *ring, struct csd_read_job *job) {
  (void)ring, (void)job;
}

void csd_read_ring_send(struct csd_read_ring *ring) { (void)ring; }

struct csd_read_job *csd_read_ring_reap(struct csd_read_ring *ring, bool wait) {
  (void)ring, (void)wait;
  return NULL;
}

#endif
