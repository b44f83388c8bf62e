/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Disjunctions by MaxScore: nothing above the minimum competitive score may be missing. */
#include "core/root/root_ways.h"
#include "tests/core/eval/eval_world.h"

static void ranked(struct program_world *world) {
  struct eval_case c;
  eval_plan_init(world, true);
  eval_plan_flat(world, 0, 1 + below(world, 3) * below(world, 6), below(world, 3), 0);
  eval_case_begin(&c, world);
  eval_case_take(&c, &csd_way_maxscore, 10);
  eval_case_rank(&c);
  eval_case_compare(&c, csd_way_maxscore.produce, true);
  eval_case_end(&c);
}

static void disjunctions(void) { eval_worlds(6500, ranked); }

int main(void) {
  RUN(disjunctions);
  return check_result();
}
