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

/* Plans say of most norm tables only what they are made of. */
static void plan_bm25(struct program_world *world) {
  program_plan_ranking(world);
  if (program_plan.header.table_count == 0) {
    return;
  }
  program_plan.header.flags |= CSD_PLAN_FLAG_BM25_TABLES;
  for (uint32_t t = 0; t < program_plan.header.table_count; t++) {
    const float k1 = (float)check_random_below(&world->random, 30) / 10.0f;
    const float b = (float)check_random_below(&world->random, 5) / 4.0f;
    const float average = 1.0f + (float)check_random_below(&world->random, 1000) / 7.0f;
    test_plan_bm25(&program_plan, t, k1, b, average);
  }
}

static void bm25_worlds(void) {
  for (uint64_t seed = 6001; seed <= 6012 && check_failures == 0; seed++) {
    program_world_run(seed, 30000, 30, plan_bm25);
  }
}

int main(void) {
  program_buffers_take();
  RUN(ranked_worlds);
  RUN(required_worlds);
  RUN(bm25_worlds);
  program_buffers_free();
  return check_result();
}
