/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_columns.c, which compares programs with a plain
 * evaluation. */
#include "core/columns/column_set.h"

#include <string.h>

#include "core/columns/page/column_parts.h"

/* The map has about so many bits for each range, so that few other values share one. */
#define BITS_PER_RANGE 128u
#define MIN_MAP_BITS 1024u
#define MAX_MAP_BITS 262144u /* 32 KiB: what the fastest cache holds */

/* Bits of the map of a set over so many values less 1; *shift is set to the values of a bit. */
static uint64_t map_bits(uint32_t ranges, uint64_t span, unsigned *shift) {
  uint64_t most = MIN_MAP_BITS;
  while (most < MAX_MAP_BITS && most < (uint64_t)ranges * BITS_PER_RANGE) {
    most *= 2u;
  }
  *shift = 0;
  while (span >> *shift >= most) {
    ++*shift;
  }
  return (span >> *shift) + 1u;
}

size_t csd_value_set_init(struct csd_value_set *set, const uint8_t *ranges, uint32_t count,
                          const struct csd_column_ref *ref) {
  memset(set, 0, sizeof *set);
  set->ranges = ranges;
  set->count = count;
  const struct csd_value_range hull = csd_value_set_hull(set);
  const int64_t lo = hull.lo > ref->min ? hull.lo : ref->min;
  const int64_t hi = hull.hi < ref->max ? hull.hi : ref->max;
  set->base = lo;
  set->span = lo <= hi ? (uint64_t)hi - (uint64_t)lo : 0;
  const uint64_t bits = map_bits(count, set->span, &set->shift);
  return (size_t)(bits + 63u) / 64u * sizeof *set->map;
}

/* The first of the ranges `from` to `to` - 1 that ends at `value` or later; `to` if none does. */
static uint32_t first_ending(const struct csd_value_set *set, uint32_t from, uint32_t to,
                             int64_t value) {
  /* Without a branch on the ranges: which half is next would be a guess. */
  uint32_t left = to - from;
  while (left > 1u) {
    const uint32_t half = left / 2u;
    from += half & (0u - (uint32_t)(csd_value_set_hi(set, from + half - 1u) < value));
    left -= half;
  }
  return from + (left == 1u && csd_value_set_hi(set, from) < value);
}

/* Whether a value is in one of the page's ranges. */
static bool is_in_ranges(const struct csd_value_set *set, int64_t value) {
  const uint32_t at = first_ending(set, set->first, set->end, value);
  return at < set->end && csd_value_set_lo(set, at) <= value;
}

enum csd_set_verdict csd_value_set_narrow(const struct csd_value_set *set, int64_t min, int64_t max,
                                          uint32_t *first, uint32_t *end) {
  *first = first_ending(set, 0, set->count, min);
  *end = *first;
  if (*first == set->count || csd_value_set_lo(set, *first) > max) {
    return CSD_SET_NONE;
  }
  if (csd_value_set_lo(set, *first) <= min && csd_value_set_hi(set, *first) >= max) {
    *end = *first + 1u;
    return CSD_SET_ALL;
  }
  *end = first_ending(set, *first, set->count, max);
  *end += *end < set->count && csd_value_set_lo(set, *end) <= max;
  return CSD_SET_SOME;
}

/* Sets the bits from `from` to `to`. */
static void set_run(uint64_t *bits, uint64_t from, uint64_t to) {
  const uint64_t head = UINT64_MAX << (from & 63u);
  const uint64_t tail = UINT64_MAX >> (63u - (to & 63u));
  if (from / 64u == to / 64u) {
    bits[from / 64u] |= head & tail;
    return;
  }
  bits[from / 64u] |= head;
  for (uint64_t w = from / 64u + 1u; w < to / 64u; w++) {
    bits[w] = UINT64_MAX;
  }
  bits[to / 64u] |= tail;
}

static void make_map(struct csd_value_set *set) {
  const uint64_t words = ((set->span >> set->shift) + 64u) / 64u;
  memset(set->map, 0, (size_t)words * sizeof *set->map);
  const int64_t top = (int64_t)((uint64_t)set->base + set->span);
  uint32_t first;
  uint32_t end;
  csd_value_set_narrow(set, set->base, top, &first, &end);
  for (uint32_t i = first; i < end; i++) {
    const int64_t lo = csd_value_set_lo(set, i);
    const int64_t hi = csd_value_set_hi(set, i);
    const uint64_t from = lo > set->base ? (uint64_t)lo - (uint64_t)set->base : 0;
    const uint64_t to = hi < top ? (uint64_t)hi - (uint64_t)set->base : set->span;
    set_run(set->map, from >> set->shift, to >> set->shift);
  }
  set->map_made = true;
}

