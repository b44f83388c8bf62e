/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Sets of many lists, long and short, in pages and inline, beside brute force: as bits, doc by doc,
 * and looked up, with scores and without; over windows of all docs and of few; with every version
 * of the kernels. Series that are not what they are said to be are found out.
 */
#include <stdlib.h>
#include <string.h>

#include "core/eval/eval_term_set.h"
#include "tests/core/kernels/kernels_tested.h"
#include "tests/support/check.h"
#include "tests/support/plan/plan_support.h"

#define LISTS 300u
#define ARENA_BYTES (4u << 20)

static const uint32_t max_docs[] = {90, 70000, 700000};

struct fixture {
  uint64_t seed;
  uint32_t max_doc;
  uint8_t *in_set; /* by doc */
  struct page_builder builder;
  struct array_source source;
  struct csd_extent extents[64];
  struct csd_list_ref refs[LISTS];
  uint32_t *docs[LISTS];
  uint8_t *memory;
  struct csd_arena arena;
  struct csd_eval *eval;
};

/* Most lists are short, some fill blocks or pages; some are bitmaps. */
static uint32_t random_count(struct fixture *f) {
  switch (check_random_below(&f->seed, 12)) {
    case 0: return 1;
    case 1: return 128;
    case 2: return 129 + check_random_below(&f->seed, 5000);
    case 3: return 25 + check_random_below(&f->seed, 100);
    default: return 1 + check_random_below(&f->seed, 20);
  }
}

static uint32_t make_docs(struct fixture *f, uint32_t list) {
  const uint32_t wanted = random_count(f);
  const uint32_t gap = 1 + check_random_below(&f->seed, 2 * f->max_doc / wanted + 1);
  uint32_t n = 0;
  f->docs[list] = malloc(wanted * sizeof(uint32_t));
  for (uint32_t doc = check_random_below(&f->seed, gap); doc < f->max_doc && n < wanted;
       doc += 1 + check_random_below(&f->seed, gap)) {
    f->docs[list][n++] = doc;
  }
  if (n == 0) {
    f->docs[list][n++] = check_random_below(&f->seed, f->max_doc);
  }
  return n;
}

static void make_fixture(struct fixture *f, uint64_t seed, uint32_t max_doc) {
  memset(f, 0, sizeof *f);
  f->seed = seed;
  f->max_doc = max_doc;
  f->in_set = malloc(max_doc);
  f->memory = aligned_alloc(64, ARENA_BYTES);
  page_builder_init(&f->builder, 78, 1);
  for (uint32_t i = 0; i < LISTS; i++) {
    const uint32_t n = make_docs(f, i);
    page_builder_add(&f->builder, f->docs[i], NULL, NULL, n, &f->refs[i]);
  }
  page_builder_finish(&f->builder);
  array_source_init(&f->source, &f->builder, 3);
  const uint32_t extents = array_source_extents(&f->source, f->extents, 64);
  for (uint32_t i = 0; i < LISTS; i++) {
    f->refs[i].extent_count = (uint16_t)extents;
  }
}

static void free_fixture(struct fixture *f) {
  CHECK_EQ(0, f->source.pins_held);
  for (uint32_t i = 0; i < LISTS; i++) {
    free(f->docs[i]);
  }
  array_source_free(&f->source);
  page_builder_free(&f->builder);
  free(f->in_set);
  free(f->memory);
}

/* Makes an evaluator and an empty set in `bytes` of memory. */
static struct csd_term_set *make_any_set(struct fixture *f, const struct csd_kernels *kernels,
                                         size_t bytes, bool whole, bool scored) {
  const struct csd_term_set_sizes sizes = {
      .scored = scored, .long_lists = LISTS, .series = LISTS, .lone_docs = LISTS};
  f->arena = (struct csd_arena){.next = f->memory, .left = bytes};
  f->eval = csd_arena_take(&f->arena, sizeof *f->eval);
  memset(f->eval, 0, sizeof *f->eval);
  f->eval->kernels = kernels;
  memset(f->in_set, 0, f->max_doc);
  return csd_term_set_make(&f->arena, f->eval, &f->source.source, f->extents, &sizes, f->max_doc,
                           whole);
}

