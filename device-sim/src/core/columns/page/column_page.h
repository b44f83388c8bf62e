/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Column pages: where the parts of a page are, and its values. The format is in wire/WIRE.md,
 * section 2b. Everything but csd_column_lay_out wants a page that csd_column_check has passed.
 */
#ifndef CSD_COLUMN_PAGE_H
#define CSD_COLUMN_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/kernels/bits.h"
#include "csd/csd_wire.h"

/** A column page and the byte offsets of its parts. */
struct csd_column_page {
  const uint8_t *bytes;
  struct csd_column_page_header header;
  uint32_t table_at;  /* i64[header.unit], with TABLE */
  uint32_t docs_at;   /* BITMAP: u64 words; LIST: packed offsets */
  uint32_t ranks_at;  /* BITMAP: u16 for each block of docs: docs with a value before it */
  uint32_t starts_at; /* MULTI: u16 for each 128 docs with a value: values before them */
  uint32_t counts_at; /* MULTI: packed numbers of values, less 1 */
  uint32_t values_at; /* packed values */
};

/** Blocks of COLUMN_BLOCK_DOCS that so many docs make. */
static inline uint32_t csd_column_blocks(uint32_t docs) {
  return docs / CSD_COLUMN_BLOCK_DOCS + (docs % CSD_COLUMN_BLOCK_DOCS != 0);
}

/**
 * Finds the parts of a page whose header may hold anything.
 *
 * @return false if they would not end at used_bytes, or used_bytes is beyond the page
 */
bool csd_column_lay_out(const uint8_t *bytes, struct csd_column_page *page);

/** Entry `i` of the table of a page flagged TABLE. */
static inline int64_t csd_column_table(const struct csd_column_page *page, uint64_t i) {
  return (int64_t)csd_load_u64(page->bytes + page->table_at + 8u * i);
}

/** Value `i` of a page, as it is packed. */
static inline uint64_t csd_column_packed_value(const struct csd_column_page *page, uint32_t i) {
  return csd_load_packed_u64(page->bytes + page->values_at, page->header.value_bits, i);
}

/** Value `i` of a page. */
static inline int64_t csd_column_value(const struct csd_column_page *page, uint32_t i) {
  const uint64_t packed = csd_column_packed_value(page, i);
  return (page->header.flags & CSD_COLUMN_FLAG_TABLE) != 0
             ? csd_column_table(page, packed)
             : (int64_t)((uint64_t)page->header.min + page->header.unit * packed);
}

/** Number, among the docs with a value, of the first one at or after `doc`, which is in the span.
 */
uint32_t csd_column_rank(const struct csd_column_page *page, uint32_t doc);

/** The doc of that number, which is below doc_count. Slow for pages with a bitmap. */
uint32_t csd_column_doc(const struct csd_column_page *page, uint32_t rank);

/** Whether a doc of the span has a value; if so, *rank is its number. */
bool csd_column_find(const struct csd_column_page *page, uint32_t doc, uint32_t *rank);

/** How many values the docs of ranks `from` to `to` - 1 of a page with several a doc have. */
uint32_t csd_column_values_between(const struct csd_column_page *page, uint32_t from, uint32_t to);

/** Index of the first value of the doc of number `rank`; for doc_count, the number of values. */
uint32_t csd_column_first_value(const struct csd_column_page *page, uint32_t rank);

/** Number of the entries of the table of a page flagged TABLE that are below `value`; at least
 * `from` of them are. */
uint64_t csd_column_entries_below(const struct csd_column_page *page, uint64_t from, int64_t value);

/**
 * Translates the values from `lo` to `hi` into packed ones.
 *
 * @return false if no packed value of the page can be among them; else *first <= *last
 */
bool csd_column_pack_range(const struct csd_column_page *page, int64_t lo, int64_t hi,
                           uint64_t *first, uint64_t *last);

#endif
