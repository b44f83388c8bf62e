/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The best hits of a disjunction of dis-max nodes, synonyms, disjunctions and terms, without a look
 * at most of its other matches: block-max MaxScore over trees. For use when non-competitive matches
 * need not be counted.
 */
#ifndef CSD_ROOT_TREES_H
#define CSD_ROOT_TREES_H

#include "core/eval/eval.h"
#include "core/plan/arena.h"

/** Whether csd_trees_produce can produce the root. */
bool csd_trees_apply(const struct csd_node *root);

/** Makes the working memory; NULL if the grant is used up. */
struct csd_trees *csd_trees_make(struct csd_arena *arena, struct csd_node *root);

/**
 * Produces the competitive matches in [from, upto), and perhaps others. Sets
 * eval->ranking.has_skipped when it leaves matches out. Otherwise as csd_eval_produce.
 */
int csd_trees_produce(struct csd_eval *eval, uint32_t from, uint32_t limit,
                      struct csd_batch *batch);

#endif
