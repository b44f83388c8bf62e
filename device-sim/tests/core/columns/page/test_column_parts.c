/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The parts of pages against their values: no value is denied, and few others are not. */
#include <stdlib.h>

#include "core/columns/page/column_check.h"
#include "core/columns/page/column_parts.h"
#include "tests/support/check.h"
#include "tests/support/page/column_builder.h"

enum { DOCS = 3000, ROUNDS = 400 };

static uint32_t docs[DOCS], first[DOCS + 1];
static int64_t values[DOCS];

/* How the values of a round lie: some of few keywords, of many, far apart, at the ends. */
static int64_t random_value(uint64_t *seed, int kind) {
  const int64_t any = (int64_t)check_random(seed);
  switch (kind) {
    case 0: return 10 * (int64_t)check_random_below(seed, 7);
    case 1: return 1 + (int64_t)check_random_below(seed, 64) * check_random_below(seed, 2);
    case 2: return check_random_below(seed, 50) == 0 ? 0 : 1700000000000 + any % 100000000;
    case 3: return any >> check_random_below(seed, 64);
    case 4: return check_random_below(seed, 2) == 0 ? INT64_MIN + (any & 1) : INT64_MAX - (any & 1);
    default: return (int64_t)check_random_below(seed, 5) * 1000003 + any % 300;
  }
}

static uint32_t number_of(int64_t value) { return csd_column_round_down(value); }

/* Whether a stretch of the parts has the value. */
static bool in_a_run(const struct csd_column_entry *entry, int64_t value) {
  struct csd_parts_run run = {0};
  while (csd_parts_next(entry, &run)) {
    CHECK(run.min <= run.max && run.next <= 64);
    if (run.min <= value && value <= run.max) {
      return true;
    }
  }
  return false;
}

static bool has_value(const struct csd_column_page *page, int64_t value) {
  for (uint32_t i = 0; i < page->header.value_count; i++) {
    if (csd_column_value(page, i) == value) {
      return true;
    }
  }
  return false;
}

static void check_values(const struct csd_column_page *page, const struct csd_column_entry *entry) {
  for (uint32_t i = 0; i < page->header.value_count; i += 1 + i / 100) {
    const int64_t value = csd_column_value(page, i);
    CHECK(csd_parts_may_match(entry, number_of(value), number_of(value)));
    CHECK(entry->parts == 0 || in_a_run(entry, value));
  }
}

/* Values between the bounds are ruled out by ranges and by stretches alike, and only if absent.
   Returns how many are. */
static uint32_t check_others(const struct csd_column_page *page,
                             const struct csd_column_entry *entry, uint64_t *seed) {
  const uint64_t span = (uint64_t)page->header.max - (uint64_t)page->header.min;
  const bool exact = span < 64 && page->header.min > -1000 && page->header.max < 1000;
  uint32_t out = 0;
  for (int i = 0; i < 50; i++) {
    const uint64_t at = span == UINT64_MAX ? check_random(seed) : check_random(seed) % (span + 1);
    const int64_t value = (int64_t)((uint64_t)page->header.min + at);
    const bool may = csd_parts_may_match(entry, number_of(value), number_of(value));
    CHECK(may == (entry->parts == 0 || in_a_run(entry, value)));
    CHECK(may || !has_value(page, value));
    CHECK(!exact || may == has_value(page, value));
    out += !may;
  }
  return out;
}

static void check_folds(const struct csd_column_entry *entry) {
  for (unsigned fold = 0; fold < 3; fold++) {
    const uint64_t folded = csd_parts_fold(entry->parts, entry->min, entry->max, fold);
    uint64_t parts = 0;
    CHECK(csd_parts_unfold(folded, entry->min, entry->max, fold, &parts));
    CHECK(parts == 0 || (entry->parts & ~parts) == 0);
    CHECK(fold > 0 || parts == entry->parts || parts == 0);
    CHECK(parts == 0 || csd_parts_fold(parts, entry->min, entry->max, fold) == folded);
    CHECK(fold == 0 || folded >> (64u >> fold) <= 1u); /* one more, where the first is cut */
  }
}

