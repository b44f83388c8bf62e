/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** RANGES: docs by range of values. Ranges may overlap; a doc counts once in each that it is in. */
#ifndef CSD_RANGES_H
#define CSD_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/aggregate/values.h"
#include "core/plan/arena.h"
#include "core/plan/plan.h"

/** The ranges cut the values into pieces, which are numbered from 0 on. */
struct csd_ranges {
  uint32_t range_count;
  uint32_t start_count; /* pieces less 1 */
  int64_t *starts;      /* of piece 1, 2, ... */
  uint32_t *pieces;     /* docs all of whose values are in one piece, by piece */
  uint16_t *first;      /* by range: its first piece */
  uint16_t *last;       /* and its last */
  uint32_t *counts;     /* by range: docs with values in several pieces */
  uint16_t *found;      /* pieces of one doc, */
  uint32_t found_count; /* which may continue in the next block */
  uint64_t several;     /* such docs that are in a range */
};

/** Returns false if the arena has no room. */
bool csd_ranges_make(struct csd_ranges *ranges, struct csd_arena *arena,
                     const struct csd_plan *plan, const struct csd_aggregate *aggregate);

void csd_ranges_add(struct csd_ranges *ranges, const struct csd_value_block *block);

/** Whether all values from `lo` to `hi` are in one piece. */
bool csd_ranges_may_repeat(const struct csd_ranges *ranges, int64_t lo, int64_t hi);

/** Adds so many docs with values in the piece of `value` alone. */
void csd_ranges_repeat(struct csd_ranges *ranges, int64_t value, uint32_t docs);

/**
 * Gives the counts.
 *
 * @param counts  receives range_count of u32; need not be aligned
 * @return docs in at least one range
 */
uint64_t csd_ranges_close(const struct csd_ranges *ranges, uint8_t *counts);

#endif
