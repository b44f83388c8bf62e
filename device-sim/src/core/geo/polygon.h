/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Polygons on the globe: which points they have, bit for bit what Lucene's Polygon2D says
 * (wire/WIRE.md, section 4). Pure functions.
 */
#ifndef CSD_POLYGON_H
#define CSD_POLYGON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The latitudes of some edges of a ring, one behind the other. */
struct csd_ring_run {
  double south, north;
};

/** A ring of edges: the outline of a polygon, or a hole in it. */
struct csd_ring {
  const uint8_t *points; /* geo_point[edges + 1], may be unaligned */
  uint32_t edges;
  bool hole; /* in the polygon whose outline is the last one before it */
  double west, east;
  struct csd_ring_run *runs;
};

struct csd_polygons {
  struct csd_ring *rings;
  uint32_t ring_count;
};

/** Bytes that csd_polygons_init takes for the rings in `count` checked entries of a plan. */
size_t csd_polygons_bytes(const uint8_t *entries, uint32_t count);

/**
 * Sets polygons up from such rings.
 *
 * @param entries  kept
 * @param memory   kept; aligned for doubles
 */
void csd_polygons_init(struct csd_polygons *polygons, const uint8_t *entries, uint32_t count,
                       void *memory);

/** Whether a point, in degrees, is in one of the polygons. */
bool csd_polygons_have(const struct csd_polygons *polygons, double lat, double lon);

#endif
