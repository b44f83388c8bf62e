/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Every rule of a plan, broken one at a time, gives its status; nothing else is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/plan/plan_check.h"
#include "tests/support/check.h"
#include "tests/support/plan/plan_support.h"

static struct test_plan plan;
static uint8_t *bytes; /* exactly as many as the plan has, so that reading on is noticed */

/* (+a #b -c d) over two PAGED lists, an INLINE one and three extents. */
static void good_plan(void) {
  memset(&plan, 0, sizeof plan);
  test_plan_init(&plan, 100000);
  plan.header.extent_count = 3;
  plan.extents[0] = (struct csd_extent){.file_page = 1, .page_count = 4, .lba = 100};
  plan.extents[1] = (struct csd_extent){.file_page = 5, .page_count = 1, .lba = 90};
  plan.extents[2] = (struct csd_extent){.file_page = 9, .page_count = 10, .lba = 200};
  struct csd_list_ref ref = {.kind = CSD_LIST_KIND_PAGED,
                             .slot = 3,
                             .first_page = 2,
                             .page_count = 4,
                             .posting_count = 1000,
                             .stamp = 42};
  test_plan_list(&plan, &ref);
  ref.first_page = 10;
  ref.page_count = 1;
  ref.slot = CSD_MAX_BLOCKS_PER_PAGE - 4;
  ref.posting_count = 400;
  test_plan_list(&plan, &ref);
  test_plan_list(
      &plan,
      &(struct csd_list_ref){
          .kind = CSD_LIST_KIND_INLINE, .posting_count = 1, .inline_doc = 99999, .inline_freq = 1});
  test_plan_table(&plan, 20.0f);
  test_plan_top_k(&plan, 10, 1000);
  test_plan_node(&plan, CSD_OP_BOOL, CSD_OCCUR_MUST, 4);
  test_plan_term(&plan, CSD_OCCUR_MUST, 0, 2.0f);
  test_plan_node(&plan, CSD_OP_CONST, CSD_OCCUR_FILTER, 1)->weight = 1.0f;
  test_plan_term(&plan, CSD_OCCUR_MUST, 1, 0.0f);
  test_plan_term(&plan, CSD_OCCUR_MUST_NOT, 2, 0.0f);
  test_plan_node(&plan, CSD_OP_ALL, CSD_OCCUR_SHOULD, 0)->weight = 0.5f;
}

static int check_bytes(uint32_t count, size_t result_bytes) {
  struct csd_plan checked;
  uint8_t *exact = malloc(count > 0 ? count : 1);
  memcpy(exact, bytes, count);
  const int status = csd_plan_check(exact, count, result_bytes, &checked);
  free(exact);
  return status;
}

static int check_plan(void) {
  test_plan_write(&plan, bytes);
  return check_bytes(test_plan_bytes(&plan), 1u << 16);
}

/* Every refusal says why. */
#define BREAKS(STATUS, CHANGE)                                       \
  do {                                                               \
    good_plan();                                                     \
    CHANGE;                                                          \
    csd_trail_clear();                                               \
    CHECK_STATUS(STATUS, check_plan());                              \
    CHECK((STATUS) == CSD_STATUS_OK || csd_last_error()[0] != '\0'); \
  } while (0)
#define MALFORMED(CHANGE) BREAKS(CSD_STATUS_PLAN_MALFORMED, CHANGE)
#define KEEPS(CHANGE) BREAKS(CSD_STATUS_OK, CHANGE)

static void accepts(void) {
  KEEPS((void)0);
  KEEPS(plan.header.min_doc = plan.header.limit_doc);
  KEEPS(plan.header.flags = CSD_PLAN_FLAG_HAS_AFTER; plan.header.after_doc = -1);
  KEEPS(plan.tables[0][0] = INFINITY);
  KEEPS(plan.nodes[3].table = 77); /* under FILTER: never read */
  good_plan();
  plan.tables[0][9] = plan.tables[0][8] + 1.0f;
  test_plan_write(&plan, bytes);
  struct csd_plan checked;
  CHECK_OK(csd_plan_check(bytes, test_plan_bytes(&plan), 1u << 16, &checked));
  CHECK(!checked.monotone);
  plan.tables[0][9] = plan.tables[0][8];
  plan.tables[0][255] = -0.0f;
  test_plan_write(&plan, bytes);
  CHECK_OK(csd_plan_check(bytes, test_plan_bytes(&plan), 1u << 16, &checked));
  CHECK(checked.monotone);
  CHECK(checked.scored);
  CHECK_EQ(3, checked.depth);
}

