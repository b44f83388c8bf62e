/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/root/test_root_trees.c, and tests/core/root/test_root_synonym.c. */
#include "core/root/root_tree.h"

#include "core/eval/bool/eval_dis_max.h"
#include "core/eval/bool/eval_synonym.h"
#include "core/eval/eval_term.h"

/*
 * Not with a COMBINED: a short field has low norms, with which impacts bound the scores of all
 * fields too loosely to pass anything over. It recurses as deep as the plan, as do the functions
 * below.
 */
bool csd_is_tree(const struct csd_node *node) {
  if (node->op->is_term) {
    return true;
  }
  bool good = node->op->is_bool && node->required_count == 0 && node->min_should <= 1 &&
              node->doc_norms == NULL;
  for (uint32_t i = 0; i < node->optional_count && good; i++) {
    good = csd_is_tree(node->optional[i]);
  }
  return good;
}

int csd_tree_seek(struct csd_node *node, uint32_t from, uint32_t *start, uint32_t *end) {
  if (!node->op->is_term) {
    int status = 0;
    for (uint32_t i = 0; i < node->optional_count && status == 0; i++) {
      status = csd_tree_seek(node->optional[i], from, start, end);
    }
    return status;
  }
  const int status = csd_list_cursor_seek(node->cursor, from);
  const uint32_t first = csd_list_cursor_block_start(node->cursor);
  *start = first < *start ? first : *start;
  *end = node->cursor->block_end < *end ? node->cursor->block_end : *end;
  return status;
}

float csd_tree_impact(const struct csd_node *term, uint32_t end) {
  uint64_t words[CSD_RANGE_IMPACTS];
  const unsigned n = csd_list_cursor_range_impacts(term->cursor, end, words);
  float most = 0.0f;
  for (unsigned w = 0; w < n; w++) {
    const float one = csd_term_impact(term, words[w]);
    most = one > most ? one : most;
  }
  return most;
}

double csd_tree_synonym_bound(const struct csd_node *node, double impact) {
  const double weight = (double)node->weight;
  return impact == 0.0 ? 0.0 : node->has_impacts ? weight - weight / (1.0 + impact) : weight;
}

/* Bound of a SYNONYM's scores up to `end`: its terms' impacts add up. */
static double synonym_bound(const struct csd_node *node, uint32_t end) {
  double impact = 0.0;
  for (uint32_t i = 0; i < node->optional_count; i++) {
    const struct csd_node *term = node->optional[i];
    if (csd_list_cursor_block_start(term->cursor) < end) {
      impact += (double)csd_tree_impact(term, end) * (double)term->weight;
    }
  }
  return csd_tree_synonym_bound(node, impact);
}

double csd_tree_bound(struct csd_node *node, uint32_t end) {
  if (node->op->is_term) {
    return csd_list_cursor_block_start(node->cursor) < end ? (double)csd_term_range_bound(node, end)
                                                           : 0.0;
  }
  if (node->op == &csd_op_synonym) {
    return synonym_bound(node, end) * CSD_BOUND_SLACK;
  }
  double sum = 0.0;
  double greatest = 0.0;
  for (uint32_t i = 0; i < node->optional_count; i++) {
    const double bound = csd_tree_bound(node->optional[i], end);
    sum += bound;
    greatest = bound > greatest ? bound : greatest;
  }
  const double most =
      node->op == &csd_op_dis_max ? greatest + (sum - greatest) * (double)node->weight : sum;
  return most * CSD_BOUND_SLACK; /* it is cast to float */
}
