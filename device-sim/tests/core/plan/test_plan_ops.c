/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Each operator: a plan that keeps its rules is taken, one that breaks any of them is refused. */
#include <math.h>
#include <string.h>

#include "core/plan/plan_check.h"
#include "csd/csd_ops.h"
#include "tests/support/check.h"
#include "tests/support/plan/plan_support.h"

enum { LISTS = 4, TABLES = 3, COLUMNS = 1, RANGES = 7 };

static struct test_plan plan;
static uint8_t bytes[1 << 16];
static uint32_t refused;

static int check_plan(void) {
  struct csd_plan checked;
  test_plan_write(&plan, bytes);
  return csd_plan_check(bytes, test_plan_bytes(&plan), 1u << 16, &checked);
}

/* Two lists of one posting, each with its position; a column of ten docs. */
static void add_entries(void) {
  struct csd_list_ref list = {.posting_count = 1, .inline_freq = 1};
  for (uint32_t i = 0; i < LISTS; i++) {
    list.kind = i % 2 == 0 ? CSD_LIST_KIND_INLINE : CSD_LIST_KIND_POSITIONS;
    test_plan_list(&plan, &list);
  }
  for (uint32_t i = 0; i < TABLES; i++) {
    test_plan_table(&plan, 20.0f);
  }
  plan.header.extent_count = 1;
  plan.extents[0] = (struct csd_extent){.file_page = 1, .page_count = 4, .lba = 100};
  plan.columns[0] = (struct csd_column_ref){.first_page = 1,
                                            .page_count = 1,
                                            .doc_count = 10,
                                            .value_count = 10,
                                            .max = 9,
                                            .extent_count = 1};
  plan.header.column_count = COLUMNS;
  plan.ranges[0] = (struct csd_value_range){.lo = 0, .hi = 1};
  plan.ranges[1] = (struct csd_value_range){.lo = 3, .hi = 4};
  /* As an area: a box of one point, a circle at about 0, 0, in it a cell, and a row. */
  plan.ranges[3] = (struct csd_value_range){.lo = 0x010101}; /* shifts and columns */
  plan.header.range_count = RANGES;
}

/* The least plan of an operator, which asks for scores. */
static struct csd_plan_node *good_plan(unsigned op) {
  const struct csd_op_rule *rule = csd_op_rule(op);
  memset(&plan, 0, sizeof plan);
  test_plan_init(&plan, 1000);
  add_entries();
  test_plan_top_k(&plan, 10, 1000);
  struct csd_plan_node *node = test_plan_node(&plan, op, CSD_OCCUR_MUST, rule->min_children);
  node->list = rule->list.to == CSD_REFERS_RESOURCE ? 5 : 0;
  node->range_count = rule->min_count;
  node->weight = rule->max_weight;
  if (op == CSD_OP_GEO_POLYGON) { /* a row of a cell, a ring whose points are one */
    plan.ranges[0].hi = 0x01010101;
    plan.ranges[2].lo = 4;
    plan.ranges[3].lo = 0;
  }
  for (uint32_t i = 0; i < rule->min_children; i++) {
    test_plan_term(&plan, CSD_OCCUR_SHOULD, 0, 1.0f);
  }
  return node;
}

#define REFUSES(OP, ...)                                   \
  do {                                                     \
    struct csd_plan_node *node = good_plan(OP);            \
    __VA_ARGS__;                                           \
    CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_plan()); \
    refused++;                                             \
  } while (0)

static uint32_t entries_of(uint8_t target) {
  const uint32_t entries[CSD_REFERS_END] = {[CSD_REFERS_LISTS] = LISTS,
                                            [CSD_REFERS_TABLES] = TABLES,
                                            [CSD_REFERS_COLUMNS] = COLUMNS,
                                            [CSD_REFERS_RANGES] = RANGES,
                                            [CSD_REFERS_AREAS] = RANGES};
  return entries[target];
}

/* A value of a field with which what it refers to is not there. */
static uint32_t bad_reference(const struct csd_op_reference *reference, uint32_t range_count) {
  switch (reference->to) {
    case CSD_REFERS_NOTHING: return 1;
    case CSD_REFERS_RESOURCE: return 0;
    default:
      return entries_of(reference->to) + 1u -
             (reference->each == 0 ? 1u : reference->each * range_count);
  }
}

