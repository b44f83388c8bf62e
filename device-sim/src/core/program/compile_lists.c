/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program, of which test_equal_scores.c has terms at one score. */
#include "core/program/compile_lists.h"

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

void csd_compile_list(const struct csd_plan *plan, const struct csd_list_ref *ref,
                      const struct csd_extent *extents, const struct csd_page_source *source,
                      struct csd_eval *eval, struct csd_node *node) {
  csd_list_cursor_open(node->cursor, ref, extents + ref->first_extent, plan->header.max_doc, source,
                       eval->kernels, &eval->work);
  node->cost = ref->posting_count;
}

bool csd_compile_flat_term(struct csd_arena *arena, float **latest, struct csd_node *node) {
  if (*latest == NULL || (*latest)[0] != node->weight) {
    float *table = csd_arena_take(arena, CSD_NORM_TABLE_BYTES);
    for (uint32_t i = 0; table != NULL && i < CSD_NORM_TABLE_ENTRIES; i++) {
      table[i] = node->weight;
    }
    *latest = table;
  }
  node->op = CSD_OP_TERM;
  node->tables = 1;
  node->is_flat = true;
  node->table = *latest;
  node->bound = (double)node->weight;
  return node->table != NULL;
}