static void sizes(void) {
  good_plan();
  test_plan_write(&plan, bytes);
  const uint32_t count = test_plan_bytes(&plan);
  for (uint32_t cut = 0; cut < count; cut++) {
    CHECK_STATUS(CSD_STATUS_PLAN_TRUNCATED, check_bytes(cut, 1u << 16));
  }
  CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_bytes(count + 1, 1u << 16));
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, check_bytes(count, 71));
  CHECK_STATUS(CSD_STATUS_PLAN_TOO_LARGE, check_bytes(count, 64 + 79));
  CHECK_STATUS(CSD_STATUS_OK, check_bytes(count, 64 + 80));
}

static void headers(void) {
  MALFORMED(plan.header.magic ^= 1);
  BREAKS(CSD_STATUS_UNSUPPORTED_VERSION, plan.header.version++);
  MALFORMED(plan.header.mode = 0);
  MALFORMED(plan.header.mode = 5);
  MALFORMED(plan.header.mode = CSD_MODE_COUNT);                   /* with k */
  MALFORMED(plan.header.mode = CSD_MODE_DOCS; plan.header.k = 0); /* with a threshold */
  MALFORMED(plan.header.flags = 8);
  MALFORMED(plan.header.flags = CSD_PLAN_FLAG_MIN_SCORE_TIES);
  MALFORMED(plan.header.flags = CSD_PLAN_FLAG_HAS_AFTER; plan.header.after_score = NAN);
  MALFORMED(plan.header.flags = CSD_PLAN_FLAG_HAS_MIN_SCORE; plan.header.min_score = NAN);
  MALFORMED(plan.header.k = 0);
  BREAKS(CSD_STATUS_PLAN_TOO_LARGE, plan.header.k = UINT32_MAX);
  MALFORMED(plan.header.max_doc = CSD_MAX_DOC + 1);
  MALFORMED(plan.header.limit_doc++);
  MALFORMED(plan.header.limit_doc = 5; plan.header.min_doc = 6);
  MALFORMED(plan.header.max_result_bytes = 71);
  good_plan();
  test_plan_write(&plan, bytes);
  const uint16_t many[] = {CSD_MAX_PLAN_NODES + 1, CSD_MAX_PLAN_LISTS + 1, CSD_MAX_PLAN_EXTENTS + 1,
                           CSD_MAX_PLAN_TABLES + 1};
  for (size_t i = 0; i < 4; i++) {
    good_plan();
    test_plan_write(&plan, bytes);
    memcpy(bytes + offsetof(struct csd_plan_header, node_count) + 2 * i, &many[i], 2);
    CHECK_STATUS(CSD_STATUS_PLAN_TOO_LARGE, check_bytes(test_plan_bytes(&plan), 1u << 16));
  }
  const uint16_t columns_and_ranges[] = {CSD_MAX_PLAN_COLUMNS + 1, CSD_MAX_PLAN_RANGES + 1};
  for (size_t i = 0; i < 2; i++) {
    good_plan();
    test_plan_write(&plan, bytes);
    memcpy(bytes + offsetof(struct csd_plan_header, column_count) + 2 * i, &columns_and_ranges[i],
           2);
    CHECK_STATUS(CSD_STATUS_PLAN_TOO_LARGE, check_bytes(test_plan_bytes(&plan), 1u << 16));
  }
}

