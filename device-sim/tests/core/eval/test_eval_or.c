/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Disjunctions by windows, scored and not, as docs and as bits. */
#include "core/eval/eval_or.h"
#include "tests/core/eval/eval_world.h"

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  return csd_or_produce(eval, eval->root, from, limit, eval->root->scored, batch);
}

static uint32_t followers;

/* Has children follow at random, at most as many as may. Whoever does, the answer is the same. */
static void follow(struct program_world *world, struct csd_node *node) {
  uint32_t left = node->min_should > 1 ? below(world, node->min_should) : 0;
  for (uint32_t i = 0; i < node->optional_count; i++) {
    node->optional[i]->follows = left > 0 && below(world, 2) == 0;
    left -= node->optional[i]->follows;
    followers += node->optional[i]->follows;
  }
}

static void disjunction(struct program_world *world) {
  struct eval_case c;
  const uint32_t should = 1 + below(world, 4) * below(world, 4);
  eval_plan_init(world, below(world, 2) == 0);
  eval_plan_flat(world, 0, should, below(world, 3), below(world, 3) == 0 ? below(world, 4) : 1);
  eval_case_begin(&c, world);
  c.eval->root->merges = false;
  c.eval->root->unites = false;
  if (below(world, 2) == 0) {
    follow(world, c.eval->root);
  }
  c.eval->bits_wanted = !c.scored && below(world, 2) == 0;
  eval_case_compare(&c, produce, true);
  eval_case_end(&c);
}

static void disjunctions(void) {
  eval_worlds(6100, disjunction);
  CHECK(followers > 0);
}

/* The children that follow of a disjunction of so many, whose costs are these. */
static uint32_t chosen(uint32_t min_should, const uint64_t *costs, uint32_t count) {
  struct csd_node children[4] = {{.op = CSD_OP_TERM}};
  struct csd_node *optional[4];
  struct csd_node node = {
      .op = CSD_OP_BOOL, .min_should = min_should, .optional = optional, .optional_count = count};
  uint32_t mask = 0;
  for (uint32_t i = 0; i < count; i++) {
    children[i].cost = costs[i];
    optional[i] = &children[i];
  }
  csd_or_choose_followers(&node);
  for (uint32_t i = 0; i < count; i++) {
    mask |= (uint32_t)children[i].follows << i;
  }
  return mask;
}

static void the_costliest_follow(void) {
  const uint64_t costs[] = {100000, 10, 5000, 20};
  CHECK_EQ(0, chosen(1, costs, 4));
  CHECK_EQ(1, chosen(2, costs, 4));
  CHECK_EQ(5, chosen(3, costs, 4));
  CHECK_EQ(5, chosen(4, costs, 4));
  CHECK_EQ(0, chosen(5, costs, 4));
  const uint64_t alike[] = {100, 90, 80, 70};
  CHECK_EQ(0, chosen(3, alike, 4));
}

int main(void) {
  RUN(disjunctions);
  RUN(the_costliest_follow);
  return check_result();
}
