/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program: the tree that it makes shows in what a program answers. */
#include "core/compile/compile.h"

#include <string.h>

#include "core/compile/compiler.h"
#include "core/compile/score_units.h"
#include "core/eval/bool/eval_single.h"
#include "core/eval/eval_leaves.h"
#include "core/eval/phrase/eval_phrase.h"
#include "core/filters/filters.h"
#include "core/plan/plan_tables.h"
#include "csd/csd_ops.h"

/* ---- operators ---- */

static csd_compile_fn make_const;
static csd_compile_fn make_all;
static csd_compile_fn make_none;

static csd_compile_fn *const COMPILE[] = {
    [CSD_OP_NONE] = make_none,
    [CSD_OP_ALL] = make_all,
    [CSD_OP_CONST] = make_const,
    [CSD_OP_TERM] = csd_compile_term,
    [CSD_OP_TABLE_TERM] = csd_compile_table_term,
    [CSD_OP_FEATURE_TERM] = csd_compile_feature_term,
    [CSD_OP_LINEAR_TERM] = csd_compile_linear_term,
    [CSD_OP_BOOL] = csd_compile_bool,
    [CSD_OP_DIS_MAX] = csd_compile_dis_max,
    [CSD_OP_SYNONYM] = csd_compile_synonym,
    [CSD_OP_COMBINED] = csd_compile_combined,
    [CSD_OP_COLUMN_RANGE] = csd_compile_column_range,
    [CSD_OP_COLUMN_IN] = csd_compile_column_in,
    [CSD_OP_GEO_BOX] = csd_compile_area,
    [CSD_OP_GEO_DISTANCE] = csd_compile_area,
    [CSD_OP_GEO_POLYGON] = csd_compile_area,
    [CSD_OP_DOC_SET] = csd_compile_doc_set,
    [CSD_OP_JOIN] = csd_compile_join,
    [CSD_OP_PHRASE] = csd_compile_phrase,
    [CSD_OP_MULTI_PHRASE] = csd_compile_multi_phrase,
    [CSD_OP_ORDERED_SPANS] = csd_compile_near,
    [CSD_OP_UNORDERED_SPANS] = csd_compile_near,
    [CSD_OP_ORDERED_INTERVALS] = csd_compile_near,
    [CSD_OP_UNORDERED_INTERVALS] = csd_compile_near,
};

static bool make_const(struct csd_compiler *compiler, struct csd_node *node,
                       const struct csd_plan_node *planned, uint32_t depth) {
  (void)planned;
  const struct csd_plan_node child = csd_plan_node_at(compiler->plan, compiler->next_node);
  if (node->scored && depth > 0 && child.op == CSD_OP_TERM) {
    compiler->next_node++;
    return csd_compile_flat_term(compiler, node, &child);
  }
  node->op = &csd_op_const;
  node->required = csd_arena_take(compiler->arena, sizeof *node->required);
  if (node->required == NULL) {
    return false;
  }
  node->required[0] = csd_compile_node(compiler, depth + 1, false);
  node->required_count = 1;
  if (node->required[0] == NULL) {
    return false;
  }
  node->cost = node->required[0]->cost;
  node->bound = node->scored ? (double)node->weight : 0.0;
  return true;
}

static bool make_all(struct csd_compiler *compiler, struct csd_node *node,
                     const struct csd_plan_node *planned, uint32_t depth) {
  (void)planned;
  (void)depth;
  if (compiler->eval->all_docs == NULL) {
    compiler->eval->all_docs = csd_arena_take(compiler->arena, CSD_WINDOW_DOCS * sizeof(uint32_t));
  }
  node->op = &csd_op_all;
  node->cost = compiler->plan->header.max_doc;
  node->bound = node->scored ? (double)node->weight : 0.0;
  return compiler->eval->all_docs != NULL;
}

static bool make_none(struct csd_compiler *compiler, struct csd_node *node,
                      const struct csd_plan_node *planned, uint32_t depth) {
  (void)compiler;
  (void)planned;
  (void)depth;
  node->op = &csd_op_none;
  return true;
}

struct csd_node *csd_compile_node(struct csd_compiler *compiler, uint32_t depth, bool scored) {
  const struct csd_plan_node planned = csd_plan_node_at(compiler->plan, compiler->next_node++);
  struct csd_node *node = &compiler->eval->nodes[compiler->eval->node_count++];
  memset(node, 0, sizeof *node);
  node->occur = planned.occur;
  node->weight = planned.weight + 0.0f; /* no score is -0.0, which the ranking relies on */
  node->scored = scored && (planned.occur == CSD_OCCUR_MUST || planned.occur == CSD_OCCUR_SHOULD);
  if (!COMPILE[planned.op](compiler, node, &planned, depth)) {
    return NULL;
  }
  if (node->op->one_score || node->is_flat) {
    csd_know_constant(node);
  }
  return node;
}

/* ---- sizes ---- */

/* What a plan takes in arrays. */
struct sizes {
  uint32_t terms; /* with a cursor each; those of phrases are not counted */
  uint32_t columns;
  uint32_t sets;
  uint32_t longest_phrase; /* of either kind */
  uint32_t longest_multi_phrase;
};

static void raise_to(uint32_t *most, uint32_t one) { *most = one > *most ? one : *most; }

/* Adds up what the subtree at a plan's place takes, `scored` if its score counts in the node above.
   Returns the place behind it. It recurses as deep as the plan. */
