/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Disjunctions of dis-max nodes, synonyms, disjunctions and terms: nothing competitive may be
   missing. */
#include "core/eval/bool/eval_bool.h"
#include "core/eval/bool/eval_dis_max.h"
#include "core/eval/eval_term.h"
#include "core/root/root_ways.h"
#include "tests/core/eval/eval_world.h"

static void add_term(struct program_world *world, unsigned occur) {
  test_plan_term(&program_plan, occur, below(world, PROGRAM_LISTS), (float)(1 + below(world, 6)));
}

static void add_synonym(struct program_world *world) {
  const uint32_t terms = 1 + below(world, 2);
  test_plan_node(&program_plan, CSD_OP_SYNONYM, CSD_OCCUR_SHOULD, terms)->weight =
      (float)(1 + below(world, 6));
  for (uint32_t i = 0; i < terms; i++) {
    test_plan_term(&program_plan, CSD_OCCUR_SHOULD, below(world, PROGRAM_LISTS),
                   (float)(1 + below(world, 4)) / 4.0f);
  }
}

static void add_tree(struct program_world *world, uint32_t depth);

/* Adds a DIS_MAX, or a disjunction with something prohibited perhaps. */
static void add_inner(struct program_world *world, uint32_t depth) {
  const bool dis_max = below(world, 3) > 0;
  const uint32_t children = 1 + below(world, 3);
  const uint32_t prohibited = dis_max ? 0 : below(world, 2);
  struct csd_plan_node *node = test_plan_node(&program_plan, dis_max ? CSD_OP_DIS_MAX : CSD_OP_BOOL,
                                              CSD_OCCUR_SHOULD, (uint16_t)(children + prohibited));
  if (dis_max) {
    node->weight = (float)below(world, 5) / 4.0f;
  }
  for (uint32_t i = 0; i < children; i++) {
    add_tree(world, depth + 1);
  }
  for (uint32_t i = 0; i < prohibited; i++) {
    add_term(world, CSD_OCCUR_MUST_NOT);
  }
}

static void add_tree(struct program_world *world, uint32_t depth) {
  const uint32_t kind = below(world, 4);
  if (kind == 0) {
    add_synonym(world);
  } else if (kind == 1 || depth == 3) {
    add_term(world, CSD_OCCUR_SHOULD);
  } else {
    add_inner(world, depth);
  }
}

/* Adds a disjunction of few children or many, of which some number may have to match. */
static void plan(struct program_world *world) {
  const uint32_t children = below(world, 4) == 0 ? 1 + below(world, 12) : 1 + below(world, 4);
  const uint32_t prohibited = below(world, 2);
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, (uint16_t)(1 + children + prohibited))
      ->min_should = (uint16_t)(below(world, 2) * below(world, children + 2));
  add_inner(world, 1);
  for (uint32_t i = 0; i < children; i++) {
    add_tree(world, 1);
  }
  for (uint32_t i = 0; i < prohibited; i++) {
    add_term(world, CSD_OCCUR_MUST_NOT);
  }
}

static void compare(struct program_world *world, const struct csd_root_way *way) {
  struct eval_case c;
  eval_case_begin(&c, world);
  eval_case_take(&c, c.eval->root->min_should > 1 ? &csd_way_some_trees : way, 10);
  eval_case_rank(&c);
  eval_case_compare(&c, c.eval->way->produce, true);
  eval_case_end(&c);
}

static void ranked(struct program_world *world) {
  eval_plan_init(world, true);
  plan(world);
  compare(world, &csd_way_trees);
}

/* A root that is one tree, and scored as a whole. */
static void ranked_whole(struct program_world *world) {
  eval_plan_init(world, true);
  if (below(world, 4) == 0) {
    add_synonym(world);
  } else {
    add_inner(world, 1);
  }
  program_plan.nodes[0].occur = CSD_OCCUR_MUST;
  compare(world, &csd_way_trees);
}

static void disjunctions(void) { eval_worlds(6900, ranked); }
static void whole_roots(void) { eval_worlds(7000, ranked_whole); }

static bool applies(const struct csd_root_way *way, const struct csd_node *root) {
  return way->applies(root, &(struct csd_wanted){.k = 10});
}

/* What has anything required is no tree; some of terms alone have another way. */
static void it_applies(void) {
  struct csd_node term = {.op = &csd_op_term};
  struct csd_node *terms[] = {&term, &term};
  struct csd_node inner = {.op = &csd_op_bool, .optional = terms, .optional_count = 2};
  struct csd_node *children[] = {&inner, &term};
  struct csd_node root = {.op = &csd_op_bool, .scored = true, .optional = children};
  root.optional_count = 2;
  CHECK(applies(&csd_way_trees, &root) && !applies(&csd_way_some_trees, &root));
  inner.required_count = 1;
  CHECK(!applies(&csd_way_trees, &root));
  inner.required_count = 0;
  inner.op = &csd_op_dis_max;
  CHECK(applies(&csd_way_trees, &root));
  root.op = &csd_op_dis_max;
  CHECK(applies(&csd_way_trees, &root));
  root.op = &csd_op_bool;
  root.min_should = 2;
  CHECK(!applies(&csd_way_trees, &root) && applies(&csd_way_some_trees, &root));
  inner.min_should = 2;
  CHECK(!applies(&csd_way_some_trees, &root));
  inner.min_should = 1;
  root.optional_count = 1;
  CHECK(!applies(&csd_way_some_trees, &root));
  root.optional = terms;
  root.optional_count = 2;
  CHECK(!applies(&csd_way_some_trees, &root));
}

int main(void) {
  RUN(disjunctions);
  RUN(whole_roots);
  RUN(it_applies);
  return check_result();
}
