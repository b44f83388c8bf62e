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

/* With little memory there are fewer keys a page, or none is made; nothing outside it is touched.
 */
static void small_grants(void) {
  uint32_t refused = 0;
  uint32_t run = 0;
  for (uint64_t seed = 1; seed <= program_share(60); seed++) {
    struct program_world world;
    program_world_make(&world, seed, 20000);
    program_plan_aggregates(&world);
    test_plan_write(&program_plan, program_bytes);
    const uint32_t bytes = test_plan_bytes(&program_plan);
    for (size_t grant_bytes = 64; grant_bytes <= 1 << 20; grant_bytes += 64 + grant_bytes / 8) {
      const size_t size = grant_bytes & ~(size_t)63;
      uint8_t *grant = aligned_alloc(64, size);
      struct csd_program *program;
      int status = csd_program_begin(grant, size, program_bytes, bytes, program_result,
                                     PROGRAM_RESULT_BYTES, &world.source.source, &program);
      if (status < 0) {
        CHECK_EQ(-CSD_STATUS_INSUFFICIENT_GRANT, status);
        refused++;
      } else {
        do {
          status = csd_program_step(program, 3000);
        } while (status > 0);
        CHECK_EQ(0, status);
        csd_program_end(program);
        run++;
      }
      free(grant);
    }
    program_world_free(&world);
  }
  CHECK_MSG(refused > program_share(500) && run > program_share(500), "%u refused, %u run", refused,
            run);
}

int main(void) {
  program_buffers_take();
  RUN(small_worlds);
  RUN(large_worlds);
  RUN(small_grants);
  program_buffers_free();
  return check_result();
}
