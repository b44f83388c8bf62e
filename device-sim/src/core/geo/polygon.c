/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_columns.c, tests/vectors/test_vectors.c; TestGeoQueries
   compares with Lucene. */
#include "core/geo/polygon.h"

#include <string.h>

#include "csd/csd_wire.h"

/* So many edges are passed over at once if none is at the latitude of a point. */
#define RUN_EDGES 16u

static uint32_t run_count(uint32_t edges) { return (edges + RUN_EDGES - 1u) / RUN_EDGES; }

static struct csd_geo_point point_at(const uint8_t *points, uint32_t i) {
  struct csd_geo_point point;
  memcpy(&point, points + i * sizeof point, sizeof point);
  return point;
}

/* The ring that begins at `entries`. */
static struct csd_geo_ring head_at(const uint8_t *entries) {
  struct csd_geo_ring head;
  memcpy(&head, entries, sizeof head);
  return head;
}

size_t csd_polygons_bytes(const uint8_t *entries, uint32_t count) {
  size_t bytes = 0;
  for (uint32_t at = 0; at < count;) {
    const uint32_t points = head_at(entries + at * sizeof(struct csd_geo_point)).points;
    bytes += sizeof(struct csd_ring) + run_count(points - 1u) * sizeof(struct csd_ring_run);
    at += 1u + points;
  }
  return bytes;
}

static void bound_ring(struct csd_ring *ring) {
  const struct csd_geo_point first = point_at(ring->points, 0);
  ring->west = first.lon;
  ring->east = first.lon;
  for (uint32_t i = 0; i < ring->edges; i++) {
    struct csd_ring_run *run = &ring->runs[i / RUN_EDGES];
    if (i % RUN_EDGES == 0) {
      const double lat = point_at(ring->points, i).lat;
      *run = (struct csd_ring_run){.south = lat, .north = lat};
    }
    const struct csd_geo_point end = point_at(ring->points, i + 1u);
    run->south = end.lat < run->south ? end.lat : run->south;
    run->north = end.lat > run->north ? end.lat : run->north;
    ring->west = end.lon < ring->west ? end.lon : ring->west;
    ring->east = end.lon > ring->east ? end.lon : ring->east;
  }
}

static uint32_t count_rings(const uint8_t *entries, uint32_t count) {
  uint32_t rings = 0;
  for (uint32_t at = 0; at < count; rings++) {
    at += 1u + head_at(entries + at * sizeof(struct csd_geo_point)).points;
  }
  return rings;
}

void csd_polygons_init(struct csd_polygons *polygons, const uint8_t *entries, uint32_t count,
                       void *memory) {
  polygons->ring_count = count_rings(entries, count);
  polygons->rings = memory;
  struct csd_ring_run *runs = (void *)(polygons->rings + polygons->ring_count);
  for (uint32_t i = 0; i < polygons->ring_count; i++) {
    const struct csd_geo_ring head = head_at(entries);
    struct csd_ring *ring = &polygons->rings[i];
    entries += sizeof head;
    *ring = (struct csd_ring){
        .points = entries, .edges = head.points - 1u, .hole = head.hole != 0, .runs = runs};
    bound_ring(ring);
    entries += head.points * sizeof(struct csd_geo_point);
    runs += run_count(ring->edges);
  }
}

/* ---- EdgeTree.containsPnPoly: it visits edges in another order, which changes nothing ---- */

enum side { NO_CROSSING, CROSSING, ON_EDGE };

static bool is_between(double v, double a, double b) {
  return (v <= a && v >= b) != (v >= a && v <= b);
}

/* Whether three points are on a line, as GeoUtils.orient has it. */
static bool are_in_line(struct csd_geo_point a, struct csd_geo_point b, double lat, double lon) {
  const double v1 = (b.lon - a.lon) * (lat - a.lat);
  const double v2 = (lon - a.lon) * (b.lat - a.lat);
  return !(v1 > v2) && !(v1 < v2);
}

static enum side side_of(struct csd_geo_point a, struct csd_geo_point b, double lat, double lon) {
  if (!(lat == a.lat && lat == b.lat) && !is_between(lat, a.lat, b.lat)) {
    return NO_CROSSING;
  }
  if ((lon == a.lon && lon == b.lon) ||
      (is_between(lon, a.lon, b.lon) && are_in_line(a, b, lat, lon))) {
    return ON_EDGE;
  }
  return (a.lat > lat) != (b.lat > lat) &&
                 lon < (b.lon - a.lon) * (lat - a.lat) / (b.lat - a.lat) + a.lon
             ? CROSSING
             : NO_CROSSING;
}

static bool ring_has(const struct csd_ring *ring, double lat, double lon) {
  if (!(lon >= ring->west && lon <= ring->east)) {
    return false;
  }
  bool in = false;
  for (uint32_t first = 0; first < ring->edges; first += RUN_EDGES) {
    const struct csd_ring_run *run = &ring->runs[first / RUN_EDGES];
    if (lat < run->south || lat > run->north) {
      continue;
    }
    const uint32_t left = ring->edges - first;
    const uint32_t end = first + (left < RUN_EDGES ? left : RUN_EDGES);
    struct csd_geo_point from = point_at(ring->points, first);
    for (uint32_t i = first; i < end; i++) {
      const struct csd_geo_point to = point_at(ring->points, i + 1u);
      const enum side side = side_of(from, to, lat, lon);
      if (side == ON_EDGE) {
        return true;
      }
      in = in != (side == CROSSING);
      from = to;
    }
  }
  return in;
}

bool csd_polygons_have(const struct csd_polygons *polygons, double lat, double lon) {
  bool in = false; /* in the last outline, and in none of its holes */
  for (uint32_t i = 0; i < polygons->ring_count; i++) {
    const struct csd_ring *ring = &polygons->rings[i];
    if (ring->hole) {
      in = in && !ring_has(ring, lat, lon);
    } else if (in) {
      break;
    } else {
      in = ring_has(ring, lat, lon);
    }
  }
  return in;
}
