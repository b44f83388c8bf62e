/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The root of a plan: the ways to produce it that no other node has, and the choice among them. */
#ifndef CSD_ROOT_H
#define CSD_ROOT_H

#include "core/eval/eval.h"
#include "core/root/root_way.h"

/**
 * Produces the root's matches from `from` on, as csd_eval_produce with these differences: it may
 * leave out what eval->ranking allows; it may give bits instead of docs; and docs may come as
 * the root's way has them (csd_root_way).
 */
int csd_root_produce(struct csd_eval *eval, uint32_t from, uint32_t limit, bool scored,
                     struct csd_batch *batch);

/**
 * Produces another node as if it were the root, down to another minimum competitive score, and none
 * of what ties with that. For use when non-competitive matches need not be counted.
 */
int csd_root_part_produce(struct csd_eval *eval, const struct csd_root_part *part, float min_score,
                          uint32_t from, uint32_t limit, struct csd_batch *batch);

#endif
