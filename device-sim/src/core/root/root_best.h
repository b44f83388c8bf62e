/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The best hits of one scored term, less prohibited children. Visits the posting blocks with the
 * greatest bounds first; most others then need no visit. For use when non-competitive matches need
 * not be counted.
 */
#ifndef CSD_ROOT_BEST_H
#define CSD_ROOT_BEST_H

#include "core/eval/eval.h"
#include "core/plan/arena.h"

/** Whether csd_best_produce can produce the root, and is a good way to find its `k` best hits. */
bool csd_best_applies(const struct csd_node *root, uint32_t k);

/** Makes the working memory; NULL if the grant is used up. */
struct csd_best *csd_best_make(struct csd_arena *arena, uint32_t k);

/**
 * Produces the competitive matches in [from, limit), and perhaps others, in any order of docs. It
 * takes several calls, all with the same `from`: the last one sets batch->upto to `limit`, the
 * others to `from`. Sets eval->ranking.has_skipped when it leaves matches out.
 *
 * @return 0, or a negated status
 */
int csd_best_produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch);

#endif
