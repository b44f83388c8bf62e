/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Programs that meet failing pages, small grants, plans and pages with bytes changed. */
#include <stdlib.h>
#include <string.h>

#include "tests/core/program/program_world.h"

static void failing_source(void) {
  struct program_world world;
  program_world_make(&world, 4711, 20000);
  for (uint32_t i = 0; i < 300; i++) {
    program_plan_random(&world);
    world.source.pins_to_failure = below(&world, 4);
    test_plan_write(&program_plan, program_bytes);
    struct csd_program *program;
    REQUIRE_OK(program_begin(&world, test_plan_bytes(&program_plan), &program));
    int status;
    do {
      status = csd_program_step(program, 1000);
    } while (status > 0);
    if (status < 0) {
      CHECK_STATUS(CSD_STATUS_IO_ERROR, status);
      CHECK_STATUS(CSD_STATUS_IO_ERROR, csd_program_step(program, 1000));
    } else {
      CHECK(world.source.pins_to_failure != 0 || status == 0);
    }
    csd_program_end(program);
    CHECK_EQ(0, world.source.pins_held);
  }
  program_world_free(&world);
}

static void small_grants(void) {
  struct program_world world;
  program_world_make(&world, 99, 3000);
  program_plan_random(&world);
  test_plan_write(&program_plan, program_bytes);
  bool enough = false;
  for (size_t bytes = 0; bytes < PROGRAM_GRANT_BYTES; bytes += 4096) {
    struct csd_program *program;
    uint8_t *exact = aligned_alloc(64, bytes + 64);
    const int status =
        csd_program_begin(exact, bytes, program_bytes, test_plan_bytes(&program_plan),
                          program_result, PROGRAM_RESULT_BYTES, &world.source.source, &program);
    if (status == 0) {
      enough = true;
      int step;
      while ((step = csd_program_step(program, UINT64_MAX)) > 0) {
      }
      CHECK_OK(step);
      csd_program_end(program);
      free(exact);
      break;
    }
    CHECK_STATUS(CSD_STATUS_INSUFFICIENT_GRANT, status);
    free(exact);
  }
  CHECK(enough);
  program_world_free(&world);
}

/* Sixteen terms ask for well below 1 MiB; as many terms as a plan may have fit a larger grant. */
static void grant_of_many_terms(void) {
  struct program_world world;
  program_world_make(&world, 5, 3000);
  for (uint32_t terms = 16; terms <= 2048; terms *= 128) {
    test_plan_init(&program_plan, world.max_doc);
    test_plan_extents(&program_plan, &world.source);
    for (uint32_t i = 0; i < terms; i++) {
      test_plan_list(&program_plan, &world.ref[i % PROGRAM_LISTS]);
    }
    test_plan_table(&program_plan, 24.0f);
    test_plan_top_k(&program_plan, 10, 1000);
    test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, terms);
    for (uint32_t i = 0; i < terms; i++) {
      test_plan_term(&program_plan, CSD_OCCUR_SHOULD, i, 1.0f);
    }
    test_plan_write(&program_plan, program_bytes);
    struct csd_program *program;
    REQUIRE_OK(csd_program_begin(program_grant, terms == 16 ? 512u << 10 : 4u << 20, program_bytes,
                                 test_plan_bytes(&program_plan), program_result,
                                 PROGRAM_RESULT_BYTES, &world.source.source, &program));
    CHECK_OK(csd_program_step(program, UINT64_MAX));
    csd_program_end(program);
  }
  program_world_free(&world);
}

/* A set that the device does not have, or that is too short, is no set without docs. */
static void missing_doc_set(void) {
  struct program_world world;
  program_world_make(&world, 12, 3000);
  for (int turn = 0; turn < 3; turn++) {
    test_plan_init(&program_plan, world.max_doc);
    test_plan_node(&program_plan, CSD_OP_DOC_SET, CSD_OCCUR_MUST, 0)->list = turn == 0 ? 8 : 9;
    world.source.set_doc_count = world.max_doc - (turn == 1);
    test_plan_write(&program_plan, program_bytes);
    struct csd_program *program;
    const int status = program_begin(&world, test_plan_bytes(&program_plan), &program);
    CHECK_STATUS(turn < 2 ? CSD_STATUS_NO_RESOURCE : 0, status);
    if (status == 0) {
      csd_program_end(program);
    }
  }
  program_world_free(&world);
}

