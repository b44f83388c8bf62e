/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program: a wrong number shows in the count of a program. */
#include "core/program/rest_count.h"

#include "core/eval/bool/eval_bool.h"

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
  node->produce_scored = NULL;
  node->produce_unscored = NULL;
  node->op = &csd_op_bool;
  node->doc_norms = NULL;
  node->cost = node->required[0]->cost;
  return node;
}

struct csd_node *csd_rest_count(struct csd_rest_count *rest, const struct csd_node *root,
                                uint64_t *known_count) {
  const uint32_t children = root->required_count + root->optional_count + root->prohibited_count;
  if (!root->op->is_bool || children != 2 || !csd_all_terms(root->required, children)) {
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
