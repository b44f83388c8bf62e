/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program: a wrong number shows in the count of a program. */
#include "core/program/min_count.h"

#include "core/eval/eval_term_set.h"

/* A node's number of matches if it is known, as its cost is; else 0. */
static uint64_t known_cost(const struct csd_node *node) {
  if (node->op == CSD_OP_CONST) {
    return known_cost(node->required[0]);
  }
  return node->op == CSD_OP_TERM || node->op == CSD_OP_ALL ? node->cost : 0;
}

uint64_t csd_min_count(const struct csd_node *node) {
  uint64_t most = 0;
  if (node->op == CSD_OP_CONST) {
    return csd_min_count(node->required[0]);
  }
  if (node->op == CSD_OP_TERM_SET) {
    return node->terms->longest;
  }
  if (node->op != CSD_OP_BOOL || node->required_count > 1 || node->min_should > 1 ||
      !csd_all_terms(node->prohibited, node->prohibited_count)) {
    return known_cost(node);
  }
  if (node->required_count == 1) {
    most = node->min_should == 0 ? csd_min_count(node->required[0]) : 0;
  } else {
    for (uint32_t i = 0; i < node->optional_count; i++) {
      const uint64_t count = csd_min_count(node->optional[i]);
      most = count > most ? count : most;
    }
  }
  for (uint32_t i = 0; i < node->prohibited_count; i++) {
    const uint64_t cost = node->prohibited[i]->cost;
    most -= cost < most ? cost : most;
  }
  return most;
}

/* Whether every doc matches an optional child, and that is enough. */
static bool has_optional_all(const struct csd_node *root) {
  bool found = false;
  for (uint32_t i = 0; i < root->optional_count; i++) {
    found |= root->optional[i]->op == CSD_OP_ALL;
  }
  return found && root->required_count == 0 && root->min_should <= 1;
}

bool csd_is_min_count_exact(const struct csd_node *root) {
  switch (root->op) {
    case CSD_OP_TERM:
    case CSD_OP_ALL: return true;
    case CSD_OP_CONST: return csd_is_min_count_exact(root->required[0]);
    case CSD_OP_BOOL: break;
    default: return false;
  }
  const bool required = root->required_count == 1 && root->min_should == 0;
  const bool all = required ? root->required[0]->op == CSD_OP_ALL : has_optional_all(root);
  if (root->prohibited_count == 0) {
    return all || (required && known_cost(root->required[0]) > 0);
  }
  return all && root->prohibited_count == 1 && root->prohibited[0]->op == CSD_OP_TERM;
}

/* Makes the conjunction of the root's two children, of the cheaper one first. */
static struct csd_node *conjoin(struct csd_rest_count *rest, const struct csd_node *root,
                                struct csd_node *a, struct csd_node *b) {
  struct csd_node *node = &rest->conjunction;
  const bool in_order = a->cost <= b->cost;
  *node = *root;
  node->required = rest->conjoined;
  node->required[0] = in_order ? a : b;
  node->required[1] = in_order ? b : a;
  node->required_count = 2;
  node->optional_count = 0;
  node->prohibited_count = 0;
  node->min_should = 0;
  node->is_dis_max = false;
  node->is_synonym = false;
  node->doc_norms = NULL;
  node->cost = node->required[0]->cost;
  return node;
}

struct csd_node *csd_rest_count(struct csd_rest_count *rest, const struct csd_node *root,
                                uint64_t *known_count) {
  const uint32_t children = root->required_count + root->optional_count + root->prohibited_count;
  if (root->op != CSD_OP_BOOL || children != 2 || !csd_all_terms(root->required, children)) {
    return NULL;
  }
  struct csd_node *a = root->required[0];
  struct csd_node *b = root->required[1];
  if (root->optional_count == 2 && root->min_should == 1) {
    *known_count = a->cost + b->cost;
  } else if (root->required_count == 1 && root->prohibited_count == 1 && root->min_should == 0) {
    *known_count = a->cost;
  } else {
    return NULL;
  }
  return conjoin(rest, root, a, b);
}
