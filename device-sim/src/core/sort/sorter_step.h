/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Steps of a program that sorts. */
#ifndef CSD_SORTER_STEP_H
#define CSD_SORTER_STEP_H

#include "core/sort/sorter_state.h"

/**
 * Produces the root's next matches and takes them. If docs that cannot be among the best need not
 * be counted (eval->ranking.may_skip), it leaves them out and sets has_skipped.
 *
 * @param next  the first doc; set to the first one that has not been looked at
 * @return 0, or a negated status
 */
int csd_sorter_step(struct csd_sorter *sorter, struct csd_eval *eval, uint32_t limit,
                    uint32_t *next);

#endif
