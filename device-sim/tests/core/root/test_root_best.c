/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The best hits of one term, best posting blocks first. */
#include "core/root/root_ways.h"
#include "tests/core/eval/eval_world.h"

static uint32_t tried;

static void best(struct program_world *world) {
  struct eval_case c;
  const uint32_t k = 1 + below(world, 32);
  eval_plan_init(world, true);
  eval_plan_flat(world, 1, 0, below(world, 3), 0);
  eval_case_begin(&c, world);
  if (csd_way_best.applies(c.eval->root, &(struct csd_wanted){.k = k})) {
    eval_case_take(&c, &csd_way_best, k);
    eval_case_rank(&c);
    /* Without k hits it begins with the great blocks; with them it looks at the rest at once. */
    c.eval->ranking.full = below(world, 2) == 0;
    eval_case_compare(&c, csd_way_best.produce, false);
    tried++;
  }
  eval_case_end(&c);
}

static void long_lists(void) {
  eval_worlds(6600, best);
  CHECK_MSG(tried > program_share(12) / 2, "only %u plans had a list that is long enough", tried);
}

int main(void) {
  RUN(long_lists);
  return check_result();
}
