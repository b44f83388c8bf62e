/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Docs that are few in their pages, of a lead with one value each. */
#ifndef CSD_SORTER_FEW_H
#define CSD_SORTER_FEW_H

#include "core/sort/sorter_state.h"

/** Whether there have been few docs with those of a batch, and each doc of the segment has one
 * value in the lead's column. */
bool csd_sorter_takes_few(const struct csd_sorter *sorter, const struct csd_batch *batch);

/**
 * Takes docs, which are live, of such a batch.
 *
 * @return how many, the first ones; the others have to be taken like those of any batch; or a
 *         negated status
 */
int csd_sorter_take_few(struct csd_sorter *sorter, const struct csd_batch *batch);

#endif
