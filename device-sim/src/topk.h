/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The k best hits, kept as a heap in the array that they are handed out in. */
#ifndef CSD_TOPK_H
#define CSD_TOPK_H

#include <stdint.h>

/** An entry of a TOP_K result page. */
struct csd_hit {
  uint32_t doc;
  float score;
};

struct csd_topk {
  struct csd_hit *hits; /* the worst first, while collecting */
  uint32_t count;
  uint32_t k;
};

/**
 * Offers a hit. Docs come in ascending order, so that of equal scores the earlier one stays.
 * While fewer than k are kept every hit is; then only one that scores more than hits[0] may be
 * offered.
 */
void csd_topk_offer(struct csd_topk *topk, uint32_t doc, float score);

/** Brings the hits into order: score descending, then doc ascending. */
void csd_topk_sort(struct csd_topk *topk);

#endif
