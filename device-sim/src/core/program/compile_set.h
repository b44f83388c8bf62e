/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The parts of the plan compiler that know disjunctions of many terms and sets of docs. */
#ifndef CSD_COMPILE_SET_H
#define CSD_COMPILE_SET_H

#include "core/eval/eval.h"
#include "core/lists/page_source.h"
#include "core/plan/arena.h"
#include "core/plan/plan_check.h"

/** What a plan takes in arrays. */
struct csd_plan_sizes {
  uint32_t terms; /**< with a cursor each; those of phrases are not counted */
  uint32_t columns;
  uint32_t sets;
  uint32_t longest_phrase; /**< of either kind */
  uint32_t longest_multi_phrase;
};

/** The terms of the BOOL at a plan's place if it is a set unless it is scored; 0 if it is none. */
uint32_t csd_terms_of_set(const struct csd_plan *plan, uint32_t at);

/**
 * Adds up what the subtree at a plan's place takes. It recurses as deep as the plan.
 *
 * @param scored  whether its score counts in the node above
 * @return the place behind the subtree
 */
uint32_t csd_plan_size_up(const struct csd_plan *plan, uint32_t at, bool scored,
                          struct csd_plan_sizes *sizes);

/**
 * Makes `node` the set at a plan's place.
 *
 * @param terms  how many it has, from csd_terms_of_set
 * @return false if the grant is used up
 */
bool csd_compile_set(struct csd_arena *arena, const struct csd_plan *plan, uint32_t at,
                     uint32_t terms, const struct csd_extent *extents,
                     const struct csd_page_source *source, struct csd_eval *eval,
                     struct csd_node *node);

/**
 * Makes `node` the set of a DOC_SET.
 *
 * @return 0, -NO_RESOURCE or -INSUFFICIENT_GRANT
 */
int csd_compile_doc_set(struct csd_arena *arena, const struct csd_plan *plan,
                        const struct csd_plan_node *planned, const struct csd_page_source *source,
                        struct csd_eval *eval, struct csd_node *node);

#endif
