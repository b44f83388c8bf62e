/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Programs with COLUMN_RANGE nodes against the brute-force evaluator. */
#include <stdlib.h>

#include "core/columns/column_check.h"
#include "tests/core/program/program_world.h"

static void run_seeds(uint64_t first, uint64_t last, uint32_t max_doc, uint32_t plans) {
  const char *only = getenv("CSD_TEST_SEED");
  for (uint64_t seed = first; seed <= last && check_failures == 0; seed++) {
    if (only == NULL || strtoull(only, NULL, 10) == seed) {
      program_world_run(seed, max_doc, plans, program_plan_columns);
    }
  }
}

static void small_worlds(void) { run_seeds(1, 200, 6000, 40); }
static void large_worlds(void) { run_seeds(1001, 1006, 120000, 25); }

/* Every page that the tests' writer makes passes the check. */
static void pages_are_good(void) {
  uint32_t pages = 0;
  for (uint64_t seed = 5000; seed < 5040; seed++) {
    struct program_world world;
    program_world_make(&world, seed, 20000);
    for (uint32_t c = 0; c < PROGRAM_COLUMNS; c++) {
      for (uint32_t p = 0; p < world.column_ref[c].page_count; p++, pages++) {
        const uint8_t *page = array_source_page(&world.source, world.column_ref[c].first_page + p);
        CHECK_OK(csd_column_check(page));
      }
    }
    program_world_free(&world);
  }
  CHECK_MSG(pages > 1000, "%u pages", pages);
}

int main(void) {
  program_buffers_take();
  RUN(pages_are_good);
  RUN(small_worlds);
  RUN(large_worlds);
  program_buffers_free();
  return check_result();
}