static void nodes(void) {
  MALFORMED(plan.nodes[1].op = 0);
  MALFORMED(plan.nodes[1].op = 7);
  MALFORMED(plan.nodes[1].occur = 4);
  MALFORMED(plan.nodes[0].occur = CSD_OCCUR_SHOULD);
  MALFORMED(plan.nodes[1].reserved0 = 1);
  MALFORMED(plan.nodes[1].range_count = 1);
  MALFORMED(plan.nodes[1].min_should = 1);
  MALFORMED(plan.nodes[1].list = 3);
  MALFORMED(plan.nodes[1].table = 1);
  MALFORMED(plan.nodes[5].list = 1);
  MALFORMED(plan.nodes[1].weight = -1.0f);
  MALFORMED(plan.nodes[1].weight = NAN);
  MALFORMED(plan.nodes[1].weight = INFINITY);
  MALFORMED(plan.nodes[1].child_count = 1);
  MALFORMED(plan.nodes[2].child_count = 2);
  MALFORMED(plan.nodes[2].child_count = 0);
  MALFORMED(plan.nodes[0].child_count = 0);
  MALFORMED(plan.nodes[0].child_count = 3); /* a second root */
  MALFORMED(plan.nodes[0].child_count = 5); /* a child is missing */
  MALFORMED(plan.header.node_count = 0);
}

static void dis_max_plan(void) {
  good_plan();
  plan.header.node_count = 0;
  test_plan_node(&plan, CSD_OP_DIS_MAX, CSD_OCCUR_MUST, 2)->weight = 1.0f;
  test_plan_node(&plan, CSD_OP_ALL, CSD_OCCUR_SHOULD, 0);
  test_plan_term(&plan, CSD_OCCUR_SHOULD, 0, 1.0f);
}

#define DIS_MAX_MALFORMED(...)                             \
  do {                                                     \
    dis_max_plan();                                        \
    __VA_ARGS__;                                           \
    CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_plan()); \
  } while (false)

static void dis_max(void) {
  dis_max_plan();
  CHECK_STATUS(CSD_STATUS_OK, check_plan());
  DIS_MAX_MALFORMED(plan.nodes[0].weight = 1.0000001f);
  DIS_MAX_MALFORMED(plan.nodes[0].weight = -0.1f);
  DIS_MAX_MALFORMED(plan.nodes[0].weight = NAN);
  DIS_MAX_MALFORMED(plan.nodes[0].min_should = 1);
  DIS_MAX_MALFORMED(plan.nodes[0].list = 1);
  DIS_MAX_MALFORMED(plan.nodes[0].table = 1);
  DIS_MAX_MALFORMED(plan.nodes[0].child_count = 0);
  DIS_MAX_MALFORMED(plan.nodes[1].occur = CSD_OCCUR_MUST);
  DIS_MAX_MALFORMED(plan.nodes[2].occur = CSD_OCCUR_FILTER);
  DIS_MAX_MALFORMED(plan.nodes[2].occur = CSD_OCCUR_MUST_NOT);
  DIS_MAX_MALFORMED(plan.nodes[2].table = 9); /* its scores are needed */
}

static void synonym_plan(void) {
  good_plan();
  plan.header.node_count = 0;
  test_plan_node(&plan, CSD_OP_SYNONYM, CSD_OCCUR_MUST, 2)->weight = 3.0f;
  test_plan_term(&plan, CSD_OCCUR_SHOULD, 0, 1.0f);
  test_plan_term(&plan, CSD_OCCUR_SHOULD, 1, 0.5f);
}

#define SYNONYM_MALFORMED(...)                             \
  do {                                                     \
    synonym_plan();                                        \
    __VA_ARGS__;                                           \
    CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_plan()); \
  } while (false)

static void synonyms(void) {
  synonym_plan();
  CHECK_STATUS(CSD_STATUS_OK, check_plan());
  SYNONYM_MALFORMED(plan.nodes[0].table = 1);
  SYNONYM_MALFORMED(plan.nodes[0].list = 1);
  SYNONYM_MALFORMED(plan.nodes[0].min_should = 1);
  SYNONYM_MALFORMED(plan.nodes[0].child_count = 0);
  SYNONYM_MALFORMED(plan.nodes[0].weight = INFINITY);
  SYNONYM_MALFORMED(plan.nodes[1].weight = 1.5f);
  SYNONYM_MALFORMED(plan.nodes[1].weight = 0.0f);
  SYNONYM_MALFORMED(plan.nodes[1].table = 1);
  SYNONYM_MALFORMED(plan.nodes[1].occur = CSD_OCCUR_MUST);
  SYNONYM_MALFORMED(plan.nodes[2].op = CSD_OP_ALL; plan.nodes[2].list = 0);
  SYNONYM_MALFORMED(plan.nodes[2].list = 3);
}

