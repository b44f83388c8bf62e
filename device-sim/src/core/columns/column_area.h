/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The points that GEO_BOX and GEO_DISTANCE want: of a box, or of a circle with a grid that decides
 * of most cells at once (wire/WIRE.md, geo_circle). A value has the latitude in its upper 32 bits
 * and the longitude in its lower ones.
 */
#ifndef CSD_COLUMN_AREA_H
#define CSD_COLUMN_AREA_H

#include <stdbool.h>
#include <stdint.h>

#include "core/columns/column_wants.h"
#include "core/geo/distance.h"
#include "csd/csd_wire.h"

struct csd_area {
  struct csd_geo_box box;
  const uint8_t *rows; /* geo_row[row_count], may be unaligned; NULL: the box alone decides */
  uint32_t row_count;
  struct csd_geo_circle circle;
  struct csd_geo_centre centre;

  /* Of the page that was judged last: the packed values of its latitudes. */
  uint64_t first, last;
};

/** Sets an area up from `count` checked entries of a plan, which are kept. */
void csd_area_init(struct csd_area *area, const uint8_t *entries, uint32_t count);

/** The values from the least to the greatest one that an area may want. */
struct csd_value_range csd_area_hull(const struct csd_area *area);

/** Whether a point is in the area. */
bool csd_area_has(const struct csd_area *area, int64_t point);

/** Tells the values of an area. */
extern const struct csd_column_wants csd_area_wants;

#endif
