/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Which pages of a column are asked for, by a source that is cold and notes what it is asked. */
#include <string.h>

#include "core/columns/column_ahead.h"
#include "core/columns/column_cursor.h"
#include "tests/support/check.h"

enum { PAGES = 200, PAGE_DOCS = 100, FIRST_PAGE = 7, FIRST_EXTENT = 50, GAP = 1000 };
enum { STAMP = 5, LAST_LBA = GAP + FIRST_PAGE + PAGES };

/* Page i has docs from i * PAGE_DOCS on, with values i to i + 1; two extents. */
struct world {
  struct csd_page_source source;
  struct csd_extent extents[2];
  struct csd_work work;
  struct csd_column_cursor cursor;
  bool asked[LAST_LBA];
  bool indexed[LAST_LBA];
  uint32_t asks;
};

static bool peek(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                 struct csd_page_range *range) {
  (void)context, (void)lba;
  CHECK_EQ(STAMP, stamp);
  const uint32_t at = file_page - FIRST_PAGE;
  *range = (struct csd_page_range){
      .lead_first_doc = (at * PAGE_DOCS) | CSD_PAGE_RANGE_COLUMN,
      .lead_last_doc = (at * PAGE_DOCS + PAGE_DOCS - 1u) | CSD_COLUMN_ENTRY_ALL,
      .lead_impacts = csd_column_round_down(at) | (uint64_t)csd_column_round_up(at + 1) << 32};
  return at < PAGES;
}

static void ask(void *context, uint64_t lba, uint32_t count, uint32_t peeked) {
  struct world *world = context;
  REQUIRE(peeked >= count && lba + peeked <= LAST_LBA);
  world->asks += count > 0;
  memset(world->asked + lba, true, count);
  memset(world->indexed + lba, true, peeked);
}

static void start(struct world *world, bool cold, int64_t lo, int64_t hi) {
  memset(world, 0, sizeof *world);
  world->source =
      (struct csd_page_source){.context = world, .peek = peek, .ask = ask, .cold = cold};
  world->extents[0] = (struct csd_extent){0, FIRST_EXTENT, 0};
  world->extents[1] = (struct csd_extent){FIRST_EXTENT, FIRST_PAGE + PAGES, FIRST_EXTENT + GAP};
  const struct csd_column_ref ref = {.first_page = FIRST_PAGE,
                                     .page_count = PAGES,
                                     .extent_count = 2,
                                     .stamp = STAMP,
                                     .doc_count = PAGES * PAGE_DOCS,
                                     .max = PAGES};
  const struct csd_value_range range = {.lo = lo, .hi = hi};
  csd_column_cursor_open(&world->cursor, &ref, &range, world->extents, PAGES * PAGE_DOCS,
                         &world->source, NULL, &world->work);
}

static uint64_t lba_of(uint32_t page) {
  const uint32_t file_page = FIRST_PAGE + page;
  return file_page < FIRST_EXTENT ? file_page : file_page + GAP;
}

/* How many pages are asked for; all of them are from `from` to `to` - 1. */
static uint32_t asked_within(const struct world *world, uint32_t from, uint32_t to) {
  uint32_t count = 0;
  for (uint32_t page = 0; page < PAGES; page++) {
    if (world->asked[lba_of(page)]) {
      CHECK_MSG(page >= from && page < to, "page %u", page);
      count++;
    }
  }
  return count;
}

static bool reads_odd(const void *context, const struct csd_column_entry *entry) {
  CHECK(context == NULL);
  return entry->first_doc / PAGE_DOCS % 2 == 1;
}

static void the_index_is_asked_for_once(void) {
  struct world world;
  start(&world, true, 0, PAGES);
  CHECK_EQ(0, world.asks);
  for (uint32_t page = 0; page < PAGES; page++) {
    CHECK(world.indexed[lba_of(page)]);
  }
  memset(world.indexed, 0, sizeof world.indexed);
  csd_column_ask_for_index(&world.cursor);
  CHECK(!world.indexed[lba_of(0)]);
}

static void nothing_is_asked_of_a_source_that_is_not_cold(void) {
  struct world world;
  const uint32_t docs[] = {0, 250, 900};
  start(&world, false, 0, PAGES);
  csd_column_ask_for_docs(&world.cursor, docs, 3, reads_odd, NULL);
  csd_column_ask_on(&world.cursor, 0);
  csd_column_ask_on(&world.cursor, 1);
  CHECK_EQ(0, asked_within(&world, 0, 0));
  CHECK(!world.indexed[lba_of(0)]);
  world.source.cold = true; /* as it becomes once a page was not there */
  csd_column_ask_on(&world.cursor, 2);
  CHECK(world.indexed[lba_of(0)]);
}

