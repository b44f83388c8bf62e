/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* What the check of a plan says of PHRASE, MULTI_PHRASE and terms near each other. */
#include "base/status.h"
#include "core/plan/plan_check.h"
#include "csd/csd_ops.h"
#include "tests/support/check.h"
#include "tests/support/plan/plan_support.h"

static struct test_plan plan;

static void add_term(uint32_t doc, uint32_t place, unsigned uses) {
  const struct csd_list_ref list = {
      .kind = CSD_LIST_KIND_INLINE, .posting_count = 1, .inline_doc = doc, .inline_freq = 1};
  const struct csd_list_ref at = {.kind = CSD_LIST_KIND_POSITIONS,
                                  .posting_count = 1,
                                  .inline_doc = place,
                                  .inline_freq = 5,
                                  .inline_norm = (uint8_t)uses};
  test_plan_list(&plan, &list);
  test_plan_list(&plan, &at);
}

/* Two repeated terms, then one with an alternative. */
static void make(void) {
  test_plan_init(&plan, 1000);
  plan.header.mode = CSD_MODE_COUNT;
  struct csd_plan_node *node = test_plan_node(&plan, CSD_OP_MULTI_PHRASE, CSD_OCCUR_MUST, 0);
  node->min_should = 3;
  node->range_count = 4;
  add_term(1, 0, CSD_POSITION_USE_REPEAT | CSD_POSITION_USE_EQUAL);
  add_term(1, 1, CSD_POSITION_USE_REPEAT);
  add_term(2, 2, 0);
  add_term(3, 2, CSD_POSITION_USE_ALTERNATIVE);
}

static int check_plan(void) {
  static uint8_t bytes[1 << 16];
  struct csd_plan checked;
  test_plan_write(&plan, bytes);
  return csd_plan_check(bytes, test_plan_bytes(&plan), 1 << 16, &checked);
}

#define MALFORMED(change)                                  \
  do {                                                     \
    make();                                                \
    change;                                                \
    CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_plan()); \
  } while (false)

static void multi_phrases(void) {
  make();
  CHECK_STATUS(CSD_STATUS_OK, check_plan());
  MALFORMED(plan.lists[5].inline_norm = 8);
  MALFORMED(plan.lists[1].inline_norm = CSD_POSITION_USE_ALTERNATIVE);
  MALFORMED(plan.lists[3].inline_norm = 0); /* one alone repeats */
  MALFORMED(plan.lists[3].inline_doc = 0);
  MALFORMED(plan.lists[3].inline_norm |= CSD_POSITION_USE_ALTERNATIVE);
  MALFORMED(plan.lists[5].inline_norm = CSD_POSITION_USE_REPEAT);
  MALFORMED(plan.lists[7].inline_norm |= CSD_POSITION_USE_REPEAT);
  MALFORMED(plan.lists[7].inline_doc = 3);
  MALFORMED(plan.nodes[0].min_should = 0);
  MALFORMED(plan.nodes[0].range_count = 1);
  MALFORMED(plan.nodes[0].range_count = 5);
  MALFORMED(plan.nodes[0].list = 4; plan.nodes[0].range_count = 2); /* one place */
  MALFORMED(plan.nodes[0].child_count = 1);
  MALFORMED(plan.lists[4].inline_freq = 2); /* it has one position */
  MALFORMED(plan.lists[5].kind = CSD_LIST_KIND_INLINE);
}

static void phrases(void) {
  make();
  plan.nodes[0].op = CSD_OP_PHRASE;
  plan.nodes[0].min_should = 0;
  plan.lists[1].inline_norm = CSD_POSITION_USE_EQUAL;
  plan.lists[3].inline_norm = 0;
  plan.lists[7].inline_norm = 0;
  CHECK_STATUS(CSD_STATUS_OK, check_plan());
  plan.lists[7].inline_norm = CSD_POSITION_USE_ALTERNATIVE;
  CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_plan());
  plan.lists[7].inline_norm = 0;
  plan.nodes[0].min_should = 1;
  CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_plan());
}

static void make_near(unsigned op) {
  make();
  plan.nodes[0].op = (uint8_t)op;
  for (uint32_t at = 1; at < 8; at += 2) {
    plan.lists[at].inline_doc = 0;
    plan.lists[at].inline_norm = CSD_POSITION_USE_EQUAL;
  }
}

#define NEAR_MALFORMED(change)                             \
  do {                                                     \
    make_near(op);                                         \
    change;                                                \
    CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_plan()); \
  } while (false)

static void terms_near_each_other(void) {
  for (unsigned op = CSD_OP_ORDERED_SPANS; op <= CSD_OP_UNORDERED_INTERVALS; op++) {
    make_near(op);
    CHECK_STATUS(CSD_STATUS_OK, check_plan());
    plan.nodes[0].min_should = 0;
    CHECK_STATUS(CSD_STATUS_OK, check_plan());
    NEAR_MALFORMED(plan.lists[3].inline_doc = 1);
    NEAR_MALFORMED(plan.lists[3].inline_norm = CSD_POSITION_USE_ALTERNATIVE);
    NEAR_MALFORMED(plan.lists[3].inline_norm = CSD_POSITION_USE_REPEAT);
    NEAR_MALFORMED(plan.nodes[0].range_count = 1);
    NEAR_MALFORMED(plan.nodes[0].range_count = 5);
    NEAR_MALFORMED(plan.nodes[0].child_count = 1);
    NEAR_MALFORMED(plan.lists[5].kind = CSD_LIST_KIND_INLINE);
    make_near(op);
    plan.header.mode = CSD_MODE_SCORED_DOCS; /* without a norm table */
    CHECK_STATUS(op >= CSD_OP_ORDERED_INTERVALS ? CSD_STATUS_OK : CSD_STATUS_PLAN_MALFORMED,
                 check_plan());
    plan.nodes[0].table = 1;
    CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_plan());
  }
}

int main(void) {
  RUN(multi_phrases);
  RUN(phrases);
  RUN(terms_near_each_other);
  return check_result();
}
