/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The values that a COLUMN_IN node wants: ranges, ascending and without overlap, mostly of one
 * value each. Of a page only the ranges between its least and its greatest value are looked at.
 * Where those are few, the page's values are compared with each; else a map of bits tells of every
 * value whether it may be wanted, and a search in the ranges decides where a bit stands for
 * several.
 */
#ifndef CSD_COLUMN_SET_H
#define CSD_COLUMN_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/columns/column_wants.h"
#include "core/columns/page/column_page.h"
#include "core/kernels/bits.h"
#include "core/kernels/kernels.h"
#include "csd/csd_wire.h"

/** Most runs of packed values that a page is compared with one after the other. */
#define CSD_SET_MAX_RUNS 8u

/** Most entries of a page's table: it would fill the page. */
#define CSD_SET_MAX_TABLE (CSD_PAGE_BYTES / 8u)

/**
 * Docs whose values are found in about the time in which one doc is looked up elsewhere. As for a
 * range: values cost more to find in a set, and so do docs that are looked up in one.
 */
#define CSD_SET_DOCS_PER_COST 64u

/** How a page's values are compared. */
enum csd_set_way {
  CSD_SET_BY_RUNS,  /**< with runs of packed values, one after the other */
  CSD_SET_BY_TABLE, /**< by a bit for each entry of the page's table */
  CSD_SET_BY_MAP,   /**< by the map of the set */
};

/** The set, and what it wants of one page. */
struct csd_value_set {
  const uint8_t *ranges; /* value_range[count], checked; may be unaligned */
  uint32_t count;

  /* A bit for every 2^shift values from `base` to base + span: whether any of them is wanted. */
  int64_t base;
  uint64_t span;
  unsigned shift;
  bool map_made;
  uint64_t *map; /* made when a page first needs it */

  /* Of the page that csd_value_set_judge looked at last. */
  uint32_t first, end; /* the ranges that may have values of it */
  enum csd_set_way way;
  uint32_t run_count;
  struct {
    uint64_t first, last;
  } runs[CSD_SET_MAX_RUNS];
  struct csd_value_map page_map;
  uint64_t table[CSD_SET_MAX_TABLE / 64u]; /* bit i: entry i is wanted */
};

/** The least value of range `i`. */
static inline int64_t csd_value_set_lo(const struct csd_value_set *set, uint32_t i) {
  return (int64_t)csd_load_u64(set->ranges + sizeof(struct csd_value_range) * (size_t)i);
}

/** The greatest value of range `i`. */
static inline int64_t csd_value_set_hi(const struct csd_value_set *set, uint32_t i) {
  return (int64_t)csd_load_u64(set->ranges + sizeof(struct csd_value_range) * (size_t)i + 8u);
}

/** The values from the least to the greatest one. */
static inline struct csd_value_range csd_value_set_hull(const struct csd_value_set *set) {
  return (struct csd_value_range){.lo = csd_value_set_lo(set, 0),
                                  .hi = csd_value_set_hi(set, set->count - 1u)};
}

/**
 * Sets a set up, but for its map.
 *
 * @param ranges  checked value_range[count], which are kept; may be unaligned
 * @param ref     the column whose values are compared with it
 * @return bytes that the map takes; the caller sets set->map to as many
 */
size_t csd_value_set_init(struct csd_value_set *set, const uint8_t *ranges, uint32_t count,
                          const struct csd_column_ref *ref);

/** About how many docs have a value of the set, and what it takes to find them. */
uint64_t csd_value_set_cost(const struct csd_value_set *set, const struct csd_column_ref *ref);

/** Judges the values from `min` to `max`; the ranges that may have some are first to end - 1. */
enum csd_set_verdict csd_value_set_narrow(const struct csd_value_set *set, int64_t min, int64_t max,
                                          uint32_t *first, uint32_t *end);

/** Tells the values of a set. */
extern const struct csd_column_wants csd_set_wants;

#endif
