/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The best hits of plans whose scores are sums of constants. The greatest score is known to the
 * bit, and once k docs have it, no later doc can be a better hit.
 */
#ifndef CSD_EQUAL_SCORES_H
#define CSD_EQUAL_SCORES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/eval/eval.h"

struct csd_equal_scores {
  bool known; /* no score is above `top`; else the rest is void */
  bool flat;  /* every match scores `top` */
  bool exact; /* no sum of scores is rounded, nor one of bounds */
  float top;
  uint32_t window; /* docs that the next step looks at: few at first, since few may do */
};

/** Finds out about the scores of a plan's root. */
void csd_equal_scores_init(struct csd_equal_scores *equal, const struct csd_node *root);

/** Whether no further doc can get among the best, with docs taken in their order. */
static inline bool csd_equal_scores_done(const struct csd_equal_scores *equal,
                                         const struct csd_ranking *ranking) {
  return equal->known && equal->top <= ranking->min_score;
}

/** The doc up to which the next step should produce, from `from` on. */
uint32_t csd_equal_scores_limit(struct csd_equal_scores *equal, uint32_t from, uint32_t limit);

#endif