/* What the set wants of a page's values: of all between the bounds, or of the parts with values. */
static enum csd_set_verdict ask(const void *wanted, const struct csd_column_entry *entry) {
  const struct csd_value_set *set = wanted;
  uint32_t first;
  uint32_t end;
  enum csd_set_verdict verdict = csd_value_set_narrow(set, csd_column_rounded(entry->min),
                                                      csd_column_rounded(entry->max), &first, &end);
  struct csd_parts_run run = {0};
  if (verdict != CSD_SET_SOME || !csd_parts_next(entry, &run)) {
    return verdict;
  }
  verdict = csd_value_set_narrow(set, run.min, run.max, &first, &end);
  while (verdict != CSD_SET_SOME && csd_parts_next(entry, &run)) {
    if (csd_value_set_narrow(set, run.min, run.max, &first, &end) != verdict) {
      verdict = CSD_SET_SOME;
    }
  }
  return verdict;
}

uint64_t csd_value_set_cost(const struct csd_value_set *set, const struct csd_column_ref *ref) {
  uint32_t first;
  uint32_t end;
  if (csd_value_set_narrow(set, ref->min, ref->max, &first, &end) == CSD_SET_NONE) {
    return 0;
  }
  /* As if the values were spread evenly. In double: a width may be 2^64. */
  double wanted = 0.0;
  for (uint32_t i = first; i < end; i++) {
    const int64_t lo = csd_value_set_lo(set, i) > ref->min ? csd_value_set_lo(set, i) : ref->min;
    const int64_t hi = csd_value_set_hi(set, i) < ref->max ? csd_value_set_hi(set, i) : ref->max;
    wanted += (double)((uint64_t)hi - (uint64_t)lo) + 1.0;
  }
  const double all = (double)((uint64_t)ref->max - (uint64_t)ref->min) + 1.0;
  const double share = wanted < all ? wanted / all : 1.0;
  return (uint64_t)((double)ref->doc_count * share) + ref->doc_count / CSD_SET_DOCS_PER_COST + 1u;
}

/* The runs of packed values that the page's ranges stand for. */
static enum csd_set_verdict take_runs(struct csd_value_set *set,
                                      const struct csd_column_page *page) {
  set->way = CSD_SET_BY_RUNS;
  set->run_count = 0;
  for (uint32_t i = set->first; i < set->end; i++) {
    const uint32_t run = set->run_count;
    set->run_count +=
        csd_column_pack_range(page, csd_value_set_lo(set, i), csd_value_set_hi(set, i),
                              &set->runs[run].first, &set->runs[run].last);
  }
  return set->run_count == 0 ? CSD_SET_NONE : CSD_SET_SOME;
}

/* A bit for each entry of the page's table: looks up whichever are fewer, ranges or entries. */
static enum csd_set_verdict take_table(struct csd_value_set *set,
                                       const struct csd_column_page *page) {
  const uint64_t entries = page->header.unit;
  uint64_t wanted = 0;
  memset(set->table, 0, sizeof set->table);
  if (set->end - set->first < entries) {
    uint64_t at = 0;
    for (uint32_t i = set->first; i < set->end; i++) {
      const int64_t hi = csd_value_set_hi(set, i);
      at = csd_column_entries_below(page, at, csd_value_set_lo(set, i));
      for (; at < entries && csd_column_table(page, at) <= hi; at++, wanted++) {
        set->table[at / 64u] |= UINT64_C(1) << (at & 63u);
      }
    }
  } else {
    for (uint64_t i = 0; i < entries; i++) {
      const bool has = is_in_ranges(set, csd_column_table(page, i));
      set->table[i / 64u] |= (uint64_t)has << (i & 63u);
      wanted += has;
    }
  }
  set->way = CSD_SET_BY_TABLE;
  set->page_map =
      (struct csd_value_map){.words = set->table, .unit = 1, .offset = 0, .span = entries - 1u};
  return wanted == 0 ? CSD_SET_NONE : CSD_SET_SOME;
}

static enum csd_set_verdict judge(void *wanted, const struct csd_kernels *kernels,
                                  const struct csd_column_page *page) {
  struct csd_value_set *set = wanted;
  const struct csd_column_page_header *h = &page->header;
  const enum csd_set_verdict verdict =
      csd_value_set_narrow(set, h->min, h->max, &set->first, &set->end);
  if (verdict != CSD_SET_SOME) {
    return verdict;
  }
  const uint32_t ranges = set->end - set->first;
  if (ranges <= CSD_SET_MAX_RUNS && ranges <= kernels->ranges_pay_to) {
    return take_runs(set, page);
  }
  if ((h->flags & CSD_COLUMN_FLAG_TABLE) != 0) {
    return take_table(set, page);
  }
  if (!set->map_made) {
    make_map(set);
  }
  set->way = CSD_SET_BY_MAP;
  set->page_map = (struct csd_value_map){.words = set->map,
                                         .unit = h->unit,
                                         .offset = (uint64_t)h->min - (uint64_t)set->base,
                                         .span = set->span,
                                         .shift = set->shift};
  return CSD_SET_SOME;
}

