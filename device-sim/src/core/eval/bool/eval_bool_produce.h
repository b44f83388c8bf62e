/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** BOOL nodes with required children that produce. */
#ifndef CSD_EVAL_BOOL_PRODUCE_H
#define CSD_EVAL_BOOL_PRODUCE_H

#include "core/eval/eval.h"

/** As csd_eval_produce, for a BOOL with a required child. */
int csd_bool_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                     bool scored, struct csd_batch *batch);

#endif
