/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* How many docs a range is said to have, from a look at some pages of random columns. */
#include <string.h>

#include "base/status.h"
#include "core/columns/column_cursor.h"
#include "tests/core/program/program_world.h"

enum { OTHERWISE = 123456789 }; /* more docs than there are */

struct fixture {
  struct csd_extent extents[CSD_MAX_PLAN_EXTENTS];
  struct csd_column_cursor cursor;
  struct csd_work work;
};

static void open_fixture(struct fixture *fixture, struct program_world *world, uint32_t column,
                         const struct csd_value_range *range) {
  struct csd_column_ref ref = world->column_ref[column];
  memset(fixture, 0, sizeof *fixture);
  ref.extent_count =
      (uint16_t)array_source_extents(&world->source, fixture->extents, CSD_MAX_PLAN_EXTENTS);
  csd_column_cursor_open(&fixture->cursor, &ref, range, fixture->extents, world->max_doc,
                         &world->source.source, csd_kernels_choose(), &fixture->work);
}

/* Samples with a cursor, which is then where it was. */
static uint64_t sample(struct program_world *world, struct fixture *fixture) {
  const struct csd_work before = fixture->work;
  double span;
  const uint64_t docs = csd_column_cursor_sample(&fixture->cursor, OTHERWISE, &span);
  CHECK(span > 0.0 && span <= 1.0);
  CHECK_EQ(0, world->source.pins_held);
  CHECK(!fixture->cursor.lazy);
  CHECK_EQ(0, fixture->cursor.end);
  CHECK(memcmp(&before, &fixture->work, sizeof before) == 0);
  return docs;
}

/* The docs that match, by a walk over all pages. */
static uint32_t count_docs(const struct program_world *world, struct fixture *fixture) {
  uint32_t count = 0;
  for (uint32_t doc = 0; doc < world->max_doc; doc++) {
    uint16_t index[2];
    uint32_t hits;
    CHECK_OK(csd_column_cursor_probe(&fixture->cursor, &doc, 1, index, &hits));
    count += hits;
  }
  csd_column_cursor_close(&fixture->cursor);
  return count;
}

/* Whether every page has a value for each of its docs, as far as there are pages. */
static bool is_dense(const struct program_world *world, uint32_t column) {
  return world->column[column].doc_count == world->max_doc;
}

static void all_and_none(void) {
  static const struct csd_value_range ANY = {.lo = INT64_MIN, .hi = INT64_MAX};
  uint32_t dense = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    struct program_world world;
    program_world_make(&world, seed, 30000);
    world.source.has_index = seed % 3 != 0;
    for (uint32_t c = 0; c < PROGRAM_COLUMNS; c++) {
      struct fixture fixture;
      open_fixture(&fixture, &world, c, &ANY);
      const uint64_t docs = sample(&world, &fixture);
      CHECK(docs <= world.max_doc);
      if (is_dense(&world, c)) {
        CHECK_EQ(world.max_doc, docs);
        dense++;
      }
      if (world.column_ref[c].max < INT64_MAX) {
        const struct csd_value_range none = {.lo = world.column_ref[c].max + 1, .hi = INT64_MAX};
        open_fixture(&fixture, &world, c, &none);
        CHECK_EQ(0, sample(&world, &fixture));
      }
    }
    program_world_free(&world);
  }
  CHECK(dense > 0);
}

/* Of values that are spread like dice, the estimate is near the number. */
static void near_the_number(void) {
  enum { DOCS = 30000, VALUES = 1000 };
  static uint32_t docs[DOCS], first[DOCS + 1];
  static int64_t values[DOCS];
  uint64_t random = 7;
  for (uint32_t doc = 0; doc < DOCS; doc++) {
    docs[doc] = doc;
    first[doc] = doc;
    values[doc] = check_random_below(&random, VALUES);
  }
  first[DOCS] = DOCS;
  struct program_world world;
  program_world_make(&world, 3, 30000);
  struct column_builder builder;
  column_builder_init(&builder, 5, world.source.stamp, world.source.first_file_page);
  const struct test_column column = {DOCS, DOCS, docs, first, values};
  struct csd_column_ref ref;
  column_builder_add(&builder, &column, &ref);
  struct page_builder file = world.builder;
  file.pages = builder.pages;
  file.page_count = builder.page_count;
  struct array_source source;
  array_source_init(&source, &file, 1000000);
  for (uint32_t width = 1; width < VALUES; width *= 3) {
    const struct csd_value_range range = {.lo = 100, .hi = 100 + (int64_t)width - 1};
    struct fixture fixture;
    memset(&fixture, 0, sizeof fixture);
    struct csd_column_ref asked = ref;
    asked.extent_count =
        (uint16_t)array_source_extents(&source, fixture.extents, CSD_MAX_PLAN_EXTENTS);
    csd_column_cursor_open(&fixture.cursor, &asked, &range, fixture.extents, DOCS, &source.source,
                           csd_kernels_choose(), &fixture.work);
    double span;
    const uint64_t said = csd_column_cursor_sample(&fixture.cursor, OTHERWISE, &span);
    world.max_doc = DOCS;
    const uint32_t number = count_docs(&world, &fixture);
    CHECK_MSG(said <= 2u * number + 60u && 2u * said + 60u >= number, "%u docs, said %u", number,
              (unsigned)said);
  }
  array_source_free(&source);
  column_builder_free(&builder);
  program_world_free(&world);
}

/* Pages that have to be waited for are not read, and those that cannot be read tell nothing. */
static void cold_and_damaged(void) {
  static const struct csd_value_range SOME = {.lo = -3, .hi = 5};
  struct program_world world;
  program_world_make(&world, 5, 30000);
  struct fixture fixture;
  open_fixture(&fixture, &world, 0, &SOME);
  world.source.source.cold = true;
  world.source.pins_to_failure = 0;
  world.source.has_index = true;
  CHECK(sample(&world, &fixture) <= world.max_doc);
  world.source.has_index = false;
  CHECK_EQ(OTHERWISE, sample(&world, &fixture));
  world.source.source.cold = false;
  CHECK_EQ(OTHERWISE, sample(&world, &fixture));
  program_world_free(&world);
}

int main(void) {
  program_buffers_take();
  RUN(all_and_none);
  RUN(near_the_number);
  RUN(cold_and_damaged);
  program_buffers_free();
  return check_result();
}
