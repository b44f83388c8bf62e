/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Areas over the points that a world's values are taken for. */
#include <math.h>
#include <string.h>

#include "core/geo/distance.h"
#include "tests/core/program/program_world.h"

enum { HEAD = 4, MAX_ROWS = 9, MAX_COLUMNS = 64, MAX_RINGS = 3 };

static int64_t random_value(struct program_world *world, uint32_t c) {
  const struct test_column *column = &world->column[c];
  return below(world, 8) == 0 ? (int64_t)check_random(&world->random)
                              : column->values[below(world, column->value_count)];
}

static struct csd_geo_box random_box(struct program_world *world, uint32_t c) {
  const int64_t a = random_value(world, c);
  const int64_t b = random_value(world, c);
  const int32_t lat_a = (int32_t)(a >> 32);
  const int32_t lat_b = (int32_t)(b >> 32);
  return (struct csd_geo_box){.min_lat = lat_a < lat_b ? lat_a : lat_b,
                              .max_lat = lat_a < lat_b ? lat_b : lat_a,
                              .min_lon = (int32_t)a,
                              .max_lon = (int32_t)b};
}

/* Rows of a grid that may say anything: from entry `at` on; the first of them in *lat_base. */
static uint32_t add_rows(struct program_world *world, struct csd_value_range *entries, uint32_t at,
                         unsigned lat_shift, uint32_t *lat_base) {
  const uint32_t all_rows = 1u << (32u - lat_shift);
  const uint32_t rows = 1u + below(world, all_rows < MAX_ROWS ? all_rows : MAX_ROWS);
  *lat_base = below(world, all_rows - rows + 1u);
  for (uint32_t r = 0; r < rows; r++) {
    const struct csd_geo_row row = {
        .inside = check_random(&world->random) & check_random(&world->random),
        .crossed = check_random(&world->random)};
    memcpy(&entries[at + r], &row, sizeof row);
  }
  return rows;
}

/* A ring through values and places near them; many edges lead along a latitude or a longitude. */
static uint32_t add_ring(struct program_world *world, uint32_t c, struct csd_value_range *entries,
                         bool is_hole) {
  const struct csd_geo_ring ring = {.points = 4u + below(world, PROGRAM_RING_POINTS - 3u),
                                    .hole = is_hole};
  memcpy(&entries[0], &ring, sizeof ring);
  struct csd_geo_point point = {0};
  for (uint32_t i = 1; i < ring.points; i++) {
    const int64_t value = random_value(world, c);
    const uint32_t kind = i == 1 ? 0 : below(world, 5);
    const double beside = below(world, 3) == 0 ? 1e-8 : 0.0;
    point.lat = kind == 1 ? point.lat : csd_geo_latitude((int32_t)(value >> 32)) + beside;
    point.lon = kind == 2 ? point.lon : csd_geo_longitude((int32_t)value) + beside;
    memcpy(&entries[i], &point, sizeof point);
  }
  entries[ring.points] = entries[1];
  return 1u + ring.points;
}

static void add_polygons(struct program_world *world, uint32_t c, unsigned occur, float weight) {
  struct csd_value_range entries[PROGRAM_AREA_ENTRIES];
  struct csd_geo_polygon head = {
      .lat_shift = (uint8_t)(27u + below(world, 5)),
      .lon_shift = (uint8_t)(25u + below(world, 7)),
      .columns = (uint8_t)(1u + below(world, MAX_COLUMNS)),
  };
  head.rows = (uint8_t)add_rows(world, entries, 1, head.lat_shift, &head.lat_base);
  head.lon_base = below(world, 1u << (32u - head.lon_shift));
  memcpy(&entries[0], &head, sizeof head);
  uint32_t count = 1u + head.rows;
  for (uint32_t rings = 1u + below(world, MAX_RINGS), i = 0; i < rings; i++) {
    count += add_ring(world, c, entries + count, i > 0 && below(world, 3) != 0);
  }
  struct csd_plan_node *node = test_plan_set(&program_plan, occur, c, entries, count);
  node->op = CSD_OP_GEO_POLYGON;
  node->weight = weight;
}

