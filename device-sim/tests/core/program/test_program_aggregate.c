/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Programs of mode AGGREGATE against the brute-force evaluator. */
#include <stdlib.h>

#include "tests/core/program/program_world.h"

static void run_seeds(uint64_t first, uint64_t last, uint32_t max_doc, uint32_t plans) {
  const char *only = getenv("CSD_TEST_SEED");
  for (uint64_t seed = first; seed <= last && check_failures == 0; seed++) {
    if (only == NULL || strtoull(only, NULL, 10) == seed) {
      program_world_run(seed, max_doc, plans, program_plan_aggregates);
    }
  }
}

static void small_worlds(void) { run_seeds(1, 120, 6000, 30); }
static void large_worlds(void) { run_seeds(1001, 1006, 120000, 20); }

int main(void) {
  program_buffers_take();
  RUN(small_worlds);
  RUN(large_worlds);
  program_buffers_free();
  return check_result();
}