static void pages_of_far_docs_alone_are_asked_for(void) {
  struct world world;
  uint32_t docs[40];
  start(&world, true, 5, 5); /* a range that pages of `reads` do not depend on */
  for (uint32_t i = 0; i < 40; i++) {
    docs[i] = 5 * PAGE_DOCS * i + PAGE_DOCS + 3; /* pages 1, 6, 11 .. */
  }
  csd_column_ask_for_docs(&world.cursor, docs, 40, reads_odd, NULL);
  CHECK_EQ(20, asked_within(&world, 0, PAGES));
  for (uint32_t i = 0; i < 40; i++) {
    CHECK_EQ(i % 2 == 0, world.asked[lba_of(5 * i + 1)]);
  }
}

static void pages_behind_close_docs_are_asked_for_too(void) {
  struct world world;
  uint32_t docs[2 * PAGE_DOCS];
  start(&world, true, 0, PAGES + 1);
  world.cursor.lazy = true; /* all pages are read */
  uint32_t before = 0;
  for (uint32_t from = 0; from < 20; from += 2) {
    for (uint32_t i = 0; i < 2 * PAGE_DOCS; i++) {
      docs[i] = from * PAGE_DOCS + i;
    }
    csd_column_ask_for_docs(&world.cursor, docs, 2 * PAGE_DOCS, NULL, NULL);
    const uint32_t asked = asked_within(&world, 0, from + 2 + CSD_COLUMN_MAX_AHEAD);
    CHECK(asked > from + 2);
    CHECK(asked >= before);
    before = asked;
    world.cursor.at = from + 1;
    world.cursor.end = (from + 2) * PAGE_DOCS;
  }
  CHECK(before >= 20 + CSD_COLUMN_MAX_AHEAD / 2);
  CHECK_MSG(world.asks < 10, "%u asks", world.asks);
}

static void docs_of_one_page_ask_for_few_more(void) {
  struct world world;
  const uint32_t doc = 70 * PAGE_DOCS;
  start(&world, true, 0, PAGES + 1);
  world.cursor.lazy = true;
  csd_column_ask_for_docs(&world.cursor, &doc, 1, NULL, NULL);
  CHECK_EQ(3, asked_within(&world, 70, 73));
}

static void no_more_than_some_pages_are_asked_for_at_once(void) {
  struct world world;
  uint32_t docs[PAGES];
  start(&world, true, 0, PAGES + 1);
  world.cursor.lazy = true;
  for (uint32_t i = 0; i < PAGES; i++) {
    docs[i] = i * PAGE_DOCS + 50;
  }
  csd_column_ask_for_docs(&world.cursor, docs, PAGES, NULL, NULL);
  CHECK_EQ(CSD_COLUMN_MAX_FOR_DOCS + CSD_COLUMN_MAX_AHEAD,
           asked_within(&world, 0, CSD_COLUMN_MAX_FOR_DOCS + CSD_COLUMN_MAX_AHEAD));
}

/* Of the values 21 to 25, pages 20 and 25 have others beside, and those between have no others. */
static void pages_that_the_index_judges_are_not_asked_for(void) {
  struct world world;
  start(&world, true, 21, 25);
  csd_column_ask_on(&world.cursor, 20);
  CHECK_EQ(25, world.cursor.next);
  csd_column_ask_on(&world.cursor, 25);
  CHECK_EQ(0, asked_within(&world, 0, 0));
}

static void pages_that_are_read_in_order_are_asked_for_ahead(void) {
  struct world world;
  start(&world, true, 0, PAGES + 1);
  world.cursor.lazy = true;
  csd_column_ask_on(&world.cursor, 3);
  CHECK_EQ(0, asked_within(&world, 0, 0));
  csd_column_ask_on(&world.cursor, 4);
  CHECK_EQ(2, asked_within(&world, 5, 7));
  for (uint32_t page = 5; page < 60; page++) {
    csd_column_ask_on(&world.cursor, page);
  }
  CHECK(asked_within(&world, 5, 60 + CSD_COLUMN_MAX_AHEAD) >= 55 + CSD_COLUMN_MAX_AHEAD / 2);
  CHECK_MSG(world.asks < 12, "%u asks", world.asks);
  /* A jump: what lies behind is asked for only if reading goes on there. */
  csd_column_ask_on(&world.cursor, 150);
  asked_within(&world, 5, 60 + CSD_COLUMN_MAX_AHEAD);
}

int main(void) {
  RUN(the_index_is_asked_for_once);
  RUN(nothing_is_asked_of_a_source_that_is_not_cold);
  RUN(pages_of_far_docs_alone_are_asked_for);
  RUN(pages_behind_close_docs_are_asked_for_too);
  RUN(docs_of_one_page_ask_for_few_more);
  RUN(no_more_than_some_pages_are_asked_for_at_once);
  RUN(pages_that_the_index_judges_are_not_asked_for);
  RUN(pages_that_are_read_in_order_are_asked_for_ahead);
  return check_result();
}
