/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The aggregates of a plan: each rule broken alone. */
#include "core/plan/plan_check.h"
#include "tests/support/check.h"
#include "tests/support/plan/plan_support.h"

static struct test_plan plan;
static struct csd_aggregate *const stats = &plan.aggregates[0];
static struct csd_aggregate *const terms = &plan.aggregates[1];
static struct csd_aggregate *const histogram = &plan.aggregates[2];
static struct csd_aggregate *const ranges = &plan.aggregates[3];

enum { FOUR_RESULTS = 64 + 4 * 72 + 16 + 16 + 8 }; /* the least page for what make_plan makes */

static void make_plan(void) {
  test_plan_over_column(&plan);
  plan.ranges[0] = (struct csd_value_range){.lo = 1, .hi = 2};
  plan.ranges[1] = (struct csd_value_range){.lo = 1, .hi = 9};
  plan.header.range_count = 2;
  test_plan_aggregates(&plan);
  test_plan_aggregate(&plan, CSD_AGGREGATE_KIND_STATS, 0)->stats_type = CSD_STATS_TYPE_F64;
  stats->flags = CSD_AGGREGATE_FLAG_MOMENTS;
  stats->carry_count = (UINT64_C(1) << 62) - 1;
  test_plan_aggregate(&plan, CSD_AGGREGATE_KIND_TERMS, 0)->from = 5;
  test_plan_aggregate(&plan, CSD_AGGREGATE_KIND_HISTOGRAM, 0)->width = 1;
  histogram->from = -5;
  test_plan_aggregate(&plan, CSD_AGGREGATE_KIND_RANGES, 0)->range_count = 2;
}

static int check_bytes(uint32_t cut, uint32_t result_bytes, struct csd_plan *checked) {
  static uint8_t bytes[8192];
  test_plan_write(&plan, bytes);
  return csd_plan_check(bytes, test_plan_bytes(&plan) - cut, result_bytes, checked);
}

static int check_plan(void) {
  struct csd_plan checked;
  return check_bytes(0, 4096, &checked);
}

static void good_plans(void) {
  struct csd_plan checked;
  make_plan();
  CHECK_OK(check_bytes(0, FOUR_RESULTS, &checked));
  CHECK_EQ(4, checked.aggregate_count);
  CHECK_EQ(5, csd_plan_aggregate_at(&checked, 1).from);
  CHECK(!checked.scored);
  for (uint32_t cut = 1; cut < test_plan_bytes(&plan); cut++) {
    CHECK(check_bytes(cut, 4096, &checked) < 0);
  }
  CHECK_EQ(-CSD_STATUS_PLAN_TOO_LARGE, check_bytes(0, FOUR_RESULTS - 1, &checked));
  plan.header.max_result_bytes = FOUR_RESULTS - 1;
  CHECK_EQ(-CSD_STATUS_PLAN_TOO_LARGE, check_bytes(0, 4096, &checked));
}

/* Breaks one rule. */
#define BAD(STATUS, CHANGE)                       \
  do {                                            \
    make_plan();                                  \
    CHANGE;                                       \
    CHECK_EQ(-CSD_STATUS_##STATUS, check_plan()); \
  } while (0)

static void bad_plans(void) {
  BAD(PLAN_MALFORMED, plan.aggregate_header.aggregate_count = 0);
  BAD(PLAN_TOO_LARGE, plan.aggregate_header.aggregate_count = CSD_MAX_AGGREGATES + 1);
  BAD(PLAN_MALFORMED, plan.aggregate_header.reserved0 = 1);
  BAD(PLAN_MALFORMED, plan.aggregate_header.reserved1 = 1);
  BAD(PLAN_MALFORMED, plan.aggregate_header.reserved2 = 1);
  BAD(PLAN_MALFORMED, plan.header.k = 1);
  BAD(PLAN_MALFORMED, plan.header.flags = CSD_PLAN_FLAG_HAS_AFTER);
  BAD(PLAN_MALFORMED, plan.header.count_threshold = 1000);
  BAD(PLAN_MALFORMED, stats->kind = 0);
  BAD(PLAN_MALFORMED, stats->kind = 6);
  BAD(PLAN_MALFORMED, stats->reserved0 = 1);
  BAD(PLAN_MALFORMED, stats->reserved1 = 1);
  BAD(PLAN_MALFORMED, stats->column = 1);
  BAD(PLAN_MALFORMED, stats->stats_type = 0);
  BAD(PLAN_MALFORMED, stats->stats_type = 6);
  BAD(PLAN_MALFORMED, stats->flags = 2);
  BAD(PLAN_MALFORMED, stats->flags = 0); /* but a carry of moments */
  BAD(PLAN_MALFORMED, stats->carry_count++);
  BAD(PLAN_MALFORMED, stats->width = 1);
  BAD(PLAN_MALFORMED, stats->from = 1);
  BAD(PLAN_MALFORMED, stats->range_count = 1);
  BAD(PLAN_MALFORMED, terms->stats_type = 1);
  BAD(PLAN_MALFORMED, terms->flags = CSD_AGGREGATE_FLAG_MOMENTS);
  BAD(PLAN_MALFORMED, terms->carry_sum = 1);
  BAD(PLAN_MALFORMED, terms->carry_mean = 1);
  BAD(PLAN_MALFORMED, terms->from = -1);
  BAD(PLAN_MALFORMED, terms->first_range = 1);
  BAD(PLAN_MALFORMED, plan.columns[0].min = -1);
  BAD(PLAN_MALFORMED, plan.columns[0].max = (int64_t)CSD_MAX_AGGREGATED_ORD + 1);
  BAD(PLAN_MALFORMED, histogram->width = 0);
  BAD(PLAN_MALFORMED, histogram->width = INT64_MIN);
  BAD(PLAN_MALFORMED, histogram->carry_variance = 1);
  BAD(PLAN_MALFORMED, ranges->range_count = 0);
  BAD(PLAN_MALFORMED, ranges->range_count = 3);
  BAD(PLAN_MALFORMED, ranges->first_range = 1);
  BAD(PLAN_MALFORMED, ranges->from = 1);
  BAD(PLAN_MALFORMED, ranges->width = 1);
}

int main(void) {
  RUN(good_plans);
  RUN(bad_plans);
  return check_result();
}
