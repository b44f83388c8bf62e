/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The terms of a PHRASE, laid out in a session's grant. */
#ifndef CSD_COMPILE_PHRASE_H
#define CSD_COMPILE_PHRASE_H

#include "core/eval/eval_phrase.h"
#include "core/plan/plan_check.h"

/**
 * Makes a phrase.
 *
 * @param extents    of the plan, aligned
 * @param lists      cursors for its terms, which are set up
 * @param positions  likewise
 * @return NULL if the grant is used up
 */
struct csd_phrase *csd_compile_phrase(struct csd_arena *arena, const struct csd_plan *plan,
                                      const struct csd_plan_node *planned,
                                      const struct csd_extent *extents,
                                      const struct csd_page_source *source, struct csd_eval *eval,
                                      struct csd_list_cursor *lists,
                                      struct csd_position_cursor *positions);

#endif
