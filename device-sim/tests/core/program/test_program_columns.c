/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Programs with COLUMN_RANGE and COLUMN_IN nodes against the brute-force evaluator. */
#include <stdlib.h>
#include <string.h>

#include "core/columns/column_check.h"
#include "core/lists/list_cursor.h"
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

/* A column whose pages ascend; its last doc alone has the greatest value. */
static void make_ascending(struct page_builder *pages, uint32_t docs, struct csd_column_ref *ref) {
  uint32_t *doc = malloc(docs * sizeof *doc);
  uint32_t *first = malloc((docs + 1u) * sizeof *first);
  int64_t *value = malloc(docs * sizeof *value);
  uint64_t random = 11;
  for (uint32_t i = 0; i < docs; i++) {
    doc[i] = i;
    first[i] = i;
    value[i] = (int64_t)i << 40 | (int64_t)(check_random(&random) >> 24);
  }
  first[docs] = docs;
  value[docs - 1u] = (int64_t)docs << 40;
  const struct test_column column = {docs, docs, doc, first, value};
  struct column_builder builder;
  column_builder_init(&builder, 5, pages->stamp, 1);
  column_builder_add(&builder, &column, ref);
  free(pages->pages);
  pages->page_count = builder.page_count;
  pages->page_limit = builder.page_count;
  pages->pages = malloc((size_t)builder.page_count * CSD_PAGE_BYTES);
  memcpy(pages->pages, builder.pages, (size_t)builder.page_count * CSD_PAGE_BYTES);
  column_builder_free(&builder);
  free(value);
  free(first);
  free(doc);
}

/* Steps end while page after page is passed over, so that a program can be stopped. */
static void steps_end_where_nothing_matches(void) {
  enum { DOCS = 800000, LEAST_PAGES = 1000, BUDGET = 64 };
  struct page_builder pages;
  struct csd_column_ref ref = {0};
  struct array_source source;
  page_builder_init(&pages, 99, 1);
  make_ascending(&pages, DOCS, &ref);
  CHECK_MSG(ref.page_count >= LEAST_PAGES, "%u pages", ref.page_count);
  array_source_init(&source, &pages, 1000000);
  for (unsigned mode = CSD_MODE_COUNT; mode <= CSD_MODE_DOCS; mode++) {
    test_plan_init(&program_plan, DOCS);
    program_plan.header.mode = (uint8_t)mode;
    test_plan_extents(&program_plan, &source);
    test_plan_column(&program_plan, &ref);
    test_plan_range(&program_plan, CSD_OCCUR_MUST, 0, ref.max, ref.max);
    test_plan_write(&program_plan, program_bytes);
    struct csd_program *program;
    CHECK_OK(csd_program_begin(program_grant, PROGRAM_GRANT_BYTES, program_bytes,
                               test_plan_bytes(&program_plan), program_result, PROGRAM_RESULT_BYTES,
                               &source.source, &program));
    uint32_t steps = 1;
    uint64_t units = 0;
    int status;
    while ((status = csd_program_step(program, BUDGET)) > 0) {
      const uint64_t now = csd_program_work(program)->units;
      CHECK_MSG(now - units < 8u * LEAST_PAGES, "mode %u: a step of %u units", mode,
                (unsigned)(now - units));
      units = now;
      steps++;
    }
    CHECK_OK(status);
    CHECK_MSG(steps >= 3, "mode %u: %u steps over %u pages", mode, steps, ref.page_count);
    csd_program_end(program);
    struct csd_result_header header;
    memcpy(&header, program_result, sizeof header);
    CHECK_MSG(header.match_count == 1, "mode %u: %u matches", mode, (unsigned)header.match_count);
  }
  array_source_free(&source);
  page_builder_free(&pages);
}

int main(void) {
  program_buffers_take();
  RUN(pages_are_good);
  RUN(steps_end_where_nothing_matches);
  RUN(small_worlds);
  RUN(large_worlds);
  program_buffers_free();
  return check_result();
}
