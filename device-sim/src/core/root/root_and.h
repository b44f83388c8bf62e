/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * All matches of a conjunction of terms with their scores, many posting blocks in one batch. It
 * gathers freqs and norms as it finds matches, and scores all of them together.
 */
#ifndef CSD_ROOT_AND_H
#define CSD_ROOT_AND_H

#include "core/eval/eval.h"
#include "core/plan/arena.h"

/** Whether csd_and_produce can produce the root. */
bool csd_and_applies(const struct csd_node *root);

/** Makes the working memory; NULL if the grant is used up. */
struct csd_and *csd_and_make(struct csd_arena *arena);

/** As csd_eval_produce for the root, scored; but a batch of non-competitive docs may lack scores.
 */
int csd_and_produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch);

#endif
