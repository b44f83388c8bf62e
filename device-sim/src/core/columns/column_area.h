/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The points that GEO_BOX, GEO_DISTANCE and GEO_POLYGON want: of a box, or of a circle or polygons
 * with a grid that decides of most cells at once (wire/WIRE.md, geo_circle). A value has the
 * latitude in its upper 32 bits and the longitude in its lower ones.
 */
#ifndef CSD_COLUMN_AREA_H
#define CSD_COLUMN_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/columns/column_wants.h"
#include "core/geo/distance.h"
#include "core/geo/polygon.h"
#include "csd/csd_wire.h"

/** The cells that decide of most points. */
struct csd_area_grid {
  const uint8_t *rows; /* geo_row[row_count], may be unaligned; NULL: there is none */
  uint32_t row_count, columns;
  uint32_t lat_base, lon_base;
  unsigned lat_shift, lon_shift;
};

/** Behind it is the memory of its polygons. */
struct csd_area {
  unsigned op;
  struct csd_geo_box box; /* not of GEO_POLYGON */
  struct csd_area_grid grid;
  double max_key;
  struct csd_geo_centre centre;
  struct csd_polygons polygons;

  /* Of the page that was judged last: the packed values of its latitudes. */
  uint64_t first, last;
};

/** Bytes of the area that a GEO operator has in `count` checked entries of a plan. */
size_t csd_area_bytes(unsigned op, const uint8_t *entries, uint32_t count);

/** Sets an area of so many bytes up from such entries, which are kept. */
void csd_area_init(struct csd_area *area, unsigned op, const uint8_t *entries, uint32_t count);

/** The values from the least to the greatest one that an area may want. */
struct csd_value_range csd_area_hull(const struct csd_area *area);

/** Whether a point is in the area. */
bool csd_area_has(const struct csd_area *area, int64_t point);

/** Tells the values of an area. */
extern const struct csd_column_wants csd_area_wants;

#endif
