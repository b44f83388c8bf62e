/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "classic/classic_top.h"

static struct csd_classic_result get(const struct classic_top *top, uint32_t slot,
                                     struct csd_classic_counts *counts) {
  counts->heap_accesses++;
  return top->slots[slot];
}

static void set(struct classic_top *top, uint32_t slot, struct csd_classic_result result,
                struct csd_classic_counts *counts) {
  counts->heap_accesses++;
  top->slots[slot] = result;
}

static bool is_worse(struct csd_classic_result a, struct csd_classic_result b,
                     struct csd_classic_counts *counts) {
  counts->comparisons++;
  return a.score < b.score || (a.score == b.score && a.doc > b.doc);
}

/* Puts `result` at the top of a heap of `count` slots or deeper. */
static void sift_down(struct classic_top *top, uint32_t count, struct csd_classic_result result,
                      struct csd_classic_counts *counts) {
  uint32_t hole = 0;
  for (;;) {
    uint32_t child = 2 * hole + 1;
    if (child >= count) {
      break;
    }
    struct csd_classic_result worst = get(top, child, counts);
    if (child + 1 < count) {
      const struct csd_classic_result other = get(top, child + 1, counts);
      if (is_worse(other, worst, counts)) {
        worst = other;
        child++;
      }
    }
    if (!is_worse(worst, result, counts)) {
      break;
    }
    set(top, hole, worst, counts);
    hole = child;
  }
  set(top, hole, result, counts);
}

void csd_classic_top_offer(struct classic_top *top, const struct csd_classic_result *result,
                           struct csd_classic_counts *counts) {
  if (top->count == CSD_CLASSIC_TOP) {
    if (is_worse(get(top, 0, counts), *result, counts)) {
      sift_down(top, top->count, *result, counts);
    }
    return;
  }
  uint32_t hole = top->count++;
  while (hole > 0) {
    const struct csd_classic_result parent = get(top, (hole - 1) / 2, counts);
    if (!is_worse(*result, parent, counts)) {
      break;
    }
    set(top, hole, parent, counts);
    hole = (hole - 1) / 2;
  }
  set(top, hole, *result, counts);
}

uint32_t csd_classic_top_take(struct classic_top *top, struct csd_classic_result *out,
                              struct csd_classic_counts *counts) {
  const uint32_t count = top->count;
  for (uint32_t left = count; left > 0; left--) {
    out[left - 1] = get(top, 0, counts);
    if (left > 1) {
      sift_down(top, left - 1, get(top, left - 1, counts), counts);
    }
  }
  top->count = 0;
  return count;
}
