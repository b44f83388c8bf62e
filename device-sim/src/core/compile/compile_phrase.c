/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program: what a phrase matches shows in what a program answers. */
#include "core/compile/compiler.h"
#include "core/compile/score_units.h"
#include "core/eval/phrase/eval_phrase.h"
#include "core/phrase/phrase_near.h"

/* What compiles one phrase. */
struct phrase_compiler {
  struct csd_compiler *all;
  const struct csd_plan_node *planned;
};

/* What the plan says of where term `t` stands. */
static struct csd_list_ref place_at(const struct phrase_compiler *compiler, uint32_t t) {
  return csd_plan_list_at(compiler->all->plan, compiler->planned->list + 2u * t + 1u);
}

/* Makes term `t` of the plan. */
static struct csd_phrase_term make_term(const struct phrase_compiler *compiler, uint32_t t) {
  struct csd_compiler *all = compiler->all;
  const struct csd_list_ref ref = csd_plan_list_at(all->plan, compiler->planned->list + 2u * t);
  const struct csd_list_ref at = place_at(compiler, t);
  struct csd_list_cursor *list = &all->cursors[t];
  struct csd_position_cursor *positions = &all->positions[t];
  csd_list_cursor_open(list, &ref, all->extents + ref.first_extent, all->plan->header.max_doc,
                       all->source, all->eval->kernels, &all->eval->work);
  csd_position_cursor_open(positions, &at, all->extents + at.first_extent, all->source,
                           all->eval->kernels, &all->eval->work);
  return (struct csd_phrase_term){.list = list, .positions = positions, .place = at.inline_doc};
}

/* Finds the places, those with the fewest postings first; `from` of each is that of the plan. */
static void find_places(const struct phrase_compiler *compiler, struct csd_phrase *phrase) {
  for (uint32_t t = 0; t < phrase->count;) {
    struct csd_phrase_place place = {.from = t, .number = phrase->place_count};
    place.repeats = (place_at(compiler, t).inline_norm & CSD_POSITION_USE_REPEAT) != 0;
    do {
      const uint32_t list = compiler->planned->list + 2u * t;
      place.cost += csd_plan_list_at(compiler->all->plan, list).posting_count;
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

/* Makes a phrase that is set but for its terms and places; false if the grant is used up. */
static bool make_phrase(struct csd_compiler *all, const struct csd_plan_node *planned,
                        struct csd_phrase *phrase) {
  const struct phrase_compiler compiler = {.all = all, .planned = planned};
  const uint32_t count = planned->range_count;
  struct csd_phrase_term *terms = csd_arena_take(all->arena, count * sizeof *terms);
  struct csd_phrase_place *places = csd_arena_take(all->arena, count * sizeof *places);
  if (terms == NULL || places == NULL) {
    return false;
  }
  phrase->terms = terms;
  phrase->places = places;
  phrase->count = count;
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
  all->cursors += count;
  all->positions += count;
  return true;
}

/* A norm table with which a score depends on the frequency alone; NULL if the grant is used up. */
static const float *take_ones(struct csd_compiler *compiler) {
  if (compiler->ones == NULL) {
    compiler->ones = csd_arena_take(compiler->arena, CSD_NORM_TABLE_BYTES);
    for (uint32_t i = 0; compiler->ones != NULL && i < CSD_NORM_TABLE_ENTRIES; i++) {
      compiler->ones[i] = 1.0f;
    }
  }
  return compiler->ones;
}

/* Makes a node of the docs of a phrase that is as `kind` but for its terms and places. */
static bool make_node(struct csd_compiler *compiler, struct csd_node *node,
                      const struct csd_plan_node *planned, const struct csd_phrase *kind) {
  struct csd_phrase *phrase = csd_arena_take(compiler->arena, sizeof *phrase);
  if (phrase == NULL) {
    return false;
  }
  *phrase = *kind;
  if (!make_phrase(compiler, planned, phrase)) {
    return false;
  }
  node->op = &csd_op_phrase;
  node->phrase = phrase;
  node->cost = phrase->places[0].cost;
  if (node->scored) {
    node->table = phrase->near != NULL && phrase->near->is_interval
                      ? take_ones(compiler)
                      : csd_compile_table(compiler, planned->table);
    if (node->table == NULL) {
      return false;
    }
    node->has_impacts = compiler->plan->monotone;
    node->bound = csd_phrase_bound(node);
    node->exact_bound = csd_phrase_is_exact(phrase);
    node->unit = csd_impact_unit(node->weight);
  }
  return true;
}

bool csd_compile_phrase(struct csd_compiler *compiler, struct csd_node *node,
                        const struct csd_plan_node *planned, uint32_t depth) {
  (void)depth;
  return make_node(compiler, node, planned, &(struct csd_phrase){.slop = planned->min_should});
}

bool csd_compile_multi_phrase(struct csd_compiler *compiler, struct csd_node *node,
                              const struct csd_plan_node *planned, uint32_t depth) {
  (void)depth;
  return make_node(compiler, node, planned,
                   &(struct csd_phrase){.slop = planned->min_should, .multi = true});
}

bool csd_compile_near(struct csd_compiler *compiler, struct csd_node *node,
                      const struct csd_plan_node *planned, uint32_t depth) {
  (void)depth;
  return make_node(
      compiler, node, planned,
      &(struct csd_phrase){
          .slop = planned->min_should, .multi = true, .near = csd_near_of(planned->op)});
}