static void fields(unsigned op, const struct csd_op_rule *rule) {
  REFUSES(op, node->reserved0 = 1);
  REFUSES(op, node->weight = -1.0f);
  REFUSES(op, node->weight = NAN);
  REFUSES(op, node->weight = nextafterf(rule->max_weight, INFINITY));
  if (rule->max_min_should < UINT16_MAX) {
    REFUSES(op, node->min_should = (uint16_t)(rule->max_min_should + 1u));
  }
  if (rule->min_count > 0) {
    REFUSES(op, node->range_count--);
  }
  if (rule->max_count < UINT32_MAX) {
    REFUSES(op, node->range_count = rule->max_count + 1u);
  }
  if (rule->max_end < UINT32_MAX) {
    REFUSES(op, node->min_should = rule->max_min_should;
            node->range_count = rule->max_end - rule->max_min_should + 1u);
  }
  REFUSES(op, node->list = bad_reference(&rule->list, node->range_count));
  REFUSES(op, node->table = bad_reference(&rule->table, node->range_count));
  if (rule->table.scored) { /* never read without a score */
    good_plan(op)->table = 77;
    plan.header.mode = CSD_MODE_COUNT;
    plan.header.k = 0;
    plan.header.count_threshold = CSD_EXACT_COUNT;
    CHECK_OK(check_plan());
  }
  if (rule->table.ascends) {
    REFUSES(op, node->range_count = 2; plan.ranges[1].lo = plan.ranges[0].hi);
  }
}

static void places(unsigned op, const struct csd_op_rule *rule) {
  for (uint8_t use = 1; use <= CSD_POSITION_USE_REPEAT; use = (uint8_t)(use << 1)) {
    if ((rule->position_uses & use) == 0) {
      REFUSES(op, (void)node; plan.lists[3].inline_norm = use);
    }
  }
  good_plan(op);
  plan.lists[3].inline_doc = 1;
  CHECK_STATUS(rule->places ? CSD_STATUS_OK : CSD_STATUS_PLAN_MALFORMED, check_plan());
  REFUSES(op, (void)node; plan.lists[1] = plan.lists[0]);
}

static void children(unsigned op, const struct csd_op_rule *rule) {
  if (rule->min_children > 0) {
    REFUSES(op, node->child_count--);
  }
  if (rule->max_children < UINT16_MAX) {
    REFUSES(op, node->child_count++; test_plan_term(&plan, CSD_OCCUR_SHOULD, 0, 1.0f));
  }
  for (uint8_t part = 0; rule->max_children > 0 && part <= CSD_OCCUR_MUST_NOT; part++) {
    good_plan(op);
    plan.nodes[1].occur = part;
    const bool may = (rule->child_occurs >> part & 1u) != 0;
    CHECK_STATUS(may ? CSD_STATUS_OK : CSD_STATUS_PLAN_MALFORMED, check_plan());
  }
  for (unsigned child = 1; rule->max_children > 0 && child < CSD_OP_END; child++) {
    if ((rule->child_ops >> child & 1u) == 0) {
      REFUSES(op, (void)node; plan.nodes[1].op = (uint8_t)child);
    }
  }
  if (rule->max_factor > 0.0f) {
    REFUSES(op, (void)node; plan.nodes[1].weight = 0.0f);
    REFUSES(op, (void)node; plan.nodes[1].table = 1);
    REFUSES(op, (void)node; plan.nodes[1].weight = nextafterf(rule->min_factor, -1.0f));
    REFUSES(op, (void)node; plan.nodes[1].weight = nextafterf(rule->max_factor, INFINITY));
  }
}

static void each_operator(void) {
  uint64_t known = 0;
  for (unsigned op = 0; op < CSD_OP_END; op++) {
    const struct csd_op_rule *rule = csd_op_rule(op);
    if (rule == NULL) {
      continue;
    }
    known |= UINT64_C(1) << op;
    good_plan(op);
    CHECK_OK(check_plan());
    refused = 0;
    fields(op, rule);
    children(op, rule);
    if (csd_is_phrase(op)) {
      places(op, rule);
    }
    CHECK(refused >= 7);
  }
  CHECK_EQ(CSD_OP_ALL_BITS, known);
  CHECK(csd_op_rule(0) == NULL && csd_op_rule(CSD_OP_END) == NULL && csd_op_rule(255) == NULL);
}

static void phrases(void) {
  uint64_t found = 0;
  for (unsigned op = 0; op < CSD_OP_END; op++) {
    found |= (uint64_t)csd_is_phrase(op) << op;
  }
  CHECK_EQ(UINT64_C(1) << CSD_OP_PHRASE | UINT64_C(1) << CSD_OP_MULTI_PHRASE |
               UINT64_C(1) << CSD_OP_ORDERED_SPANS | UINT64_C(1) << CSD_OP_UNORDERED_SPANS |
               UINT64_C(1) << CSD_OP_ORDERED_INTERVALS | UINT64_C(1) << CSD_OP_UNORDERED_INTERVALS,
           found);
}

int main(void) {
  RUN(each_operator);
  RUN(phrases);
  return check_result();
}
