/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Checks the areas of a plan, and the points that it sorts from. */
#ifndef CSD_PLAN_AREAS_H
#define CSD_PLAN_AREAS_H

#include "core/plan/plan.h"

/**
 * Checks the areas of all nodes, and the geo_points of sort keys; that their entries are there has
 * been checked of nodes.
 *
 * @return 0 or -CSD_STATUS_PLAN_MALFORMED
 */
int csd_plan_areas_check(const struct csd_plan *plan);

/** The geo_point of a checked sort key of DISTANCE. */
static inline struct csd_geo_point csd_plan_point_at(const struct csd_plan *plan, uint32_t i) {
  struct csd_geo_point point;
  __builtin_memcpy(&point, plan->ranges + sizeof point * (size_t)i, sizeof point);
  return point;
}

#endif
