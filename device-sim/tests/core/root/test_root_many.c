/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Disjunctions of many terms: nothing above the minimum competitive score may be missing. */
#include "core/eval/bool/eval_bool.h"
#include "core/eval/eval_term.h"
#include "core/root/root_ways.h"
#include "tests/core/eval/eval_world.h"

static const struct csd_wanted wanted = {.k = 10};

static void ranked(struct program_world *world) {
  struct eval_case c;
  eval_plan_init(world, true);
  const uint32_t more = below(world, 4) == 0 ? below(world, 400) : below(world, 20);
  eval_plan_flat(world, 0, CSD_MANY_TERMS + more, below(world, 3), 0);
  eval_case_begin(&c, world);
  eval_case_take(&c, &csd_way_many, 10);
  eval_case_rank(&c);
  eval_case_compare(&c, csd_way_many.produce, true);
  eval_case_end(&c);
}

static void disjunctions(void) { eval_worlds(6700, ranked); }

static void few_terms_have_another_way(void) {
  struct csd_node term = {.op = &csd_op_term};
  struct csd_node *terms[CSD_MANY_TERMS];
  for (uint32_t i = 0; i < CSD_MANY_TERMS; i++) {
    terms[i] = &term;
  }
  struct csd_node root = {.op = &csd_op_bool, .optional = terms};
  root.optional_count = CSD_MANY_TERMS - 1;
  CHECK(csd_way_maxscore.applies(&root, &wanted) && !csd_way_many.applies(&root, &wanted));
  root.optional_count = CSD_MANY_TERMS;
  CHECK(csd_way_many.applies(&root, &wanted));
}

int main(void) {
  RUN(few_terms_have_another_way);
  RUN(disjunctions);
  return check_result();
}
