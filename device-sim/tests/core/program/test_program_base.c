/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Programs of optional terms beside all docs, against the brute-force evaluator. */
#include <string.h>

#include "core/lists/list_cursor.h"
#include "tests/core/program/program_world.h"

static void small_worlds(void) {
  for (uint64_t seed = 8001; seed <= 8060 && check_failures == 0; seed++) {
    program_world_run(seed, 1000, 60, program_plan_base);
  }
}

static void large_worlds(void) {
  for (uint64_t seed = 8101; seed <= 8120 && check_failures == 0; seed++) {
    program_world_run(seed, 60000, 40, program_plan_base);
  }
  program_world_run(8201, PROGRAM_SPARSE_FROM - 1, 10, program_plan_base);
}

/* Docs with none of the terms are left alone when the terms can compete without them. */
static void few_docs_are_looked_at(void) {
  struct program_world world;
  program_world_make(&world, 8301, 60000);
  uint32_t list = PROGRAM_LISTS;
  for (uint32_t i = 0; i < PROGRAM_LISTS; i++) {
    list = world.count[i] > 10 && world.count[i] < world.max_doc / 8 ? i : list;
  }
  REQUIRE(list < PROGRAM_LISTS);
  test_plan_init(&program_plan, world.max_doc);
  test_plan_extents(&program_plan, &world.source);
  test_plan_list(&program_plan, &world.ref[list]);
  test_plan_table(&program_plan, 24.0f);
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, 2);
  test_plan_node(&program_plan, CSD_OP_ALL, CSD_OCCUR_SHOULD, 0)->weight = 1.0f;
  test_plan_term(&program_plan, CSD_OCCUR_SHOULD, 0, 2.0f);
  program_plan.header.max_result_bytes = PROGRAM_RESULT_BYTES;
  test_plan_top_k(&program_plan, 10, CSD_EXACT_COUNT);
  test_plan_write(&program_plan, program_bytes);
  struct csd_program *program;
  REQUIRE(program_begin(&world, test_plan_bytes(&program_plan), &program) == 0);
  REQUIRE(csd_program_step(program, UINT64_MAX) == 0);
  CHECK(csd_program_work(program)->docs_ranked < world.max_doc / 4);
  csd_program_end(program);
  struct csd_result_header header;
  memcpy(&header, program_result, sizeof header);
  CHECK_EQ(10, header.entry_count);
  CHECK_EQ(world.max_doc, header.match_count);
  CHECK_EQ(CSD_WAY_BASE << CSD_WAY_SHIFT, header.flags);
  program_world_free(&world);
}

int main(void) {
  program_buffers_take();
  RUN(small_worlds);
  RUN(large_worlds);
  RUN(few_docs_are_looked_at);
  program_buffers_free();
  return check_result();
}
