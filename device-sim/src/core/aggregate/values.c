/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_aggregate.c. */
#include "core/aggregate/values.h"

#include "core/columns/page/column_values.h"

void csd_values_choose(const struct csd_column_page *page, const struct csd_column_facts *facts,
                       const uint32_t *docs, uint32_t n, bool is_run, uint32_t *ranks,
                       struct csd_value_choice *choice) {
  const struct csd_column_page_header *h = &page->header;
  choice->page = page;
  choice->facts = facts;
  choice->ranks = NULL;
  choice->offset = 0;
  if (is_run) {
    const uint32_t end = docs[n - 1u] + 1u;
    choice->first = csd_column_rank(page, docs[0]);
    const uint32_t behind =
        end - h->first_doc == h->doc_span ? h->doc_count : csd_column_rank(page, end);
    choice->count = behind - choice->first;
    return;
  }
  if (h->presence == CSD_COLUMN_PRESENCE_ALL) {
    choice->ranks = docs;
    choice->offset = h->first_doc;
    choice->count = n;
    return;
  }
  choice->ranks = ranks;
  uint32_t found = 0;
  for (uint32_t i = 0; i < n; i++) {
    found += csd_column_find(page, docs[i], &ranks[found]);
  }
  choice->count = found;
}

void csd_values_of_one(const struct csd_value_kernels *kernels,
                       const struct csd_value_choice *choice, uint32_t from, uint32_t n,
                       int64_t *values) {
  const struct csd_packed_values packed = csd_column_packed_values(choice->facts);
  if (choice->ranks == NULL) {
    kernels->unpack(&packed, choice->first + from, n, values);
  } else {
    kernels->gather(&packed, choice->ranks + from, choice->offset, n, values);
  }
  csd_column_look_up(choice->facts, values, n);
}

/* Number of values of the doc of that rank. */
static inline uint32_t count_of(const struct csd_column_page *page, uint32_t rank) {
  return 1u + (uint32_t)csd_load_packed_u64(page->bytes + page->counts_at, page->header.count_bits,
                                            rank);
}

void csd_values_of_several(const struct csd_value_kernels *kernels,
                           const struct csd_value_choice *choice, struct csd_value_walk *walk,
                           struct csd_value_block *block) {
  const struct csd_column_page *page = choice->page;
  const struct csd_packed_values packed = csd_column_packed_values(choice->facts);
  uint32_t docs = 0;
  uint32_t values = 0;
  uint32_t behind = UINT32_MAX; /* rank whose first value is number `value` */
  uint32_t value = 0;
  block->continued = walk->given > 0;
  block->before = walk->last;
  block->unfinished = false;
  while (walk->docs < choice->count && docs < CSD_VALUE_BLOCK_DOCS &&
         values < CSD_VALUE_BLOCK_VALUES) {
    const uint32_t rank = choice->ranks == NULL ? choice->first + walk->docs
                                                : choice->ranks[walk->docs] - choice->offset;
    if (behind > rank || behind / CSD_COLUMN_BLOCK_DOCS != rank / CSD_COLUMN_BLOCK_DOCS) {
      value = csd_column_first_value(page, rank);
      behind = rank;
    }
    if (behind < rank) {
      value += csd_column_values_between(page, behind, rank);
      behind = rank;
    }
    const uint32_t left = count_of(page, rank) - walk->given;
    const uint32_t room = CSD_VALUE_BLOCK_VALUES - values;
    const uint32_t n = left < room ? left : room;
    kernels->unpack(&packed, value + walk->given, n, walk->values + values);
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
  block->values = walk->values;
  block->min = page->header.min;
  block->max = page->header.max;
  csd_column_look_up(choice->facts, walk->values, values);
  walk->last = walk->values[values - 1u];
}
