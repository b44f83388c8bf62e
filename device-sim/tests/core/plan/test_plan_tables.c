/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tables of norms and scores: what of them is refused, and when impacts bound them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/plan/plan_check.h"
#include "core/plan/plan_tables.h"
#include "tests/support/check.h"
#include "tests/support/plan/plan_support.h"

static struct test_plan plan;
static uint8_t *bytes;

static int check_plan(void) {
  struct csd_plan checked;
  test_plan_write(&plan, bytes);
  return csd_plan_check(bytes, test_plan_bytes(&plan), 1u << 16, &checked);
}

/* The best hits of a TABLE_TERM of three tables behind the norm table, with falling scores up to
 * its weight. */
static void table_term_plan(void) {
  test_plan_init(&plan, 1000);
  test_plan_list(
      &plan,
      &(struct csd_list_ref){
          .kind = CSD_LIST_KIND_INLINE, .posting_count = 1, .inline_doc = 7, .inline_freq = 2});
  test_plan_table(&plan, 20.0f);
  test_plan_top_k(&plan, 10, 1000);
  struct csd_plan_node *node = test_plan_term(&plan, CSD_OCCUR_MUST, 0, 3.0f);
  node->op = CSD_OP_TABLE_TERM;
  node->table = 1;
  node->range_count = 3;
  for (uint32_t t = 1; t <= 3; t++) {
    for (uint32_t n = 0; n < CSD_NORM_TABLE_ENTRIES; n++) {
      plan.tables[t][n] = n < 100 ? (float)t : 0.5f;
    }
  }
  plan.header.table_count = 4;
}

#define TABLE_TERM_BREAKS(STATUS, ...)  \
  do {                                  \
    table_term_plan();                  \
    __VA_ARGS__;                        \
    CHECK_STATUS(STATUS, check_plan()); \
  } while (false)
#define TABLE_TERM_MALFORMED(...) TABLE_TERM_BREAKS(CSD_STATUS_PLAN_MALFORMED, __VA_ARGS__)

#define FEATURE_TERM_BREAKS(STATUS, ...) \
  TABLE_TERM_BREAKS(STATUS, plan.nodes[0].op = CSD_OP_FEATURE_TERM; __VA_ARGS__)

/* They have the tables of a TABLE_TERM, and say by min_should which high bytes these are of. */
static void feature_terms(void) {
  FEATURE_TERM_BREAKS(CSD_STATUS_OK, (void)0);
  FEATURE_TERM_BREAKS(CSD_STATUS_OK, plan.nodes[0].min_should = 253);
  FEATURE_TERM_BREAKS(CSD_STATUS_PLAN_MALFORMED, plan.nodes[0].min_should = 254);
  CHECK(strstr(csd_last_error(), "FEATURE_TERM with min_should 254 and range_count 3") != NULL);
  FEATURE_TERM_BREAKS(CSD_STATUS_PLAN_MALFORMED, plan.nodes[0].min_should = 256);
  FEATURE_TERM_BREAKS(CSD_STATUS_PLAN_MALFORMED, plan.nodes[0].min_should = UINT16_MAX);
  FEATURE_TERM_BREAKS(CSD_STATUS_PLAN_MALFORMED, plan.nodes[0].list = 1);
  FEATURE_TERM_BREAKS(CSD_STATUS_PLAN_MALFORMED, plan.nodes[0].range_count = 0);
  FEATURE_TERM_BREAKS(CSD_STATUS_PLAN_MALFORMED, plan.nodes[0].range_count = 4);
  FEATURE_TERM_BREAKS(CSD_STATUS_PLAN_MALFORMED, plan.nodes[0].child_count = 1);
  FEATURE_TERM_BREAKS(CSD_STATUS_PLAN_MALFORMED, plan.tables[2][0] = NAN);
  FEATURE_TERM_BREAKS(CSD_STATUS_PLAN_MALFORMED, plan.nodes[0].weight = 2.9999998f);
}

static void table_terms(void) {
  TABLE_TERM_BREAKS(CSD_STATUS_OK, (void)0);
  TABLE_TERM_MALFORMED(plan.nodes[0].list = 1);
  TABLE_TERM_MALFORMED(plan.nodes[0].child_count = 1);
  TABLE_TERM_MALFORMED(plan.nodes[0].min_should = 1);
  TABLE_TERM_MALFORMED(plan.nodes[0].range_count = 0);
  TABLE_TERM_MALFORMED(plan.nodes[0].range_count = 4);
  TABLE_TERM_MALFORMED(plan.nodes[0].table = 2);
  TABLE_TERM_MALFORMED(plan.nodes[0].table = 4);
  TABLE_TERM_MALFORMED(plan.nodes[0].table = UINT32_MAX);
  TABLE_TERM_MALFORMED(plan.nodes[0].weight = 2.9999998f);
  TABLE_TERM_MALFORMED(plan.nodes[0].weight = -0.0f); /* no score is above 0 then */
  TABLE_TERM_MALFORMED(plan.tables[3][255] = -0.5f);
  TABLE_TERM_MALFORMED(plan.tables[1][255] = -0.0f); /* which no score is */
  TABLE_TERM_MALFORMED(plan.tables[2][0] = NAN);
  TABLE_TERM_MALFORMED(plan.tables[2][0] = -NAN);
  TABLE_TERM_MALFORMED(plan.tables[3][0] = INFINITY);
  CHECK(strstr(csd_last_error(), "node 0: a score of tables 1 to 3") != NULL);
  TABLE_TERM_BREAKS(CSD_STATUS_PLAN_TOO_LARGE, plan.header.mode = CSD_MODE_DOCS; plan.header.k = 0;
                    plan.header.count_threshold = CSD_EXACT_COUNT;
                    plan.nodes[0].range_count = CSD_MAX_PLAN_TABLES + 1);
  /* Without scores no table is looked at. */
  TABLE_TERM_BREAKS(CSD_STATUS_OK, plan.header.mode = CSD_MODE_DOCS; plan.header.k = 0;
                    plan.header.count_threshold = CSD_EXACT_COUNT; plan.nodes[0].table = 9);
  /* The terms of a SYNONYM have no scores. */
  table_term_plan();
  const struct csd_plan_node term = plan.nodes[0];
  plan.header.node_count = 0;
  test_plan_node(&plan, CSD_OP_SYNONYM, CSD_OCCUR_MUST, 1)->weight = 3.0f;
  plan.nodes[plan.header.node_count++] = term;
  plan.nodes[1].occur = CSD_OCCUR_SHOULD;
  CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_plan());
}

