/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The best hits of a SYNONYM, without a look at most of its other matches. For use when
 * non-competitive matches need not be counted.
 */
#ifndef CSD_ROOT_SYNONYM_H
#define CSD_ROOT_SYNONYM_H

#include "core/eval/eval.h"
#include "core/plan/arena.h"

/** Whether csd_synonym_produce can produce the root. */
bool csd_synonym_applies(const struct csd_node *root);

/** Makes the working memory; NULL if the grant is used up. */
struct csd_synonym *csd_synonym_make(struct csd_arena *arena, const struct csd_node *root);

/**
 * Produces the competitive matches in [from, upto), and perhaps others. Sets
 * eval->ranking.has_skipped when it leaves matches out. Otherwise as csd_eval_produce.
 */
int csd_synonym_produce(struct csd_eval *eval, uint32_t from, uint32_t limit,
                        struct csd_batch *batch);

#endif