static struct csd_term_set *make_set(struct fixture *f, const struct csd_kernels *kernels,
                                     size_t bytes, bool whole) {
  return make_any_set(f, kernels, bytes, whole, false);
}

static struct csd_term_set *make_scored_set(struct fixture *f, const struct csd_kernels *kernels,
                                            size_t bytes, bool whole) {
  return make_any_set(f, kernels, bytes, whole, true);
}

static void add(struct fixture *f, struct csd_term_set *set, uint32_t list) {
  csd_term_set_add(set, &f->refs[list]);
  for (uint32_t i = 0; i < f->refs[list].posting_count; i++) {
    f->in_set[f->docs[list][i]] = 1;
  }
}

static void check_next(struct fixture *f, struct csd_term_set *set) {
  for (uint32_t doc = 0; doc < f->max_doc && check_failures == 0;) {
    uint32_t wanted = doc;
    uint32_t next;
    while (wanted < f->max_doc && !f->in_set[wanted]) {
      wanted++;
    }
    CHECK_OK(csd_term_set_next(set, doc, f->max_doc, &next));
    CHECK_EQ(wanted, next);
    doc = wanted + 1 + check_random_below(&f->seed, f->max_doc / 50);
  }
}

static void check_bits(struct fixture *f, struct csd_term_set *set) {
  uint64_t *bits = calloc(f->max_doc / 64 + 3, sizeof *bits);
  for (uint32_t from = 0; from < f->max_doc && check_failures == 0;) {
    const uint32_t base = from & ~63u;
    uint32_t end = from + 1 + check_random_below(&f->seed, f->max_doc);
    end = end < f->max_doc ? end : f->max_doc;
    memset(bits, 0, (f->max_doc / 64 + 3) * sizeof *bits);
    CHECK_OK(csd_term_set_add_bits(set, from, end, base, bits));
    for (uint32_t doc = base; doc < end && check_failures == 0; doc++) {
      const bool got = (bits[(doc - base) / 64] >> ((doc - base) % 64) & 1) != 0;
      CHECK_MSG(got == (doc >= from && f->in_set[doc]), "doc %u of [%u, %u): %d", doc, from, end,
                got);
    }
    from = end;
  }
  free(bits);
}

static void check_probe(struct fixture *f, struct csd_term_set *set) {
  uint32_t docs[500];
  uint16_t index[501];
  for (uint32_t doc = 0; doc < f->max_doc && check_failures == 0;) {
    uint32_t n = 0;
    for (; n < 500 && doc < f->max_doc; doc += 1 + check_random_below(&f->seed, 300)) {
      docs[n++] = doc;
    }
    uint32_t hits;
    uint32_t hit = 0;
    CHECK_OK(csd_term_set_probe(set, docs, n, index, NULL, &hits));
    for (uint32_t i = 0; i < n && check_failures == 0; i++) {
      const bool got = hit < hits && index[hit] == i;
      CHECK_MSG(got == (f->in_set[docs[i]] != 0), "doc %u: %d", docs[i], got);
      hit += got;
    }
    CHECK_EQ(hits, hit);
  }
}

/* Lists with scores, in any order: a doc has that of the last one. */
static void compare_scored(struct fixture *f, size_t bytes, bool whole) {
  struct csd_term_set *set = make_scored_set(f, kernels_tested, bytes, whole);
  float *wanted = calloc(f->max_doc, sizeof *wanted);
  uint32_t docs[500];
  uint16_t index[501];
  float scores[500];
  REQUIRE(CHECK(set != NULL));
  for (uint32_t i = 0; i < LISTS; i++) {
    const uint32_t list = check_random_below(&f->seed, LISTS);
    const float score = (float)check_random_below(&f->seed, 5);
    csd_term_set_add_scored(set, &f->refs[list], score);
    for (uint32_t d = 0; d < f->refs[list].posting_count; d++) {
      f->in_set[f->docs[list][d]] = 1;
      wanted[f->docs[list][d]] = score;
    }
  }
  for (uint32_t doc = 0; doc < f->max_doc && check_failures == 0;) {
    uint32_t n = 0;
    for (; n < 500 && doc < f->max_doc; doc += 1 + check_random_below(&f->seed, 300)) {
      docs[n++] = doc;
    }
    uint32_t hits;
    CHECK_OK(csd_term_set_probe(set, docs, n, index, scores, &hits));
    for (uint32_t i = 0; i < hits && check_failures == 0; i++) {
      CHECK_EQ(wanted[docs[index[i]]], scores[i]);
    }
  }
  csd_term_set_rewind(set);
  check_next(f, set);
  csd_term_set_rewind(set);
  check_probe(f, set);
  free(wanted);
}

