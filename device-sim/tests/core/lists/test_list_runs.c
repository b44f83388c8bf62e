/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Runs over the blocks of a page give what going from block to block gives: bits, docs, and which
 * docs of others are in the list. Lists are dense enough for bitmaps, or packed, and share pages.
 */
#include <stdlib.h>
#include <string.h>

#include "core/lists/list_cursor.h"
#include "tests/support/check.h"
#include "tests/support/page/lists.h"
#include "tests/support/plan/plan_support.h"

struct fixture {
  uint64_t seed;
  struct test_list list;
  struct csd_list_ref ref;
  struct page_builder builder;
  struct array_source source;
  struct csd_extent extents[64];
  struct csd_work work;
  struct csd_list_cursor cursor;
};

static const uint32_t gaps[] = {1, 3, 9, 40, 700};

#define GAPS (sizeof gaps / sizeof gaps[0])

static void open_cursor(struct fixture *fixture, uint32_t posting_count) {
  struct csd_list_ref ref = fixture->ref;
  ref.posting_count = posting_count;
  ref.extent_count = (uint16_t)array_source_extents(&fixture->source, fixture->extents, 64);
  memset(&fixture->work, 0, sizeof fixture->work);
  csd_list_cursor_open(&fixture->cursor, &ref, fixture->extents, CSD_MAX_DOC,
                       &fixture->source.source, csd_kernels_choose(), &fixture->work);
}

/* A list between two others, so that it starts and ends in the middle of pages. */
static void make_fixture(struct fixture *fixture, uint64_t seed, uint32_t count, uint32_t gap) {
  struct csd_list_ref ignored;
  memset(fixture, 0, sizeof *fixture);
  fixture->seed = seed;
  struct test_list other = test_list_random(&fixture->seed, 900, 4);
  fixture->list = test_list_random(&fixture->seed, count, gap);
  page_builder_init(&fixture->builder, 78, 1);
  page_builder_add(&fixture->builder, other.docs, other.freqs, other.norms, other.count, &ignored);
  page_builder_add(&fixture->builder, fixture->list.docs, fixture->list.freqs, fixture->list.norms,
                   count, &fixture->ref);
  page_builder_add(&fixture->builder, other.docs, other.freqs, other.norms, other.count, &ignored);
  page_builder_finish(&fixture->builder);
  array_source_init(&fixture->source, &fixture->builder, 2);
  test_list_free(&other);
}

static void free_fixture(struct fixture *fixture) {
  csd_list_cursor_close(&fixture->cursor);
  CHECK_EQ(0, fixture->source.pins_held);
  test_list_free(&fixture->list);
  array_source_free(&fixture->source);
  page_builder_free(&fixture->builder);
}

static uint32_t end_of(const struct fixture *fixture) {
  return fixture->list.docs[fixture->list.count - 1] + 1;
}

/* Docs of the list below `doc`. */
static uint32_t rank_of(const struct fixture *fixture, uint32_t doc) {
  uint32_t n = 0;
  while (n < fixture->list.count && fixture->list.docs[n] < doc) {
    n++;
  }
  return n;
}

/* A run behind each block that is entered: it ends at `end` or before, and has what is there. */
static void runs_as_bits(void) {
  for (uint32_t i = 0; i < GAPS; i++) {
    struct fixture f;
    make_fixture(&f, 100 + i, 9000, gaps[i]);
    open_cursor(&f, f.ref.posting_count);
    uint32_t long_runs = 0;
    for (uint32_t at = 0; at < end_of(&f);) {
      CHECK_OK(csd_list_cursor_seek(&f.cursor, at));
      const uint32_t from = f.cursor.block_end;
      const uint32_t base = from & ~63u;
      const uint32_t end = from + 1 + check_random_below(&f.seed, 2000 * gaps[i]);
      const uint32_t words = (end - base) / 64 + 3;
      uint64_t *bits = calloc(words, sizeof *bits);
      csd_list_cursor_add_bits(&f.cursor, end, base, bits);
      const uint32_t to = f.cursor.block_end;
      CHECK(to >= from && to <= end);
      uint32_t set = 0;
      for (uint32_t w = 0; w < words; w++) {
        set += (uint32_t)__builtin_popcountll(bits[w]);
      }
      const uint32_t first = rank_of(&f, from);
      const uint32_t behind = rank_of(&f, to);
      CHECK_EQ(behind - first, set);
      for (uint32_t d = first; d < behind; d++) {
        const uint32_t offset = f.list.docs[d] - base;
        if (!CHECK((bits[offset / 64] >> (offset % 64)) & 1u)) {
          break;
        }
      }
      long_runs += behind - first > 3 * CSD_BLOCK_POSTINGS;
      free(bits);
      at = to;
    }
    CHECK(long_runs > 0);
    free_fixture(&f);
  }
}

