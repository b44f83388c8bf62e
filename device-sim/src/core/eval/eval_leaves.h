/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The operators that need only a line or two. */
#ifndef CSD_EVAL_LEAVES_H
#define CSD_EVAL_LEAVES_H

#include "core/eval/eval.h"

/** The docs of the only child, node->required[0], with one score. */
extern const struct csd_operator csd_op_const;

/** All docs. */
extern const struct csd_operator csd_op_all;

/** No doc. */
extern const struct csd_operator csd_op_none;

/** The docs with a wanted value in node->column. */
extern const struct csd_operator csd_op_column;

#endif
