/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/columns/page/test_column_parts.c. */
#include "core/columns/page/column_parts.h"

#define PARTS 64u

/* Bits from `first` to `last`. */
static uint64_t bits_from(unsigned first, unsigned last) {
  return UINT64_MAX << first & UINT64_MAX >> (PARTS - 1u - last);
}

/* The least shift with which the numbers from min to max are in at most 64 parts. */
static unsigned shift_of(uint32_t min, uint32_t max) {
  const uint32_t width = max - min;
  if (width < PARTS) {
    return 0;
  }
  const unsigned shift = 32u - (unsigned)__builtin_clz(width / PARTS);
  return (max >> shift) - (min >> shift) < PARTS ? shift : shift + 1u;
}

/* The part of a number that is not below min. */
static unsigned part_of(uint32_t number, uint32_t min, unsigned shift) {
  return (number >> shift) - (min >> shift);
}

/* No bits instead of all of them up to `last`. */
static uint64_t unless_full(uint64_t parts, unsigned last) {
  return parts == bits_from(0, last) ? 0 : parts;
}

static uint64_t bit_of(int64_t value, uint32_t min, unsigned shift) {
  return UINT64_C(1) << part_of(csd_column_round_down(value), min, shift);
}

uint64_t csd_column_parts(const struct csd_column_page *page) {
  const struct csd_column_page_header *h = &page->header;
  const uint32_t min = csd_column_round_down(h->min);
  const unsigned shift = shift_of(min, csd_column_round_up(h->max));
  const unsigned last = part_of(csd_column_round_down(h->max), min, shift);
  const uint64_t full = bits_from(0, last);
  const bool table = (h->flags & CSD_COLUMN_FLAG_TABLE) != 0;
  const uint64_t count = table ? h->unit : h->value_count;
  uint64_t parts = 1u | UINT64_C(1) << last; /* of min and max */
  /* Of many values there are soon some in every part. */
  for (uint64_t i = 0; i < count && parts != full; i++) {
    const int64_t value = table ? csd_column_table(page, i) : csd_column_value(page, (uint32_t)i);
    parts |= bit_of(value, min, shift);
  }
  return unless_full(parts, last);
}

struct csd_page_range csd_column_range_of(const struct csd_column_page *page) {
  const struct csd_column_page_header *header = &page->header;
  const bool all = header->doc_count == header->doc_span;
  return (struct csd_page_range){
      .lead_first_doc = header->first_doc | CSD_PAGE_RANGE_COLUMN,
      .lead_last_doc =
          (header->first_doc + header->doc_span - 1u) | (all ? CSD_COLUMN_ENTRY_ALL : 0),
      .lead_impacts =
          (uint64_t)csd_column_round_up(header->max) << 32 | csd_column_round_down(header->min),
      .parts = csd_column_parts(page),
  };
}

bool csd_parts_may_match(const struct csd_column_entry *entry, uint32_t first, uint32_t last) {
  if (entry->parts == 0) {
    return true;
  }
  const unsigned shift = shift_of(entry->min, entry->max);
  const uint32_t from = first > entry->min ? first : entry->min;
  const uint32_t to = last < entry->max ? last : entry->max;
  return from <= to && (entry->parts & bits_from(part_of(from, entry->min, shift),
                                                 part_of(to, entry->min, shift))) != 0;
}

/* The greatest value that has a number, rounded down, which is not the last number. */
static int64_t greatest_of(uint32_t number) {
  const int64_t next = csd_column_rounded(number + 1u);
  return next == INT64_MIN || next == INT64_MAX ? next : next - 1; /* nothing is beyond these */
}

bool csd_parts_next(const struct csd_column_entry *entry, struct csd_parts_run *run) {
  const uint64_t left = run->next < PARTS ? entry->parts >> run->next << run->next : 0;
  if (left == 0) {
    return false;
  }
  const unsigned shift = shift_of(entry->min, entry->max);
  const unsigned first = (unsigned)__builtin_ctzll(left);
  const uint64_t gaps = ~left & UINT64_MAX << first;
  run->next = gaps == 0 ? PARTS : (unsigned)__builtin_ctzll(gaps);
  const uint64_t from = (uint64_t)((entry->min >> shift) + first) << shift;
  const uint64_t to = ((uint64_t)((entry->min >> shift) + run->next) << shift) - 1u;
  run->min = csd_column_rounded(from > entry->min ? (uint32_t)from : entry->min);
  run->max = to < entry->max ? greatest_of((uint32_t)to) : csd_column_rounded(entry->max);
  return true;
}

uint64_t csd_parts_fold(uint64_t parts, uint32_t min, uint32_t max, unsigned fold) {
  const uint32_t base = min >> shift_of(min, max);
  uint64_t folded = 0;
  for (; parts != 0; parts &= parts - 1u) {
    const uint32_t part = base + (uint32_t)__builtin_ctzll(parts);
    folded |= UINT64_C(1) << ((part >> fold) - (base >> fold));
  }
  return folded;
}

bool csd_parts_unfold(uint64_t folded, uint32_t min, uint32_t max, unsigned fold, uint64_t *parts) {
  const unsigned shift = shift_of(min, max);
  const uint32_t base = min >> shift;
  const unsigned last = part_of(max, min, shift);
  uint64_t unfolded = 0;
  for (unsigned i = 0; i <= last; i++) {
    const uint32_t at = ((base + i) >> fold) - (base >> fold);
    unfolded |= (folded >> at & 1u) << i;
  }
  *parts = unless_full(unfolded, last);
  return folded >> (((base + last) >> fold) - (base >> fold)) <= 1u;
}