/* Impacts bound scores that rise with the frequency and fall with the norm. */
static void scores_in_order(void) {
  struct csd_plan checked;
  for (uint32_t change = 0; change < 3; change++) {
    table_term_plan();
    if (change == 1) {
      plan.tables[2][7] = 0.75f; /* below that of the lower frequency */
    } else if (change == 2) {
      plan.tables[3][120] = 0.625f; /* above that of the lower norm */
    }
    test_plan_write(&plan, bytes);
    CHECK_OK(csd_plan_check(bytes, test_plan_bytes(&plan), 1u << 16, &checked));
    CHECK_EQ(change == 0, checked.monotone);
  }
}

/* The best hits of a TERM with the second of two tables of BM25. */
static void bm25_plan(void) {
  table_term_plan();
  plan.nodes[0].op = CSD_OP_TERM;
  plan.nodes[0].range_count = 0;
  plan.header.table_count = 2;
  plan.header.flags = CSD_PLAN_FLAG_BM25_TABLES;
  test_plan_bm25(&plan, 0, 1.2f, 0.75f, 20.0f);
  test_plan_bm25(&plan, 1, 0.9f, 0.4f, 3.5f);
}

#define BM25_BREAKS(STATUS, ...)        \
  do {                                  \
    bm25_plan();                        \
    __VA_ARGS__;                        \
    CHECK_STATUS(STATUS, check_plan()); \
  } while (false)
#define BM25_MALFORMED(...) BM25_BREAKS(CSD_STATUS_PLAN_MALFORMED, __VA_ARGS__)

static void tables_of_bm25(void) {
  BM25_BREAKS(CSD_STATUS_OK, (void)0);
  BM25_BREAKS(CSD_STATUS_OK, plan.bm25[1].k1 = 0.0f; plan.bm25[0].b = 0.0f; plan.bm25[1].b = 1.0f);
  BM25_BREAKS(CSD_STATUS_OK, plan.bm25[0].average_length = 1.0f; plan.bm25[1].k1 = 3e38f);
  BM25_MALFORMED(plan.bm25[1].k1 = -1.0f);
  CHECK(strstr(csd_last_error(), "norm table 1: k1 -1") != NULL);
  BM25_MALFORMED(plan.bm25[0].k1 = NAN);
  BM25_MALFORMED(plan.bm25[0].k1 = INFINITY);
  BM25_MALFORMED(plan.bm25[0].b = -0.1f);
  BM25_MALFORMED(plan.bm25[0].b = 1.0001f);
  BM25_MALFORMED(plan.bm25[0].b = NAN);
  BM25_MALFORMED(plan.bm25[0].average_length = 0.99f);
  BM25_MALFORMED(plan.bm25[0].average_length = NAN);
  BM25_MALFORMED(plan.bm25[1].average_length = INFINITY);
  BM25_MALFORMED(plan.bm25[1].reserved = 1);
  BM25_MALFORMED(plan.nodes[0].table = 2);
  /* There are no tables of scores then. */
  BM25_MALFORMED(plan.nodes[0].op = CSD_OP_TABLE_TERM; plan.nodes[0].range_count = 1);
  CHECK(strstr(csd_last_error(), "node 0: tables of scores") != NULL);
  /* Any mode may say so, and has no tables then, or does not look at them. */
  BM25_BREAKS(CSD_STATUS_OK, plan.header.mode = CSD_MODE_DOCS; plan.header.k = 0;
              plan.header.count_threshold = CSD_EXACT_COUNT);
}

/* They are made to the bit, and none rises: the last stands for a length of 2,013,265,944. */
static void bm25_is_computed_as_lucene_does(void) {
  float tables[2 * CSD_NORM_TABLE_ENTRIES];
  struct csd_plan checked;
  bm25_plan();
  test_plan_write(&plan, bytes);
  CHECK_OK(csd_plan_check(bytes, test_plan_bytes(&plan), 1u << 16, &checked));
  CHECK(checked.monotone);
  csd_plan_tables_make(&checked, tables);
  CHECK_EQ(0, memcmp(tables, plan.tables, sizeof tables));
  CHECK(tables[0] == 1.0f / (1.2f * (1.0f - 0.75f)));
  const volatile float last = 0.4f * 2013265944.0f / 3.5f;
  CHECK(tables[2 * CSD_NORM_TABLE_ENTRIES - 1] == 1.0f / (0.9f * ((1.0f - 0.4f) + last)));
}

int main(void) {
  bytes = malloc(sizeof plan);
  RUN(table_terms);
  RUN(feature_terms);
  RUN(scores_in_order);
  RUN(tables_of_bm25);
  RUN(bm25_is_computed_as_lucene_does);
  free(bytes);
  return check_result();
}