static void combined_plan(void) {
  synonym_plan();
  plan.nodes[0].op = CSD_OP_COMBINED;
  plan.nodes[0].list = 5;
  plan.nodes[2].weight = 7.5f;
}

#define COMBINED_MALFORMED(...)                            \
  do {                                                     \
    combined_plan();                                       \
    __VA_ARGS__;                                           \
    CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_plan()); \
  } while (false)

static void combined(void) {
  combined_plan();
  CHECK_STATUS(CSD_STATUS_OK, check_plan());
  COMBINED_MALFORMED(plan.nodes[0].list = 0);
  COMBINED_MALFORMED(plan.nodes[0].table = 1);
  COMBINED_MALFORMED(plan.nodes[0].min_should = 1);
  COMBINED_MALFORMED(plan.nodes[0].range_count = 1);
  COMBINED_MALFORMED(plan.nodes[0].child_count = 0);
  COMBINED_MALFORMED(plan.nodes[0].weight = INFINITY);
  COMBINED_MALFORMED(plan.nodes[1].weight = 0.999f);
  COMBINED_MALFORMED(plan.nodes[1].table = 1);
  COMBINED_MALFORMED(plan.nodes[1].occur = CSD_OCCUR_FILTER);
  COMBINED_MALFORMED(plan.nodes[2].op = CSD_OP_NONE; plan.nodes[2].list = 0);
  for (uint32_t most = CSD_MAX_PLAN_DOC_SETS; most <= CSD_MAX_PLAN_DOC_SETS + 1; most++) {
    good_plan();
    plan.header.node_count = 0;
    test_plan_node(&plan, CSD_OP_BOOL, CSD_OCCUR_MUST, most);
    for (uint32_t i = 0; i < most; i++) {
      test_plan_node(&plan, CSD_OP_COMBINED, CSD_OCCUR_SHOULD, 1)->list = 1;
      test_plan_term(&plan, CSD_OCCUR_SHOULD, 0, 1.0f);
    }
    const bool fits = most == CSD_MAX_PLAN_DOC_SETS;
    CHECK_STATUS(fits ? 0 : CSD_STATUS_PLAN_TOO_LARGE, check_plan());
  }
}

#define UNION_TERMS 40u

/* (#(40 terms)), which are passed over without a look at anything but that they are plain. */
static void union_plan(void) {
  memset(&plan, 0, sizeof plan);
  test_plan_init(&plan, 100000);
  test_plan_node(&plan, CSD_OP_BOOL, CSD_OCCUR_MUST, UNION_TERMS);
  for (uint32_t i = 0; i < UNION_TERMS; i++) {
    test_plan_list(
        &plan,
        &(struct csd_list_ref){
            .kind = CSD_LIST_KIND_INLINE, .posting_count = 1, .inline_doc = i, .inline_freq = 1});
    test_plan_term(&plan, CSD_OCCUR_SHOULD, i, 0.0f);
  }
}

#define BREAKS_UNION(STATUS, CHANGE)    \
  do {                                  \
    union_plan();                       \
    CHANGE;                             \
    csd_trail_clear();                  \
    CHECK_STATUS(STATUS, check_plan()); \
  } while (0)

static void unions(void) {
  BREAKS_UNION(CSD_STATUS_OK, (void)0);
  struct csd_plan checked;
  CHECK_OK(csd_plan_check(bytes, test_plan_bytes(&plan), 1u << 16, &checked));
  CHECK_EQ(2, checked.depth);
  for (uint32_t i = 1; i <= UNION_TERMS; i += 13) {
    struct csd_plan_node *node = &plan.nodes[i];
    BREAKS_UNION(CSD_STATUS_OK, node->occur = CSD_OCCUR_MUST_NOT);
    BREAKS_UNION(CSD_STATUS_OK, node->weight = 1.0f);
    BREAKS_UNION(CSD_STATUS_OK, node->table = 7); /* without a score never read */
    BREAKS_UNION(CSD_STATUS_OK, node->op = CSD_OP_ALL; node->list = 0);
    BREAKS_UNION(CSD_STATUS_PLAN_MALFORMED, node->list = UNION_TERMS);
    CHECK(strstr(csd_last_error(), "list 40 of 40") != NULL);
    BREAKS_UNION(CSD_STATUS_PLAN_MALFORMED, node->op = 0);
    BREAKS_UNION(CSD_STATUS_PLAN_MALFORMED, node->occur = 9);
    BREAKS_UNION(CSD_STATUS_PLAN_MALFORMED, node->min_should = 1);
    BREAKS_UNION(CSD_STATUS_PLAN_MALFORMED, node->reserved0 = 1);
    BREAKS_UNION(CSD_STATUS_PLAN_MALFORMED, node->range_count = 1);
    BREAKS_UNION(CSD_STATUS_PLAN_MALFORMED, node->weight = -1.0f);
    BREAKS_UNION(CSD_STATUS_PLAN_MALFORMED, node->child_count = 1);
  }
  BREAKS_UNION(CSD_STATUS_PLAN_MALFORMED, plan.nodes[0].child_count++);
  BREAKS_UNION(CSD_STATUS_PLAN_MALFORMED, plan.nodes[0].child_count--);
  BREAKS_UNION(CSD_STATUS_PLAN_MALFORMED, plan.nodes[0].child_count = UINT16_MAX);
}

