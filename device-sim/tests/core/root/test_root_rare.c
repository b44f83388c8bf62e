/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Disjunctions of rare and frequent terms: the docs of the rare ones come first. */
#include "core/root/root_ways.h"
#include "tests/core/eval/eval_world.h"

static uint32_t tried;

static void ranked(struct program_world *world) {
  struct eval_case c;
  const uint32_t k = 1 + below(world, 60);
  eval_plan_init(world, true);
  eval_plan_flat(world, 0, 2 + below(world, 4), below(world, 3), 0);
  eval_case_begin(&c, world);
  if (csd_way_rare.applies(c.eval->root, &(struct csd_wanted){.k = k})) {
    eval_case_take(&c, &csd_way_rare, k);
    if (below(world, 4) > 0) {
      eval_case_rank(&c);
      c.eval->ranking.full = below(world, 2) == 0;
    }
    eval_case_compare(&c, csd_way_rare.produce, false);
    tried++;
  }
  eval_case_end(&c);
}

static void disjunctions(void) {
  eval_worlds(6700, ranked);
  CHECK_MSG(tried > program_share(12) / 2, "only %u plans had a rare term", tried);
}

/* Docs that come with a part of their scores would be taken for ones after a hit. */
static void whole_scores_are_not_for_it(void) {
  struct program_world world;
  program_world_make(&world, 6701, 3000);
  for (uint32_t i = 0; i < 200; i++) {
    struct eval_case c;
    eval_plan_init(&world, true);
    eval_plan_flat(&world, 0, 3, 0, 0);
    eval_case_begin(&c, &world);
    CHECK(!csd_way_rare.applies(c.eval->root, &(struct csd_wanted){.k = 1, .complete = true}));
    eval_case_end(&c);
  }
  program_world_free(&world);
}

int main(void) {
  RUN(disjunctions);
  program_buffers_take();
  RUN(whole_scores_are_not_for_it);
  program_buffers_free();
  return check_result();
}
