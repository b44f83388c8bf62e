/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_columns.c. */
#include "core/columns/column_area.h"

#include <string.h>

#define GEO_ENTRY_BYTES sizeof(struct csd_value_range)
#define SIGN (UINT32_C(1) << 31)

void csd_area_init(struct csd_area *area, const uint8_t *entries, uint32_t count) {
  memset(area, 0, sizeof *area);
  memcpy(&area->box, entries, sizeof area->box);
  if (count > 1u) {
    const size_t head = sizeof area->box + sizeof area->circle;
    memcpy(&area->circle, entries + sizeof area->box, sizeof area->circle);
    area->rows = entries + head;
    area->row_count = count - (uint32_t)(head / GEO_ENTRY_BYTES);
    area->centre = csd_geo_centre_of(area->circle.lat, area->circle.lon);
  }
}

/* The value of a latitude and a longitude. */
static int64_t point_of(uint32_t lat, uint32_t lon) { return (int64_t)((uint64_t)lat << 32 | lon); }

struct csd_value_range csd_area_hull(const struct csd_area *area) {
  uint32_t min_lat = (uint32_t)area->box.min_lat;
  uint32_t max_lat = (uint32_t)area->box.max_lat;
  if (area->rows != NULL) {
    const unsigned shift = area->circle.lat_shift;
    min_lat = (area->circle.lat_base << shift) ^ SIGN;
    max_lat = (((area->circle.lat_base + area->row_count) << shift) - 1u) ^ SIGN;
  }
  return (struct csd_value_range){.lo = point_of(min_lat, 0), .hi = point_of(max_lat, UINT32_MAX)};
}

static bool is_in_box(const struct csd_geo_box *box, int32_t lat, int32_t lon) {
  const uint32_t width = (uint32_t)box->max_lon - (uint32_t)box->min_lon; /* modulo 2^32 */
  return lat >= box->min_lat && lat <= box->max_lat &&
         (uint32_t)lon - (uint32_t)box->min_lon <= width;
}

/* Row `r` of the grid. */
static struct csd_geo_row row_at(const struct csd_area *area, uint32_t r) {
  struct csd_geo_row row;
  memcpy(&row, area->rows + r * sizeof row, sizeof row);
  return row;
}

bool csd_area_has(const struct csd_area *area, int64_t point) {
  const int32_t lat = (int32_t)(point >> 32);
  const int32_t lon = (int32_t)(uint32_t)point;
  if (area->rows == NULL) {
    return is_in_box(&area->box, lat, lon);
  }
  const struct csd_geo_circle *circle = &area->circle;
  const uint32_t r = (((uint32_t)lat ^ SIGN) >> circle->lat_shift) - circle->lat_base;
  const uint32_t c = ((((uint32_t)lon ^ SIGN) >> circle->lon_shift) - circle->lon_base) &
                     (UINT32_MAX >> circle->lon_shift);
  if (r >= area->row_count || c >= circle->columns) {
    return false;
  }
  const struct csd_geo_row row = row_at(area, r);
  return (row.inside >> c & 1u) != 0 ||
         ((row.crossed >> c & 1u) != 0 && is_in_box(&area->box, lat, lon) &&
          csd_geo_key(&area->centre, lat, lon) <= circle->max_key);
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
  const struct csd_value_range hull = csd_area_hull(wanted);
  return hull.lo > page->header.max || hull.hi < page->header.min ? CSD_SET_NONE : CSD_SET_SOME;
}

static bool has(const void *wanted, const struct csd_column_page *page, uint32_t i) {
  return csd_area_has(wanted, csd_column_value(page, i));
}

/* Values that are unpacked at once. */
#define VALUES_AT_ONCE 256u

static void match(const void *wanted, const struct csd_kernels *kernels,
                  const struct csd_column_page *page, uint32_t first, uint32_t n, uint64_t *words) {
  const struct csd_area *area = wanted;
  const bool table = (page->header.flags & CSD_COLUMN_FLAG_TABLE) != 0;
  const struct csd_packed_values packed = {.column = page->bytes + page->values_at,
                                           .bits = page->header.value_bits,
                                           .unit = page->header.unit,
                                           .base = (uint64_t)page->header.min};
  int64_t values[VALUES_AT_ONCE];
  memset(words, 0, (size_t)((n + 63u) / 64u) * sizeof *words);
  for (uint32_t at = 0; at < n; at += VALUES_AT_ONCE) {
    const uint32_t left = page->header.value_count - (first + at); /* n may be beyond the last */
    uint32_t m = n - at < VALUES_AT_ONCE ? n - at : VALUES_AT_ONCE;
    m = m < left ? m : left;
    if (!table) {
      kernels->values->unpack(&packed, first + at, m, values);
    }
    for (uint32_t i = 0; i < m; i++) {
      const int64_t point = table ? csd_column_value(page, first + at + i) : values[i];
      words[(at + i) / 64u] |= (uint64_t)csd_area_has(area, point) << ((at + i) & 63u);
    }
    if (m < VALUES_AT_ONCE) {
      break;
    }
  }
}

const struct csd_column_wants csd_area_wants = {
    .docs_per_cost = 16, .ask = ask, .judge = judge, .has = has, .match = match};