static void depths(void) {
  for (uint32_t depth = 1; depth <= CSD_MAX_PLAN_DEPTH + 1; depth++) {
    good_plan();
    plan.header.node_count = 0;
    for (uint32_t i = 1; i < depth; i++) {
      test_plan_node(&plan, CSD_OP_BOOL, CSD_OCCUR_MUST, 1);
    }
    test_plan_node(&plan, CSD_OP_ALL, CSD_OCCUR_MUST, 0);
    CHECK_STATUS(depth <= CSD_MAX_PLAN_DEPTH ? CSD_STATUS_OK : CSD_STATUS_PLAN_TOO_LARGE,
                 check_plan());
  }
}

static void lists(void) {
  MALFORMED(plan.lists[0].kind = 0);
  MALFORMED(plan.lists[0].kind = 3);
  MALFORMED(plan.lists[0].reserved0 = 1);
  MALFORMED(plan.lists[0].reserved1[2] = 1);
  MALFORMED(plan.lists[0].posting_count = 0);
  MALFORMED(plan.lists[0].posting_count = 100001);
  MALFORMED(plan.lists[0].page_count = 0);
  MALFORMED(plan.lists[0].page_count = 9); /* more than blocks */
  MALFORMED(plan.lists[0].slot = CSD_MAX_BLOCKS_PER_PAGE);
  MALFORMED(plan.lists[1].slot++); /* ends beyond its page */
  MALFORMED(plan.lists[2].inline_doc++);
  MALFORMED(plan.lists[2].inline_freq = 0);
  MALFORMED(plan.lists[2].posting_count = 2);
}

static void extents(void) {
  MALFORMED(plan.lists[0].extent_count++);
  MALFORMED(plan.lists[0].extent_count = 1); /* page 5 is not covered */
  MALFORMED(plan.lists[0].first_extent = 1);
  MALFORMED(plan.lists[0].page_count++); /* page 6 is in no extent */
  MALFORMED(plan.lists[0].first_page = UINT32_MAX);
  MALFORMED(plan.extents[1].page_count = 0);
  MALFORMED(plan.extents[1].file_page = 4);  /* overlaps */
  MALFORMED(plan.extents[1].file_page = 20); /* descends */
  MALFORMED(plan.extents[2].page_count = UINT32_MAX);
  MALFORMED(plan.extents[2].lba = UINT64_MAX - 5);
}

/* A plan with two ranges over one column of the pages of list 0. */
static void column_plan(void) {
  good_plan();
  const struct csd_list_ref *list = &plan.lists[0];
  const struct csd_column_ref ref = {.first_page = list->first_page,
                                     .page_count = 2,
                                     .doc_count = 500,
                                     .stamp = list->stamp,
                                     .value_count = 500,
                                     .min = -7,
                                     .max = 9,
                                     .first_extent = list->first_extent,
                                     .extent_count = list->extent_count};
  plan.columns[0] = ref;
  plan.header.column_count = 1;
  plan.ranges[0] = (struct csd_value_range){.lo = INT64_MIN, .hi = INT64_MAX};
  plan.ranges[1] = (struct csd_value_range){.lo = 3, .hi = 3};
  plan.header.range_count = 2;
  plan.nodes[1] = (struct csd_plan_node){
      .op = CSD_OP_COLUMN_RANGE, .occur = CSD_OCCUR_FILTER, .list = 0, .table = 1};
}

