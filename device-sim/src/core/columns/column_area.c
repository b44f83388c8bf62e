/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_columns.c. */
#include "core/columns/column_area.h"

#include <string.h>

#define GEO_ENTRY_BYTES sizeof(struct csd_value_range)
#define SIGN (UINT32_C(1) << 31)

static void init_circle(struct csd_area *area, const uint8_t *entries, uint32_t count) {
  struct csd_geo_circle circle;
  const size_t head = sizeof area->box + sizeof circle;
  memcpy(&circle, entries + sizeof area->box, sizeof circle);
  area->grid = (struct csd_area_grid){.rows = entries + head,
                                      .row_count = count - (uint32_t)(head / GEO_ENTRY_BYTES),
                                      .columns = circle.columns,
                                      .lat_base = circle.lat_base,
                                      .lon_base = circle.lon_base,
                                      .lat_shift = circle.lat_shift,
                                      .lon_shift = circle.lon_shift};
  area->max_key = circle.max_key;
  area->centre = csd_geo_centre_of(circle.lat, circle.lon);
}

/* The entries of polygons, of which the first is `head`. */
struct polygon_entries {
  struct csd_geo_polygon head;
  const uint8_t *rows, *rings;
  uint32_t ring_entries;
};

static struct polygon_entries polygons_at(const uint8_t *entries, uint32_t count) {
  struct polygon_entries at = {.rows = entries + sizeof at.head};
  memcpy(&at.head, entries, sizeof at.head);
  at.rings = at.rows + at.head.rows * sizeof(struct csd_geo_row);
  at.ring_entries = count - 1u - at.head.rows;
  return at;
}

static void init_polygons(struct csd_area *area, const uint8_t *entries, uint32_t count) {
  const struct polygon_entries at = polygons_at(entries, count);
  area->grid = (struct csd_area_grid){.rows = at.rows,
                                      .row_count = at.head.rows,
                                      .columns = at.head.columns,
                                      .lat_base = at.head.lat_base,
                                      .lon_base = at.head.lon_base,
                                      .lat_shift = at.head.lat_shift,
                                      .lon_shift = at.head.lon_shift};
  csd_polygons_init(&area->polygons, at.rings, at.ring_entries, area + 1);
}

size_t csd_area_bytes(unsigned op, const uint8_t *entries, uint32_t count) {
  size_t polygons = 0;
  if (op == CSD_OP_GEO_POLYGON) {
    const struct polygon_entries at = polygons_at(entries, count);
    polygons = csd_polygons_bytes(at.rings, at.ring_entries);
  }
  return sizeof(struct csd_area) + polygons;
}

void csd_area_init(struct csd_area *area, unsigned op, const uint8_t *entries, uint32_t count) {
  memset(area, 0, sizeof *area);
  area->op = op;
  if (op == CSD_OP_GEO_POLYGON) {
    init_polygons(area, entries, count);
    return;
  }
  memcpy(&area->box, entries, sizeof area->box);
  if (op == CSD_OP_GEO_DISTANCE) {
    init_circle(area, entries, count);
  }
}

/* The value of a latitude and a longitude. */
static int64_t point_of(uint32_t lat, uint32_t lon) { return (int64_t)((uint64_t)lat << 32 | lon); }

struct csd_value_range csd_area_hull(const struct csd_area *area) {
  uint32_t min_lat = (uint32_t)area->box.min_lat;
  uint32_t max_lat = (uint32_t)area->box.max_lat;
  const struct csd_area_grid *grid = &area->grid;
  if (grid->rows != NULL) {
    min_lat = (grid->lat_base << grid->lat_shift) ^ SIGN;
    max_lat = (((grid->lat_base + grid->row_count) << grid->lat_shift) - 1u) ^ SIGN;
  }
  return (struct csd_value_range){.lo = point_of(min_lat, 0), .hi = point_of(max_lat, UINT32_MAX)};
}

