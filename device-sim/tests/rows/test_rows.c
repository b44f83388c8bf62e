/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Programs over rows: what they find, what they count, on one side or both. */
#include "tests/rows/rows_world.h"
#include "tests/support/check.h"

enum { FILTERED = 4 * CSD_ROWS_PAGE_BYTES, PAGES = 40 };

static struct csd_rows_task *task_of(uint32_t parts) {
  struct csd_rows_task *task = NULL;
  CHECK_OK(csd_rows_create(parts, NULL, 0, &task));
  return task;
}

static const struct rows_line lines[] = {
    {1, 10, 1000, 6, 2, 'A', 'F', 9000}, {2, 23, 2000, 7, 0, 'N', 'O', 9380},
    {3, 24, 3000, 5, 8, 'N', 'O', 9130}, {1, 1, 4000, 4, 1, 'R', 'F', 9000},
    {9, 5, 5000, 5, 3, 'N', 'O', 9374},  {2, 50, 6000, 0, 4, 'N', 'O', 10472},
};

static void lines_page(struct rows_sheet *page) {
  rows_begin(page);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    rows_add_line(page, lines[i]);
  }
}

static void query_6_as_counted_by_hand(void) {
  struct rows_sheet page;
  lines_page(&page);
  struct csd_rows_task *const task = task_of(0);
  struct csd_rows_counts counts = {0};
  CHECK_OK(csd_rows_process(task, CSD_ROWS_QUERY_6, page.bytes, &counts));
  struct csd_rows_group groups[CSD_ROWS_MAX_GROUPS];
  CHECK_EQ(1, csd_rows_result(task, groups));
  CHECK_EQ(1000 * 6, groups[0].sums[0]);
  CHECK_EQ(6, counts.rows);
  /* Of 1994 are rows 0, 2 and 3; the discount of two is right, the quantity of one. */
  CHECK_EQ(3 + 2 + 2 + 1, counts.values);
  CHECK_EQ(0, counts.tokens);
  csd_rows_destroy(task);
}

static void query_1_groups_by_two_letters(void) {
  struct rows_sheet page;
  lines_page(&page);
  struct csd_rows_task *const task = task_of(0);
  struct csd_rows_counts counts = {0};
  CHECK_OK(csd_rows_process(task, CSD_ROWS_QUERY_1, page.bytes, &counts));
  struct csd_rows_group groups[CSD_ROWS_MAX_GROUPS];
  REQUIRE(csd_rows_result(task, groups) == 3);
  CHECK_EQ('A' << 8 | 'F', groups[0].key);
  CHECK_EQ('N' << 8 | 'O', groups[1].key);
  const int64_t sums[CSD_ROWS_SUMS] = {23 + 24 + 5,
                                       10000,
                                       2000 * 93 + 3000 * 95 + 5000 * 95,
                                       2000 * 93 * 100 + 3000 * 95 * 108 + 5000 * 95 * 103,
                                       17,
                                       3};
  for (uint32_t i = 0; i < CSD_ROWS_SUMS; i++) {
    CHECK_EQ(sums[i], groups[1].sums[i]);
  }
  CHECK_EQ(5 * (6 + 6), counts.values);
  csd_rows_destroy(task);
}

static void query_14_finds_parts_in_a_hash_table(void) {
  struct rows_sheet parts, page;
  rows_begin(&parts);
  rows_add_part(&parts, 1, "SMALL ");
  rows_add_part(&parts, 2, "PROMO ");
  lines_page(&page);
  struct csd_rows_task *const task = task_of(2);
  struct csd_rows_counts counts = {0};
  CHECK_OK(csd_rows_process(task, CSD_ROWS_BUILD, parts.bytes, &counts));
  CHECK_EQ(2, counts.rows);
  CHECK(counts.values >= 2 * (4 + 1 + 1));
  CHECK_OK(csd_rows_process(task, CSD_ROWS_QUERY_14, page.bytes, &counts));
  struct csd_rows_group groups[CSD_ROWS_MAX_GROUPS];
  REQUIRE(csd_rows_result(task, groups) == 1);
  CHECK_EQ(2000 * 93, groups[0].sums[0]);
  CHECK_EQ(2000 * 93, groups[0].sums[1]); /* part 9 of the month's other row is not there */
  rows_add_part(&parts, 3, "LARGE ");
  CHECK_STATUS(CSD_STATUS_NO_SPACE, csd_rows_process(task, CSD_ROWS_BUILD, parts.bytes, &counts));
  csd_rows_destroy(task);
}

/* The device filters, the host does the rest: the same sums, and no row looked at twice. */
static void a_filter_and_its_rest_are_the_program(void) {
  static uint8_t filtered[FILTERED];
  uint64_t seed = 7;
  struct rows_sheet parts;
  rows_begin(&parts);
  for (uint32_t key = 1; key <= 50; key++) {
    rows_add_part(&parts, key, key % 6 == 0 ? "PROMO " : "SMALL ");
  }
  for (int i = 0; i < PAGES; i++) {
    const enum csd_rows_program program = (enum csd_rows_program)(i % 3);
    struct rows_sheet page;
    rows_random_page(&page, &seed);
    struct csd_rows_task *const one = task_of(50), *const device = task_of(0),
                                *const host = task_of(50);
    struct csd_rows_counts all = {0}, filter = {0}, rest = {0};
    CHECK_OK(csd_rows_process(one, CSD_ROWS_BUILD, parts.bytes, &all));
    CHECK_OK(csd_rows_process(host, CSD_ROWS_BUILD, parts.bytes, &all));
    all = (struct csd_rows_counts){0};
    CHECK_OK(csd_rows_process(one, program, page.bytes, &all));
    const int bytes = csd_rows_filter(device, program, page.bytes, filtered, FILTERED, &filter);
    CHECK(bytes >= 0);
    CHECK_OK(csd_rows_rest(host, program, filtered, (uint32_t)bytes, &rest));
    struct csd_rows_group a[CSD_ROWS_MAX_GROUPS], b[CSD_ROWS_MAX_GROUPS];
    const uint32_t groups = csd_rows_result(one, a);
    CHECK_EQ(groups, csd_rows_result(host, b));
    CHECK_EQ(0, memcmp(a, b, groups * sizeof *a));
    CHECK_EQ(all.rows, filter.rows);
    CHECK_EQ(0, rest.rows);
    CHECK(filter.values <= all.values && rest.values <= all.values);
    csd_rows_destroy(one);
    csd_rows_destroy(device);
    csd_rows_destroy(host);
  }
}

