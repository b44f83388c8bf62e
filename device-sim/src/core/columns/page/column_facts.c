/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/columns/test_column_walk.c. */
#include "core/columns/page/column_facts.h"

#include <string.h>

void csd_column_memo_open(struct csd_column_memo *memo, void *memory, uint64_t bytes) {
  uint32_t count = 1;
  while (count < UINT32_C(1) << 30 && 2u * (uint64_t)count * sizeof *memo->facts <= bytes) {
    count *= 2u;
  }
  memo->facts = memory;
  memo->count = count;
  memo->cleared = false;
}

void csd_column_memo_clear(struct csd_column_memo *memo) {
  memset(memo->facts, 0, memo->count * sizeof *memo->facts);
  memo->cleared = true;
}

struct csd_column_facts csd_column_facts_of_entry(const struct csd_column_entry *entry) {
  return (struct csd_column_facts){
      .first_doc = entry->first_doc,
      .last_doc = entry->last_doc,
      .all_docs = entry->all_docs,
      .min = csd_column_rounded(entry->min),
      .max = csd_column_rounded(entry->max),
  };
}

struct csd_column_facts csd_column_facts_of_page(const struct csd_column_page *page,
                                                 uint64_t place) {
  const struct csd_column_page_header *h = &page->header;
  return (struct csd_column_facts){
      .stamp = h->stamp,
      .page = page->bytes,
      .place = place,
      .file_page = h->file_page,
      .first_doc = h->first_doc,
      .last_doc = h->first_doc + h->doc_span - 1u,
      .all_docs = h->doc_count == h->doc_span,
      .exact = true,
      .plain = h->presence == CSD_COLUMN_PRESENCE_ALL && (h->flags & CSD_COLUMN_FLAG_MULTI) == 0,
      .table = (h->flags & CSD_COLUMN_FLAG_TABLE) != 0,
      .value_bits = h->value_bits,
      .values_at = (uint16_t)page->values_at,
      .min = h->min,
      .max = h->max,
      .unit = h->unit,
  };
}
