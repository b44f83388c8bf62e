/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The ways of finding the best hits without a look at most of the other matches. */
#ifndef CSD_RANK_WAYS_H
#define CSD_RANK_WAYS_H

#include "core/eval/eval.h"
#include "core/plan/arena.h"

/**
 * Makes what suits the root: eval->maxscore, disjuncts and best.
 *
 * @param k         hits wanted
 * @param complete  whether every doc must come with its whole score, not with a part of it
 * @return 0 or -INSUFFICIENT_GRANT
 */
int csd_rank_ways_make(struct csd_arena *arena, struct csd_eval *eval, uint32_t k, bool complete);

/** Whether the best hits of the root can be found without a look at most of the others. */
bool csd_ranks_alone(const struct csd_eval *eval);

#endif