/* A circle around a value, whose edge another one is on, and a grid that may say anything. */
static void add_circle(struct program_world *world, uint32_t c, unsigned occur, float weight) {
  struct csd_value_range entries[HEAD + MAX_ROWS];
  const int64_t centre = random_value(world, c);
  const int64_t edge = random_value(world, c);
  const struct csd_geo_box box = random_box(world, c);
  struct csd_geo_circle circle = {
      .lat = csd_geo_latitude((int32_t)(centre >> 32)),
      .lon = csd_geo_longitude((int32_t)centre),
      .lat_shift = (uint8_t)(27u + below(world, 5)),
      .lon_shift = (uint8_t)(25u + below(world, 7)),
      .columns = (uint8_t)(1u + below(world, MAX_COLUMNS)),
  };
  const struct csd_geo_centre from = csd_geo_centre_of(circle.lat, circle.lon);
  circle.max_key = csd_geo_key(&from, (int32_t)(edge >> 32), (int32_t)edge);
  const uint32_t rows = add_rows(world, entries, HEAD, circle.lat_shift, &circle.lat_base);
  circle.lon_base = below(world, 1u << (32u - circle.lon_shift));
  memcpy(&entries[0], &box, sizeof box);
  memcpy(&entries[1], &circle, sizeof circle);
  struct csd_plan_node *node = test_plan_set(&program_plan, occur, c, entries, HEAD + rows);
  node->op = CSD_OP_GEO_DISTANCE;
  node->weight = weight;
}

void program_area_node(struct program_world *world, uint32_t c, unsigned occur, float weight) {
  switch (below(world, 3)) {
    case 0: add_circle(world, c, occur, weight); return;
    case 1: add_polygons(world, c, occur, weight); return;
    default: break;
  }
  const struct csd_geo_box box = random_box(world, c);
  struct csd_value_range entry;
  memcpy(&entry, &box, sizeof box);
  struct csd_plan_node *node = test_plan_set(&program_plan, occur, c, &entry, 1);
  node->op = CSD_OP_GEO_BOX;
  node->weight = weight;
}

static bool is_in_box(const struct csd_geo_box *box, int64_t lat, int64_t lon) {
  const bool crosses = box->min_lon > box->max_lon;
  const bool from = lon >= box->min_lon;
  const bool to = lon <= box->max_lon;
  return lat >= box->min_lat && lat <= box->max_lat && (crosses ? from || to : from && to);
}

static bool is_between(double v, double a, double b) {
  return (v <= a && v >= b) != (v >= a && v <= b);
}

/* As Lucene's Polygon2D has it, by a look at all edges. */
static bool is_in_ring(const struct csd_geo_point *points, uint32_t count, double y, double x) {
  bool in = false;
  bool on = false;
  double west = INFINITY;
  double east = -INFINITY;
  for (uint32_t i = count - 1u; i > 0; i--) {
    const struct csd_geo_point from = points[i - 1u];
    const struct csd_geo_point to = points[i];
    west = fmin(west, to.lon);
    east = fmax(east, to.lon);
    if (!is_between(y, from.lat, to.lat) && !(y == from.lat && y == to.lat)) {
      continue;
    }
    on = on || (x == from.lon && x == to.lon) ||
         (is_between(x, from.lon, to.lon) &&
          (to.lon - from.lon) * (y - from.lat) == (x - from.lon) * (to.lat - from.lat));
    if ((from.lat > y) != (to.lat > y)) {
      in ^= x < (to.lon - from.lon) * (y - from.lat) / (to.lat - from.lat) + from.lon;
    }
  }
  return x >= west && x <= east && (in || on);
}

static bool is_in_polygons(const struct csd_value_range *rings, uint32_t count, double lat,
                           double lon) {
  bool found = false;
  bool in = false; /* in the outline, and in no hole so far */
  for (uint32_t at = 0; at < count;) {
    struct csd_geo_ring ring;
    struct csd_geo_point points[PROGRAM_RING_POINTS];
    memcpy(&ring, rings + at, sizeof ring);
    memcpy(points, rings + at + 1u, ring.points * sizeof points[0]);
    const bool has = is_in_ring(points, ring.points, lat, lon);
    if (ring.hole == 0) {
      found = found || in;
      in = has;
    } else {
      in = in && !has;
    }
    at += 1u + ring.points;
  }
  return found || in;
}

