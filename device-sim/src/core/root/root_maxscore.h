/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The best hits of a disjunction of terms, without a look at most of its other matches: block-max
 * MaxScore. For use when non-competitive matches need not be counted.
 */
#ifndef CSD_ROOT_MAXSCORE_H
#define CSD_ROOT_MAXSCORE_H

#include "core/eval/eval.h"
#include "core/plan/arena.h"

/** Whether csd_maxscore_produce can produce the root. */
bool csd_maxscore_applies(const struct csd_node *root);

/** Makes the working memory; NULL if the grant is used up. */
struct csd_maxscore *csd_maxscore_make(struct csd_arena *arena, struct csd_node *root);

/**
 * Produces the competitive matches in [from, upto), and perhaps others. Sets
 * eval->ranking.has_skipped when it leaves matches out. Otherwise as csd_eval_produce.
 */
int csd_maxscore_produce(struct csd_eval *eval, uint32_t from, uint32_t limit,
                         struct csd_batch *batch);

/** Terms from which on the windows of csd_maxscore_produce, which end with blocks, get too short.
 */
#define CSD_MANY_TERMS 7u

/** Whether csd_many_produce can produce the root and is the better way. */
bool csd_many_applies(const struct csd_node *root);

/** Makes the working memory; NULL if the grant is used up. */
struct csd_many *csd_many_make(struct csd_arena *arena, const struct csd_node *root);

/** As csd_maxscore_produce, for any number of terms. */
int csd_many_produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch);

#endif
