/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Scored disjunctions of rare terms, by merging their postings. */
#ifndef CSD_EVAL_MERGE_H
#define CSD_EVAL_MERGE_H

#include "core/eval/eval.h"

/**
 * Merges the postings of some terms in [from, end), of which there are at most CSD_WINDOW_DOCS,
 * into docs and `must` of a frame. Returns how many docs they are, or a negated status.
 *
 * @param above  for each term, what its scores must be above for a posting to be taken; NULL: all
 */
int csd_merge_terms(struct csd_eval *eval, struct csd_frame *frame, struct csd_node *const *terms,
                    uint32_t count, uint32_t from, uint32_t end, const float *above);

/** Whether csd_merge_produce can produce the node and is a good way to. */
bool csd_merge_pays(const struct csd_node *node, uint32_t max_doc);

/** As csd_or_produce, scored; eval->root or not. */
int csd_merge_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                      struct csd_batch *batch);

#endif
