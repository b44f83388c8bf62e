/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Programs that find the best hits of a DIS_MAX, against the brute-force evaluator. CSD_TEST_SEED=n
 * runs the case of that seed alone.
 */
#include <stdlib.h>

#include "tests/core/program/program_world.h"

static void run_seed(uint64_t seed) {
  static const uint32_t sizes[] = {300, 6000, 30000, 60000};
  program_world_run(seed, seed >= 9900 ? PROGRAM_SPARSE_FROM : sizes[seed % 4], 40,
                    program_plan_dis_max);
}

static void dis_max_worlds(void) {
  for (uint64_t seed = 9001; seed <= 9060 && check_failures == 0; seed++) {
    run_seed(seed);
  }
}

static void sparse_worlds(void) {
  for (uint64_t seed = 9901; seed <= 9903 && check_failures == 0; seed++) {
    run_seed(seed);
  }
}

int main(void) {
  program_buffers_take();
  const char *seed = getenv("CSD_TEST_SEED");
  if (seed != NULL) {
    run_seed(strtoull(seed, NULL, 10));
    return check_result();
  }
  RUN(dis_max_worlds);
  RUN(sparse_worlds);
  program_buffers_free();
  return check_result();
}
