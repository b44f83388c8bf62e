/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The root of a plan: the ways to produce it that no other node has, and the choice among them. */
#ifndef CSD_ROOT_H
#define CSD_ROOT_H

#include "core/eval/eval.h"

/**
 * Produces the root's matches from `from` on, as csd_eval_produce with these differences: it may
 * leave out what eval->ranking allows; it may give bits instead of docs; and if the root has
 * eval->best, docs may come in any order, and batch->upto may stay at `from` for several calls
 * (csd_best_produce).
 */
int csd_root_produce(struct csd_eval *eval, uint32_t from, uint32_t limit, bool scored,
                     struct csd_batch *batch);

#endif
