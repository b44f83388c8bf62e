/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Walks over random columns: every doc in a page's span is taken there, and none elsewhere. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/columns/column_walk.h"
#include "tests/core/program/program_world.h"

/* A column of a world and all that a walk over it needs. */
struct fixture {
  struct program_world *world;
  struct csd_column_ref ref;
  struct csd_extent extents[CSD_MAX_PLAN_EXTENTS];
  struct csd_column_cursor cursor;
  struct csd_work work;
};

static void open_fixture(struct fixture *fixture, struct program_world *world, uint32_t column) {
  static const struct csd_value_range ANY = {.lo = INT64_MIN, .hi = INT64_MAX};
  memset(fixture, 0, sizeof *fixture);
  fixture->world = world;
  fixture->ref = world->column_ref[column];
  fixture->ref.extent_count =
      (uint16_t)array_source_extents(&world->source, fixture->extents, CSD_MAX_PLAN_EXTENTS);
  csd_column_cursor_open(&fixture->cursor, &fixture->ref, &ANY, fixture->extents, world->max_doc,
                         &world->source.source, csd_kernels_choose(), &fixture->work);
}

static const uint8_t *page_bytes(const struct fixture *fixture, uint32_t at) {
  const struct array_source *source = &fixture->world->source;
  return source->pages +
         (size_t)CSD_PAGE_BYTES * (fixture->ref.first_page + at - source->first_file_page);
}

static struct csd_column_page page_of(const struct fixture *fixture, uint32_t at) {
  struct csd_column_page page;
  CHECK(csd_column_lay_out(page_bytes(fixture, at), &page));
  return page;
}

/* The page in whose span a doc is; page_count if there is none. */
static uint32_t page_with(const struct fixture *fixture, uint32_t doc) {
  for (uint32_t at = 0; at < fixture->ref.page_count; at++) {
    const struct csd_column_page page = page_of(fixture, at);
    if (doc - page.header.first_doc < page.header.doc_span) {
      return at;
    }
  }
  return fixture->ref.page_count;
}

/* Whether what is told of a page is so. */
static void check_facts(const struct fixture *fixture, const struct csd_column_stop *stop) {
  const struct csd_column_facts *facts = &stop->facts;
  const struct csd_column_page page = page_of(fixture, stop->at);
  const struct csd_column_page_header *h = &page.header;
  const bool one =
      h->presence == CSD_COLUMN_PRESENCE_ALL && (h->flags & CSD_COLUMN_FLAG_MULTI) == 0;
  CHECK_EQ(h->first_doc, facts->first_doc);
  CHECK_EQ(h->first_doc + h->doc_span - 1u, facts->last_doc);
  CHECK_EQ(h->doc_count == h->doc_span, facts->all_docs);
  CHECK(facts->min <= h->min && h->max <= facts->max);
  if (!facts->exact) {
    return;
  }
  CHECK(facts->min == h->min && facts->max == h->max && facts->unit == h->unit);
  CHECK(facts->page == page.bytes);
  CHECK_EQ(one, facts->plain);
  for (uint32_t doc = facts->first_doc; one && doc <= facts->last_doc; doc += 97) {
    CHECK_EQ(page.values_at, facts->values_at);
    CHECK_EQ(h->value_bits, facts->value_bits);
  }
}