static bool has(const void *wanted, const struct csd_column_page *page, uint32_t i) {
  const struct csd_value_set *set = wanted;
  const uint64_t packed = csd_column_packed_value(page, i);
  if (set->way == CSD_SET_BY_RUNS) {
    bool found = false;
    for (uint32_t run = 0; run < set->run_count; run++) {
      found |= packed - set->runs[run].first <= set->runs[run].last - set->runs[run].first;
    }
    return found;
  }
  return csd_value_map_has(&set->page_map, packed) &&
         (set->page_map.shift == 0 || is_in_ranges(set, csd_column_value(page, i)));
}

/* Clears the bits of values that the map cannot tell from wanted ones. */
static void search_values(const struct csd_value_set *set, const struct csd_column_page *page,
                          uint32_t first, uint32_t n, uint64_t *words) {
  for (uint32_t i = 0; i < n; i += 64u) {
    uint64_t left = words[i / 64u] & (n - i < 64u ? (UINT64_C(1) << (n - i)) - 1u : UINT64_MAX);
    for (; left != 0; left &= left - 1u) {
      const uint32_t at = i + (uint32_t)__builtin_ctzll(left);
      if (!is_in_ranges(set, csd_column_value(page, first + at))) {
        words[i / 64u] &= ~(left & -left);
      }
    }
  }
}

/* Most bits of packed values that a map of their own is made for. */
#define PACKED_MAP_BITS 13u

/* Values of a page to each of its ranges, from which on such a map pays. */
#define PACKED_MAP_VALUES 4u

/*
 * Matches by a map of the page's packed values. The set's own map may stand for several values a
 * bit, and values are multiplied before they are looked up in it, which is slow if they are wide.
 */
static void match_packed(const struct csd_value_set *set, const struct csd_kernels *kernels,
                         const struct csd_column_page *page, uint32_t first, uint32_t n,
                         uint64_t *words) {
  const unsigned bits = page->header.value_bits;
  const uint64_t span = (UINT64_C(1) << bits) - 1u;
  uint64_t packed[(1u << PACKED_MAP_BITS) / 64u];
  memset(packed, 0, (size_t)(span / 64u + 1u) * sizeof packed[0]);
  for (uint32_t i = set->first; i < set->end; i++) {
    uint64_t from;
    uint64_t to;
    if (csd_column_pack_range(page, csd_value_set_lo(set, i), csd_value_set_hi(set, i), &from,
                              &to) &&
        from <= span) {
      set_run(packed, from, to < span ? to : span);
    }
  }
  const struct csd_value_map map = {.words = packed, .unit = 1, .offset = 0, .span = span};
  kernels->match_map(page->bytes + page->values_at, bits, first, n, &map, words);
}

/* Values that are compared with all runs before the next ones are. */
#define RUN_VALUES 2048u

static void match(const void *wanted, const struct csd_kernels *kernels,
                  const struct csd_column_page *page, uint32_t first, uint32_t n, uint64_t *words) {
  const struct csd_value_set *set = wanted;
  const uint8_t *values = page->bytes + page->values_at;
  const unsigned bits = page->header.value_bits;
  if (set->way == CSD_SET_BY_MAP && set->page_map.shift > 0 && bits <= PACKED_MAP_BITS &&
      (set->end - set->first) * PACKED_MAP_VALUES <= n) {
    match_packed(set, kernels, page, first, n, words);
    return;
  }
  if (set->way != CSD_SET_BY_RUNS) {
    kernels->match_map(values, bits, first, n, &set->page_map, words);
    if (set->page_map.shift > 0) {
      search_values(set, page, first, n, words);
    }
    return;
  }
  uint64_t found[RUN_VALUES / 64u];
  for (uint32_t at = 0; at < n; at += RUN_VALUES) {
    const uint32_t m = n - at < RUN_VALUES ? n - at : RUN_VALUES;
    kernels->match_range(values, bits, first + at, m, set->runs[0].first, set->runs[0].last,
                         words + at / 64u);
    for (uint32_t run = 1; run < set->run_count; run++) {
      kernels->match_range(values, bits, first + at, m, set->runs[run].first, set->runs[run].last,
                           found);
      for (uint32_t w = 0; w < (m + 63u) / 64u; w++) {
        words[at / 64u + w] |= found[w];
      }
    }
  }
}

const struct csd_column_wants csd_set_wants = {.docs_per_cost = CSD_SET_DOCS_PER_COST,
                                               .values_per_look = 32,
                                               .ask = ask,
                                               .judge = judge,
                                               .has = has,
                                               .match = match};
