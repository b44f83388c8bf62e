/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* BOOL nodes with required children that produce, and BOOL nodes of any kind that are probed. */
#include "core/eval/bool/eval_bool.h"
#include "core/eval/bool/eval_bool_produce.h"
#include "tests/core/eval/eval_world.h"

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  return csd_bool_produce(eval, eval->root, from, limit, eval->root->scored, batch);
}

static void plan(struct program_world *world, uint32_t min_must) {
  const uint32_t should = below(world, 4);
  eval_plan_init(world, below(world, 2) == 0);
  eval_plan_flat(world, min_must + below(world, 4), should, below(world, 3),
                 below(world, 2) == 0 ? 0 : below(world, should + 1));
}

static void required(struct program_world *world) {
  struct eval_case c;
  plan(world, 1);
  eval_case_begin(&c, world);
  if (c.scored && below(world, 2) == 0) {
    eval_case_rank(&c);
  }
  c.eval->bits_wanted = !c.scored && below(world, 2) == 0;
  eval_case_compare(&c, produce, true);
  eval_case_end(&c);
}

static void probed(struct program_world *world) {
  struct eval_case c;
  plan(world, 0);
  if (program_plan.header.node_count == 1) {
    return; /* a BOOL without children is no plan */
  }
  eval_case_begin(&c, world);
  eval_case_probe(&c, c.eval->root);
  eval_case_end(&c);
}

static void required_children(void) { eval_worlds(6800, required); }
static void probes(void) { eval_worlds(6900, probed); }

int main(void) {
  RUN(required_children);
  RUN(probes);
  return check_result();
}