/* A random part of the lists: in order, so that neighbours become one series. */
static void compare(struct fixture *f, const struct csd_kernels *kernels, size_t bytes,
                    bool whole) {
  struct csd_term_set *set = make_set(f, kernels, bytes, whole);
  const uint32_t of = 1 + check_random_below(&f->seed, 4);
  uint64_t longest = 0;
  REQUIRE(CHECK(set != NULL));
  for (uint32_t i = 0; i < LISTS; i++) {
    if (of == 1 || check_random_below(&f->seed, of) == 0) {
      add(f, set, i);
      longest = f->refs[i].posting_count > longest ? f->refs[i].posting_count : longest;
    }
  }
  CHECK_EQ(longest, set->longest);
  CHECK(of > 1 || set->series_count < LISTS / 2);
  check_bits(f, set);
  csd_term_set_rewind(set);
  check_next(f, set);
  csd_term_set_rewind(set);
  check_probe(f, set);
}

/* Bits that are there already, with some behind the last doc. */
static void bits_of_a_resource(void) {
  for (uint32_t i = 0; i < sizeof max_docs / sizeof max_docs[0]; i++) {
    struct fixture f;
    make_fixture(&f, 700 + i, max_docs[i]);
    (void)make_set(&f, kernels_tested, ARENA_BYTES, true);
    const uint32_t words = (f.max_doc + 63) / 64;
    uint64_t *bits = malloc(words * sizeof *bits); /* no more: a sanitizer sees who reads on */
    for (uint32_t w = 0; w < words; w++) {
      bits[w] = check_random_below(&f.seed, 3) == 0 ? check_random(&f.seed) : 0;
    }
    bits[words - 1] |= UINT64_C(1) << 63;
    for (uint32_t doc = 0; doc < f.max_doc; doc++) {
      f.in_set[doc] = (uint8_t)(bits[doc / 64] >> (doc % 64) & 1);
    }
    struct csd_term_set *set = csd_term_set_of_bits(&f.arena, f.eval, bits, f.max_doc);
    REQUIRE(CHECK(set != NULL));
    check_bits(&f, set);
    csd_term_set_rewind(set);
    check_next(&f, set);
    check_probe(&f, set);
    f.arena.left = 0;
    CHECK(csd_term_set_of_bits(&f.arena, f.eval, bits, f.max_doc) == NULL);
    free(bits);
    free_fixture(&f);
  }
}

static void sets(void) {
  for (uint32_t i = 0; i < sizeof max_docs / sizeof max_docs[0]; i++) {
    struct fixture f;
    make_fixture(&f, 500 + i, max_docs[i]);
    for (int turn = 0; turn < 8 && check_failures == 0; turn++) {
      const size_t bytes = (turn & 1) != 0 ? ARENA_BYTES : ARENA_BYTES / 8;
      compare(&f, kernels_tested, bytes, (turn & 2) != 0);
      compare_scored(&f, bytes, (turn & 2) != 0);
    }
    free_fixture(&f);
  }
}

/* To find the next doc of few lists takes a look at windows without one; docs before it are asked
   for all the same. */
static void docs_before_the_next_one(void) {
  struct fixture f;
  make_fixture(&f, 903, 700000);
  for (uint32_t list = 0; list < LISTS && check_failures == 0; list++) {
    struct csd_term_set *set = make_set(&f, kernels_tested, ARENA_BYTES, false);
    REQUIRE(CHECK(set != NULL));
    add(&f, set, list);
    const uint32_t first = f.docs[list][0];
    const uint32_t docs[] = {first / 3, first / 2, first};
    uint16_t index[3 + 64];
    uint64_t bits[4] = {0};
    uint32_t next, hits;
    for (int again = 0; again < 2; again++) {
      CHECK_OK(csd_term_set_next(set, first / 3, f.max_doc, &next));
      CHECK_EQ(first, next);
    }
    const uint32_t end = first / 3 + 100 < first ? first / 3 + 100 : first;
    CHECK_OK(csd_term_set_add_bits(set, first / 3, end, first / 3 & ~63u, bits));
    CHECK(bits[0] == 0 && bits[1] == 0 && bits[2] == 0);
    CHECK_OK(csd_term_set_probe(set, docs, 3, index, NULL, &hits));
    CHECK(hits == 1 ? index[0] == 2 : hits == 3 && first == 0);
  }
  free_fixture(&f);
}

