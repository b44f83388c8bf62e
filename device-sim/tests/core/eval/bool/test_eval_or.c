/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Disjunctions by windows, scored and not, as docs and as bits. */
#include "core/eval/bool/eval_or.h"
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
  c.eval->root->produce_scored = NULL;
  c.eval->root->produce_unscored = NULL;
  if (below(world, 2) == 0) {
    follow(world, c.eval->root);
  }
  c.eval->bits_wanted = !c.scored && below(world, 2) == 0;
  eval_case_compare(&c, produce, true);
  eval_case_end(&c);
}

/* A share of the plans may have none with children that follow: then others are drawn. */
static void disjunctions(void) {
  uint64_t seed = 6100;
  do {
    eval_worlds(seed, disjunction);
    seed += 100;
  } while (followers == 0 && seed < 7100 && check_failures == 0);
  CHECK(followers > 0);
}

int main(void) {
  RUN(disjunctions);
  return check_result();
}
