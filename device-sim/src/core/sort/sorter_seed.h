/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Docs that are offered before the others, as they are likely to be among the best. */
#ifndef CSD_SORTER_SEED_H
#define CSD_SORTER_SEED_H

#include "core/sort/sorter_state.h"

/**
 * Looks in the page index for pages of the lead's column whose docs are better than most others,
 * so that it pays to look at them first.
 *
 * @param matches  about how many docs match
 * @return whether there are any; if so, seed_from and seed_limit are set, and all that is taken
 *         until csd_sorter_rewind is of these docs
 */
bool csd_sorter_choose_seed(struct csd_sorter *sorter, const struct csd_plan_header *header,
                            uint64_t matches);

#endif
