/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program: what a phrase matches shows in what a program answers. */
#include "core/program/compile_phrase.h"

/* Makes the term whose list is list `l` of the plan. */
static struct csd_phrase_term make_term(const struct csd_plan *plan, uint32_t l,
                                        const struct csd_extent *extents,
                                        const struct csd_page_source *source, struct csd_eval *eval,
                                        struct csd_list_cursor *list,
                                        struct csd_position_cursor *positions) {
  const struct csd_list_ref ref = csd_plan_list_at(plan, l);
  const struct csd_list_ref at = csd_plan_list_at(plan, l + 1u);
  csd_list_cursor_open(list, &ref, extents + ref.first_extent, plan->header.max_doc, source,
                       eval->kernels, &eval->work);
  csd_position_cursor_open(positions, &at, extents + at.first_extent, source, &eval->work);
  return (struct csd_phrase_term){.list = list, .positions = positions, .place = at.inline_doc};
}

struct csd_phrase *csd_compile_phrase(struct csd_arena *arena, const struct csd_plan *plan,
                                      const struct csd_plan_node *planned,
                                      const struct csd_extent *extents,
                                      const struct csd_page_source *source, struct csd_eval *eval,
                                      struct csd_list_cursor *lists,
                                      struct csd_position_cursor *positions) {
  const uint32_t count = planned->range_count;
  struct csd_phrase *phrase = csd_arena_take(arena, sizeof *phrase);
  struct csd_phrase_term *terms = csd_arena_take(arena, count * sizeof *terms);
  if (phrase == NULL || terms == NULL) {
    return NULL;
  }
  *phrase = (struct csd_phrase){.terms = terms, .count = count};
  for (uint32_t i = 0; i < count; i++) {
    const struct csd_phrase_term term =
        make_term(plan, planned->list + 2u * i, extents, source, eval, &lists[i], &positions[i]);
    phrase->unequal |= i == 0 && csd_plan_list_at(plan, planned->list + 1u).inline_norm == 0;
    uint32_t to = i;
    for (; to > 0 && terms[to - 1u].list->posting_count > term.list->posting_count; to--) {
      terms[to] = terms[to - 1u];
    }
    terms[to] = term;
    phrase->first += i > 0 && to <= phrase->first;
  }
  return phrase;
}