static void damage_and_lack_of_room_are_refused(void) {
  static uint8_t filtered[8];
  struct rows_sheet page;
  lines_page(&page);
  struct csd_rows_task *const task = task_of(0);
  struct csd_rows_counts counts = {0};
  CHECK_STATUS(CSD_STATUS_NO_SPACE, csd_rows_filter(task, CSD_ROWS_QUERY_1, page.bytes, filtered,
                                                    sizeof filtered, &counts));
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
               csd_rows_filter(task, CSD_ROWS_BUILD, page.bytes, filtered, 0, &counts));
  memset(page.bytes + CSD_ROWS_HEAD_BYTES, 0xFF, 2);
  for (int program = CSD_ROWS_QUERY_1; program <= CSD_ROWS_JOIN_EXACT; program++) {
    CHECK_STATUS(CSD_STATUS_PAGE_CORRUPT,
                 csd_rows_process(task, (enum csd_rows_program)program, page.bytes, &counts));
  }
  rows_put32(page.bytes, CSD_ROWS_PAGE_BYTES);
  CHECK_STATUS(CSD_STATUS_PAGE_CORRUPT,
               csd_rows_process(task, CSD_ROWS_QUERY_1, page.bytes, &counts));
  csd_rows_destroy(task);
  const uint32_t cut_off[] = {0, 3, 1, 2};
  struct csd_rows_task *none = NULL;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_rows_create(0, cut_off, 4, &none));
}

static void add_record(struct rows_sheet *page, uint32_t number, const uint32_t *tokens,
                       uint32_t count) {
  uint8_t *const row = rows_add_row(page, CSD_ROWS_RECORD_TOKENS + 4u * count);
  rows_put32(row, number);
  rows_put32(row + CSD_ROWS_RECORD_COUNT, count);
  memcpy(row + CSD_ROWS_RECORD_TOKENS, tokens, 4u * count);
}

/* Ten tokens and three, which end alike: they overlap wholly, and share no printed prefix. */
static void the_join_as_printed_loses_pairs(void) {
  static uint8_t filtered[FILTERED];
  static const uint32_t tokens[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  uint32_t query[2 + 3] = {77, 3, 8, 9, 10};
  struct rows_sheet page;
  rows_begin(&page);
  add_record(&page, 5, tokens, 10);
  add_record(&page, 6, tokens + 7, 3);
  add_record(&page, 7, tokens, 2);
  for (int exact = 0; exact < 2; exact++) {
    const enum csd_rows_program program = exact ? CSD_ROWS_JOIN_EXACT : CSD_ROWS_JOIN;
    struct csd_rows_task *one = NULL, *two = NULL;
    CHECK_OK(csd_rows_create(0, query, 5, &one));
    CHECK_OK(csd_rows_create(0, query, 5, &two));
    struct csd_rows_counts all = {0}, filter = {0}, rest = {0};
    CHECK_OK(csd_rows_process(one, program, page.bytes, &all));
    struct csd_rows_group a, b;
    CHECK_EQ(1, csd_rows_result(one, &a));
    CHECK_EQ(exact ? 2 : 1, a.sums[0]);
    CHECK_EQ(INT64_C(77) * (exact ? 2 : 1) << 32 | (exact ? 11 : 6), a.sums[1]);
    const int bytes = csd_rows_filter(two, program, page.bytes, filtered, FILTERED, &filter);
    CHECK(bytes > 0);
    CHECK_OK(csd_rows_rest(two, program, filtered, (uint32_t)bytes, &rest));
    CHECK_EQ(1, csd_rows_result(two, &b));
    CHECK_EQ(0, memcmp(&a, &b, sizeof a));
    CHECK_EQ(all.tokens, filter.tokens + rest.tokens);
    if (!exact) {
      /* Prefixes of 1 against 3, 1 and 1; then 3 against 3. */
      CHECK_EQ(3 + 1 + 1, filter.tokens);
      CHECK_EQ(9, rest.tokens);
    }
    CHECK_STATUS(CSD_STATUS_PAGE_CORRUPT,
                 csd_rows_rest(two, program, filtered, (uint32_t)bytes - 1, &rest));
    csd_rows_destroy(one);
    csd_rows_destroy(two);
  }
}

int main(void) {
  RUN(query_6_as_counted_by_hand);
  RUN(query_1_groups_by_two_letters);
  RUN(query_14_finds_parts_in_a_hash_table);
  RUN(a_filter_and_its_rest_are_the_program);
  RUN(damage_and_lack_of_room_are_refused);
  RUN(the_join_as_printed_loses_pairs);
  return check_result();
}
