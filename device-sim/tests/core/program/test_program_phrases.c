/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Programs with PHRASE nodes against the brute-force evaluator. */
#include <stdlib.h>
#include <string.h>

#include "core/positions/position_check.h"
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

static void a_phrase_alone(void) { run_seeds(1, 150, 4000, 40, program_plan_phrase); }
static void phrases_in_trees(void) { run_seeds(501, 620, 4000, 40, program_plan_phrases); }
static void large_worlds(void) {
  run_seeds(1001, 1006, 120000, 20, program_plan_phrase);
  run_seeds(1101, 1104, 120000, 15, program_plan_phrases);
}

/* Every page that the tests' writer makes passes the check, and blocks of all forms are among them.
 */
static void pages_are_good(void) {
  uint32_t pages = 0;
  for (uint64_t seed = 5000; seed < 5000 + program_share(30); seed++) {
    struct program_world world;
    program_world_make(&world, seed, 9000);
    for (uint32_t i = 0; i < world.positioned_count; i++) {
      const struct csd_list_ref *ref = &world.position_ref[world.positioned[i]];
      for (uint32_t p = 0; p < ref->page_count; p++, pages++) {
        CHECK_OK(csd_position_check(array_source_page(&world.source, ref->first_page + p)));
      }
    }
    program_world_free(&world);
  }
  CHECK_MSG(pages > program_share(500), "%u pages", pages);
}

int main(void) {
  program_buffers_take();
  RUN(pages_are_good);
  RUN(a_phrase_alone);
  RUN(phrases_in_trees);
  RUN(large_worlds);
  program_buffers_free();
  return check_result();
}