static uint32_t size_up(const struct csd_plan *plan, uint32_t at, bool scored,
                        struct sizes *sizes) {
  const struct csd_plan_node node = csd_plan_node_at(plan, at);
  const struct csd_op_rule *rule = &csd_op_rules[node.op];
  const bool scores = scored && (node.occur == CSD_OCCUR_MUST || node.occur == CSD_OCCUR_SHOULD);
  const uint32_t in_join = node.op == CSD_OP_JOIN ? node.child_count : 0;
  const uint32_t in_set = scores ? in_join : csd_terms_of_set(plan, at);
  at++;
  if (in_set > 0) {
    sizes->sets++;
    return at + in_set;
  }
  if (csd_is_phrase(node.op)) {
    raise_to(&sizes->longest_phrase, node.range_count);
    if (rule->max_min_should > 0) { /* terms may move */
      raise_to(&sizes->longest_multi_phrase, node.range_count);
    }
  } else {
    sizes->terms += rule->list.to == CSD_REFERS_LISTS;
    sizes->columns += rule->list.to == CSD_REFERS_COLUMNS;
  }
  for (uint32_t i = 0; i < node.child_count; i++) {
    at = size_up(plan, at, scores && rule->scores_children, sizes);
  }
  return at;
}

/* ---- plans ---- */

static bool copy_parts(struct csd_compiler *compiler) {
  const struct csd_plan *plan = compiler->plan;
  const size_t extent_bytes = plan->header.extent_count * sizeof(struct csd_extent);
  compiler->extents = csd_arena_take(compiler->arena, extent_bytes);
  if (compiler->extents == NULL) {
    return false;
  }
  memcpy(compiler->extents, plan->extents, extent_bytes);
  const bool made = (plan->header.flags & CSD_PLAN_FLAG_BM25_TABLES) != 0;
  if (plan->scored && !made && (uintptr_t)plan->tables % _Alignof(float) == 0) {
    compiler->tables = (const float *)(const void *)plan->tables;
  } else if (plan->scored) {
    const size_t table_bytes = (size_t)plan->header.table_count * CSD_NORM_TABLE_BYTES;
    float *tables = csd_arena_take(compiler->arena, table_bytes);
    if (tables == NULL) {
      return false;
    }
    if (made) {
      csd_plan_tables_make(plan, tables);
    } else {
      memcpy(tables, plan->tables, table_bytes);
    }
    compiler->tables = tables;
  }
  return true;
}

bool csd_compile_frame(struct csd_compiler *compiler, struct csd_node *node, uint32_t depth) {
  struct csd_frame **frame = &compiler->frames[depth];
  if (*frame == NULL) {
    *frame = csd_arena_take(compiler->arena, sizeof **frame);
  }
  node->frame = *frame;
  return *frame != NULL;
}

/* Wraps a scored term that is the root in a BOOL, which can be produced in faster ways. */
static struct csd_node *wrap_term(struct csd_compiler *compiler, struct csd_node *term) {
  struct csd_node *node = csd_arena_take(compiler->arena, sizeof *node);
  struct csd_node **children = csd_arena_take(compiler->arena, sizeof *children);
  if (node == NULL || children == NULL) {
    return NULL;
  }
  csd_make_single(node, children, term);
  return csd_compile_frame(compiler, node, 0) ? node : NULL;
}

/* Whether a BOOL stands for another one that is its only child. */
static bool is_one_bool(const struct csd_node *node) {
  return node->required_count == 1 && node->optional_count == 0 && node->prohibited_count == 0 &&
         node->min_should == 0 && node->required[0]->op->is_bool;
}

int csd_compile(struct csd_arena *arena, const struct csd_plan *plan,
                const struct csd_page_source *source, bool splits, struct csd_eval *eval) {
  struct csd_compiler compiler = {.arena = arena,
                                  .plan = plan,
                                  .source = source,
                                  .splits = splits,
                                  .eval = eval,
                                  .failure = -CSD_STATUS_INSUFFICIENT_GRANT};
  eval->filters = NULL;
  eval->gate = NULL;
  csd_compile_prefetch(plan, source);
  struct sizes sizes = {0};
  (void)size_up(plan, 0, plan->scored, &sizes);
  const uint32_t terms = sizes.terms + plan->phrase_terms;
  const uint32_t columns = sizes.columns;
  const uint32_t longest_phrase = sizes.longest_phrase;
  const bool windows = columns > 0 || sizes.sets > 0 || plan->doc_sets > 0;
  eval->node_count = 0;
  eval->nodes = csd_arena_take(arena, plan->header.node_count * sizeof *eval->nodes);
  compiler.cursors = csd_arena_take(arena, terms * sizeof *compiler.cursors);
  compiler.columns = csd_arena_take(arena, columns * sizeof *compiler.columns);
  compiler.positions = csd_arena_take(arena, plan->phrase_terms * sizeof *compiler.positions);
  if (longest_phrase > 0) {
    eval->phrases = csd_phrase_scratch_make(arena, longest_phrase, sizes.longest_multi_phrase);
  }
  if (windows) {
    eval->column_window = csd_arena_take(arena, sizeof *eval->column_window);
  }
  if (eval->nodes == NULL || compiler.cursors == NULL || compiler.columns == NULL ||
      compiler.positions == NULL || (longest_phrase > 0 && eval->phrases == NULL) ||
      (windows && eval->column_window == NULL) || !copy_parts(&compiler)) {
    return -CSD_STATUS_INSUFFICIENT_GRANT;
  }
  eval->root = csd_compile_node(&compiler, 0, plan->scored);
  if (eval->root != NULL && eval->root->op->is_term && eval->root->scored) {
    eval->root = wrap_term(&compiler, eval->root);
  }
  if (eval->root == NULL) {
    return compiler.failure;
  }
  if (eval->filters != NULL && is_one_bool(eval->root)) {
    eval->root = eval->root->required[0];
  }
  return 0;
}
