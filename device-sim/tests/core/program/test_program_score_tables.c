/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Random programs with TABLE_TERMs, FEATURE_TERMs and LINEAR_TERMs among their terms, compared with
 * the brute-force evaluator. */
#include "tests/core/program/program_world.h"

static void (*make_plan)(struct program_world *);

static void make_with_tables(struct program_world *world) {
  make_plan(world);
  program_score_tables(world);
}

static void run_seeds(uint64_t first, uint64_t last, uint32_t max_doc, uint32_t plans,
                      void (*make)(struct program_world *)) {
  make_plan = make;
  for (uint64_t seed = first; seed <= last && check_failures == 0; seed++) {
    program_world_run(seed, max_doc, plans, make_with_tables);
  }
}

static void small_worlds(void) { run_seeds(1, 60, 4000, 40, program_plan_random); }

static void large_worlds(void) { run_seeds(1001, 1006, 120000, 20, program_plan_random); }

static void rankings(void) {
  run_seeds(2001, 2015, 30000, 40, program_plan_ranking);
  run_seeds(2101, 2102, PROGRAM_SPARSE_FROM, 30, program_plan_ranking);
}

static void required_terms(void) {
  run_seeds(3001, 3010, 60000, 40, program_plan_required);
  run_seeds(3101, 3101, PROGRAM_SPARSE_FROM - 1, 12, program_plan_required);
}

static void disjuncts(void) { run_seeds(4001, 4015, 30000, 30, program_plan_dis_max); }

static void sort_keys(void) { run_seeds(5001, 5020, 6000, 30, program_plan_sorted); }

int main(void) {
  program_buffers_take();
  RUN(small_worlds);
  RUN(large_worlds);
  RUN(rankings);
  RUN(required_terms);
  RUN(disjuncts);
  RUN(sort_keys);
  program_buffers_free();
  return check_result();
}
