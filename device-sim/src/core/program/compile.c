/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program: the tree that it makes shows in what a program answers. */
#include "core/program/compile.h"

#include <string.h>

#include "core/eval/eval.h"
#include "core/eval/eval_blend.h"
#include "core/eval/eval_follow.h"
#include "core/eval/eval_merge.h"
#include "core/eval/eval_phrase.h"
#include "core/eval/eval_single.h"
#include "core/eval/eval_term.h"
#include "core/eval/eval_union.h"
#include "core/filters/filters.h"
#include "core/plan/arena.h"
#include "core/plan/plan_tables.h"
#include "core/program/compile_lists.h"
#include "core/program/compile_phrase.h"
#include "core/program/compile_set.h"
#include "core/program/score_units.h"

/* Bits of a norm in a resource of norms. */
#define NORM_BITS 8u

/* What the compiler of one plan works on. */
struct compiler {
  struct csd_arena *arena;
  const struct csd_plan *plan;
  const struct csd_page_source *source;
  bool splits;
  struct csd_eval *eval;
  struct csd_extent *extents;
  const float *tables;
  struct csd_node *nodes; /* in plan order */
  struct csd_list_cursor *cursors;
  struct csd_position_cursor *positions;
  struct csd_column_cursor *columns;
  uint32_t next_node;
  uint32_t next_cursor;
  uint32_t next_position;
  uint32_t next_column;
  struct csd_frame *frames[CSD_MAX_PLAN_DEPTH]; /* by depth, made when first needed */
  struct csd_window *windows[CSD_MAX_PLAN_DEPTH];
  float *greatest[CSD_MAX_PLAN_DEPTH];
  uint8_t *norms[CSD_MAX_PLAN_DEPTH];
  float *flat_table; /* the latest one; NULL: none yet */
  float *ones;       /* NULL: not yet */
  int failure;       /* why there is no tree; the grant unless a part says otherwise */
};

/* ---- parts that nodes share ---- */

