/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program: what a phrase matches shows in what a program answers. */
#include "core/program/compile_phrase.h"

/* What compiles one phrase. */
struct phrase_compiler {
  const struct csd_plan *plan;
  const struct csd_plan_node *planned;
  const struct csd_extent *extents;
  const struct csd_page_source *source;
  struct csd_eval *eval;
  struct csd_list_cursor *lists;
  struct csd_position_cursor *positions;
};

/* What the plan says of where term `t` stands. */
static struct csd_list_ref place_at(const struct phrase_compiler *compiler, uint32_t t) {
  return csd_plan_list_at(compiler->plan, compiler->planned->list + 2u * t + 1u);
}

/* Makes term `t` of the plan. */
static struct csd_phrase_term make_term(const struct phrase_compiler *compiler, uint32_t t) {
  const struct csd_extent *extents = compiler->extents;
  const struct csd_list_ref ref =
      csd_plan_list_at(compiler->plan, compiler->planned->list + 2u * t);
  const struct csd_list_ref at = place_at(compiler, t);
  struct csd_list_cursor *list = &compiler->lists[t];
  struct csd_position_cursor *positions = &compiler->positions[t];
  csd_list_cursor_open(list, &ref, extents + ref.first_extent, compiler->plan->header.max_doc,
                       compiler->source, compiler->eval->kernels, &compiler->eval->work);
  csd_position_cursor_open(positions, &at, extents + at.first_extent, compiler->source,
                           compiler->eval->kernels, &compiler->eval->work);
  return (struct csd_phrase_term){.list = list, .positions = positions, .place = at.inline_doc};
}

/* Finds the places, those with the fewest postings first; `from` of each is that of the plan. */
static void find_places(const struct phrase_compiler *compiler, struct csd_phrase *phrase) {
  for (uint32_t t = 0; t < phrase->count;) {
    struct csd_phrase_place place = {.from = t, .number = phrase->place_count};
    place.repeats = (place_at(compiler, t).inline_norm & CSD_POSITION_USE_REPEAT) != 0;
    do {
      const uint32_t list = compiler->planned->list + 2u * t;
      place.cost += csd_plan_list_at(compiler->plan, list).posting_count;
      place.count++;
      t++;
    } while (t < phrase->count &&
             (place_at(compiler, t).inline_norm & CSD_POSITION_USE_ALTERNATIVE) != 0);
    uint32_t to = phrase->place_count++;
    for (; to > 0 && phrase->places[to - 1u].cost > place.cost; to--) {
      phrase->places[to] = phrase->places[to - 1u];
    }
    phrase->places[to] = place;
    phrase->first += place.number > 0 && to <= phrase->first;
  }
}

struct csd_phrase *csd_compile_phrase(struct csd_arena *arena, const struct csd_plan *plan,
                                      const struct csd_plan_node *planned,
                                      const struct csd_extent *extents,
                                      const struct csd_page_source *source, struct csd_eval *eval,
                                      struct csd_list_cursor *lists,
                                      struct csd_position_cursor *positions) {
  const struct phrase_compiler compiler = {.plan = plan,
                                           .planned = planned,
                                           .extents = extents,
                                           .source = source,
                                           .eval = eval,
                                           .lists = lists,
                                           .positions = positions};
  const uint32_t count = planned->range_count;
  struct csd_phrase *phrase = csd_arena_take(arena, sizeof *phrase);
  struct csd_phrase_term *terms = csd_arena_take(arena, count * sizeof *terms);
  struct csd_phrase_place *places = csd_arena_take(arena, count * sizeof *places);
  if (phrase == NULL || terms == NULL || places == NULL) {
    return NULL;
  }
  *phrase = (struct csd_phrase){.terms = terms,
                                .places = places,
                                .count = count,
                                .slop = planned->min_should,
                                .multi = planned->op != CSD_OP_PHRASE,
                                .near = csd_is_near(planned->op) ? planned->op : 0};
  find_places(&compiler, phrase);
  uint32_t next = 0;
  for (uint32_t p = 0; p < phrase->place_count; p++) {
    const uint32_t from = places[p].from;
    places[p].from = next;
    for (uint32_t t = from; t < from + places[p].count; t++) {
      terms[next++] = make_term(&compiler, t);
    }
  }
  phrase->unequal = places[phrase->first].count == 1 &&
                    (place_at(&compiler, 0).inline_norm & CSD_POSITION_USE_EQUAL) == 0;
  return phrase;
}
