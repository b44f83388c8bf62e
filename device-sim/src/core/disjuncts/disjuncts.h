/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The best hits of a DIS_MAX: one disjunct after the other is produced as if it were the root, in
 * the way that suits it, down to the score at which its docs can still be competitive. For use when
 * non-competitive matches need not be counted.
 */
#ifndef CSD_DISJUNCTS_H
#define CSD_DISJUNCTS_H

#include "core/eval/eval.h"
#include "core/plan/arena.h"

/** Whether csd_disjuncts_produce can produce the root, and suits its `k` best hits. */
bool csd_disjuncts_apply(const struct csd_node *root, uint32_t k);

/**
 * Makes the working memory; NULL if the grant is used up.
 *
 * @param complete  whether every doc must come with the score of the whole DIS_MAX: else it may
 * come with that of one disjunct, and then, if another one is greater, with that
 */
struct csd_disjuncts *csd_disjuncts_make(struct csd_arena *arena, const struct csd_node *root,
                                         uint32_t k, bool complete);

/**
 * Produces the competitive matches in [from, limit), and perhaps others, in any order of docs; a
 * doc may come several times. It takes several calls, all with the same `from`: the last one sets
 * batch->upto to `limit`, the others to `from`. Sets eval->ranking.has_skipped.
 *
 * @return 0, or a negated status
 */
int csd_disjuncts_produce(struct csd_eval *eval, uint32_t from, uint32_t limit,
                          struct csd_batch *batch);

#endif
