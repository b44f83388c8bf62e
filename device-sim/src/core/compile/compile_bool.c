/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program: what a node matches shows in what a program answers. */
#include <string.h>

#include "core/compile/compiler.h"
#include "core/compile/score_units.h"
#include "core/eval/bool/eval_blend.h"
#include "core/eval/bool/eval_bool.h"
#include "core/eval/bool/eval_dis_max.h"
#include "core/eval/bool/eval_follow.h"
#include "core/eval/bool/eval_merge.h"
#include "core/eval/bool/eval_single.h"
#include "core/eval/bool/eval_synonym.h"
#include "core/eval/bool/eval_union.h"
#include "core/eval/eval_term.h"
#include "core/filters/filters.h"

/* Bits of a norm in a resource of norms. */
#define NORM_BITS 8u

/* ---- parts that nodes share ---- */

static bool take_window(struct csd_compiler *compiler, struct csd_node *node, uint32_t depth) {
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

static bool take_greatest(struct csd_compiler *compiler, struct csd_node *node, uint32_t depth) {
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

static bool take_norms(struct csd_compiler *compiler, struct csd_node *node, uint32_t depth) {
  uint8_t **norms = &compiler->norms[depth];
  if (*norms == NULL) {
    *norms = csd_arena_take(compiler->arena, CSD_WINDOW_DOCS);
  }
  node->norms = *norms;
  return *norms != NULL;
}

/* ---- nodes ---- */

static bool costs_less(const struct csd_node *a, const struct csd_node *b) {
  return a->cost < b->cost;
}

static bool has_greater_bound(const struct csd_node *a, const struct csd_node *b) {
  return a->bound > b->bound;
}

/* Sorts SHOULD children by bound and sums up, for each, the bounds of those behind it. */
static bool order_optional(struct csd_compiler *compiler, struct csd_node *node) {
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

/* Makes the children and sorts them into three groups that share one array. */
static bool make_children(struct csd_compiler *compiler, struct csd_node *node, uint32_t count,
                          uint32_t depth, bool scored) {
  struct csd_node **children = csd_arena_take(compiler->arena, count * sizeof *children);
  struct csd_node **grouped = csd_arena_take(compiler->arena, count * sizeof *grouped);
  if (children == NULL || grouped == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    children[i] = csd_compile_node(compiler, depth + 1, scored);
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
static bool take_doc_norms(struct csd_compiler *compiler, struct csd_node *node,
                           uint32_t resource) {
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
static void take_impacts(struct csd_compiler *compiler, struct csd_node *node,
                         const struct csd_plan_node *planned) {
  const double weight = (double)node->weight;
  double impact = 0.0;
  node->table = csd_compile_table(compiler, planned->table);
  for (uint32_t i = 0; i < node->optional_count; i++) {
    struct csd_node *term = node->optional[i];
    term->table = node->table;
    impact += (double)(csd_term_impact(term, term->cursor->list_impacts) * term->weight);
  }
  node->has_impacts = compiler->plan->monotone;
  node->bound = node->has_impacts ? weight - weight / (1.0 + impact) : weight;
}

/* Makes the children of a node, and what is known when they are there: cost, and as bound the sum
   of theirs. */
static bool make_clauses(struct csd_compiler *compiler, struct csd_node *node,
                         const struct csd_plan_node *planned, uint32_t depth, bool scores_count) {
  if (!make_children(compiler, node, planned->child_count, depth, scores_count) ||
      !csd_compile_frame(compiler, node, depth) ||
      (node->scored && !order_optional(compiler, node))) {
    return false;
  }
  node->op = &csd_op_bool;
  node->min_should = planned->min_should;
  if (depth == 0 && compiler->splits) {
    compiler->eval->filters = csd_filters_split(compiler->arena, node);
    compiler->eval->gate = csd_filters_column(compiler->eval->filters);
  }
  csd_sort_nodes(node->required, node->required_count, costs_less);
  if (node->required_count == 0 && node->min_should == 0) {
    node->min_should = 1;
  }
  csd_follow_choose(node, compiler->plan->header.max_doc);
  for (uint32_t i = 0; i < node->required_count; i++) {
    node->bound += node->required[i]->bound;
  }
  for (uint32_t i = 0; i < node->optional_count; i++) {
    node->bound += node->optional[i]->bound;
    node->cost += node->optional[i]->cost;
  }
  if (node->required_count > 0) {
    node->cost = node->required[0]->cost;
  }
  if (csd_union_pays(compiler->eval, node, compiler->plan->header.max_doc)) {
    node->produce_unscored = csd_union_produce;
  }
  return node->required_count > 0 || take_window(compiler, node, depth);
}

bool csd_compile_bool(struct csd_compiler *compiler, struct csd_node *node,
                      const struct csd_plan_node *planned, uint32_t depth) {
  const uint32_t place = compiler->next_node - 1u;
  const uint32_t in_set = node->scored ? 0 : csd_terms_of_set(compiler->plan, place);
  if (in_set > 0) {
    compiler->next_node += in_set;
    return csd_compile_set(compiler, node, place, in_set);
  }
  if (!make_clauses(compiler, node, planned, depth, node->scored)) {
    return false;
  }
  node->bound = node->scored ? node->bound * CSD_BOUND_SLACK : 0.0; /* it is cast to float */
  csd_know_sums(node);
  if (csd_is_single_term(node)) {
    node->produce_scored = csd_single_produce;
  } else if (node->scored && csd_merge_pays(node, compiler->plan->header.max_doc)) {
    node->produce_scored = csd_merge_produce;
  }
  return true;
}

bool csd_compile_dis_max(struct csd_compiler *compiler, struct csd_node *node,
                         const struct csd_plan_node *planned, uint32_t depth) {
  if (!node->scored) {
    return csd_compile_bool(compiler, node, planned, depth);
  }
  if (!make_clauses(compiler, node, planned, depth, true)) {
    return false;
  }
  const double greatest = greatest_bound(node);
  node->op = &csd_op_dis_max;
  node->bound = greatest + (node->bound - greatest) * (double)node->weight;
  node->bound *= CSD_BOUND_SLACK; /* it is cast to float */
  if (csd_blend_pays(node, compiler->plan->header.max_doc)) {
    node->produce_scored = csd_blend_produce;
    return true;
  }
  return take_greatest(compiler, node, depth);
}

bool csd_compile_synonym(struct csd_compiler *compiler, struct csd_node *node,
                         const struct csd_plan_node *planned, uint32_t depth) {
  if (!node->scored) {
    return csd_compile_bool(compiler, node, planned, depth);
  }
  if (!make_clauses(compiler, node, planned, depth, false)) {
    return false;
  }
  node->op = &csd_op_synonym;
  take_impacts(compiler, node, planned);
  node->bound *= CSD_BOUND_SLACK; /* it is cast to float */
  if (csd_blend_pays(node, compiler->plan->header.max_doc)) {
    node->produce_scored = csd_blend_produce;
  }
  return take_norms(compiler, node, depth);
}

bool csd_compile_combined(struct csd_compiler *compiler, struct csd_node *node,
                          const struct csd_plan_node *planned, uint32_t depth) {
  return csd_compile_synonym(compiler, node, planned, depth) &&
         (!node->scored || take_doc_norms(compiler, node, planned->list));
}
