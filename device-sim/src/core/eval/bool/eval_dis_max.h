/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** DIS_MAX: the greatest score of its children, and a part of the others'. */
#ifndef CSD_EVAL_DIS_MAX_H
#define CSD_EVAL_DIS_MAX_H

#include "core/eval/eval.h"

/** A BOOL of optional children; node->weight is the factor of the scores but the greatest. */
extern const struct csd_operator csd_op_dis_max;

/** The node's score: its children's greatest score, and the sum of all of them. */
static inline float csd_dis_max_score(const struct csd_node *node, double greatest, double sum) {
  return (float)(greatest + (sum - greatest) * (double)node->weight);
}

#endif
