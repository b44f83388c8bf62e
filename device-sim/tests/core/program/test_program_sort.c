/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Programs of mode TOP_K_BY_COLUMN against the brute-force evaluator. */
#include <stdlib.h>

#include "tests/core/program/program_world.h"

static void run_seeds(uint64_t first, uint64_t last, uint32_t max_doc, uint32_t plans,
                      void (*make_plan)(struct program_world *)) {
  const char *only = getenv("CSD_TEST_SEED");
  for (uint64_t seed = first; seed <= last && check_failures == 0; seed++) {
    if (only == NULL || strtoull(only, NULL, 10) == seed) {
      program_world_run(seed, max_doc, plans, make_plan);
    }
  }
}

static void small_worlds(void) { run_seeds(1, 200, 6000, 40, program_plan_sorted); }
static void large_worlds(void) { run_seeds(1001, 1006, 120000, 25, program_plan_sorted); }

/* The best docs stand last, or first. */
static void values_in_doc_order(void) {
  run_seeds(2001, 2030, 100000, 30, program_plan_sorted_by_order);
}

int main(void) {
  program_buffers_take();
  RUN(small_worlds);
  RUN(large_worlds);
  RUN(values_in_doc_order);
  program_buffers_free();
  return check_result();
}
