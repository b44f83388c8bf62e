/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/memory/frame_queues.h"

#include "base/lazy_memory.h"

/* Frames whose memory is prepared at once. They fill from the first on. */
enum { PREPARED_FRAMES = 1 << 8 };

/* Of frames of the main queue that a load looks at, it spares so many for their uses at most. */
enum { MAX_SPARED = 256 };

#define GONE_TIME (CSD_MAP_GONE - 1)

bool csd_frame_queues_open(struct csd_frame_queues *queues, struct csd_frame *frames,
                           uint64_t frame_count, _Atomic uint32_t *map) {
  *queues = (struct csd_frame_queues){.frames = frames,
                                      .map = map,
                                      .frame_count = frame_count,
                                      .small_target = frame_count / 10 + 1,
                                      .next = csd_lazy_alloc(frame_count, sizeof(uint32_t))};
  pthread_mutex_init(&queues->lock, NULL);
  return queues->next != NULL;
}

uint64_t csd_frame_queues_touched(const struct csd_frame_queues *queues) {
  const uint64_t prepared =
      (queues->fresh + PREPARED_FRAMES - 1) / PREPARED_FRAMES * PREPARED_FRAMES;
  return prepared < queues->frame_count ? prepared : queues->frame_count;
}

void csd_frame_queues_close(struct csd_frame_queues *queues) {
  csd_lazy_keep(queues->next, queues->frame_count, sizeof *queues->next,
                csd_frame_queues_touched(queues) * sizeof *queues->next);
  queues->next = NULL;
  pthread_mutex_destroy(&queues->lock);
}

static void push(struct csd_frame_queues *queues, struct csd_frame_queue *queue, uint32_t frame) {
  if (queue->count++ == 0) {
    queue->first = frame;
  } else {
    queues->next[queue->last] = frame;
  }
  queue->last = frame;
}

static uint32_t pop(struct csd_frame_queues *queues, struct csd_frame_queue *queue) {
  const uint32_t frame = queue->first;
  queue->first = queues->next[frame];
  queue->count--;
  return frame;
}

/* Takes a frame that was popped over from its page, if it is as the look at it has shown. */
static bool take_over(struct csd_frame_queues *queues, uint32_t i, uint64_t state, bool of_small,
                      struct csd_frame_taken *taken) {
  struct csd_frame *frame = &queues->frames[i];
  const uint64_t lba = atomic_load_explicit(&frame->lba, memory_order_acquire);
  const uint64_t generation = state & ~(CSD_FRAME_GENERATION - 1);
  if (!csd_frame_swap(frame, &state, (generation + CSD_FRAME_GENERATION) | 1)) {
    return false;
  }
  *taken = (struct csd_frame_taken){.frame = i};
  if ((state & CSD_FRAME_VALID) != 0) {
    queues->left_small = (queues->left_small + of_small) & GONE_TIME;
    /* Fails if a load has already put the LBA into another frame. */
    uint32_t mapped = i + 1u;
    atomic_compare_exchange_strong_explicit(&queues->map[lba], &mapped,
                                            of_small ? CSD_MAP_GONE | queues->left_small : 0,
                                            memory_order_acq_rel, memory_order_acquire);
    taken->evicted = true;
    taken->lba = lba;
  }
  return true;
}

/* Whether the page of an LBA left the small queue a short time ago. */
static bool left_lately(const struct csd_frame_queues *queues, uint64_t lba) {
  const uint32_t mapped = atomic_load_explicit(&queues->map[lba], memory_order_acquire);
  const uint32_t since = (queues->left_small - mapped) & GONE_TIME;
  return (mapped & CSD_MAP_GONE) != 0 && since < queues->frame_count - queues->small_target;
}

static bool take_of_small(struct csd_frame_queues *queues, struct csd_frame_taken *taken) {
  for (uint64_t left = queues->small.count; left > 0; left--) {
    const uint32_t i = pop(queues, &queues->small);
    struct csd_frame *frame = &queues->frames[i];
    uint64_t state = atomic_load_explicit(&frame->state, memory_order_acquire);
    if ((state & CSD_FRAME_PINS) == 0) {
      if ((state & CSD_FRAME_VALID) != 0 && (state & CSD_FRAME_USES) >= 2 * CSD_FRAME_USE) {
        /* It does no harm to lose this race against a pin. */
        csd_frame_swap(frame, &state, state & ~CSD_FRAME_USES);
        push(queues, &queues->main, i);
        continue;
      }
      if (take_over(queues, i, state, true, taken)) {
        return true;
      }
    }
    push(queues, &queues->small, i);
  }
  return false;
}

static bool take_of_main(struct csd_frame_queues *queues, struct csd_frame_taken *taken) {
  uint64_t spared = 0;
  /* Twice: a frame may be pinned, or have been used, at the first look alone. */
  for (uint64_t left = 2 * queues->main.count; left > 0; left--) {
    const uint32_t i = pop(queues, &queues->main);
    struct csd_frame *frame = &queues->frames[i];
    uint64_t state = atomic_load_explicit(&frame->state, memory_order_acquire);
    if ((state & CSD_FRAME_PINS) == 0) {
      const bool used = (state & CSD_FRAME_VALID) != 0 && (state & CSD_FRAME_USES) != 0;
      if (used && spared < MAX_SPARED && left > queues->main.count) {
        csd_frame_swap(frame, &state, state - CSD_FRAME_USE);
        spared++;
      } else if (take_over(queues, i, state, false, taken)) {
        return true;
      }
    }
    push(queues, &queues->main, i);
  }
  return false;
}

static bool take_fresh(struct csd_frame_queues *queues, struct csd_frame_taken *taken) {
  if (queues->fresh == queues->frame_count) {
    return false;
  }
  const uint64_t i = queues->fresh++;
  if (i % PREPARED_FRAMES == 0) {
    const uint64_t left = queues->frame_count - i;
    const uint64_t count = left < PREPARED_FRAMES ? left : PREPARED_FRAMES;
    csd_lazy_prepare(&queues->frames[i], count * sizeof *queues->frames);
  }
  taken->fresh = take_over(queues, (uint32_t)i, 0, false, taken);
  return taken->fresh;
}

static bool take_any(struct csd_frame_queues *queues, struct csd_frame_taken *taken) {
  if (take_fresh(queues, taken)) {
    return true;
  }
  const bool small_first = queues->small.count > queues->small_target;
  return (small_first && take_of_small(queues, taken)) || take_of_main(queues, taken) ||
         take_of_small(queues, taken);
}

bool csd_frame_queues_take(struct csd_frame_queues *queues, uint64_t lba,
                           struct csd_frame_taken *taken) {
  pthread_mutex_lock(&queues->lock);
  const bool again = left_lately(queues, lba);
  const bool there_is = take_any(queues, taken);
  if (there_is) {
    push(queues, again ? &queues->main : &queues->small, (uint32_t)taken->frame);
  }
  pthread_mutex_unlock(&queues->lock);
  return there_is;
}
