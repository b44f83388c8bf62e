/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The best hits of a disjunction of terms, without looking at most of the others: block-max
 * MaxScore. For use when matches that cannot enter the result need not be counted.
 */
#ifndef CSD_EVAL_MAXSCORE_H
#define CSD_EVAL_MAXSCORE_H

#include "core/eval/eval.h"
#include "core/plan/arena.h"

/** Whether the root is a disjunction that csd_maxscore_produce can take. */
bool csd_maxscore_applies(const struct csd_node *root);

/** Makes the working memory; NULL if the grant is used up. */
struct csd_maxscore *csd_maxscore_make(struct csd_arena *arena, struct csd_node *root);

/**
 * Produces those matches in [from, upto) that may score more than eval->ranking, and perhaps
 * others; sets eval->ranking.has_skipped when it leaves matches out. Otherwise as csd_eval_produce.
 */
int csd_maxscore_produce(struct csd_eval *eval, uint32_t from, uint32_t limit,
                         struct csd_batch *batch);

#endif
