/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** DIS_MAX, SYNONYM and COMBINED of rare terms, by merging their postings. */
#ifndef CSD_EVAL_BLEND_H
#define CSD_EVAL_BLEND_H

#include "core/eval/eval.h"

/** Docs, ascending, with their sums and greatest values. */
struct csd_blend {
  uint32_t *docs;
  double *sum;
  float *most;
  uint32_t n;
};

/** Postings of one block of a term: what each adds to the sum of its doc, and what its greatest
    value is not below. */
struct csd_postings {
  uint32_t n;
  uint32_t upto;
  const uint32_t *docs;
  const float *added;
  const float *most;
};

/** Whether csd_blend_produce can produce the node, and is a good way to. */
bool csd_blend_pays(const struct csd_node *node, uint32_t max_doc);

/** As csd_or_produce, scored; eval->root or not. */
int csd_blend_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                      struct csd_batch *batch);

#endif
