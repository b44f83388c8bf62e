/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The k best hits, in the array of the result page. */
#ifndef CSD_TOPK_H
#define CSD_TOPK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/** An entry of a TOP_K result page. */
struct csd_hit {
  uint32_t doc;
  float score;
};

/**
 * A hit as one number: the greater, the better. Scores are never negative, so they compare like
 * their bits; of equal scores the lower doc is the better hit.
 */
static inline uint64_t csd_hit_key(uint32_t doc, float score) {
  uint32_t bits;
  memcpy(&bits, &score, sizeof bits);
  return (uint64_t)bits << 32 | (uint32_t)~doc;
}

/** The score of a hit's key. */
static inline float csd_key_score(uint64_t key) {
  const uint32_t bits = (uint32_t)(key >> 32);
  float score;
  memcpy(&score, &bits, sizeof score);
  return score;
}

/** The doc of a hit's key. */
static inline uint32_t csd_key_doc(uint64_t key) { return ~(uint32_t)key; }

/** The greatest float below `value`, which is not NaN; of -inf itself. */
static inline float csd_just_below(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (value == -__builtin_inff()) {
    return value;
  }
  if (value == 0.0f) {
    bits = 0x80000001u; /* the smallest number below zero */
  } else {
    bits += value > 0.0f ? UINT32_MAX : 1u;
  }
  memcpy(&value, &bits, sizeof value);
  return value;
}

struct csd_topk {
  uint64_t *keys; /* the best first if k is small, else a heap with the worst on top */
  uint32_t count;
  uint32_t k;
};

/** Whether k hits are kept, so that only one better than the worst of them may be offered. */
static inline int csd_topk_is_full(const struct csd_topk *topk) { return topk->count == topk->k; }

/** Key of the worst of k hits. */
uint64_t csd_topk_worst(const struct csd_topk *topk);

/** Offers a hit, in any order of docs. */
void csd_topk_offer(struct csd_topk *topk, uint64_t key);

/**
 * If a hit of the key's doc is kept, raises its key to this one, unless it is greater already.
 *
 * @return whether one is kept
 */
bool csd_topk_raise(struct csd_topk *topk, uint64_t key);

/** Brings the hits into order, score descending, then doc ascending, and makes csd_hit of them. */
void csd_topk_finish(struct csd_topk *topk);

#endif
