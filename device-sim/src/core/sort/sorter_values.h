/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Docs whose values in the lead's column decide. */
#ifndef CSD_SORTER_VALUES_H
#define CSD_SORTER_VALUES_H

#include "core/sort/sorter_state.h"

/**
 * Offers docs of the page that the lead's cursor is at: those that have a wanted value, if their
 * values can be looked up at once, else all.
 *
 * @param docs   `n` of them, ascending
 * @param batch  whose docs they are, from number `first` on; NULL: there are no scores
 * @return 0, or a negated status
 */
int csd_sorter_offer_wanted(struct csd_sorter *sorter, const uint32_t *docs, uint32_t n,
                            const struct csd_batch *batch, uint32_t first);

#endif