static bool copy_parts(struct compiler *compiler) {
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

static bool take_frame(struct compiler *compiler, struct csd_node *node, uint32_t depth) {
  struct csd_frame **frame = &compiler->frames[depth];
  if (*frame == NULL) {
    *frame = csd_arena_take(compiler->arena, sizeof **frame);
  }
  node->frame = *frame;
  return *frame != NULL;
}

static bool take_window(struct compiler *compiler, struct csd_node *node, uint32_t depth) {
  struct csd_window **window = &compiler->windows[depth];
  if (*window == NULL) {
    *window = csd_arena_take(compiler->arena, sizeof **window);
    if (*window == NULL) {
      return false;
    }
    (*window)->clear_to = 0;
  }
  node->window = *window;
  return true;
}

static bool take_greatest(struct compiler *compiler, struct csd_node *node, uint32_t depth) {
  const size_t bytes = CSD_WINDOW_DOCS * sizeof(float);
  float **greatest = &compiler->greatest[depth];
  if (*greatest == NULL) {
    *greatest = csd_arena_take(compiler->arena, bytes);
    if (*greatest == NULL) {
      return false;
    }
    memset(*greatest, 0, bytes);
  }
  node->greatest = *greatest;
  return true;
}

static bool take_norms(struct compiler *compiler, struct csd_node *node, uint32_t depth) {
  uint8_t **norms = &compiler->norms[depth];
  if (*norms == NULL) {
    *norms = csd_arena_take(compiler->arena, CSD_WINDOW_DOCS);
  }
  node->norms = *norms;
  return *norms != NULL;
}

/* ---- nodes ---- */

/* Gives a node the list of a TERM. */
static void take_list(struct compiler *compiler, struct csd_node *node,
                      const struct csd_plan_node *planned) {
  const struct csd_list_ref ref = csd_plan_list_at(compiler->plan, planned->list);
  node->cursor = &compiler->cursors[compiler->next_cursor++];
  csd_compile_list(compiler->plan, &ref, compiler->extents, compiler->source, compiler->eval, node);
}

static void make_term(struct compiler *compiler, struct csd_node *node,
                      const struct csd_plan_node *planned) {
  take_list(compiler, node, planned);
  if (node->scored) {
    node->tables = planned->op == CSD_OP_TERM ? 0 : planned->range_count;
    node->table = compiler->tables + (size_t)CSD_NORM_TABLE_ENTRIES * planned->table;
    node->is_feature = planned->op == CSD_OP_FEATURE_TERM;
    node->first_high = planned->min_should;
    /* An impact says nothing of a frequency as high as those of features. */
    node->has_impacts = compiler->plan->monotone && !node->is_feature;
    node->bound = (double)csd_term_bound(node, node->cursor->list_impacts);
    node->exact_bound = node->tables == 0;
    node->unit = csd_impact_unit(node->weight);
  }
}

/* A norm table with which a score depends on the frequency alone; NULL if the grant is used up. */
static const float *take_ones(struct compiler *compiler) {
  if (compiler->ones == NULL) {
    compiler->ones = csd_arena_take(compiler->arena, CSD_NORM_TABLE_BYTES);
    for (uint32_t i = 0; compiler->ones != NULL && i < CSD_NORM_TABLE_ENTRIES; i++) {
      compiler->ones[i] = 1.0f;
    }
  }
  return compiler->ones;
}

static bool make_phrase(struct compiler *compiler, struct csd_node *node,
                        const struct csd_plan_node *planned) {
  node->phrase = csd_compile_phrase(
      compiler->arena, compiler->plan, planned, compiler->extents, compiler->source, compiler->eval,
      compiler->cursors + compiler->next_cursor, compiler->positions + compiler->next_position);
  if (node->phrase == NULL) {
    return false;
  }
  compiler->next_cursor += planned->range_count;
  compiler->next_position += planned->range_count;
  node->op = CSD_OP_PHRASE; /* the phrase knows which of them it is */
  node->cost = node->phrase->places[0].cost;
  if (node->scored) {
    node->table = csd_is_interval(planned->op)
                      ? take_ones(compiler)
                      : compiler->tables + (size_t)CSD_NORM_TABLE_ENTRIES * planned->table;
    if (node->table == NULL) {
      return false;
    }
    node->has_impacts = compiler->plan->monotone;
    node->bound = csd_phrase_bound(node);
    node->exact_bound = csd_phrase_is_exact(node->phrase);
    node->unit = csd_impact_unit(node->weight);
  }
  return true;
}

/* The set of a COLUMN_IN; NULL if the grant is used up. */
static struct csd_value_set *make_values(struct compiler *compiler,
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

static bool make_column(struct compiler *compiler, struct csd_node *node,
                        const struct csd_plan_node *planned) {
  const struct csd_column_ref ref = csd_plan_column_at(compiler->plan, planned->list);
  const struct csd_value_range range = csd_plan_range_at(compiler->plan, planned->table);
  struct csd_value_set *set = NULL;
  if (planned->op == CSD_OP_COLUMN_IN) {
    set = make_values(compiler, planned, &ref);
    if (set == NULL) {
      return false;
    }
  }
  node->op = CSD_OP_COLUMN_RANGE; /* the cursor alone knows which of the two it is */
  node->column = &compiler->columns[compiler->next_column++];
  csd_column_cursor_open(node->column, &ref, &range, compiler->extents + ref.first_extent,
                         compiler->plan->header.max_doc, compiler->source, compiler->eval->kernels,
                         &compiler->eval->work);
  if (set != NULL) {
    csd_column_cursor_want_set(node->column, set);
  }
  node->cost = set != NULL ? csd_value_set_cost(set, &ref) : csd_column_cost(&ref, &range);
  node->bound = node->scored ? (double)node->weight : 0.0;
  return true;
}

static bool costs_less(const struct csd_node *a, const struct csd_node *b) {
  return a->cost < b->cost;
}

static bool has_greater_bound(const struct csd_node *a, const struct csd_node *b) {
  return a->bound > b->bound;
}

/* Sorts SHOULD children by bound and sums up, for each, the bounds of those behind it. */
static bool order_optional(struct compiler *compiler, struct csd_node *node) {
  struct csd_node **optional = node->optional;
  const uint32_t count = node->optional_count;
  node->optional_rest = csd_arena_take(compiler->arena, count * sizeof *node->optional_rest);
  if (node->optional_rest == NULL) {
    return false;
  }
  csd_sort_nodes(optional, count, has_greater_bound);
  double rest = 0.0;
  for (uint32_t i = count; i-- > 0;) {
    node->optional_rest[i] = rest;
    rest += optional[i]->bound;
  }
  return true;
}

static struct csd_node *make_node(struct compiler *compiler, uint32_t depth, bool scored);

/* Makes the children and sorts them into three groups that share one array. */
static bool make_children(struct compiler *compiler, struct csd_node *node, uint32_t count,
                          uint32_t depth, bool scored) {
  struct csd_node **children = csd_arena_take(compiler->arena, count * sizeof *children);
  struct csd_node **grouped = csd_arena_take(compiler->arena, count * sizeof *grouped);
  if (children == NULL || grouped == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    children[i] = make_node(compiler, depth + 1, scored);
    if (children[i] == NULL) {
      return false;
    }
    const uint8_t occur = children[i]->occur;
    node->required_count += occur == CSD_OCCUR_MUST || occur == CSD_OCCUR_FILTER;
    node->optional_count += occur == CSD_OCCUR_SHOULD;
  }
  node->prohibited_count = count - node->required_count - node->optional_count;
  node->required = grouped;
  node->optional = grouped + node->required_count;
  node->prohibited = node->optional + node->optional_count;
  uint32_t required = 0;
  uint32_t optional = 0;
  uint32_t prohibited = 0;
  for (uint32_t i = 0; i < count; i++) {
    switch (children[i]->occur) {
      case CSD_OCCUR_SHOULD: node->optional[optional++] = children[i]; break;
      case CSD_OCCUR_MUST_NOT: node->prohibited[prohibited++] = children[i]; break;
      default: node->required[required++] = children[i]; break;
    }
  }
  return true;
}

static double greatest_bound(const struct csd_node *node) {
  double most = 0.0;
  for (uint32_t i = 0; i < node->optional_count; i++) {
    most = node->optional[i]->bound > most ? node->optional[i]->bound : most;
  }
  return most;
}

/* The norms of a COMBINED, from its resource. */
static bool take_doc_norms(struct compiler *compiler, struct csd_node *node, uint32_t resource) {
  const uint32_t max_doc = compiler->plan->header.max_doc;
  const uint64_t *words =
      max_doc > UINT32_MAX / NORM_BITS
          ? NULL
          : compiler->source->doc_bits(compiler->source->context, resource, max_doc * NORM_BITS);
  if (words == NULL) {
    compiler->failure = -CSD_STATUS_NO_RESOURCE;
    return false;
  }
  node->doc_norms = (const uint8_t *)words;
  return true;
}

/*
 * Makes terms those of a SYNONYM: with frequencies and impacts, without scores of their own. The
 * bounds hold for a COMBINED, too, as none of its norms is below that of a posting.
 */
static bool make_synonym(struct compiler *compiler, struct csd_node *node,
                         const struct csd_plan_node *planned) {
  const double weight = (double)node->weight;
  double impact = 0.0;
  node->table = compiler->tables + (size_t)CSD_NORM_TABLE_ENTRIES * planned->table;
  for (uint32_t i = 0; i < node->optional_count; i++) {
    struct csd_node *term = node->optional[i];
    term->table = node->table;
    impact += (double)(csd_term_impact(term, term->cursor->list_impacts) * term->weight);
  }
  node->has_impacts = compiler->plan->monotone;
  node->bound = node->has_impacts ? weight - weight / (1.0 + impact) : weight;
  return planned->op != CSD_OP_COMBINED || take_doc_norms(compiler, node, planned->list);
}

/* Makes a BOOL, or a DIS_MAX, SYNONYM or COMBINED: disjunctions, if scores do not count. */
static bool make_bool(struct compiler *compiler, struct csd_node *node,
                      const struct csd_plan_node *planned, uint32_t depth) {
  const uint32_t place = compiler->next_node - 1u;
  const uint32_t in_set = node->scored ? 0 : csd_terms_of_set(compiler->plan, place);
  if (in_set > 0) {
    compiler->next_node += in_set;
    return csd_compile_set(compiler->arena, compiler->plan, place, in_set, compiler->extents,
                           compiler->source, compiler->eval, node);
  }
  const bool scores_count = node->scored && !csd_is_synonym(planned->op);
  if (!make_children(compiler, node, planned->child_count, depth, scores_count) ||
      !take_frame(compiler, node, depth) || (node->scored && !order_optional(compiler, node))) {
    return false;
  }
  node->min_should = planned->min_should;
  node->op = CSD_OP_BOOL;
  node->is_dis_max = node->scored && planned->op == CSD_OP_DIS_MAX;
  node->is_synonym = node->scored && csd_is_synonym(planned->op);
  if (depth == 0 && compiler->splits) {
    compiler->eval->filters = csd_filters_split(compiler->arena, node);
    compiler->eval->gate = csd_filters_column(compiler->eval->filters);
  }
  csd_sort_nodes(node->required, node->required_count, costs_less);
  if (node->required_count == 0 && node->min_should == 0) {
    node->min_should = 1;
  }
  csd_follow_choose(node, compiler->plan->header.max_doc);
  double bound = 0.0;
  uint64_t should_cost = 0;
  for (uint32_t i = 0; i < node->required_count; i++) {
    bound += node->required[i]->bound;
  }
  for (uint32_t i = 0; i < node->optional_count; i++) {
    bound += node->optional[i]->bound;
    should_cost += node->optional[i]->cost;
  }
  if (node->is_dis_max) {
    const double greatest = greatest_bound(node);
    bound = greatest + (bound - greatest) * (double)node->weight;
  }
  if (node->is_synonym) {
    if (!make_synonym(compiler, node, planned)) {
      return false;
    }
    bound = node->bound;
  }
  node->cost = node->required_count > 0 ? node->required[0]->cost : should_cost;
  node->bound = node->scored ? bound * CSD_BOUND_SLACK : 0.0; /* it is cast to float */
  csd_know_sums(node);
  node->single_term = csd_is_single_term(node);
  node->merges = node->scored && csd_is_plain_bool(node) &&
                 csd_merge_pays(node, compiler->plan->header.max_doc);
  node->blends = (node->is_dis_max || node->is_synonym) &&
                 csd_blend_pays(node, compiler->plan->header.max_doc);
  node->unites = csd_union_pays(compiler->eval, node, compiler->plan->header.max_doc);
  return (node->required_count > 0 || take_window(compiler, node, depth)) &&
         (!node->is_dis_max || node->blends || take_greatest(compiler, node, depth)) &&
         (!node->is_synonym || take_norms(compiler, node, depth));
}

static bool make_const(struct compiler *compiler, struct csd_node *node, uint32_t depth) {
  const struct csd_plan_node child = csd_plan_node_at(compiler->plan, compiler->next_node);
  if (node->scored && depth > 0 && child.op == CSD_OP_TERM) {
    compiler->next_node++;
    take_list(compiler, node, &child);
    return csd_compile_flat_term(compiler->arena, &compiler->flat_table, node);
  }
  node->required = csd_arena_take(compiler->arena, sizeof *node->required);
  if (node->required == NULL) {
    return false;
  }
  node->required[0] = make_node(compiler, depth + 1, false);
  node->required_count = 1;
  if (node->required[0] == NULL) {
    return false;
  }
  node->cost = node->required[0]->cost;
  node->bound = node->scored ? (double)node->weight : 0.0;
  return true;
}

static bool make_all(struct compiler *compiler, struct csd_node *node) {
  if (compiler->eval->all_docs == NULL) {
    compiler->eval->all_docs = csd_arena_take(compiler->arena, CSD_WINDOW_DOCS * sizeof(uint32_t));
  }
  node->cost = compiler->plan->header.max_doc;
  node->bound = node->scored ? (double)node->weight : 0.0;
  return compiler->eval->all_docs != NULL;
}

/* Makes a DOC_SET: from here on it is a set of terms whose one window has all docs. */
static bool make_doc_set(struct compiler *compiler, struct csd_node *node,
                         const struct csd_plan_node *planned) {
  const int status = csd_compile_doc_set(compiler->arena, compiler->plan, planned, compiler->source,
                                         compiler->eval, node);
  compiler->failure = status < 0 ? status : compiler->failure;
  return status == 0;
}

/* Whether all matches of a node that is made have one score, its weight. */
static bool has_one_score(const struct csd_node *node) {
  switch (node->op) {
    case CSD_OP_CONST:
    case CSD_OP_ALL:
    case CSD_OP_COLUMN_RANGE:
    case CSD_OP_TERM_SET: return true;
    case CSD_OP_TERM: return node->is_flat;
    default: return false;
  }
}

/*
 * Makes the next node of the plan and everything below it; NULL if the grant is used up. It
 * recurses as deep as the plan, whose depth the check has limited.
 */
static struct csd_node *make_node(struct compiler *compiler, uint32_t depth, bool scored) {
  const struct csd_plan_node planned = csd_plan_node_at(compiler->plan, compiler->next_node);
  struct csd_node *node = &compiler->nodes[compiler->next_node++];
  memset(node, 0, sizeof *node);
  node->op = planned.op == CSD_OP_TABLE_TERM || planned.op == CSD_OP_FEATURE_TERM ? CSD_OP_TERM
                                                                                  : planned.op;
  node->occur = planned.occur;
  node->weight = planned.weight + 0.0f; /* no score is -0.0, which the ranking relies on */
  node->scored = scored && (planned.occur == CSD_OCCUR_MUST || planned.occur == CSD_OCCUR_SHOULD);
  bool made = true;
  switch (node->op) {
    case CSD_OP_TERM: make_term(compiler, node, &planned); break;
    case CSD_OP_MULTI_PHRASE:
    case CSD_OP_ORDERED_SPANS:
    case CSD_OP_UNORDERED_SPANS:
    case CSD_OP_ORDERED_INTERVALS:
    case CSD_OP_UNORDERED_INTERVALS:
    case CSD_OP_PHRASE: made = make_phrase(compiler, node, &planned); break;
    case CSD_OP_DIS_MAX:
    case CSD_OP_SYNONYM:
    case CSD_OP_COMBINED:
    case CSD_OP_BOOL: made = make_bool(compiler, node, &planned, depth); break;
    case CSD_OP_CONST: made = make_const(compiler, node, depth); break;
    case CSD_OP_ALL: made = make_all(compiler, node); break;
    case CSD_OP_COLUMN_RANGE:
    case CSD_OP_COLUMN_IN: made = make_column(compiler, node, &planned); break;
    case CSD_OP_DOC_SET: made = make_doc_set(compiler, node, &planned); break;
    default: break;
  }
  if (has_one_score(node)) {
    csd_know_constant(node);
  }
  return made ? node : NULL;
}

/* Wraps a scored term that is the root in a BOOL, which can be produced in faster ways. */
static struct csd_node *wrap_term(struct compiler *compiler, struct csd_node *term) {
  struct csd_node *node = csd_arena_take(compiler->arena, sizeof *node);
  struct csd_node **children = csd_arena_take(compiler->arena, sizeof *children);
  if (node == NULL || children == NULL) {
    return NULL;
  }
  csd_make_single(node, children, term);
  return take_frame(compiler, node, 0) ? node : NULL;
}

/* Whether a BOOL stands for another one that is its only child. */
static bool is_one_bool(const struct csd_node *node) {
  return node->required_count == 1 && node->optional_count == 0 && node->prohibited_count == 0 &&
         node->min_should == 0 && node->required[0]->op == CSD_OP_BOOL;
}

int csd_compile(struct csd_arena *arena, const struct csd_plan *plan,
                const struct csd_page_source *source, bool splits, struct csd_eval *eval) {
  struct compiler compiler = {.arena = arena,
                              .plan = plan,
                              .source = source,
                              .splits = splits,
                              .eval = eval,
                              .failure = -CSD_STATUS_INSUFFICIENT_GRANT};
  eval->filters = NULL;
  eval->gate = NULL;
  csd_compile_prefetch(plan, source);
  struct csd_plan_sizes sizes = {0};
  (void)csd_plan_size_up(plan, 0, plan->scored, &sizes);
  const uint32_t terms = sizes.terms + plan->phrase_terms;
  const uint32_t columns = sizes.columns;
  const uint32_t longest_phrase = sizes.longest_phrase;
  const bool windows = columns > 0 || sizes.sets > 0 || plan->doc_sets > 0;
  eval->sets = NULL;
  compiler.nodes = csd_arena_take(arena, plan->header.node_count * sizeof *compiler.nodes);
  compiler.cursors = csd_arena_take(arena, terms * sizeof *compiler.cursors);
  compiler.columns = csd_arena_take(arena, columns * sizeof *compiler.columns);
  compiler.positions = csd_arena_take(arena, plan->phrase_terms * sizeof *compiler.positions);
  if (longest_phrase > 0) {
    eval->phrases = csd_phrase_scratch_make(arena, longest_phrase, sizes.longest_multi_phrase);
  }
  if (windows) {
    eval->column_window = csd_arena_take(arena, sizeof *eval->column_window);
  }
  if (compiler.nodes == NULL || compiler.cursors == NULL || compiler.columns == NULL ||
      compiler.positions == NULL || (longest_phrase > 0 && eval->phrases == NULL) ||
      (windows && eval->column_window == NULL) || !copy_parts(&compiler)) {
    return -CSD_STATUS_INSUFFICIENT_GRANT;
  }
  eval->root = make_node(&compiler, 0, plan->scored);
  if (eval->root != NULL && eval->root->op == CSD_OP_TERM && eval->root->scored) {
    eval->root = wrap_term(&compiler, eval->root);
  }
  if (eval->root == NULL) {
    return compiler.failure;
  }
  if (eval->filters != NULL && is_one_bool(eval->root)) {
    eval->root = eval->root->required[0];
  }
  eval->cursors = compiler.cursors;
  eval->cursor_count = terms;
  eval->positions = compiler.positions;
  eval->position_count = plan->phrase_terms;
  eval->columns = compiler.columns;
  eval->column_count = columns;
  return 0;
}
