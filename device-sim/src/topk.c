/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "topk.h"

#include <stdbool.h>

static bool is_worse(struct csd_hit a, struct csd_hit b) {
  return a.score < b.score || (a.score == b.score && a.doc > b.doc);
}

/* Puts `hit` where `hole` is or deeper, in a heap of `count` with the worst hit on top. */
static void sift_down(struct csd_hit *hits, uint32_t count, uint32_t hole, struct csd_hit hit) {
  for (;;) {
    uint32_t child = 2 * hole + 1;
    if (child >= count) {
      break;
    }
    if (child + 1 < count && is_worse(hits[child + 1], hits[child])) {
      child++;
    }
    if (!is_worse(hits[child], hit)) {
      break;
    }
    hits[hole] = hits[child];
    hole = child;
  }
  hits[hole] = hit;
}

void csd_topk_offer(struct csd_topk *topk, uint32_t doc, float score) {
  const struct csd_hit hit = {.doc = doc, .score = score};
  if (topk->count == topk->k) {
    sift_down(topk->hits, topk->count, 0, hit);
    return;
  }
  uint32_t hole = topk->count++;
  while (hole > 0 && is_worse(hit, topk->hits[(hole - 1) / 2])) {
    topk->hits[hole] = topk->hits[(hole - 1) / 2];
    hole = (hole - 1) / 2;
  }
  topk->hits[hole] = hit;
}

void csd_topk_sort(struct csd_topk *topk) {
  /* Takes the worst off again and again, filling the array from its end. */
  for (uint32_t left = topk->count; left > 1; left--) {
    const struct csd_hit worst = topk->hits[0];
    const struct csd_hit last = topk->hits[left - 1];
    sift_down(topk->hits, left - 1, 0, last);
    topk->hits[left - 1] = worst;
  }
}
