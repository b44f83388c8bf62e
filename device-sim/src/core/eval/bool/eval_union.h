/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Disjunctions of rare terms that are not scored, by merging their docs. */
#ifndef CSD_EVAL_UNION_H
#define CSD_EVAL_UNION_H

#include "core/eval/eval.h"

/** Whether csd_union_produce can produce the node, not scored, and is a good way to. */
bool csd_union_pays(const struct csd_eval *eval, const struct csd_node *node, uint32_t max_doc);

/** As csd_or_produce, not scored; eval->root or not. */
int csd_union_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                      struct csd_batch *batch);

#endif