static void columns(void) {
#define COLUMN_BREAKS(status, ...)      \
  do {                                  \
    column_plan();                      \
    __VA_ARGS__;                        \
    CHECK_STATUS(status, check_plan()); \
  } while (0)
#define COLUMN_MALFORMED(...) COLUMN_BREAKS(CSD_STATUS_PLAN_MALFORMED, __VA_ARGS__)
  COLUMN_BREAKS(CSD_STATUS_OK, (void)0);
  COLUMN_MALFORMED(plan.nodes[1].list = 1);
  COLUMN_MALFORMED(plan.nodes[1].table = 2);
  COLUMN_MALFORMED(plan.nodes[1].min_should = 1);
  COLUMN_MALFORMED(plan.nodes[1].weight = -1.0f);
  COLUMN_MALFORMED(plan.nodes[1].child_count = 1);
  COLUMN_MALFORMED(plan.columns[0].reserved0 = 1);
  COLUMN_MALFORMED(plan.columns[0].reserved1 = 1);
  COLUMN_MALFORMED(plan.columns[0].page_count = 0);
  COLUMN_MALFORMED(plan.columns[0].page_count = 501);
  COLUMN_MALFORMED(plan.columns[0].page_count = 100); /* in no extent */
  COLUMN_MALFORMED(plan.columns[0].first_page = UINT32_MAX);
  COLUMN_MALFORMED(plan.columns[0].doc_count = 100001);
  COLUMN_MALFORMED(plan.columns[0].value_count = 499);
  COLUMN_MALFORMED(plan.columns[0].min = 10);
  COLUMN_MALFORMED(plan.columns[0].first_extent = 4000);
  COLUMN_MALFORMED(plan.columns[0].extent_count = 0);
  COLUMN_MALFORMED(plan.ranges[1].lo = 4);
  CHECK(strstr(csd_last_error(), "range 1: from 4 to 3") != NULL);
}

/* The plan with columns, of whose node the second of three ranges and the third are a set. */
static void set_plan(void) {
  column_plan();
  plan.ranges[2] = (struct csd_value_range){.lo = 5, .hi = INT64_MAX};
  plan.header.range_count = 3;
  plan.nodes[1].op = CSD_OP_COLUMN_IN;
  plan.nodes[1].range_count = 2;
}

static void sets(void) {
#define SET_BREAKS(status, ...)         \
  do {                                  \
    set_plan();                         \
    __VA_ARGS__;                        \
    CHECK_STATUS(status, check_plan()); \
  } while (0)
#define SET_MALFORMED(...) SET_BREAKS(CSD_STATUS_PLAN_MALFORMED, __VA_ARGS__)
  SET_BREAKS(CSD_STATUS_OK, (void)0);
  SET_BREAKS(CSD_STATUS_OK, plan.ranges[2].lo = 4);
  SET_MALFORMED(plan.nodes[1].list = 1);
  SET_MALFORMED(plan.nodes[1].range_count = 0);
  SET_MALFORMED(plan.nodes[1].range_count = 3);
  SET_MALFORMED(plan.nodes[1].range_count = UINT32_MAX);
  SET_MALFORMED(plan.nodes[1].table = 2);
  SET_MALFORMED(plan.nodes[1].table = UINT32_MAX);
  SET_MALFORMED(plan.nodes[1].table = 0); /* the first range overlaps the second */
  SET_MALFORMED(plan.nodes[1].op = CSD_OP_COLUMN_RANGE);
  SET_MALFORMED(plan.nodes[1].min_should = 1);
  SET_MALFORMED(plan.nodes[1].child_count = 1);
  SET_MALFORMED(plan.ranges[2].lo = 3);
  CHECK(strstr(csd_last_error(), "node 1: range 2 from 3, the one before to 3") != NULL);
}

