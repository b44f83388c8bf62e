/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/root/test_root_rare.c. */
/*
 * In the order of docs, a frequent term is essential until k docs with a rare one have come, which
 * may be most of the index. So the docs with a rare term come first, with their whole scores. Then
 * come those of the other terms, in most searches none: what they score is non-competitive by then.
 * A doc with a rare term comes again without what that scores, which changes nothing.
 */
#include "core/eval/bool/eval_or.h"
#include "core/eval/bool/eval_single.h"
#include "core/plan/topk.h"
#include "core/root/root.h"
#include "core/root/root_ways.h"
#include "core/root/root_window.h"

enum {
  MAX_HITS = 128,      /* to find a doc among the best hits takes a look at all of them */
  PAYS_TO = 8,         /* docs of the other terms for each one of the rare ones */
  BATCHES_AT_ONCE = 64 /* without a hit in one call, so that a step of a program stays short */
};

enum stage { STAGE_RARE, STAGE_REST, STAGE_DONE };

struct csd_rare {
  struct csd_root_part rare;
  struct csd_root_part rest;
  struct csd_root_order others; /* the terms of `rest`, to look docs up in */
  enum stage stage;
  bool begun;    /* the stage */
  uint32_t next; /* the doc that it continues with */
};

static bool has_fewer(const struct csd_node *a, const struct csd_node *b) {
  return a->cost < b->cost;
}

/* Returns how many of the terms, those with the fewest docs first, are rare; 0: it does not pay. */
static uint32_t count_rare(struct csd_node *const *by_cost, uint32_t count, uint32_t k) {
  uint64_t rest = csd_sum_of_costs(by_cost, count);
  uint64_t docs = 0;
  uint32_t rare = 0;
  for (uint32_t i = 0; i + 1u < count; i++) {
    docs += by_cost[i]->cost;
    rest -= by_cost[i]->cost;
    rare = (docs >= k || i + 2u == count) && docs * PAYS_TO <= rest ? i + 1u : rare;
  }
  return rare;
}

static bool applies(const struct csd_node *root, const struct csd_wanted *wanted) {
  if (!csd_way_maxscore.applies(root, wanted) || wanted->k > MAX_HITS || wanted->complete ||
      wanted->filtered || root->optional_count >= CSD_MANY_TERMS) {
    return false;
  }
  struct csd_node *by_cost[CSD_MANY_TERMS];
  memcpy(by_cost, root->optional, root->optional_count * sizeof *by_cost);
  csd_sort_nodes(by_cost, root->optional_count, has_fewer);
  return count_rare(by_cost, root->optional_count, wanted->k) > 0;
}

/* Makes the part of some of the terms: a single one can be produced in faster ways. */
static bool make_part(struct csd_arena *arena, struct csd_node *root, struct csd_node **terms,
                      uint32_t count, bool single, const struct csd_wanted *wanted,
                      struct csd_root_part *part) {
  static const struct csd_root_way *const ways[] = {&csd_way_best, &csd_way_many,
                                                    &csd_way_maxscore};
  part->node = csd_root_of_terms(arena, root, terms, count);
  if (part->node == NULL) {
    return false;
  }
  if (single && count == 1) {
    csd_make_single(part->node, terms, terms[0]);
    part->node->prohibited = root->prohibited;
    part->node->prohibited_count = root->prohibited_count;
    part->node->frame = root->frame;
  }
  return csd_root_part_make(part, ways, sizeof ways / sizeof ways[0], arena, wanted) == 0;
}

static void *make(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted) {
  const uint32_t count = root->optional_count;
  struct csd_rare *made = csd_arena_take(arena, sizeof *made);
  struct csd_node **by_cost = csd_root_sorted(arena, root->optional, count, has_fewer);
  if (made == NULL || by_cost == NULL) {
    return NULL;
  }
  const uint32_t rare = count_rare(by_cost, count, wanted->k);
  if (!csd_root_order_make(&made->others, arena, count - rare) ||
      !make_part(arena, root, by_cost, rare, false, wanted, &made->rare) ||
      !make_part(arena, root, by_cost + rare, count - rare, true, wanted, &made->rest)) {
    return NULL;
  }
  made->rare.node->prohibited_count = 0; /* of whole scores alone */
  for (uint32_t i = rare; i < count; i++) {
    csd_root_order_add(&made->others, by_cost[i], by_cost[i]->bound);
  }
  csd_root_order_sum(&made->others);
  made->stage = STAGE_RARE;
  made->begun = false;
  return made;
}

static struct csd_rare *rare_of(const struct csd_eval *eval) { return eval->way_state; }

/* Completes the scores of the docs in the root's frame, and keeps those above `above`. */
static int complete(struct csd_eval *eval, uint32_t from, uint32_t n, float above,
                    struct csd_batch *batch) {
  const struct csd_root_order *others = &rare_of(eval)->others;
  const struct csd_ranking ranking = eval->ranking;
  eval->ranking.min_score = above;
  eval->ranking.ties_below = 0;
  const int left = csd_root_look_up(eval, others, others->count, from, (int)n);
  eval->ranking = ranking;
  return csd_or_finish(eval, eval->root, left, true, batch);
}

/* Produces docs of the stage's part, from where it is. Docs do not ascend: of those that score as
   much as the worst hit, one may be better. */
static int produce_stage(struct csd_eval *eval, uint32_t limit, struct csd_batch *batch) {
  struct csd_rare *rare = rare_of(eval);
  const bool whole = rare->stage == STAGE_REST;
  const struct csd_root_part *part = whole ? &rare->rest : &rare->rare;
  const double gain = whole ? 0.0 : rare->others.sums[rare->others.count - 1u];
  const float above = csd_just_below(eval->ranking.min_score);
  const uint32_t from = rare->next;
  rare->next = limit;
  if (!((part->node->bound + gain) * CSD_BOUND_SLACK > (double)above)) {
    return 0;
  }
  const float least = (float)((double)above / CSD_BOUND_SLACK - gain);
  struct csd_batch found;
  const int status =
      csd_root_part_produce(eval, part, whole ? above : csd_just_below(least), from, limit, &found);
  if (status < 0) {
    return status;
  }
  rare->next = found.upto;
  if (whole && found.n > 0) {
    *batch = found;
    batch->repeats = true;
  }
  return whole || found.n == 0 ? 0 : complete(eval, from, found.n, above, batch);
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  struct csd_rare *rare = rare_of(eval);
  eval->ranking.has_skipped = true;
  for (uint32_t calls = 0; calls < BATCHES_AT_ONCE && rare->stage != STAGE_DONE && batch->n == 0;
       calls++) {
    if (!rare->begun) {
      rare->begun = true;
      rare->next = from;
      csd_eval_rewind(eval);
    }
    const int status = produce_stage(eval, limit, batch);
    if (status < 0) {
      return status;
    }
    if (rare->next >= limit) {
      rare->stage++;
      rare->begun = false;
    }
  }
  batch->upto = rare->stage == STAGE_DONE ? limit : from;
  return 0;
}

const struct csd_root_way csd_way_rare = {.number = CSD_WAY_RARE,
                                          .needs_skip = true,
                                          .ranks_alone = true,
                                          .any_order = true,
                                          .repeats = true,
                                          .applies = applies,
                                          .make = make,
                                          .produce = produce};
