/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Disjunctions by windows, scored and not, as docs and as bits. */
#include "core/eval/eval_or.h"
#include "tests/core/eval/eval_world.h"

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  return csd_or_produce(eval, eval->root, from, limit, eval->root->scored, batch);
}

static void disjunction(struct program_world *world) {
  struct eval_case c;
  const uint32_t should = 1 + below(world, 4) * below(world, 4);
  eval_plan_init(world, below(world, 2) == 0);
  eval_plan_flat(world, 0, should, below(world, 3), below(world, 3) == 0 ? below(world, 4) : 1);
  eval_case_begin(&c, world);
  c.eval->root->merges = false;
  c.eval->root->unites = false;
  c.eval->bits_wanted = !c.scored && below(world, 2) == 0;
  eval_case_compare(&c, produce, true);
  eval_case_end(&c);
}

static void disjunctions(void) { eval_worlds(6100, disjunction); }

int main(void) {
  RUN(disjunctions);
  return check_result();
}