/* The bits of 512 docs of a set with one series only. */
static int add_series(struct fixture *f, const struct csd_list_series *series) {
  uint64_t bits[10] = {0};
  struct csd_term_set *set = make_set(f, kernels_tested, ARENA_BYTES, true);
  set->series[0] = *series;
  set->series_count = 1;
  return csd_term_set_add_bits(set, 0, 512, 0, bits);
}

/* All lists of a file as one series, which takes the lists' own words for where they are. */
static struct csd_list_series all_lists(const struct fixture *f) {
  struct csd_list_series series = {.stamp = f->builder.stamp,
                                   .first_page = 1,
                                   .page_count = f->builder.page_count,
                                   .extent_count = f->refs[0].extent_count};
  for (uint32_t i = 0; i < LISTS; i++) {
    if (f->refs[i].kind != CSD_LIST_KIND_INLINE) {
      series.list_count++;
      series.block_count += (f->refs[i].posting_count - 1) / CSD_BLOCK_POSTINGS + 1;
    }
  }
  return series;
}

static void wrong_series(void) {
  struct fixture f;
  make_fixture(&f, 900, 70000);
  const struct csd_list_series all = all_lists(&f);
  CHECK_OK(add_series(&f, &all));
  struct csd_list_series wrong = all;
  wrong.list_count--;
  CHECK_EQ(-CSD_STATUS_LIST_CORRUPT, add_series(&f, &wrong));
  wrong = all;
  wrong.block_count--;
  CHECK_EQ(-CSD_STATUS_LIST_CORRUPT, add_series(&f, &wrong));
  wrong.block_count += 2;
  CHECK_EQ(-CSD_STATUS_LIST_CORRUPT, add_series(&f, &wrong));
  wrong = all;
  wrong.page_count--;
  CHECK_EQ(-CSD_STATUS_LIST_CORRUPT, add_series(&f, &wrong));
  wrong = all;
  wrong.slot = CSD_MAX_BLOCKS_PER_PAGE - 1;
  CHECK_EQ(-CSD_STATUS_LIST_CORRUPT, add_series(&f, &wrong));
  wrong = all;
  wrong.stamp++;
  CHECK_EQ(-CSD_STATUS_PAGE_STALE, add_series(&f, &wrong));
  f.max_doc = 20000; /* lists that go on behind it */
  CHECK_EQ(-CSD_STATUS_LIST_CORRUPT, add_series(&f, &all));
  f.max_doc = 70000;
  free_fixture(&f);
}

/* A page that cannot be pinned fails the set, and the next try has all of it. */
static void failing_pins(void) {
  struct fixture f;
  make_fixture(&f, 901, 70000);
  struct csd_term_set *set = make_set(&f, kernels_tested, ARENA_BYTES, true);
  for (uint32_t i = 0; i < LISTS; i++) {
    add(&f, set, i);
  }
  uint32_t next;
  f.source.pins_to_failure = 2;
  CHECK_EQ(-CSD_STATUS_IO_ERROR, csd_term_set_next(set, 0, f.max_doc, &next));
  CHECK_EQ(0, f.source.pins_held);
  f.source.pins_to_failure = -1;
  csd_term_set_rewind(set);
  check_next(&f, set);
  free_fixture(&f);
}

static void too_little_memory(void) {
  struct fixture f;
  make_fixture(&f, 902, 700000);
  CHECK(make_set(&f, kernels_tested, sizeof *f.eval + 20000, true) == NULL);
  free_fixture(&f);
}

static void all(void) {
  RUN(bits_of_a_resource);
  RUN(sets);
  RUN(docs_before_the_next_one);
  RUN(wrong_series);
  RUN(failing_pins);
  RUN(too_little_memory);
}

int main(void) { return kernels_test_all(all); }