static void runs_as_docs(void) {
  static uint32_t docs[1024 + CSD_LIST_BITS_SLACK];
  for (uint32_t i = 0; i < GAPS; i++) {
    struct fixture f;
    make_fixture(&f, 200 + i, 9000, gaps[i]);
    open_cursor(&f, f.ref.posting_count);
    uint32_t done = 0;
    while (done < f.list.count) {
      CHECK_OK(csd_list_cursor_seek(&f.cursor, f.list.docs[done]));
      CHECK_OK(csd_list_cursor_load_docs(&f.cursor));
      done += f.cursor.count; /* a block is entered at its first doc here */
      const uint32_t room = check_random_below(&f.seed, 1025);
      const uint32_t n = csd_list_cursor_add_docs(&f.cursor, CSD_MAX_DOC, docs, room);
      CHECK(n <= room && n % CSD_BLOCK_POSTINGS == 0);
      CHECK(done + n <= f.list.count && memcmp(docs, f.list.docs + done, n * sizeof docs[0]) == 0);
      done += n;
    }
    CHECK_EQ(f.list.count, done);
    free_fixture(&f);
  }
}

static void runs_that_match(void) {
  static uint32_t docs[1024];
  static uint16_t index[1024 + CSD_INTERSECT_ROOM];
  static uint8_t map[CSD_INTERSECT_MAP_BYTES];
  for (uint32_t i = 0; i < 4 * GAPS; i++) {
    struct fixture f;
    make_fixture(&f, 300 + i, 12000, gaps[i % GAPS]);
    open_cursor(&f, f.ref.posting_count);
    const uint32_t round = (uint32_t)(i / GAPS);
    const uint32_t step = 1 + gaps[i % GAPS] * round * round * 60;
    uint32_t looked_for = 0;
    for (uint32_t at = 0; at < end_of(&f);) {
      CHECK_OK(csd_list_cursor_seek(&f.cursor, at));
      uint32_t n = 0;
      for (uint32_t doc = f.cursor.block_end; n < 1024 && doc < end_of(&f) + 100; n++) {
        docs[n] = doc;
        doc += 1 + check_random_below(&f.seed, 2 * step);
      }
      uint32_t hits;
      const uint32_t looked = csd_list_cursor_match(&f.cursor, docs, n, map, index, &hits);
      uint32_t next = 0;
      for (uint32_t d = 0, p = 0; d < looked; d++) {
        while (p < f.list.count && f.list.docs[p] < docs[d]) {
          p++;
        }
        if (p < f.list.count && f.list.docs[p] == docs[d]) {
          if (!CHECK(next < hits && index[next] == d)) {
            break;
          }
          next++;
        }
      }
      CHECK_EQ(next, hits);
      looked_for += looked;
      /* The current block is good for going on from doc to doc. */
      const uint32_t last = looked > 0 ? docs[looked - 1] : f.cursor.block_end;
      CHECK_OK(csd_list_cursor_seek(&f.cursor, last));
      if (f.cursor.block_end != CSD_CURSOR_END) {
        CHECK_OK(csd_list_cursor_load_docs(&f.cursor));
        CHECK_EQ(f.list.docs[rank_of(&f, f.cursor.block_end) - 1], f.cursor.block_end - 1);
        CHECK(f.cursor.docs[0] <= last || rank_of(&f, last) == rank_of(&f, f.cursor.docs[0]));
      }
      at = f.cursor.block_end == CSD_CURSOR_END ? CSD_CURSOR_END : f.cursor.block_end;
    }
    CHECK(looked_for > 0);
    free_fixture(&f);
  }
}

/* A reference says less than the list has: its last block is not taken for one in the middle. */
static void runs_end_with_the_reference(void) {
  struct fixture f;
  static uint64_t bits[1024];
  make_fixture(&f, 400, 400, 5);
  CHECK_EQ(1, f.ref.page_count); /* else the pages tell */
  open_cursor(&f, 300);
  int status = 0;
  for (uint32_t at = 0; status == 0 && at < end_of(&f); at = f.cursor.block_end) {
    status = csd_list_cursor_seek(&f.cursor, at);
    if (status == 0) {
      csd_list_cursor_add_bits(&f.cursor, end_of(&f) + 1, 0, bits);
    }
  }
  CHECK_STATUS(CSD_STATUS_LIST_CORRUPT, status);
  free_fixture(&f);
}

int main(void) {
  RUN(runs_as_bits);
  RUN(runs_as_docs);
  RUN(runs_that_match);
  RUN(runs_end_with_the_reference);
  return check_result();
}
