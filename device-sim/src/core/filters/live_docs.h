/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What is left of a batch without the docs that are deleted. */
#ifndef CSD_LIVE_DOCS_H
#define CSD_LIVE_DOCS_H

#include <stdint.h>

#include "core/eval/eval.h"

/**
 * The live docs of a batch of docs.
 *
 * @param live_docs  bit d set: doc d is live; NULL: all are, and the batch is returned as it is
 * @param docs       room for those of the batch
 * @param scores     room for their scores, if it has an array of them; else may be NULL
 */
static inline struct csd_batch csd_live_batch(const uint64_t *live_docs,
                                              const struct csd_batch *batch, uint32_t *docs,
                                              float *scores) {
  struct csd_batch live = *batch;
  if (live_docs == NULL || batch->n == 0) {
    return live;
  }
  const bool scored = scores != NULL && batch->scoring == CSD_SCORING_ARRAY;
  uint32_t n = 0;
  for (uint32_t i = 0; i < batch->n; i++) {
    const uint32_t doc = batch->docs[i];
    docs[n] = doc;
    if (scored) {
      scores[n] = batch->scores[i];
    }
    n += (live_docs[doc >> 6] >> (doc & 63u)) & 1u;
  }
  live.n = n;
  live.docs = docs;
  live.scores = scores;
  return live;
}

/**
 * The live docs of `n` words of a batch of bits, from word `first` on: the words themselves if all
 * docs are live, else in `live`.
 */
static inline const uint64_t *csd_live_words(const uint64_t *live_docs,
                                             const struct csd_batch *batch, uint32_t first,
                                             uint32_t n, uint64_t *live) {
  const uint64_t *words = batch->bits + first;
  if (live_docs == NULL) {
    return words;
  }
  live_docs += batch->bits_base / 64u + first;
  for (uint32_t w = 0; w < n; w++) {
    live[w] = words[w] & live_docs[w];
  }
  return live;
}

#endif
