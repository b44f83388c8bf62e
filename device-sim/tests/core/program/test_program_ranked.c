/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Programs whose best hits are found in ways of their own, against the brute-force evaluator. */
#include "tests/core/program/program_world.h"

/* Lists that are long enough for counting before ranking. */
static void ranked_worlds(void) {
  for (uint64_t seed = 3001; seed <= 3030 && check_failures == 0; seed++) {
    program_world_run(seed, 30000, 40, program_plan_ranking);
  }
  for (uint64_t seed = 4001; seed <= 4006 && check_failures == 0; seed++) {
    program_world_run(seed, PROGRAM_SPARSE_FROM, 30, program_plan_ranking);
  }
}

static void required_worlds(void) {
  for (uint64_t seed = 5001; seed <= 5012 && check_failures == 0; seed++) {
    program_world_run(seed, 60000, 60, program_plan_required);
  }
  program_world_run(5102, PROGRAM_SPARSE_FROM - 1, 12, program_plan_required);
}

int main(void) {
  program_buffers_take();
  RUN(ranked_worlds);
  RUN(required_worlds);
  program_buffers_free();
  return check_result();
}
