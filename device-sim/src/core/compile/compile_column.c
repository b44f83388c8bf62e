/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_columns.c. */
#include "core/columns/column_area.h"
#include "core/columns/column_set.h"
#include "core/compile/compiler.h"
#include "core/eval/eval_leaves.h"

/* The set of a COLUMN_IN; NULL if the grant is used up. */
static struct csd_value_set *make_values(struct csd_compiler *compiler,
                                         const struct csd_plan_node *planned,
                                         const struct csd_column_ref *ref) {
  const size_t at = planned->table * sizeof(struct csd_value_range);
  struct csd_value_set *set = csd_arena_take(compiler->arena, sizeof *set);
  if (set == NULL) {
    return NULL;
  }
  const size_t map_bytes =
      csd_value_set_init(set, compiler->plan->ranges + at, planned->range_count, ref);
  set->map = csd_arena_take(compiler->arena, map_bytes);
  return set->map == NULL ? NULL : set;
}

/* Makes a node of the docs with a value in a range; returns the column. */
static struct csd_column_ref open_column(struct csd_compiler *compiler, struct csd_node *node,
                                         const struct csd_plan_node *planned,
                                         struct csd_value_range range) {
  const struct csd_column_ref ref = csd_plan_column_at(compiler->plan, planned->list);
  node->op = &csd_op_column;
  node->column = compiler->columns++;
  csd_column_cursor_open(node->column, &ref, &range, compiler->extents + ref.first_extent,
                         compiler->plan->header.max_doc, compiler->source, compiler->eval->kernels,
                         &compiler->eval->work);
  node->cost = csd_column_cost(&ref, &range);
  node->bound = node->scored ? (double)node->weight : 0.0;
  return ref;
}

bool csd_compile_column_range(struct csd_compiler *compiler, struct csd_node *node,
                              const struct csd_plan_node *planned, uint32_t depth) {
  (void)depth;
  (void)open_column(compiler, node, planned, csd_plan_range_at(compiler->plan, planned->table));
  return true;
}

bool csd_compile_column_in(struct csd_compiler *compiler, struct csd_node *node,
                           const struct csd_plan_node *planned, uint32_t depth) {
  (void)depth;
  const struct csd_value_range first = csd_plan_range_at(compiler->plan, planned->table);
  const struct csd_column_ref ref = open_column(compiler, node, planned, first);
  struct csd_value_set *set = make_values(compiler, planned, &ref);
  if (set == NULL) {
    return false;
  }
  const struct csd_value_range hull = csd_value_set_hull(set);
  csd_column_cursor_want_some(node->column, &hull, &csd_set_wants, set);
  node->cost = csd_value_set_cost(set, &ref);
  return true;
}

bool csd_compile_area(struct csd_compiler *compiler, struct csd_node *node,
                      const struct csd_plan_node *planned, uint32_t depth) {
  (void)depth;
  const uint8_t *entries = compiler->plan->ranges + planned->table * sizeof(struct csd_value_range);
  const uint32_t count = planned->range_count;
  struct csd_area *area =
      csd_arena_take(compiler->arena, csd_area_bytes(planned->op, entries, count));
  if (area == NULL) {
    return false;
  }
  csd_area_init(area, planned->op, entries, count);
  const struct csd_value_range hull = csd_area_hull(area);
  (void)open_column(compiler, node, planned, hull);
  csd_column_cursor_want_some(node->column, &hull, &csd_area_wants, area);
  return true;
}