/* ---- bytes that are not a plan, pages that are not a list ---- */

/* A run must end, one way or another, and let go of its pages. */
static void run_whatever(struct program_world *world, uint32_t bytes) {
  struct csd_program *program;
  const int begun = program_begin(world, bytes, &program);
  if (begun < 0) {
    return;
  }
  int status;
  do {
    status = csd_program_step(program, 100000);
  } while (status > 0);
  csd_program_end(program);
  CHECK_EQ(0, world->source.pins_held);
  world->source.pins_held = 0;
}

static void altered_plans(void) {
  struct program_world world;
  program_world_make(&world, 31, 5000);
  for (uint32_t i = 0; i < 4000; i++) {
    program_plan_random(&world);
    test_plan_write(&program_plan, program_bytes);
    const uint32_t bytes = test_plan_bytes(&program_plan);
    const uint32_t head = bytes - program_plan.header.table_count * CSD_NORM_TABLE_BYTES;
    for (uint32_t flips = 1 + below(&world, 3); flips > 0; flips--) {
      program_bytes[below(&world, below(&world, 8) == 0 ? bytes : head)] ^=
          (uint8_t)(1u << below(&world, 8));
    }
    run_whatever(&world, below(&world, 50) == 0 ? below(&world, bytes) : bytes);
  }
  program_world_free(&world);
}

static void altered_pages(void) {
  struct program_world world;
  program_world_make(&world, 32, 20000);
  const uint32_t page_count = world.source.page_count;
  for (uint32_t i = 0; i < 1500; i++) {
    uint8_t *page = world.source.pages + (size_t)CSD_PAGE_BYTES * below(&world, page_count);
    uint8_t saved[CSD_PAGE_BYTES];
    memcpy(saved, page, sizeof saved);
    for (uint32_t flips = 1 + below(&world, 4); flips > 0; flips--) {
      page[below(&world, below(&world, 4) == 0 ? CSD_PAGE_BYTES : 600)] =
          (uint8_t)below(&world, 256);
    }
    for (uint32_t plans = 0; plans < 3; plans++) {
      program_plan_random(&world);
      test_plan_write(&program_plan, program_bytes);
      run_whatever(&world, test_plan_bytes(&program_plan));
    }
    memcpy(page, saved, sizeof saved);
  }
  program_world_free(&world);
}

/* Norms that the device does not have, or too few of them. */
static void missing_norms(void) {
  struct program_world world;
  program_world_make(&world, 12, 3000);
  for (int turn = 0; turn < 4; turn++) {
    test_plan_init(&program_plan, world.max_doc);
    test_plan_extents(&program_plan, &world.source);
    test_plan_list(&program_plan, &world.ref[0]);
    test_plan_table(&program_plan, 24.0f);
    program_plan.header.mode = CSD_MODE_SCORED_DOCS;
    test_plan_node(&program_plan, CSD_OP_COMBINED, CSD_OCCUR_MUST, 1)->list = turn == 0 ? 8 : 11;
    test_plan_term(&program_plan, CSD_OCCUR_SHOULD, 0, 1.0f);
    program_plan.header.mode = turn == 3 ? CSD_MODE_DOCS : CSD_MODE_SCORED_DOCS;
    world.source.norm_bits = world.max_doc * 8u - (turn == 1 || turn == 3);
    test_plan_write(&program_plan, program_bytes);
    struct csd_program *program;
    const int status = program_begin(&world, test_plan_bytes(&program_plan), &program);
    /* Without scores nothing asks for the norms. */
    CHECK_STATUS(turn < 2 ? CSD_STATUS_NO_RESOURCE : 0, status);
    if (status == 0) {
      csd_program_end(program);
    }
  }
  program_world_free(&world);
}

int main(void) {
  program_buffers_take();
  RUN(failing_source);
  RUN(small_grants);
  RUN(grant_of_many_terms);
  RUN(missing_doc_set);
  RUN(missing_norms);
  RUN(altered_plans);
  RUN(altered_pages);
  program_buffers_free();
  return check_result();
}
