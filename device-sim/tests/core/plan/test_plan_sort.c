/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The sort part of a plan: each rule broken alone. */
#include "core/plan/plan_check.h"
#include "tests/support/check.h"
#include "tests/support/plan/plan_support.h"

static struct test_plan plan;

static void make_plan(void) {
  test_plan_over_column(&plan);
  test_plan_sort(&plan, 10, 1000);
  test_plan_sort_key(&plan, 0);
  test_plan_sort_key(&plan, 0)->flags = CSD_SORT_KEY_FLAG_REVERSE;
  plan.sort.header.flags = CSD_SORT_FLAG_HAS_AFTER | CSD_SORT_FLAG_HAS_BOTTOM;
}

static int check_bytes(uint32_t cut, struct csd_plan *checked) {
  static uint8_t bytes[4096];
  test_plan_write(&plan, bytes);
  return csd_plan_check(bytes, test_plan_bytes(&plan) - cut, 4096, checked);
}

static int check_plan(void) {
  struct csd_plan checked;
  return check_bytes(0, &checked);
}

static void good_plans(void) {
  struct csd_plan checked;
  make_plan();
  plan.sort.after[1] = 17;
  plan.sort.bottom[0] = 4;
  CHECK_OK(check_bytes(0, &checked));
  CHECK_EQ(2, checked.sort.header.key_count);
  CHECK_EQ(17, checked.sort.after[1]);
  CHECK_EQ(4, checked.sort.bottom[0]);
  CHECK(!checked.scored);
  plan.sort.header.flags = CSD_SORT_FLAG_HAS_BOTTOM | CSD_SORT_FLAG_BOTTOM_TIES;
  plan.sort.keys[1] = (struct csd_sort_key){.kind = CSD_SORT_KIND_SCORE};
  CHECK_OK(check_bytes(0, &checked));
  CHECK_EQ(4, checked.sort.bottom[0]);
  CHECK(checked.scored);
  for (uint32_t cut = 1; cut < test_plan_bytes(&plan); cut++) {
    CHECK(check_bytes(cut, &checked) < 0);
  }
}

/* Breaks one rule. */
#define BAD(STATUS, CHANGE)                       \
  do {                                            \
    make_plan();                                  \
    CHANGE;                                       \
    CHECK_EQ(-CSD_STATUS_##STATUS, check_plan()); \
  } while (0)

static void bad_plans(void) {
  struct csd_sort_header *header = &plan.sort.header;
  struct csd_sort_key *key = &plan.sort.keys[1];
  BAD(PLAN_MALFORMED, header->key_count = 0);
  BAD(PLAN_MALFORMED, header->key_count = 5);
  BAD(PLAN_MALFORMED, header->reserved0 = 1);
  BAD(PLAN_MALFORMED, header->reserved1 = 1);
  BAD(PLAN_MALFORMED, header->flags = 8);
  BAD(PLAN_MALFORMED, header->flags = CSD_SORT_FLAG_BOTTOM_TIES);
  BAD(PLAN_MALFORMED, key->kind = 0);
  BAD(PLAN_MALFORMED, key->kind = 5);
  BAD(PLAN_MALFORMED, key->transform = 0);
  BAD(PLAN_MALFORMED, key->transform = 8);
  BAD(PLAN_MALFORMED, key->selector = 0);
  BAD(PLAN_MALFORMED, key->selector = 3);
  BAD(PLAN_MALFORMED, key->flags = 2);
  BAD(PLAN_MALFORMED, key->column = 1);
  BAD(PLAN_MALFORMED, *key = ((struct csd_sort_key){.kind = CSD_SORT_KIND_DOC, .transform = 1}));
  BAD(PLAN_MALFORMED, *key = ((struct csd_sort_key){.kind = CSD_SORT_KIND_DOC, .selector = 1}));
  BAD(PLAN_MALFORMED, *key = ((struct csd_sort_key){.kind = CSD_SORT_KIND_DOC, .column = 1}));
  BAD(PLAN_MALFORMED, *key = ((struct csd_sort_key){.kind = CSD_SORT_KIND_SCORE, .missing = 1}));
  BAD(PLAN_MALFORMED, plan.header.flags = CSD_PLAN_FLAG_HAS_AFTER);
  BAD(PLAN_MALFORMED, plan.header.k = 0);
  BAD(PLAN_TOO_LARGE, plan.header.k = 1 + (4096 - 64) / 24);
  make_plan();
  plan.header.k = (4096 - 64) / 24;
  CHECK_OK(check_plan());
}

int main(void) {
  RUN(good_plans);
  RUN(bad_plans);
  return check_result();
}