static void parts_deny_no_value(void) {
  uint64_t seed = 1;
  uint32_t out = 0, with_parts = 0;
  for (int round = 0; round < ROUNDS && check_failures == 0; round++) {
    const uint32_t count = 1 + check_random_below(&seed, DOCS);
    for (uint32_t i = 0; i < count; i++) {
      values[i] = random_value(&seed, round % 6);
    }
    struct column_builder b;
    struct csd_column_ref ref;
    column_builder_init(&b, seed, 1, 0);
    column_builder_add(&b, &(struct test_column){count, count, docs, first, values}, &ref);
    for (uint32_t p = 0; p < b.page_count; p++) {
      struct csd_column_page page;
      const uint8_t *bytes = b.pages + (size_t)p * CSD_PAGE_BYTES;
      REQUIRE(csd_column_check(bytes) == 0 && csd_column_lay_out(bytes, &page));
      const struct csd_page_range range = csd_column_range_of(&page);
      const struct csd_column_entry entry = csd_column_entry_of(&range);
      with_parts += entry.parts != 0;
      check_values(&page, &entry);
      out += check_others(&page, &entry, &seed);
      check_folds(&entry);
    }
    column_builder_free(&b);
  }
  CHECK(with_parts > ROUNDS / 3);
  CHECK(out > 1000);
}

/* Parts of a page of 100 docs with the values that are set. */
static uint64_t parts_of_one_page(void) {
  for (uint64_t seed = 1;; seed++) { /* the builder takes as many docs as it likes */
    struct column_builder b;
    struct csd_column_ref ref;
    struct csd_column_page page;
    column_builder_init(&b, seed, 1, 0);
    column_builder_add(&b, &(struct test_column){100, 100, docs, first, values}, &ref);
    const bool one = b.page_count == 1 && csd_column_lay_out(b.pages, &page);
    const uint64_t parts = one ? csd_column_parts(&page) : 0;
    column_builder_free(&b);
    if (one) {
      return parts;
    }
  }
}

static void a_range_without_gaps_has_no_parts(void) {
  for (uint32_t i = 0; i < DOCS; i++) {
    values[i] = 500 + i % 40;
  }
  CHECK_EQ(0, parts_of_one_page());
  for (uint32_t i = 0; i < DOCS; i++) {
    values[i] += values[i] == 517; /* the only one that is missing */
  }
  CHECK_EQ(((UINT64_C(1) << 40) - 1) & ~(UINT64_C(1) << 17), parts_of_one_page());
}

/* Bits behind the last part, bounds that no page has: refused, or of use to a cursor. */
static void any_bits_can_be_unfolded(void) {
  uint64_t seed = 7;
  uint32_t refused = 0;
  for (int round = 0; round < 100000; round++) {
    const uint32_t a = (uint32_t)check_random(&seed) >> check_random_below(&seed, 32);
    const uint32_t b = (uint32_t)check_random(&seed) >> check_random_below(&seed, 32);
    struct csd_column_entry entry = {.min = a < b ? a : b, .max = a < b ? b : a};
    const uint64_t folded = check_random(&seed) >> check_random_below(&seed, 64);
    if (!csd_parts_unfold(folded, entry.min, entry.max, check_random_below(&seed, 3),
                          &entry.parts)) {
      refused++;
      continue;
    }
    struct csd_parts_run run = {0};
    int64_t before = INT64_MIN;
    while (csd_parts_next(&entry, &run)) {
      CHECK(before <= run.min && run.min <= run.max);
      before = run.max;
    }
  }
  CHECK(refused > 100 && refused < 90000);
}

int main(void) {
  for (uint32_t i = 0; i < DOCS; i++) {
    docs[i] = first[i] = i;
  }
  first[DOCS] = DOCS;
  RUN(parts_deny_no_value);
  RUN(a_range_without_gaps_has_no_parts);
  RUN(any_bits_can_be_unfolded);
  return check_result();
}
