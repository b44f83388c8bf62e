/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/plan/topk.h"

/* Up to so many hits are kept in order: to move all costs less than a heap's mispredictions. */
#define SORTED_TO 32u

static bool is_sorted(const struct csd_topk *topk) { return topk->k <= SORTED_TO; }

uint64_t csd_topk_worst(const struct csd_topk *topk) {
  return topk->keys[is_sorted(topk) ? topk->k - 1u : 0u];
}

/* Puts `key` in its place among `count` that descend; returns the one that falls off the end. */
static uint64_t insert(uint64_t *keys, uint32_t count, uint64_t key) {
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t kept = keys[i];
    keys[i] = kept > key ? kept : key; /* no branch: where it belongs cannot be predicted */
    key = kept > key ? key : kept;
  }
  return key;
}

/* Puts `key` where `hole` is or deeper, in a heap of `count` with the least on top. */
static void sift_down(uint64_t *keys, uint32_t count, uint32_t hole, uint64_t key) {
  for (;;) {
    uint32_t child = 2 * hole + 1;
    if (child >= count) {
      break;
    }
    if (child + 1 < count && keys[child + 1] < keys[child]) {
      child++;
    }
    if (keys[child] >= key) {
      break;
    }
    keys[hole] = keys[child];
    hole = child;
  }
  keys[hole] = key;
}

void csd_topk_offer(struct csd_topk *topk, uint64_t key) {
  uint64_t *keys = topk->keys;
  if (is_sorted(topk)) {
    const uint64_t last = insert(keys, topk->count, key);
    if (topk->count < topk->k) {
      keys[topk->count++] = last;
    }
    return;
  }
  if (topk->count == topk->k) {
    sift_down(keys, topk->count, 0, key);
    return;
  }
  uint32_t hole = topk->count++;
  while (hole > 0 && key < keys[(hole - 1) / 2]) {
    keys[hole] = keys[(hole - 1) / 2];
    hole = (hole - 1) / 2;
  }
  keys[hole] = key;
}

/* Index of the key of the same doc; `count` if there is none. */
static uint32_t find_doc(const struct csd_topk *topk, uint64_t key) {
  uint32_t at = topk->count;
  for (uint32_t i = 0; i < topk->count; i++) {
    at = (uint32_t)topk->keys[i] == (uint32_t)key ? i : at; /* one at most: no need to stop */
  }
  return at;
}

bool csd_topk_raise(struct csd_topk *topk, uint64_t key) {
  uint64_t *keys = topk->keys;
  uint32_t at = find_doc(topk, key);
  if (at == topk->count) {
    return false;
  }
  if (keys[at] >= key) {
    return true;
  }
  if (!is_sorted(topk)) {
    sift_down(keys, topk->count, at, key);
    return true;
  }
  for (; at > 0 && keys[at - 1] < key; at--) {
    keys[at] = keys[at - 1];
  }
  keys[at] = key;
  return true;
}

void csd_topk_finish(struct csd_topk *topk) {
  uint64_t *keys = topk->keys;
  if (!is_sorted(topk)) {
    /* Takes the worst off again and again, filling the array from its end. */
    for (uint32_t left = topk->count; left > 1; left--) {
      const uint64_t worst = keys[0];
      sift_down(keys, left - 1, 0, keys[left - 1]);
      keys[left - 1] = worst;
    }
  }
  for (uint32_t i = 0; i < topk->count; i++) {
    const struct csd_hit hit = {.doc = csd_key_doc(keys[i]), .score = csd_key_score(keys[i])};
    memcpy(&keys[i], &hit, sizeof hit);
  }
}
