/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Which parts of a column page's range have values: what the page index keeps of a page beside the
 * range. After FLIXR (Koo et al., IEEE TC 2022, section 4.1: the bitmap index of a page).
 *
 * The numbers from an entry's min to its max (column_entry.h) are cut into parts of 2^shift
 * numbers, at multiples of that; shift is the least with which there are at most 64. Bit i is set
 * if the page may have values in part i. Where the values are few and close together, as ordinals
 * of a field with few keywords are, a part is one value. No bits: nothing is known, or no part is
 * empty, so that the range says as much.
 */
#ifndef CSD_COLUMN_PARTS_H
#define CSD_COLUMN_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/columns/page/column_entry.h"
#include "core/columns/page/column_page.h"

/** The bits of a checked page; the same for the same bytes, whoever makes them. */
uint64_t csd_column_parts(const struct csd_column_page *page);

/** The entry of a checked page. */
struct csd_page_range csd_column_range_of(const struct csd_column_page *page);

/** Whether a page may have values whose numbers, rounded down, are from `first` to `last`. */
bool csd_parts_may_match(const struct csd_column_entry *entry, uint32_t first, uint32_t last);

/** A stretch of parts that may have values. */
struct csd_parts_run {
  unsigned next; /* set to 0 before the first call: the part behind the stretch */
  int64_t min;   /* values that it may have; all that are in between */
  int64_t max;
};

/** Goes to the next stretch of an entry that has bits. Returns false if there is none. */
bool csd_parts_next(const struct csd_column_entry *entry, struct csd_parts_run *run);

/**
 * Makes 2^fold parts one, so that a page's bits take less room.
 *
 * @param min, max  of the entry
 */
uint64_t csd_parts_fold(uint64_t parts, uint32_t min, uint32_t max, unsigned fold);

/**
 * The opposite: of a part that was made of several, all may have values.
 *
 * @param folded  anything
 * @param parts   set to what csd_column_parts may return
 * @return false if `folded` has bits behind the last part
 */
bool csd_parts_unfold(uint64_t folded, uint32_t min, uint32_t max, unsigned fold, uint64_t *parts);

#endif
