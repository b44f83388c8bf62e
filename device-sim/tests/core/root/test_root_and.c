/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Conjunctions of terms with scores, many posting blocks in a batch. */
#include "core/eval/bool/eval_bool.h"
#include "core/eval/eval_leaves.h"
#include "core/eval/eval_term.h"
#include "core/root/root_ways.h"
#include "tests/core/eval/eval_world.h"

static const struct csd_wanted wanted = {.k = 10};

static void conjunction(struct program_world *world) {
  struct eval_case c;
  eval_plan_init(world, true);
  eval_plan_flat(world, 2 + below(world, 3) * below(world, 4), 0, below(world, 3), 0);
  eval_case_begin(&c, world);
  eval_case_take(&c, &csd_way_and, 0);
  if (below(world, 2) == 0) {
    eval_case_rank(&c);
    c.eval->ranking.may_skip = false;
  }
  eval_case_compare(&c, csd_way_and.produce, true);
  eval_case_end(&c);
}

static void conjunctions(void) { eval_worlds(6000, conjunction); }

static void what_it_does_not_take(void) {
  struct csd_node term = {.op = &csd_op_term};
  struct csd_node all = {.op = &csd_op_all};
  struct csd_node *required[9] = {&term, &term, &term, &term, &term, &term, &term, &term, &term};
  struct csd_node root = {.op = &csd_op_bool, .required = required, .required_count = 8};
  CHECK(csd_way_and.applies(&root, &wanted));
  root.required_count = 9;
  CHECK(!csd_way_and.applies(&root, &wanted));
  root.required_count = 1;
  CHECK(!csd_way_and.applies(&root, &wanted));
  root.required_count = 2;
  root.optional_count = 1;
  CHECK(!csd_way_and.applies(&root, &wanted));
  root.optional_count = 0;
  required[1] = &all;
  CHECK(!csd_way_and.applies(&root, &wanted));
}

int main(void) {
  RUN(what_it_does_not_take);
  RUN(conjunctions);
  return check_result();
}
