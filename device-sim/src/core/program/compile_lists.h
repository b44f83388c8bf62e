/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The lists of a plan's terms, for compile.c. */
#ifndef CSD_COMPILE_LISTS_H
#define CSD_COMPILE_LISTS_H

#include "core/eval/eval.h"
#include "core/plan/arena.h"
#include "core/plan/plan_check.h"

/** Prefetches the first page of every list, all at once. */
void csd_compile_prefetch(const struct csd_plan *plan, const struct csd_page_source *source);

/**
 * Gives a node its list.
 *
 * @param node     its cursor is still to be set up
 * @param extents  those of the plan; kept
 */
void csd_compile_list(const struct csd_plan *plan, const struct csd_list_ref *ref,
                      const struct csd_extent *extents, const struct csd_page_source *source,
                      struct csd_eval *eval, struct csd_node *node);

/**
 * Makes a node that has a list, and was a CONST over that TERM, a term that scores the constant:
 * there are faster ways to rank terms.
 *
 * @param latest  the table of the latest such term, or NULL; updated
 * @return false if the grant is used up
 */
bool csd_compile_flat_term(struct csd_arena *arena, float **latest, struct csd_node *node);

#endif
