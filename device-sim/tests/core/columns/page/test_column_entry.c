/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Values rounded to 32 bits: in order, outwards, and exact where they are small. */
#include "core/columns/page/column_parts.h"
#include "tests/support/check.h"

static int64_t random_value(uint64_t *random) {
  const int64_t value = (int64_t)check_random(random) >> check_random_below(random, 64);
  switch (check_random_below(random, 20)) {
    case 0: return INT64_MIN + (value & 3);
    case 1: return INT64_MAX - (value & 3);
    case 2: return (INT64_C(1) << check_random_below(random, 63)) + (value & 3) - 1;
    case 3: return -(INT64_C(1) << check_random_below(random, 63)) + (value & 3) - 1;
    default: return value;
  }
}

static void rounding_keeps_the_order(void) {
  uint64_t random = 1;
  for (int i = 0; i < 2000000; i++) {
    const int64_t a = random_value(&random);
    const int64_t b = random_value(&random);
    const int64_t low = a < b ? a : b;
    const int64_t high = a < b ? b : a;
    const uint32_t down = csd_column_round_down(low), up = csd_column_round_up(low);
    CHECK(down <= up && up - down <= 1);
    CHECK(down <= csd_column_round_down(high) && up <= csd_column_round_up(high));
    /* If the one rounded up is not above the other rounded down, the order is certain. */
    CHECK(csd_column_round_up(high) > csd_column_round_down(low) || high == low);
  }
}

static void a_number_stands_for_a_value_between(void) {
  uint64_t random = 2;
  for (int i = 0; i < 2000000; i++) {
    const int64_t value = random_value(&random);
    const uint32_t down = csd_column_round_down(value), up = csd_column_round_up(value);
    CHECK(csd_column_rounded(down) <= value && value <= csd_column_rounded(up));
    CHECK(down != up || csd_column_rounded(down) == value);
    /* Less than one in 2^25 away. */
    const uint64_t apart = (uint64_t)csd_column_rounded(up) - (uint64_t)csd_column_rounded(down);
    CHECK(apart <= (uint64_t)(value < 0 ? ~value : value) >> 25);
  }
}

static void small_values_are_exact(void) {
  for (int64_t value = -(1 << 26); value < 1 << 26; value += 1 + (value & 1023)) {
    CHECK_EQ(csd_column_round_down(value), csd_column_round_up(value));
    CHECK_EQ(csd_column_round_down(value) + 1u, csd_column_round_down(value + 1));
  }
}

static void an_entry_says_what_the_header_does(void) {
  struct csd_column_page page = {
      .header = {.first_doc = 256, .doc_span = 100, .doc_count = 100, .min = -5, .max = INT64_MAX}};
  struct csd_page_range range = csd_column_range_of(&page);
  struct csd_column_entry entry = csd_column_entry_of(&range);
  CHECK_EQ(256, entry.first_doc);
  CHECK_EQ(355, entry.last_doc);
  CHECK(entry.all_docs);
  CHECK_EQ(csd_column_round_down(-5), entry.min);
  CHECK_EQ(csd_column_round_up(INT64_MAX), entry.max);
  CHECK(entry.parts != 0 && entry.parts == csd_column_parts(&page)); /* a part for each of them */
  page.header.doc_count = 99;
  range = csd_column_range_of(&page);
  entry = csd_column_entry_of(&range);
  CHECK(!entry.all_docs && entry.last_doc == 355);
}

int main(void) {
  RUN(rounding_keeps_the_order);
  RUN(a_number_stands_for_a_value_between);
  RUN(small_values_are_exact);
  RUN(an_entry_says_what_the_header_does);
  return check_result();
}
