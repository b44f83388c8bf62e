/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The choice among the ways to produce the root. */
#ifndef CSD_RANK_WAYS_H
#define CSD_RANK_WAYS_H

#include "core/root/root_way.h"

/**
 * Sets eval->way to the one that suits the root, and makes its state.
 *
 * @return 0 or -INSUFFICIENT_GRANT
 */
int csd_rank_ways_choose(struct csd_arena *arena, struct csd_eval *eval,
                         const struct csd_wanted *wanted);

#endif
