/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/plan/test_plan_ops.c, test_plan_check.c. */
#include "csd/csd_ops.h"

const struct csd_op_rule csd_op_rules[CSD_OP_END] = {
#include "core/plan/op_rules.inc"
};
