/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Lays a checked plan out as a tree of nodes with their cursors and buffers, in a grant. */
#ifndef CSD_COMPILE_H
#define CSD_COMPILE_H

#include "core/eval/eval.h"
#include "core/lists/page_source.h"
#include "core/plan/arena.h"
#include "core/plan/plan.h"

/**
 * Compiles a plan. Sets eval->root, eval->nodes and the buffers that the plan needs; eval->kernels
 * is set before.
 *
 * @param splits  whether to take filters out of the root where that pays, into eval->filters; the
 *                caller applies them

 * @return 0, -INSUFFICIENT_GRANT or -NO_RESOURCE
 */
int csd_compile(struct csd_arena *arena, const struct csd_plan *plan,
                const struct csd_page_source *source, bool splits, struct csd_eval *eval);

#endif