/* Sets that share ranges may have as many in all as a plan. */
static void ranges_of_all_sets(void) {
  for (uint32_t more = 0; more < 2; more++) {
    test_plan_init(&plan, 1000);
    plan.header.max_result_bytes = 4096;
    plan.extents[0] = (struct csd_extent){.file_page = 0, .page_count = 10, .lba = 40};
    plan.header.extent_count = 1;
    const struct csd_column_ref column = {
        .page_count = 1, .doc_count = 10, .value_count = 10, .stamp = 1, .min = 0, .max = 9};
    test_plan_column(&plan, &column);
    for (uint32_t r = 0; r < CSD_MAX_PLAN_RANGES; r++) {
      plan.ranges[r] = (struct csd_value_range){.lo = r, .hi = r};
    }
    plan.header.range_count = CSD_MAX_PLAN_RANGES;
    test_plan_node(&plan, CSD_OP_BOOL, CSD_OCCUR_MUST, 2);
    for (uint32_t i = 0; i < 2; i++) {
      struct csd_plan_node *node = test_plan_node(&plan, CSD_OP_COLUMN_IN, CSD_OCCUR_SHOULD, 0);
      node->range_count = CSD_MAX_PLAN_RANGES / 2 + (i == 0 ? more : 0);
    }
    CHECK_STATUS(more == 0 ? CSD_STATUS_OK : CSD_STATUS_PLAN_TOO_LARGE, check_plan());
  }
}

static void tables(void) {
  MALFORMED(plan.tables[0][0] = NAN);
  MALFORMED(plan.tables[0][255] = -0.5f);
  MALFORMED(plan.tables[0][100] = NAN);
  MALFORMED(plan.tables[0][255] = -NAN);
  MALFORMED(plan.tables[0][1] = -INFINITY);
}

/* The text of a refusal names the part, its number and its value. */
static void reasons(void) {
  MALFORMED(plan.nodes[1].op = 200);
  CHECK(strstr(csd_last_error(), "node 1: op is 200") != NULL);
  MALFORMED(plan.lists[2].inline_freq = 0);
  CHECK(strstr(csd_last_error(), "list 2: inline_freq is 0") != NULL);
  MALFORMED(plan.extents[1].page_count = 0);
  CHECK(strstr(csd_last_error(), "extent 1: no pages") != NULL);
  MALFORMED(plan.header.mode = 9);
  CHECK(strstr(csd_last_error(), "plan header: mode is 9") != NULL);
}

static int check_doc_set(uint32_t resource, uint32_t table, uint32_t docs) {
  struct csd_plan_node *node = test_plan_node(&plan, CSD_OP_DOC_SET, CSD_OCCUR_MUST, 0);
  node->list = resource;
  node->table = table;
  node->range_count = docs;
  return check_plan();
}

static void doc_sets(void) {
  test_plan_init(&plan, 1000);
  CHECK_OK(check_doc_set(1, 0, 0));
  test_plan_init(&plan, 1000);
  CHECK_OK(check_doc_set(UINT32_MAX, 0, UINT32_MAX));
  test_plan_init(&plan, 1000);
  CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_doc_set(0, 0, 0));
  test_plan_init(&plan, 1000);
  CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED, check_doc_set(1, 1, 0));
  for (uint32_t most = CSD_MAX_PLAN_DOC_SETS; most <= CSD_MAX_PLAN_DOC_SETS + 1; most++) {
    test_plan_init(&plan, 1000);
    test_plan_node(&plan, CSD_OP_BOOL, CSD_OCCUR_MUST, most);
    for (uint32_t i = 1; i < most; i++) {
      test_plan_node(&plan, CSD_OP_DOC_SET, CSD_OCCUR_MUST, 0)->list = 1;
    }
    const bool fits = most == CSD_MAX_PLAN_DOC_SETS;
    CHECK_STATUS(fits ? 0 : CSD_STATUS_PLAN_TOO_LARGE, check_doc_set(1, 0, 9));
  }
}

int main(void) {
  bytes = malloc(sizeof plan);
  RUN(accepts);
  RUN(sizes);
  RUN(headers);
  RUN(nodes);
  RUN(dis_max);
  RUN(synonyms);
  RUN(combined);
  RUN(unions);
  RUN(depths);
  RUN(lists);
  RUN(extents);
  RUN(columns);
  RUN(sets);
  RUN(ranges_of_all_sets);
  RUN(doc_sets);
  RUN(tables);
  RUN(reasons);
  free(bytes);
  return check_result();
}
