/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Programs whose scores are sums of constants, against the brute-force evaluator. */
#include "core/eval/bool/eval_bool.h"
#include "core/eval/eval_leaves.h"
#include "core/eval/eval_term.h"
#include "core/program/equal_scores.h"
#include "tests/core/program/program_world.h"

static void small_worlds(void) {
  for (uint64_t seed = 7001; seed <= 7060 && check_failures == 0; seed++) {
    program_world_run(seed, 1000, 60, program_plan_equal);
  }
}

static void large_worlds(void) {
  for (uint64_t seed = 7101; seed <= 7120 && check_failures == 0; seed++) {
    program_world_run(seed, 40000, 40, program_plan_equal);
  }
}

/* A BOOL over constants in `children`: the first `required` MUST, the others SHOULD. */
static struct csd_equal_scores scores_of(struct csd_node *children, uint32_t required,
                                         uint32_t optional) {
  struct csd_node *pointers[8];
  for (uint32_t i = 0; i < required + optional; i++) {
    pointers[i] = &children[i];
    children[i].op = &csd_op_all;
    children[i].scored = true;
  }
  const struct csd_node root = {.op = &csd_op_bool,
                                .scored = true,
                                .required = pointers,
                                .required_count = required,
                                .optional = pointers + required,
                                .optional_count = optional};
  struct csd_equal_scores equal;
  csd_equal_scores_init(&equal, &root);
  return equal;
}

static void sums_are_known_if_exact(void) {
  struct csd_node close[3] = {{.weight = 2.0f}, {.weight = 0.5f}, {.weight = 0.1f}};
  struct csd_equal_scores equal = scores_of(close, 0, 3);
  CHECK(equal.known && !equal.flat && equal.top == (float)(2.5 + (double)0.1f));
  CHECK(!equal.exact);
  equal = scores_of(close, 2, 0);
  CHECK(equal.known && equal.flat && equal.top == 2.5f && equal.exact);
  equal = scores_of(close, 1, 1);
  CHECK(equal.known && !equal.flat && equal.top == 2.5f);
  struct csd_node apart[3] = {{.weight = 3e7f}, {.weight = 1e-9f}, {.weight = 0.0f}};
  CHECK(!scores_of(apart, 0, 2).known);
  equal = scores_of(&apart[1], 0, 2);
  CHECK(equal.known && equal.top == 1e-9f);
}

static void tables_of_one_score_are_known(void) {
  static float table[2 * CSD_NORM_TABLE_ENTRIES];
  for (uint32_t i = 0; i < 2 * CSD_NORM_TABLE_ENTRIES; i++) {
    table[i] = 1.5f;
  }
  const struct csd_node root = {.op = &csd_op_term, .scored = true, .tables = 2, .table = table};
  struct csd_equal_scores equal;
  csd_equal_scores_init(&equal, &root);
  CHECK(equal.known && equal.flat && equal.top == 1.5f);
  table[2 * CSD_NORM_TABLE_ENTRIES - 1] = 1.25f;
  csd_equal_scores_init(&equal, &root);
  CHECK(!equal.known);
  const struct csd_node bm25 = {.op = &csd_op_term, .scored = true, .table = table};
  csd_equal_scores_init(&equal, &bm25);
  CHECK(!equal.known);
}

static void windows_grow(void) {
  struct csd_node one = {.weight = 1.0f};
  struct csd_equal_scores equal = scores_of(&one, 1, 0);
  uint32_t from = 0;
  uint32_t steps = 0;
  while (from < 1000000) {
    const uint32_t to = csd_equal_scores_limit(&equal, from, 1000000);
    CHECK(to > from && to - from >= (from + 1) / 2);
    from = to;
    steps++;
  }
  CHECK_EQ(1000000, from);
  CHECK(steps < 16 && steps > 8);
}

int main(void) {
  program_buffers_take();
  RUN(sums_are_known_if_exact);
  RUN(tables_of_one_score_are_known);
  RUN(windows_grow);
  RUN(small_worlds);
  RUN(large_worlds);
  program_buffers_free();
  return check_result();
}
