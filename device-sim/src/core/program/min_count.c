/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program: a wrong number shows in the count of a program. */
#include "core/program/min_count.h"

uint64_t csd_min_count(const struct csd_node *root) {
  uint64_t most = 0;
  if (root->op != CSD_OP_BOOL || root->required_count > 1 || root->min_should > 1 ||
      !csd_all_terms(root->required, root->required_count) ||
      !csd_all_terms(root->optional, root->optional_count) ||
      !csd_all_terms(root->prohibited, root->prohibited_count)) {
    return root->op == CSD_OP_TERM ? root->cost : 0;
  }
  if (root->required_count == 1) {
    most = root->min_should == 0 ? root->required[0]->cost : 0;
  } else {
    for (uint32_t i = 0; i < root->optional_count; i++) {
      most = root->optional[i]->cost > most ? root->optional[i]->cost : most;
    }
  }
  for (uint32_t i = 0; i < root->prohibited_count; i++) {
    const uint64_t cost = root->prohibited[i]->cost;
    most -= cost < most ? cost : most;
  }
  return most;
}
