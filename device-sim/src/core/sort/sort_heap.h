/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The k best hits by several keys, in the array of the result page. */
#ifndef CSD_SORT_HEAP_H
#define CSD_SORT_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "csd/csd_wire.h"

/** An entry of a TOP_K_BY_COLUMN result page, with as many keys as the plan has. */
struct csd_sort_entry {
  uint32_t doc;
  float score;
  uint64_t keys[CSD_MAX_SORT_KEYS]; /* of two hits the one with the lower keys is better */
};

/** Bytes of an entry in the page. */
static inline uint32_t csd_sort_entry_bytes(uint32_t key_count) { return 8u + 8u * key_count; }

struct csd_sort_heap {
  uint64_t *words; /* the entries, the worst on top; 8-byte aligned */
  uint32_t key_count;
  uint32_t count;
  uint32_t k;
};

static inline bool csd_sort_heap_is_full(const struct csd_sort_heap *heap) {
  return heap->count == heap->k;
}

/** The worst of the hits that are kept; there is one. */
void csd_sort_heap_worst(const struct csd_sort_heap *heap, struct csd_sort_entry *worst);

/** Takes a hit; it is better than the worst if the heap is full, which then goes. */
void csd_sort_heap_add(struct csd_sort_heap *heap, const struct csd_sort_entry *entry);

/**
 * Brings the hits into order, the best first.
 *
 * @param flips  exclusive-ored into each hit's keys
 */
void csd_sort_heap_finish(struct csd_sort_heap *heap, const uint64_t *flips);

#endif
