/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program, of which test_equal_scores.c has terms at one score. */
#include "core/compile/compiler.h"
#include "core/compile/score_units.h"
#include "core/eval/eval_term.h"

void csd_compile_prefetch(const struct csd_plan *plan, const struct csd_page_source *source) {
  uint32_t latest_page = UINT32_MAX; /* of a plan's lists, several are often in one page */
  uint32_t latest_extent = 0;
  for (uint32_t i = 0; source->prefetch != NULL && i < plan->header.list_count; i++) {
    const struct csd_list_ref ref = csd_plan_list_at(plan, i);
    if (ref.page_count == 0 ||
        (ref.first_page == latest_page && ref.first_extent == latest_extent)) {
      continue;
    }
    latest_page = ref.first_page;
    latest_extent = ref.first_extent;
    for (uint32_t e = 0; e < ref.extent_count; e++) {
      const struct csd_extent extent = csd_plan_extent_at(plan, ref.first_extent + e);
      if (ref.first_page - extent.file_page < extent.page_count) {
        source->prefetch(source->context, extent.lba + (ref.first_page - extent.file_page));
        break;
      }
    }
  }
}

/* Makes a node of the docs of a list. */
static void open_list(struct csd_compiler *compiler, struct csd_node *node,
                      const struct csd_plan_node *planned) {
  const struct csd_list_ref ref = csd_plan_list_at(compiler->plan, planned->list);
  node->op = &csd_op_term;
  node->cursor = compiler->cursors++;
  csd_list_cursor_open(node->cursor, &ref, compiler->extents + ref.first_extent,
                       compiler->plan->header.max_doc, compiler->source, compiler->eval->kernels,
                       &compiler->eval->work);
  node->cost = ref.posting_count;
}

/* Makes a term that scores by its tables, if there are `tables`, or else by its norm table. */
static void make_term(struct csd_compiler *compiler, struct csd_node *node,
                      const struct csd_plan_node *planned, uint32_t tables, bool is_feature) {
  open_list(compiler, node, planned);
  if (node->scored) {
    node->tables = tables;
    node->table = csd_compile_table(compiler, planned->table);
    node->is_feature = is_feature;
    node->first_high = planned->min_should;
    /* An impact says nothing of a frequency as high as those of features. */
    node->has_impacts = compiler->plan->monotone && !is_feature;
    node->bound = (double)csd_term_bound(node, node->cursor->list_impacts);
    node->exact_bound = tables == 0;
    node->unit = csd_impact_unit(node->weight);
  }
}

bool csd_compile_term(struct csd_compiler *compiler, struct csd_node *node,
                      const struct csd_plan_node *planned, uint32_t depth) {
  (void)depth;
  make_term(compiler, node, planned, 0, false);
  return true;
}

bool csd_compile_table_term(struct csd_compiler *compiler, struct csd_node *node,
                            const struct csd_plan_node *planned, uint32_t depth) {
  (void)depth;
  make_term(compiler, node, planned, planned->range_count, false);
  return true;
}

bool csd_compile_feature_term(struct csd_compiler *compiler, struct csd_node *node,
                              const struct csd_plan_node *planned, uint32_t depth) {
  (void)depth;
  make_term(compiler, node, planned, planned->range_count, true);
  return true;
}

bool csd_compile_linear_term(struct csd_compiler *compiler, struct csd_node *node,
                             const struct csd_plan_node *planned, uint32_t depth) {
  (void)depth;
  open_list(compiler, node, planned);
  node->tables = 1;
  node->is_linear = true;
  node->most_freq = planned->min_should;
  node->factor = node->weight;
  node->weight = csd_term_linear_score(node, node->most_freq);
  node->bound = node->scored ? (double)node->weight : 0.0;
  return true;
}

bool csd_compile_flat_term(struct csd_compiler *compiler, struct csd_node *node,
                           const struct csd_plan_node *planned) {
  float **latest = &compiler->flat_table;
  open_list(compiler, node, planned);
  if (*latest == NULL || (*latest)[0] != node->weight) {
    float *table = csd_arena_take(compiler->arena, CSD_NORM_TABLE_BYTES);
    for (uint32_t i = 0; table != NULL && i < CSD_NORM_TABLE_ENTRIES; i++) {
      table[i] = node->weight;
    }
    *latest = table;
  }
  node->tables = 1;
  node->is_flat = true;
  node->table = *latest;
  node->bound = (double)node->weight;
  return node->table != NULL;
}