static bool is_in_box(const struct csd_geo_box *box, int32_t lat, int32_t lon) {
  const uint32_t width = (uint32_t)box->max_lon - (uint32_t)box->min_lon; /* modulo 2^32 */
  return lat >= box->min_lat && lat <= box->max_lat &&
         (uint32_t)lon - (uint32_t)box->min_lon <= width;
}

/* Row `r` of the grid. */
static struct csd_geo_row row_at(const struct csd_area_grid *grid, uint32_t r) {
  struct csd_geo_row row;
  memcpy(&row, grid->rows + r * sizeof row, sizeof row);
  return row;
}

/* Whether a point of a cell that the area's edge crosses is in it. */
static bool has_exactly(const struct csd_area *area, int32_t lat, int32_t lon) {
  if (area->op == CSD_OP_GEO_POLYGON) {
    return csd_polygons_have(&area->polygons, csd_geo_latitude(lat), csd_geo_longitude(lon));
  }
  return is_in_box(&area->box, lat, lon) && csd_geo_key(&area->centre, lat, lon) <= area->max_key;
}

bool csd_area_has(const struct csd_area *area, int64_t point) {
  const int32_t lat = (int32_t)(point >> 32);
  const int32_t lon = (int32_t)(uint32_t)point;
  const struct csd_area_grid *grid = &area->grid;
  if (grid->rows == NULL) {
    return is_in_box(&area->box, lat, lon);
  }
  const uint32_t r = (((uint32_t)lat ^ SIGN) >> grid->lat_shift) - grid->lat_base;
  const uint32_t c = ((((uint32_t)lon ^ SIGN) >> grid->lon_shift) - grid->lon_base) &
                     (UINT32_MAX >> grid->lon_shift);
  if (r >= grid->row_count || c >= grid->columns) {
    return false;
  }
  const struct csd_geo_row row = row_at(grid, r);
  return (row.inside >> c & 1u) != 0 ||
         ((row.crossed >> c & 1u) != 0 && has_exactly(area, lat, lon));
}

/* ---- for a cursor ---- */

/* The hull has been looked at. */
static enum csd_set_verdict ask(const void *wanted, const struct csd_column_entry *entry) {
  (void)wanted;
  (void)entry;
  return CSD_SET_SOME;
}

static enum csd_set_verdict judge(void *wanted, const struct csd_kernels *kernels,
                                  const struct csd_column_page *page) {
  (void)kernels;
  struct csd_area *area = wanted;
  const struct csd_value_range hull = csd_area_hull(area);
  return csd_column_pack_range(page, hull.lo, hull.hi, &area->first, &area->last) ? CSD_SET_SOME
                                                                                  : CSD_SET_NONE;
}

static bool has(const void *wanted, const struct csd_column_page *page, uint32_t i) {
  return csd_area_has(wanted, csd_column_value(page, i));
}

/* Compares the latitudes of all, then looks at the points that are left. */
static void match(const void *wanted, const struct csd_kernels *kernels,
                  const struct csd_column_page *page, uint32_t first, uint32_t n, uint64_t *words) {
  const struct csd_area *area = wanted;
  kernels->match_range(page->bytes + page->values_at, page->header.value_bits, first, n,
                       area->first, area->last, words);
  for (uint32_t i = 0; i < n; i += 64u) {
    uint64_t left = words[i / 64u] & (n - i < 64u ? (UINT64_C(1) << (n - i)) - 1u : UINT64_MAX);
    for (; left != 0; left &= left - 1u) {
      const uint32_t at = first + i + (uint32_t)__builtin_ctzll(left);
      if (at >= page->header.value_count || !csd_area_has(area, csd_column_value(page, at))) {
        words[i / 64u] &= ~(left & -left);
      }
    }
  }
}

const struct csd_column_wants csd_area_wants = {.docs_per_cost = 16,
                                                .values_per_look = 4,
                                                .ask = ask,
                                                .judge = judge,
                                                .has = has,
                                                .match = match};
