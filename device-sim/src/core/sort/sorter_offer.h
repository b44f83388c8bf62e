/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Docs one by one, compared with the bound. */
#ifndef CSD_SORTER_OFFER_H
#define CSD_SORTER_OFFER_H

#include "core/sort/sorter_state.h"

/** Offers a doc; docs ascend. @return 0, or a negated status */
int csd_sorter_offer(struct csd_sorter *sorter, uint32_t doc, float score);

/** The same for a doc whose value in the lead's column is known. */
int csd_sorter_offer_value(struct csd_sorter *sorter, uint32_t doc, float score, int64_t value);

#endif
