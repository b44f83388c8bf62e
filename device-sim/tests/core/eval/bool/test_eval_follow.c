/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Disjunctions of which several children have to match: who follows, and that answers stay. */
#include "core/eval/bool/eval_bool.h"
#include "core/eval/bool/eval_follow.h"
#include "core/eval/bool/eval_or.h"
#include "core/eval/eval_term.h"
#include "tests/core/eval/eval_world.h"

enum { DOCS = 1000000, MAX_CHILDREN = 40 };

static struct csd_node children[MAX_CHILDREN];
static struct csd_node *optional[MAX_CHILDREN];

/* A disjunction of children with these costs, of which those that had better follow do. */
static struct csd_node disjunction_of(uint32_t min_should, const uint64_t *costs, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    children[i] = (struct csd_node){.op = &csd_op_term, .scored = true, .cost = costs[i]};
    optional[i] = &children[i];
  }
  struct csd_node node = {
      .op = &csd_op_bool, .min_should = min_should, .optional = optional, .optional_count = count};
  csd_follow_choose(&node, DOCS);
  return node;
}

/* Those that follow, as a mask. */
static uint32_t mask_of(uint32_t count) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < count; i++) {
    mask |= (uint32_t)children[i].follows << i;
  }
  return mask;
}

static uint32_t chosen(uint32_t min_should, const uint64_t *costs, uint32_t count) {
  disjunction_of(min_should, costs, count);
  return mask_of(count);
}

static void the_costliest_follow(void) {
  static const uint64_t costs[] = {100000, 10, 5000, 20};
  CHECK_EQ(0, chosen(1, costs, 4));
  CHECK_EQ(1, chosen(2, costs, 4));
  CHECK_EQ(5, chosen(3, costs, 4));
  CHECK_EQ(0, chosen(5, costs, 4));
  /* All but the rarest may: what has the two rarest is next to nothing. */
  CHECK_EQ(5, chosen(4, costs, 4) & 5u);
}

/* Few docs have two of the rarer ones, so that more need not list theirs. */
static void some_of_equal_children_follow(void) {
  static const uint64_t alike[] = {20000, 20001, 20002, 20003, 20004, 20005};
  CHECK_EQ(0, chosen(2, alike, 6)); /* all that has any would be looked up */
  CHECK_EQ(1u << 5, chosen(3, alike, 6));
  CHECK_EQ(3u << 4, chosen(4, alike, 6));
  static const uint64_t frequent[] = {700000, 710000, 720000};
  CHECK_EQ(1u << 2 & chosen(2, frequent, 3), chosen(2, frequent, 3));
}

static void few_enough_follow(void) {
  uint64_t costs[MAX_CHILDREN];
  for (uint32_t i = 0; i < MAX_CHILDREN; i++) {
    costs[i] = i < 3 ? 10 : 500000;
  }
  for (uint32_t least = 2; least <= MAX_CHILDREN; least++) {
    disjunction_of(least, costs, MAX_CHILDREN);
    uint32_t followers = 0;
    for (uint32_t i = 0; i < MAX_CHILDREN; i++) {
      followers += children[i].follows;
      CHECK(children[i].follows == children[i].may_follow);
      CHECK(!children[i].follows || i >= 3);
    }
    CHECK(followers < least && followers <= CSD_MAX_FOLLOWERS);
    CHECK(followers > 0 || least < MAX_CHILDREN);
  }
}

/* Children with low bounds follow as soon as they are non-competitive together. */
static void scores_let_others_follow(void) {
  static const uint64_t costs[] = {1000, 900000, 800000, 700000};
  static const double bounds[] = {9.0, 2.0, 1.5, 1.0}; /* greatest first */
  struct csd_node node = disjunction_of(2, costs, 4);
  CHECK_EQ(2, mask_of(4));
  for (uint32_t i = 0; i < 4; i++) {
    children[i].bound = bounds[i];
  }
  struct csd_eval eval = {.ranking = {.active = true, .may_skip = true, .exact = true}};
  const struct {
    float min_score;
    uint32_t mask;
  } cases[] = {{0.5f, 2}, {1.0f, 2}, {2.5f, 12}, {4.0f, 12}, {4.4f, 12}, {4.5f, 14}, {13.5f, 15}};
  for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    eval.ranking.min_score = cases[i].min_score;
    eval.ranking.has_skipped = false;
    csd_follow_by_scores(&eval, &node);
    CHECK_EQ(cases[i].mask != 2, eval.ranking.has_skipped); /* not by their number alone */
    CHECK_MSG(cases[i].mask == mask_of(4), "%g: %u", (double)cases[i].min_score, mask_of(4));
  }
}

/* ---- answers ---- */

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  return csd_or_produce(eval, eval->root, from, limit, eval->root->scored, batch);
}

static uint32_t dropping;

static void ranked(struct program_world *world) {
  struct eval_case c;
  const uint32_t should = 2 + below(world, 5);
  eval_plan_init(world, true);
  eval_plan_flat(world, 0, should, below(world, 2), 2 + below(world, should - 1));
  eval_case_begin(&c, world);
  eval_case_rank(&c);
  c.eval->ranking.may_skip = true;
  dropping += csd_follow_may_drop(c.eval, c.eval->root, c.scored);
  eval_case_compare(&c, produce, true);
  eval_case_end(&c);
}

static void ranked_disjunctions(void) {
  eval_worlds(6200, ranked);
  CHECK(dropping > 0);
}

/* Programs of such disjunctions, scored or not, of the best hits or all. */
static void plan(struct program_world *world) {
  const uint32_t count = 2 + below(world, 6);
  program_plan_ranking(world);
  program_plan.header.node_count = 0;
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, count)->min_should =
      (uint16_t)(2 + below(world, count - 1));
  for (uint32_t i = 0; i < count; i++) {
    test_plan_term(&program_plan, CSD_OCCUR_SHOULD, below(world, PROGRAM_LISTS),
                   (float)(1 + below(world, 4000)) / 1000.0f);
  }
  if (below(world, 3) == 0) {
    program_plan.header.mode = below(world, 2) == 0 ? CSD_MODE_COUNT : CSD_MODE_DOCS;
    program_plan.header.k = 0;
    program_plan.header.count_threshold = CSD_EXACT_COUNT;
  }
}

static void worlds(void) {
  for (uint64_t seed = 8201; seed <= 8230 && check_failures == 0; seed++) {
    program_world_run(seed, 20000, 40, plan);
    program_world_run_even(seed, 20000, 20, plan);
  }
}

int main(void) {
  RUN(the_costliest_follow);
  RUN(some_of_equal_children_follow);
  RUN(few_enough_follow);
  RUN(scores_let_others_follow);
  RUN(ranked_disjunctions);
  program_buffers_take();
  RUN(worlds);
  program_buffers_free();
  return check_result();
}
