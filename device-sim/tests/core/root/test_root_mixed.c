/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Disjunctions of terms, phrases and Booleans: nothing competitive may be missing. */
#include "core/root/root_ways.h"
#include "tests/core/eval/eval_world.h"

static const struct csd_wanted wanted = {.k = 10};

static void add_term(struct program_world *world, unsigned occur) {
  test_plan_term(&program_plan, occur, below(world, PROGRAM_LISTS), (float)(1 + below(world, 6)));
}

/* Adds a Boolean with a required term, and others in any role. */
static void add_bool(struct program_world *world) {
  const uint32_t others = 1 + below(world, 3);
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_SHOULD, 1 + others);
  add_term(world, CSD_OCCUR_MUST);
  for (uint32_t i = 0; i < others; i++) {
    add_term(world, below(world, 4));
  }
}

/* Adds a disjunction; returns whether it has anything but terms. */
static bool plan(struct program_world *world) {
  const uint32_t terms = 1 + below(world, 4);
  const uint32_t phrases = below(world, 3);
  const uint32_t bools = below(world, 3);
  const uint32_t prohibited = below(world, 2);
  const uint32_t at = program_plan.header.node_count;
  uint32_t added = bools;
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, 0);
  for (uint32_t i = 0; i < phrases; i++) {
    added += program_phrase_node(world, CSD_OCCUR_SHOULD, (float)(1 + below(world, 6)));
  }
  for (uint32_t i = 0; i < bools; i++) {
    add_bool(world);
  }
  for (uint32_t i = 0; i < terms + prohibited; i++) {
    add_term(world, i < terms ? CSD_OCCUR_SHOULD : CSD_OCCUR_MUST_NOT);
  }
  program_plan.nodes[at].child_count = (uint16_t)(added + terms + prohibited);
  return added > 0;
}

static void ranked(struct program_world *world) {
  struct eval_case c;
  eval_plan_init(world, true);
  const bool has_others = plan(world);
  eval_case_begin(&c, world);
  CHECK_EQ(has_others, csd_way_mixed.applies(c.eval->root, &wanted));
  if (has_others) {
    eval_case_take(&c, &csd_way_mixed, 10);
    eval_case_rank(&c);
    eval_case_compare(&c, csd_way_mixed.produce, true);
  }
  eval_case_end(&c);
}

static void disjunctions(void) { eval_worlds(6700, ranked); }

int main(void) {
  RUN(disjunctions);
  return check_result();
}
