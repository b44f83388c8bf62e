/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A binary heap of places with the steps of Lucene's PriorityQueue: where two places are equal, or
 * one moves while it is in the queue, which comes out first depends on them. The least is at 1.
 */
#ifndef CSD_PLACE_QUEUE_H
#define CSD_PLACE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct csd_slop_place;

/** Whether `a` has to come out before `b`. */
typedef bool (*csd_place_order)(const struct csd_slop_place *a, const struct csd_slop_place *b);

/** Puts a place into a queue of `n`. */
static inline void csd_place_queue_push(struct csd_slop_place **queue, uint32_t n,
                                        struct csd_slop_place *place, csd_place_order is_before) {
  uint32_t i = n + 1u;
  for (; i > 1u && is_before(place, queue[i / 2u]); i /= 2u) {
    queue[i] = queue[i / 2u];
  }
  queue[i] = place;
}

/** Puts a place into a queue of `n` instead of the first one. */
static inline void csd_place_queue_replace(struct csd_slop_place **queue, uint32_t n,
                                           struct csd_slop_place *place,
                                           csd_place_order is_before) {
  uint32_t i = 1;
  for (uint32_t child = 2; child <= n; child = 2u * i) {
    child += child < n && is_before(queue[child + 1u], queue[child]);
    if (!is_before(queue[child], place)) {
      break;
    }
    queue[i] = queue[child];
    i = child;
  }
  queue[i] = place;
}

/** Takes the first place out of a queue of `n`, which is not empty. */
static inline struct csd_slop_place *csd_place_queue_pop(struct csd_slop_place **queue, uint32_t n,
                                                         csd_place_order is_before) {
  struct csd_slop_place *first = queue[1];
  csd_place_queue_replace(queue, n - 1u, queue[n], is_before);
  return first;
}

#endif
