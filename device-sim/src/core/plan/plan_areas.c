/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/plan/test_plan_ops.c, tests/vectors/test_vectors.c. */
#include "core/plan/plan_areas.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/plan/malformed.h"
#include "csd/csd_ops.h"

#define MAX_LAT 90.0
#define MAX_LON 180.0
#define MAX_CELLS 64u
#define MIN_RING_POINTS 4u

/* Whether a base and `count` cells from it on are numbers of 32 - shift bits. */
static bool are_cells(uint32_t base, uint32_t count, unsigned shift) {
  return shift >= 1u && shift <= 31u && (uint64_t)base + count <= UINT64_C(1) << (32u - shift);
}

static bool is_point(double lat, double lon) {
  return fabs(lat) <= MAX_LAT && fabs(lon) <= MAX_LON; /* false for NaN */
}

/* Columns may go on behind the last longitude with the first one. */
static int check_grid(uint32_t i, uint32_t lat_base, uint32_t rows, unsigned lat_shift,
                      uint32_t lon_base, uint32_t columns, unsigned lon_shift) {
  MALFORMED_IF(!are_cells(lat_base, rows, lat_shift) || !are_cells(lon_base, 1, lon_shift) ||
                   rows == 0 || rows > MAX_CELLS || columns == 0 || columns > MAX_CELLS,
               "node %" PRIu32 ": %" PRIu32 " rows of 2^%u from %" PRIu32 ", %" PRIu32
               " columns of 2^%u from %" PRIu32,
               i, rows, lat_shift, lat_base, columns, lon_shift, lon_base);
  return 0;
}

static int check_circle(uint32_t i, const struct csd_geo_circle *circle, uint32_t rows) {
  MALFORMED_IF(circle->reserved0 != 0 || circle->reserved1 != 0 || circle->reserved2 != 0,
               "node %" PRIu32 ": a reserved field of its circle is not 0", i);
  MALFORMED_IF(!is_point(circle->lat, circle->lon) || isnan(circle->max_key),
               "node %" PRIu32 ": a circle at %g, %g, with the key %g", i, circle->lat, circle->lon,
               circle->max_key);
  return check_grid(i, circle->lat_base, rows, circle->lat_shift, circle->lon_base, circle->columns,
                    circle->lon_shift);
}

/* Checks the ring at an entry; returns how many entries it takes. */
static int64_t check_ring(uint32_t i, const uint8_t *entries, uint32_t count, bool is_first) {
  struct csd_geo_ring ring;
  memcpy(&ring, entries, sizeof ring);
  MALFORMED_IF(ring.reserved0 != 0, "node %" PRIu32 ": a reserved field of a ring is not 0", i);
  MALFORMED_IF(ring.points < MIN_RING_POINTS || ring.points >= count || ring.hole > 1u ||
                   (is_first && ring.hole != 0),
               "node %" PRIu32 ": a ring of %" PRIu32 " points in %" PRIu32
               " entries, with the hole %" PRIu32,
               i, ring.points, count, ring.hole);
  struct csd_geo_point first;
  struct csd_geo_point point;
  memcpy(&first, entries + sizeof ring, sizeof first);
  for (uint32_t at = 1; at <= ring.points; at++) {
    memcpy(&point, entries + at * sizeof point, sizeof point);
    MALFORMED_IF(!is_point(point.lat, point.lon), "node %" PRIu32 ": a ring through %g, %g", i,
                 point.lat, point.lon);
  }
  MALFORMED_IF(point.lat != first.lat || point.lon != first.lon,
               "node %" PRIu32 ": a ring from %g, %g to %g, %g", i, first.lat, first.lon, point.lat,
               point.lon);
  return 1 + (int64_t)ring.points;
}

static int check_polygons(uint32_t i, const uint8_t *entries, uint32_t count) {
  struct csd_geo_polygon head;
  memcpy(&head, entries, sizeof head);
  MALFORMED_IF(head.reserved0 != 0, "node %" PRIu32 ": a reserved field of its polygons is not 0",
               i);
  const int status = check_grid(i, head.lat_base, head.rows, head.lat_shift, head.lon_base,
                                head.columns, head.lon_shift);
  if (status < 0) {
    return status;
  }
  const uint32_t first = 1u + head.rows;
  MALFORMED_IF(first >= count, "node %" PRIu32 ": %u rows in %" PRIu32 " entries", i, head.rows,
               count);
  for (uint32_t at = first; at < count;) {
    const int64_t taken =
        check_ring(i, entries + at * sizeof(struct csd_value_range), count - at, at == first);
    if (taken < 0) {
      return (int)taken;
    }
    at += (uint32_t)taken;
  }
  return 0;
}

static int check_area(const struct csd_plan *plan, uint32_t i, const struct csd_plan_node *node) {
  const uint8_t *entries = plan->ranges + node->table * sizeof(struct csd_value_range);
  if (node->op == CSD_OP_GEO_POLYGON) {
    return check_polygons(i, entries, node->range_count);
  }
  struct csd_geo_box box;
  memcpy(&box, entries, sizeof box);
  MALFORMED_IF(box.min_lat > box.max_lat,
               "node %" PRIu32 ": a box from latitude %" PRId32 " to %" PRId32, i, box.min_lat,
               box.max_lat);
  if (node->op == CSD_OP_GEO_BOX) {
    return 0;
  }
  struct csd_geo_circle circle;
  memcpy(&circle, entries + sizeof box, sizeof circle);
  const size_t head = sizeof box + sizeof circle;
  const uint32_t rows = node->range_count - (uint32_t)(head / sizeof(struct csd_value_range));
  return check_circle(i, &circle, rows);
}

static int check_origins(const struct csd_plan *plan) {
  for (uint32_t i = 0; i < plan->sort.header.key_count; i++) {
    const struct csd_sort_key *key = &plan->sort.keys[i];
    if (key->transform != CSD_SORT_TRANSFORM_DISTANCE) {
      continue;
    }
    MALFORMED_IF(key->missing >= plan->header.range_count,
                 "sort key %" PRIu32 ": point %" PRIu64 " of %u", i, key->missing,
                 plan->header.range_count);
    const struct csd_geo_point point = csd_plan_point_at(plan, (uint32_t)key->missing);
    MALFORMED_IF(!is_point(point.lat, point.lon), "sort key %" PRIu32 ": from %g, %g", i, point.lat,
                 point.lon);
  }
  return 0;
}

int csd_plan_areas_check(const struct csd_plan *plan) {
  for (uint32_t i = 0; i < plan->header.node_count; i++) {
    const struct csd_plan_node node = csd_plan_node_at(plan, i);
    if (csd_op_rules[node.op].table.to == CSD_REFERS_AREAS) {
      const int status = check_area(plan, i, &node);
      if (status < 0) {
        return status;
      }
    }
  }
  return check_origins(plan);
}
