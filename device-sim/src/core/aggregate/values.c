/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_aggregate.c. */
#include "core/aggregate/values.h"

void csd_values_choose(const struct csd_column_page *page, const uint32_t *docs, uint32_t n,
                       bool is_run, uint32_t *ranks, struct csd_value_choice *choice) {
  const struct csd_column_page_header *h = &page->header;
  choice->page = page;
  choice->ranks = NULL;
  if (is_run) {
    const uint32_t end = docs[n - 1u] + 1u;
    choice->first = csd_column_rank(page, docs[0]);
    const uint32_t behind =
        end - h->first_doc == h->doc_span ? h->doc_count : csd_column_rank(page, end);
    choice->count = behind - choice->first;
    return;
  }
  choice->ranks = ranks;
  choice->count = n;
  if (h->presence == CSD_COLUMN_PRESENCE_ALL) {
    for (uint32_t i = 0; i < n; i++) {
      ranks[i] = docs[i] - h->first_doc;
    }
    return;
  }
  uint32_t found = 0;
  for (uint32_t i = 0; i < n; i++) {
    found += csd_column_find(page, docs[i], &ranks[found]);
  }
  choice->count = found;
}

/* ---- one value a doc ---- */

/* Widest values of which any one can be loaded with one load of 64 bits. */
#define ONE_LOAD_BITS 57u

static inline uint64_t mask_of(unsigned bits) {
  return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1u;
}

static inline uint64_t load_at(const uint8_t *column, uint64_t bit, uint64_t mask) {
  return csd_load_u64(column + (bit >> 3)) >> (bit & 7u) & mask;
}

/* Unpacks `n` packed values from number `first` on. */
static void unpack_run(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n,
                       int64_t *out) {
  if (bits <= ONE_LOAD_BITS) {
    const uint64_t mask = mask_of(bits);
    uint64_t bit = (uint64_t)first * bits;
    for (uint32_t i = 0; i < n; i++, bit += bits) {
      out[i] = (int64_t)load_at(column, bit, mask);
    }
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    out[i] = (int64_t)csd_load_packed_u64(column, bits, first + i);
  }
}

static void unpack_some(const uint8_t *column, unsigned bits, const uint32_t *at, uint32_t n,
                        int64_t *out) {
  if (bits <= ONE_LOAD_BITS) {
    const uint64_t mask = mask_of(bits);
    for (uint32_t i = 0; i < n; i++) {
      out[i] = (int64_t)load_at(column, (uint64_t)at[i] * bits, mask);
    }
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    out[i] = (int64_t)csd_load_packed_u64(column, bits, at[i]);
  }
}

/* Turns packed values into values. */
static void unfold(const struct csd_column_page *page, int64_t *values, uint32_t n) {
  const struct csd_column_page_header *h = &page->header;
  if ((h->flags & CSD_COLUMN_FLAG_TABLE) != 0) {
    for (uint32_t i = 0; i < n; i++) {
      values[i] = csd_column_table(page, (uint64_t)values[i]);
    }
  } else if (h->unit != 1) {
    for (uint32_t i = 0; i < n; i++) {
      values[i] = (int64_t)((uint64_t)h->min + h->unit * (uint64_t)values[i]);
    }
  } else if (h->min != 0) {
    for (uint32_t i = 0; i < n; i++) {
      values[i] = (int64_t)((uint64_t)h->min + (uint64_t)values[i]);
    }
  }
}

/* ---- several ---- */

/* Number of values of the doc of that rank. */
static inline uint32_t count_of(const struct csd_column_page *page, uint32_t rank) {
  return 1u + (uint32_t)csd_load_packed_u64(page->bytes + page->counts_at, page->header.count_bits,
                                            rank);
}

static void next_of_several(const struct csd_value_choice *choice, struct csd_value_walk *walk,
                            struct csd_value_block *block) {
  const struct csd_column_page *page = choice->page;
  const uint8_t *column = page->bytes + page->values_at;
  uint32_t docs = 0;
  uint32_t values = 0;
  uint32_t behind = UINT32_MAX; /* rank whose first value is number `value` */
  uint32_t value = 0;
  block->continued = walk->given > 0;
  block->before = walk->last;
  block->unfinished = false;
  while (walk->docs < choice->count && docs < CSD_VALUE_BLOCK_DOCS &&
         values < CSD_VALUE_BLOCK_VALUES) {
    const uint32_t rank =
        choice->ranks == NULL ? choice->first + walk->docs : choice->ranks[walk->docs];
    if (behind > rank || behind / CSD_COLUMN_BLOCK_DOCS != rank / CSD_COLUMN_BLOCK_DOCS) {
      value = csd_column_first_value(page, rank);
      behind = rank;
    }
    for (; behind < rank; behind++) {
      value += count_of(page, behind);
    }
    const uint32_t left = count_of(page, rank) - walk->given;
    const uint32_t room = CSD_VALUE_BLOCK_VALUES - values;
    const uint32_t n = left < room ? left : room;
    unpack_run(column, page->header.value_bits, value + walk->given, n, walk->values + values);
    values += n;
    walk->ends[docs++] = values;
    block->unfinished = n < left;
    if (n < left) {
      walk->given += n;
      break;
    }
    value += walk->given + n;
    behind = rank + 1u;
    walk->given = 0;
    walk->docs++;
  }
  block->doc_count = docs;
  block->value_count = values;
  block->ends = walk->ends;
}

static void next_of_one(const struct csd_value_choice *choice, struct csd_value_walk *walk,
                        struct csd_value_block *block) {
  const struct csd_column_page *page = choice->page;
  const uint8_t *column = page->bytes + page->values_at;
  const uint32_t left = choice->count - walk->docs;
  const uint32_t n = left < CSD_VALUE_BLOCK_DOCS ? left : CSD_VALUE_BLOCK_DOCS;
  if (choice->ranks == NULL) {
    unpack_run(column, page->header.value_bits, choice->first + walk->docs, n, walk->values);
  } else {
    unpack_some(column, page->header.value_bits, choice->ranks + walk->docs, n, walk->values);
  }
  walk->docs += n;
  *block = (struct csd_value_block){.doc_count = n, .value_count = n};
}

void csd_values_next(const struct csd_value_choice *choice, struct csd_value_walk *walk,
                     struct csd_value_block *block) {
  const struct csd_column_page_header *h = &choice->page->header;
  if ((h->flags & CSD_COLUMN_FLAG_MULTI) != 0) {
    next_of_several(choice, walk, block);
  } else {
    next_of_one(choice, walk, block);
  }
  block->values = walk->values;
  block->min = h->min;
  block->max = h->max;
  unfold(choice->page, walk->values, block->value_count);
  walk->last = walk->values[block->value_count - 1u];
}
