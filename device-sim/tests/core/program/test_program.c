/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Programs of any shape against the brute-force evaluator. CSD_TEST_SEED=n runs the case of that
 * seed alone.
 */
#include <stdlib.h>

#include "tests/core/program/program_world.h"

static void run_seed(uint64_t seed, uint32_t max_doc, uint32_t plans) {
  program_world_run(seed, max_doc, plans, program_plan_random);
}

static void small_worlds(void) {
  for (uint64_t seed = 1; seed <= 150 && check_failures == 0; seed++) {
    run_seed(seed, seed % 3 == 0 ? 300 : 6000, 40);
  }
}

static void large_worlds(void) {
  for (uint64_t seed = 1001; seed <= 1008 && check_failures == 0; seed++) {
    run_seed(seed, 120000, 25);
  }
}

/* Lists of a few thousand docs that lie far apart. */
static void sparse_worlds(void) {
  for (uint64_t seed = 2001; seed <= 2004 && check_failures == 0; seed++) {
    run_seed(seed, PROGRAM_SPARSE_FROM, 25);
  }
}

int main(void) {
  program_buffers_take();
  const char *seed = getenv("CSD_TEST_SEED");
  if (seed != NULL) {
    const uint64_t number = strtoull(seed, NULL, 10);
    run_seed(number,
             number > 1000     ? 120000
             : number % 3 == 0 ? 300
                               : 6000,
             number > 1000 ? 25 : 40);
    return check_result();
  }
  RUN(small_worlds);
  RUN(large_worlds);
  RUN(sparse_worlds);
  program_buffers_free();
  return check_result();
}
