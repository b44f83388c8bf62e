/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Areas over the points that a world's values are taken for. */
#include <math.h>
#include <string.h>

#include "core/geo/distance.h"
#include "tests/core/program/program_world.h"

enum { HEAD = 4, MAX_ROWS = 9, MAX_COLUMNS = 64 };

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
  const uint32_t all_rows = 1u << (32u - circle.lat_shift);
  const uint32_t most = all_rows < MAX_ROWS ? all_rows : MAX_ROWS;
  const uint32_t rows = 1u + below(world, most);
  circle.lat_base = below(world, all_rows - rows + 1u);
  circle.lon_base = below(world, 1u << (32u - circle.lon_shift));
  memcpy(&entries[0], &box, sizeof box);
  memcpy(&entries[1], &circle, sizeof circle);
  for (uint32_t r = 0; r < rows; r++) {
    const struct csd_geo_row row = {
        .inside = check_random(&world->random) & check_random(&world->random),
        .crossed = check_random(&world->random)};
    memcpy(&entries[HEAD + r], &row, sizeof row);
  }
  struct csd_plan_node *node = test_plan_set(&program_plan, occur, c, entries, HEAD + rows);
  node->op = CSD_OP_GEO_DISTANCE;
  node->weight = weight;
}

void program_area_node(struct program_world *world, uint32_t c, unsigned occur, float weight) {
  if (below(world, 2) == 0) {
    add_circle(world, c, occur, weight);
    return;
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

static bool is_in_area(const struct csd_value_range *entries, uint32_t count, int64_t point) {
  const int32_t lat = (int32_t)(point >> 32);
  const int32_t lon = (int32_t)point;
  struct csd_geo_box box;
  struct csd_geo_circle circle;
  memcpy(&box, entries, sizeof box);
  if (count == 1) {
    return is_in_box(&box, lat, lon);
  }
  memcpy(&circle, entries + 1, sizeof circle);
  const int64_t r = ((int64_t)lat - INT32_MIN) / (INT64_C(1) << circle.lat_shift);
  const int64_t around = INT64_C(1) << (32u - circle.lon_shift);
  int64_t c = ((int64_t)lon - INT32_MIN) / (INT64_C(1) << circle.lon_shift);
  c = (c - circle.lon_base + around) % around;
  const int64_t row_number = r - circle.lat_base;
  if (row_number < 0 || row_number >= (int64_t)count - HEAD || c >= circle.columns) {
    return false;
  }
  struct csd_geo_row row;
  memcpy(&row, entries + HEAD + row_number, sizeof row);
  if ((row.inside & UINT64_C(1) << c) != 0) {
    return true;
  }
  const struct csd_geo_centre from = csd_geo_centre_of(circle.lat, circle.lon);
  return (row.crossed & UINT64_C(1) << c) != 0 && is_in_box(&box, lat, lon) &&
         csd_geo_key(&from, lat, lon) <= circle.max_key;
}

bool program_area_has(const struct test_column *column, uint32_t doc,
                      const struct csd_value_range *entries, uint32_t count) {
  uint32_t n;
  const int64_t *values = program_column_values(column, doc, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (is_in_area(entries, count, values[i])) {
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
