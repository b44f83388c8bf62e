/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Which docs can be among the best. */
#ifndef CSD_SORTER_FILTER_H
#define CSD_SORTER_FILTER_H

#include "core/sort/sorter_state.h"

/** Makes the filter anew if need be, for docs from `doc` on. */
void csd_sorter_refresh(struct csd_sorter *sorter, uint32_t doc);

#endif
