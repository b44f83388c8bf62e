/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_aggregate.c. */
#include "core/aggregate/ranges.h"

#include <string.h>

/*
 * The piece of a value that is known to be in one from `low` to `high`. It takes as many steps
 * whatever the value, and none is a branch.
 */
static inline uint32_t piece_within(const struct csd_ranges *ranges, int64_t value, uint32_t low,
                                    uint32_t high) {
  for (uint32_t n = high - low; n > 0;) {
    const uint32_t half = (n + 1u) / 2u;
    low += half & -(uint32_t)(ranges->starts[low + half - 1u] <= value);
    n -= half;
  }
  return low;
}

static uint32_t piece_of(const struct csd_ranges *ranges, int64_t value) {
  return piece_within(ranges, value, 0, ranges->start_count);
}

/* Adds a start unless it is there. */
static void add_start(struct csd_ranges *ranges, int64_t start) {
  const uint32_t at = piece_of(ranges, start);
  if (at > 0 && ranges->starts[at - 1u] == start) {
    return;
  }
  memmove(ranges->starts + at + 1, ranges->starts + at,
          (ranges->start_count - at) * sizeof ranges->starts[0]);
  ranges->starts[at] = start;
  ranges->start_count++;
}

bool csd_ranges_make(struct csd_ranges *ranges, struct csd_arena *arena,
                     const struct csd_plan *plan, const struct csd_aggregate *aggregate) {
  const uint32_t n = aggregate->range_count;
  const uint32_t most = 2u * n + 1u; /* pieces */
  ranges->range_count = n;
  ranges->start_count = 0;
  ranges->several = 0;
  ranges->found_count = 0;
  ranges->starts = csd_arena_take(arena, most * sizeof ranges->starts[0]);
  ranges->pieces = csd_arena_take(arena, most * sizeof ranges->pieces[0]);
  ranges->found = csd_arena_take(arena, most * sizeof ranges->found[0]);
  ranges->first = csd_arena_take(arena, n * sizeof ranges->first[0]);
  ranges->last = csd_arena_take(arena, n * sizeof ranges->last[0]);
  ranges->counts = csd_arena_take(arena, n * sizeof ranges->counts[0]);
  if (ranges->starts == NULL || ranges->pieces == NULL || ranges->found == NULL ||
      ranges->first == NULL || ranges->last == NULL || ranges->counts == NULL) {
    return false;
  }
  for (uint32_t r = 0; r < n; r++) {
    const struct csd_value_range range = csd_plan_range_at(plan, aggregate->first_range + r);
    add_start(ranges, range.lo);
    if (range.hi < INT64_MAX) {
      add_start(ranges, range.hi + 1);
    }
  }
  for (uint32_t r = 0; r < n; r++) {
    const struct csd_value_range range = csd_plan_range_at(plan, aggregate->first_range + r);
    ranges->first[r] = (uint16_t)piece_of(ranges, range.lo);
    ranges->last[r] = (uint16_t)piece_of(ranges, range.hi);
  }
  memset(ranges->pieces, 0, most * sizeof ranges->pieces[0]);
  memset(ranges->counts, 0, n * sizeof ranges->counts[0]);
  return true;
}

/* Adds a doc with values in several pieces, which ascend. */
static void add_several(struct csd_ranges *ranges) {
  const uint32_t found = ranges->found_count;
  bool any = false;
  for (uint32_t r = 0; r < ranges->range_count; r++) {
    uint32_t i = 0;
    while (i < found && ranges->found[i] < ranges->first[r]) {
      i++;
    }
    const bool in = i < found && ranges->found[i] <= ranges->last[r];
    ranges->counts[r] += in;
    any |= in;
  }
  ranges->several += any;
}

void csd_ranges_add(struct csd_ranges *ranges, const struct csd_value_block *block) {
  const uint32_t low = piece_of(ranges, block->min);
  const uint32_t high = piece_of(ranges, block->max);
  if (block->ends == NULL) {
    for (uint32_t i = 0; i < block->value_count; i++) {
      ranges->pieces[piece_within(ranges, block->values[i], low, high)]++;
    }
    return;
  }
  uint32_t value = 0;
  for (uint32_t d = 0; d < block->doc_count; d++) {
    uint32_t piece = low;
    for (; value < block->ends[d]; value++) {
      piece = piece_within(ranges, block->values[value], piece, high); /* they ascend */
      if (ranges->found_count == 0 || ranges->found[ranges->found_count - 1u] != piece) {
        ranges->found[ranges->found_count++] = (uint16_t)piece;
      }
    }
    if (d + 1u == block->doc_count && block->unfinished) {
      return;
    }
    if (ranges->found_count == 1) {
      ranges->pieces[piece]++;
    } else {
      add_several(ranges);
    }
    ranges->found_count = 0;
  }
}

bool csd_ranges_may_repeat(const struct csd_ranges *ranges, int64_t lo, int64_t hi) {
  return piece_of(ranges, lo) == piece_of(ranges, hi);
}

void csd_ranges_repeat(struct csd_ranges *ranges, int64_t value, uint32_t docs) {
  ranges->pieces[piece_of(ranges, value)] += docs;
}

uint64_t csd_ranges_close(const struct csd_ranges *ranges, uint8_t *counts) {
  uint64_t in_any = ranges->several;
  for (uint32_t r = 0; r < ranges->range_count; r++) {
    uint32_t count = ranges->counts[r];
    for (uint32_t p = ranges->first[r]; p <= ranges->last[r]; p++) {
      count += ranges->pieces[p];
    }
    memcpy(counts + 4u * (size_t)r, &count, sizeof count);
  }
  for (uint32_t p = 0; p <= ranges->start_count; p++) {
    bool in = false;
    for (uint32_t r = 0; r < ranges->range_count && !in; r++) {
      in = ranges->first[r] <= p && p <= ranges->last[r];
    }
    in_any += in ? ranges->pieces[p] : 0;
  }
  return in_any;
}