static bool is_in_circle(const struct csd_value_range *entries, int32_t lat, int32_t lon) {
  struct csd_geo_box box;
  struct csd_geo_circle circle;
  memcpy(&box, entries, sizeof box);
  memcpy(&circle, entries + 1, sizeof circle);
  const struct csd_geo_centre from = csd_geo_centre_of(circle.lat, circle.lon);
  return is_in_box(&box, lat, lon) && csd_geo_key(&from, lat, lon) <= circle.max_key;
}

/* The head of polygons, or what a circle has of it. */
static struct csd_geo_polygon grid_of(const struct csd_plan_node *node,
                                      const struct csd_value_range *entries) {
  struct csd_geo_polygon grid;
  struct csd_geo_circle circle;
  memcpy(&grid, entries, sizeof grid);
  if (node->op == CSD_OP_GEO_DISTANCE) {
    memcpy(&circle, entries + 1, sizeof circle);
    grid = (struct csd_geo_polygon){.lat_base = circle.lat_base,
                                    .lon_base = circle.lon_base,
                                    .lat_shift = circle.lat_shift,
                                    .lon_shift = circle.lon_shift,
                                    .rows = (uint8_t)(node->range_count - HEAD),
                                    .columns = circle.columns};
  }
  return grid;
}

static bool is_in_area(const struct csd_plan_node *node, int64_t point) {
  const struct csd_value_range *entries = program_plan.ranges + node->table;
  const int32_t lat = (int32_t)(point >> 32);
  const int32_t lon = (int32_t)point;
  if (node->op == CSD_OP_GEO_BOX) {
    struct csd_geo_box box;
    memcpy(&box, entries, sizeof box);
    return is_in_box(&box, lat, lon);
  }
  const struct csd_geo_polygon grid = grid_of(node, entries);
  const uint32_t head = node->op == CSD_OP_GEO_POLYGON ? 1u : HEAD;
  const int64_t r = ((int64_t)lat - INT32_MIN) / (INT64_C(1) << grid.lat_shift);
  const int64_t around = INT64_C(1) << (32u - grid.lon_shift);
  int64_t c = ((int64_t)lon - INT32_MIN) / (INT64_C(1) << grid.lon_shift);
  c = (c - grid.lon_base + around) % around;
  const int64_t row_number = r - grid.lat_base;
  if (row_number < 0 || row_number >= grid.rows || c >= grid.columns) {
    return false;
  }
  struct csd_geo_row row;
  memcpy(&row, entries + head + row_number, sizeof row);
  if ((row.inside & UINT64_C(1) << c) != 0) {
    return true;
  }
  if ((row.crossed & UINT64_C(1) << c) == 0) {
    return false;
  }
  return node->op == CSD_OP_GEO_DISTANCE
             ? is_in_circle(entries, lat, lon)
             : is_in_polygons(entries + head + grid.rows, node->range_count - head - grid.rows,
                              csd_geo_latitude(lat), csd_geo_longitude(lon));
}

bool program_area_has(const struct program_world *world, uint32_t doc,
                      const struct csd_plan_node *node) {
  uint32_t n;
  const int64_t *values = program_column_values(&world->column[node->list], doc, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (is_in_area(node, values[i])) {
      return true;
    }
  }
  return false;
}

uint32_t program_origin_add(struct program_world *world) {
  const uint32_t at = program_plan.header.range_count++;
  const struct csd_geo_point point = {.lat = (double)below(world, 181) - 90.0,
                                      .lon = (double)below(world, 3601) / 10.0 - 180.0};
  memcpy(&program_plan.ranges[at], &point, sizeof point);
  return at;
}

double program_nearest(uint32_t origin, const int64_t *values, uint32_t count) {
  struct csd_geo_point point;
  memcpy(&point, &program_plan.ranges[origin], sizeof point);
  const struct csd_geo_centre from = csd_geo_centre_of(point.lat, point.lon);
  double nearest = INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    nearest = fmin(nearest, csd_geo_key(&from, (int32_t)(values[i] >> 32), (int32_t)values[i]));
  }
  return nearest;
}
