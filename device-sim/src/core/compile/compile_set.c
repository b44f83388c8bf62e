/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program and tests/core/eval/test_eval_term_set.c. */
#include "core/compile/compiler.h"
#include "core/eval/eval_term_set.h"

/* Terms from which on a disjunction may be a set. Where docs are only counted, those of few terms
   are better merged. */
static uint32_t least_terms(const struct csd_plan *plan) {
  return plan->header.mode == CSD_MODE_COUNT ? CSD_TERM_SET_FROM : CSD_SPARSE_TERM_SET_FROM;
}

uint32_t csd_terms_of_set(const struct csd_plan *plan, uint32_t at) {
  const struct csd_plan_node node = csd_plan_node_at(plan, at);
  const bool is_union = node.op == CSD_OP_BOOL || node.op == CSD_OP_JOIN;
  if (!is_union || node.min_should > 1 || node.child_count < least_terms(plan)) {
    return 0;
  }
  const bool must_be_sparse = node.child_count < CSD_TERM_SET_FROM;
  uint32_t left = plan->header.max_doc / CSD_SPARSE_PART;
  for (uint32_t i = 1; i <= node.child_count; i++) {
    const struct csd_plan_node child = csd_plan_node_at(plan, at + i);
    if (child.op != CSD_OP_TERM || child.occur != CSD_OCCUR_SHOULD) {
      return 0;
    }
    if (must_be_sparse) {
      const uint32_t postings = csd_plan_list_at(plan, child.list).posting_count;
      if (postings > left) {
        return 0;
      }
      left -= postings;
    }
  }
  return node.child_count;
}

/* What the lists of the terms behind node `at` are. */
static struct csd_term_set_sizes sizes_of(const struct csd_plan *plan, uint32_t at,
                                          uint32_t terms) {
  struct csd_term_set_sizes sizes = {0};
  for (uint32_t i = 1; i <= terms; i++) {
    const struct csd_list_ref ref = csd_plan_list_at(plan, csd_plan_node_at(plan, at + i).list);
    const bool alone = ref.kind == CSD_LIST_KIND_INLINE;
    const bool is_short = !alone && csd_is_short_list(&ref);
    sizes.lone_docs += alone;
    sizes.series += is_short;
    sizes.long_lists += !alone && !is_short;
  }
  return sizes;
}

/* Whether a plan looks at every doc of its range before it has an answer. */
static bool takes_all_docs(const struct csd_plan *plan) {
  return plan->header.mode == CSD_MODE_COUNT || plan->header.mode == CSD_MODE_AGGREGATE ||
         plan->header.mode == CSD_MODE_TOP_K_BY_COLUMN;
}

/* Makes a node over terms, as yet without any; false if there is no room for them. */
static bool make_terms(struct csd_compiler *compiler, struct csd_node *node,
                       const struct csd_operator *op, const struct csd_term_set_sizes *sizes) {
  const struct csd_plan *plan = compiler->plan;
  node->op = op;
  node->terms =
      csd_term_set_make(compiler->arena, compiler->eval, compiler->source, compiler->extents, sizes,
                        plan->header.max_doc, takes_all_docs(plan));
  return node->terms != NULL;
}

bool csd_compile_set(struct csd_compiler *compiler, struct csd_node *node, uint32_t at,
                     uint32_t terms) {
  const struct csd_plan *plan = compiler->plan;
  const struct csd_term_set_sizes sizes = sizes_of(plan, at, terms);
  if (!make_terms(compiler, node, &csd_op_term_set, &sizes)) {
    return false;
  }
  for (uint32_t i = 1; i <= terms; i++) {
    const struct csd_plan_node child = csd_plan_node_at(plan, at + i);
    const struct csd_list_ref ref = csd_plan_list_at(plan, child.list);
    csd_term_set_add(node->terms, &ref);
    node->cost += ref.posting_count;
  }
  return true;
}

/* Terms with a score each. */
bool csd_compile_join(struct csd_compiler *compiler, struct csd_node *node,
                      const struct csd_plan_node *planned, uint32_t depth) {
  if (!node->scored) {
    return csd_compile_bool(compiler, node, planned, depth);
  }
  const struct csd_plan *plan = compiler->plan;
  const struct csd_term_set_sizes sizes = {.scored = true, .long_lists = planned->child_count};
  if (!make_terms(compiler, node, &csd_op_join, &sizes)) {
    return false;
  }
  for (uint32_t i = planned->child_count; i-- > 0;) { /* the first one has the last word */
    const struct csd_plan_node child = csd_plan_node_at(plan, compiler->next_node + i);
    const struct csd_list_ref ref = csd_plan_list_at(plan, child.list);
    const float score = child.weight + 0.0f; /* see csd_compile_node */
    csd_term_set_add_scored(node->terms, &ref, score);
    node->cost += ref.posting_count;
    node->bound = (double)score > node->bound ? (double)score : node->bound;
  }
  compiler->next_node += planned->child_count;
  return true;
}

/* A set whose one window has all docs. */
bool csd_compile_doc_set(struct csd_compiler *compiler, struct csd_node *node,
                         const struct csd_plan_node *planned, uint32_t depth) {
  (void)depth;
  const uint32_t max_doc = compiler->plan->header.max_doc;
  const uint64_t *bits =
      compiler->source->doc_bits(compiler->source->context, planned->list, max_doc);
  if (bits == NULL) {
    compiler->failure = -CSD_STATUS_NO_RESOURCE;
    return false;
  }
  node->op = &csd_op_term_set;
  node->terms = csd_term_set_of_bits(compiler->arena, compiler->eval, bits, max_doc);
  node->cost = planned->range_count < max_doc ? planned->range_count : max_doc;
  node->bound = node->scored ? (double)node->weight : 0.0;
  return node->terms != NULL;
}
