/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Checks of the parts of a plan that refer to pages; see csd_plan_check. */
#ifndef CSD_PLAN_LISTS_H
#define CSD_PLAN_LISTS_H

#include "core/plan/plan.h"

/** Checks extents and posting lists. @return 0, or -PLAN_MALFORMED */
int csd_plan_lists_check(const struct csd_plan *plan);

/** Checks value ranges, which are there. @return likewise */
int csd_plan_ranges_check(const struct csd_plan *plan, uint32_t first, uint32_t count);

/** Checks columns and value ranges, after the nodes that refer to them. @return likewise */
int csd_plan_columns_check(const struct csd_plan *plan);

#endif
