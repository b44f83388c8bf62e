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

/**
 * The hits that are kept. A few are kept in order, in the result page's own memory. Of many, more
 * than k are kept, in any order; when there is no room for a further one, those that k others beat
 * are dropped, found by a histogram of the keys.
 */
struct csd_topk {
  uint64_t *keys; /* the best first if k is small; else in any order */
  uint32_t count;
  uint32_t k;
  uint32_t room;  /* keys that there is memory for */
  uint64_t bound; /* only greater keys may be hits; once k are kept, k of them are at least this */
};

/** Keys that memory is wanted for, to keep the best k: no more than k if `keys` is to be the result
 * page. */
uint32_t csd_topk_room(uint32_t k);

/**
 * Begins with no hit.
 *
 * @param keys       room for `room` keys, k at least; more if csd_topk_room(k) is more
 * @param min_score  only greater scores may be hits
 */
void csd_topk_open(struct csd_topk *topk, uint64_t *keys, uint32_t room, uint32_t k,
                   float min_score);

/** Whether k hits are kept. */
static inline bool csd_topk_is_full(const struct csd_topk *topk) { return topk->count >= topk->k; }

/** Hits of the result. */
static inline uint32_t csd_topk_hits(const struct csd_topk *topk) {
  return topk->count < topk->k ? topk->count : topk->k;
}

/** Offers a hit with a key above the bound, in any order of docs. */
void csd_topk_offer(struct csd_topk *topk, uint64_t key);

/**
 * Offers hits in any order of docs.
 *
 * @return how many of them are kept at first
 */
uint32_t csd_topk_offer_all(struct csd_topk *topk, const uint32_t *docs, const float *scores,
                            uint32_t n);

/**
 * If a hit of the key's doc is kept, raises its key to this one, unless it is greater already.
 *
 * @return whether one is kept
 */
bool csd_topk_raise(struct csd_topk *topk, uint64_t key);

/** The k-th best of n scores; k is n at most, and n 32. */
float csd_topk_of_few(const float *scores, uint32_t n, uint32_t k);

/**
 * Puts the best k into a result page, score descending, then doc ascending, as csd_hit.
 *
 * @param page  room for k; the keys themselves, or memory that does not overlap them
 */
void csd_topk_finish(struct csd_topk *topk, uint64_t *page);

#endif
