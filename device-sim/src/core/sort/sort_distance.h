/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Sort keys of the transform DISTANCE: see sort_key.h for the others. Pure functions. */
#ifndef CSD_SORT_DISTANCE_H
#define CSD_SORT_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/geo/distance.h"

/** Key of a doc without a point. */
#define CSD_SORT_KEY_NOWHERE UINT64_C(0xFFF0000000000000)

/** Key of a point. */
uint64_t csd_sort_key_of_point(const struct csd_geo_centre *centre, int64_t point);

/**
 * Finds where the points are whose keys are at most `last`: nowhere but in [*lo, *hi], where there
 * may be others.
 *
 * @return false if there are none
 */
bool csd_sort_points(const struct csd_geo_centre *centre, uint64_t last, int64_t *lo, int64_t *hi);

#endif