/* Walks over docs in walks of random length; returns how many pages were read again. */
static void walk_over(struct fixture *fixture, const uint32_t *docs, uint32_t n) {
  struct array_source *source = &fixture->world->source;
  uint64_t *random = &fixture->world->random;
  struct csd_column_walk walk;
  uint32_t done = 0;
  while (done < n) {
    const uint32_t left = n - done;
    const uint32_t some = 1 + check_random_below(random, left < 300 ? left : 300);
    uint32_t seen = 0;
    struct csd_column_stop *stops;
    int count;
    csd_column_walk_begin(&walk, &fixture->cursor, docs + done, some);
    while ((count = csd_column_walk_next(&walk, &stops)) > 0) {
      CHECK((uint32_t)count <= CSD_WALK_STOPS);
      for (int i = 0; i < count; i++) {
        struct csd_column_stop *stop = &stops[i];
        for (; seen < stop->first; seen++) {
          CHECK_EQ(fixture->ref.page_count, page_with(fixture, docs[done + seen]));
        }
        CHECK(stop->first < stop->end);
        check_facts(fixture, stop);
        for (; seen < stop->end; seen++) {
          CHECK_EQ(page_with(fixture, docs[done + seen]), stop->at);
        }
        if (check_random_below(random, 3) != 0) {
          REQUIRE_OK(csd_column_walk_read(&walk, stop));
          CHECK(stop->facts.exact);
          check_facts(fixture, stop);
          CHECK_EQ(1, source->pins_held);
          csd_column_walk_release(&walk, stop);
        }
      }
    }
    CHECK_EQ(0, count);
    for (; seen < some; seen++) {
      CHECK_EQ(fixture->ref.page_count, page_with(fixture, docs[done + seen]));
    }
    CHECK_EQ(0, source->pins_held);
    done += some;
  }
}

/* Ascending docs, one in about so many. */
static uint32_t make_docs(struct program_world *world, uint32_t gap, uint32_t *docs) {
  uint32_t n = 0;
  for (uint32_t doc = check_random_below(&world->random, gap); doc < world->max_doc;
       doc += 1 + check_random_below(&world->random, 2 * gap)) {
    docs[n++] = doc;
  }
  return n;
}

static void docs_are_taken_to_their_pages(void) {
  static const uint32_t gaps[] = {1, 3, 40, 700, 9000};
  for (uint64_t seed = 1; seed <= program_share(30) && check_failures == 0; seed++) {
    struct program_world world;
    program_world_make(&world, seed, 30000);
    uint32_t *docs = malloc(world.max_doc * sizeof *docs);
    world.source.has_index = seed % 3 != 0;
    world.source.source.memo = seed % 4 == 0 ? NULL : &world.source.memo;
    for (uint32_t c = 0; c < PROGRAM_COLUMNS; c++) {
      for (uint32_t round = 0; round < 3; round++) { /* the facts of the round before are known */
        struct fixture fixture;
        open_fixture(&fixture, &world, c);
        const uint32_t gap = gaps[check_random_below(&world.random, 5)];
        walk_over(&fixture, docs, make_docs(&world, gap, docs));
      }
    }
    free(docs);
    program_world_free(&world);
  }
}

/* What is known of a page is no help if it is not what the plan says of the column. */
static void facts_are_held_against_the_plan(void) {
  struct program_world world;
  program_world_make(&world, 5, 30000);
  struct fixture fixture;
  struct csd_column_walk walk;
  struct csd_column_stop *stops;
  open_fixture(&fixture, &world, 0);
  const uint32_t doc = page_of(&fixture, 0).header.first_doc;
  csd_column_walk_begin(&walk, &fixture.cursor, &doc, 1);
  REQUIRE(csd_column_walk_next(&walk, &stops) == 1);
  REQUIRE_OK(csd_column_walk_read(&walk, stops));
  csd_column_walk_release(&walk, stops);
  const struct csd_column_facts facts = stops->facts;
  for (int i = 0; i < 3; i++) {
    open_fixture(&fixture, &world, 0);
    fixture.cursor.ref.min += i == 0 && facts.min < INT64_MAX ? facts.min + 1 - fixture.ref.min : 0;
    fixture.cursor.ref.max -= i == 1 && facts.max > INT64_MIN ? fixture.ref.max - facts.max + 1 : 0;
    fixture.cursor.max_doc = i == 2 ? facts.last_doc : world.max_doc;
    csd_column_walk_begin(&walk, &fixture.cursor, &doc, 1);
    int status = csd_column_walk_next(&walk, &stops);
    if (status > 0) {
      status = csd_column_walk_read(&walk, stops);
    }
    CHECK_STATUS(CSD_STATUS_LIST_CORRUPT, status);
    CHECK_EQ(0, world.source.pins_held);
  }
  program_world_free(&world);
}

int main(void) {
  program_buffers_take();
  RUN(docs_are_taken_to_their_pages);
  RUN(facts_are_held_against_the_plan);
  program_buffers_free();
  return check_result();
}
