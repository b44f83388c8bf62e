/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/columns/page/test_column_check.c and tests/core/program/test_program_columns.c.
 */
#include "core/columns/page/column_page.h"

static bool is_flagged(const struct csd_column_page *page, unsigned flag) {
  return (page->header.flags & flag) != 0;
}

/* Bytes of `count` packed values. */
static uint64_t packed_bytes(uint32_t count, unsigned bits) {
  return ((uint64_t)count * bits + 7u) / 8u;
}

/* Puts a part of so many bytes behind those before it; *end stays within a page and one byte. */
static uint32_t put(uint64_t *end, uint64_t bytes) {
  const uint64_t at = *end;
  *end = bytes > CSD_PAGE_BYTES - at ? CSD_PAGE_BYTES + 1u : at + bytes;
  return (uint32_t)(*end > CSD_PAGE_BYTES ? CSD_PAGE_BYTES : at);
}

bool csd_column_lay_out(const uint8_t *bytes, struct csd_column_page *page) {
  struct csd_column_page_header *h = &page->header;
  page->bytes = bytes;
  memcpy(h, bytes, sizeof *h);
  if (h->presence == CSD_COLUMN_PRESENCE_ALL && h->flags == 0) {
    /* Most pages have values alone. */
    page->table_at = page->docs_at = page->ranks_at = sizeof *h;
    page->starts_at = page->counts_at = page->values_at = sizeof *h;
    const uint64_t used = sizeof *h + packed_bytes(h->value_count, h->value_bits);
    return used <= CSD_PAGE_BYTES && used == h->used_bytes;
  }
  const uint64_t table = h->unit < CSD_PAGE_BYTES ? 8u * h->unit : CSD_PAGE_BYTES + 1u;
  const uint32_t words = h->doc_span / 64u + (h->doc_span % 64u != 0);
  page->docs_at = page->ranks_at = page->starts_at = page->counts_at = page->values_at = 0;
  uint64_t end = sizeof *h;
  page->table_at = put(&end, is_flagged(page, CSD_COLUMN_FLAG_TABLE) ? table : 0);
  if (end <= CSD_PAGE_BYTES) {
    page->docs_at = put(&end, h->presence == CSD_COLUMN_PRESENCE_BITMAP ? 8u * (uint64_t)words
                              : h->presence == CSD_COLUMN_PRESENCE_LIST
                                  ? packed_bytes(h->doc_count, h->doc_bits)
                                  : 0);
  }
  if (end <= CSD_PAGE_BYTES) {
    page->ranks_at = put(&end, h->presence == CSD_COLUMN_PRESENCE_BITMAP
                                   ? 2u * (uint64_t)csd_column_blocks(h->doc_span)
                                   : 0);
  }
  const bool multi = is_flagged(page, CSD_COLUMN_FLAG_MULTI);
  if (end <= CSD_PAGE_BYTES) {
    page->starts_at = put(&end, multi ? 2u * (uint64_t)csd_column_blocks(h->doc_count) : 0);
  }
  if (end <= CSD_PAGE_BYTES) {
    page->counts_at = put(&end, multi ? packed_bytes(h->doc_count, h->count_bits) : 0);
  }
  if (end <= CSD_PAGE_BYTES) {
    page->values_at = put(&end, packed_bytes(h->value_count, h->value_bits));
  }
  return end <= CSD_PAGE_BYTES && end == h->used_bytes;
}

static uint64_t word_at(const struct csd_column_page *page, uint32_t word) {
  return csd_load_u64(page->bytes + page->docs_at + 8u * (size_t)word);
}

static uint32_t offset_at(const struct csd_column_page *page, uint32_t rank) {
  return (uint32_t)csd_load_packed_u64(page->bytes + page->docs_at, page->header.doc_bits, rank);
}

uint32_t csd_column_rank(const struct csd_column_page *page, uint32_t doc) {
  const uint32_t offset = doc - page->header.first_doc;
  if (page->header.presence == CSD_COLUMN_PRESENCE_ALL) {
    return offset;
  }
  if (page->header.presence == CSD_COLUMN_PRESENCE_BITMAP) {
    const uint32_t block = offset / CSD_COLUMN_BLOCK_DOCS;
    uint32_t rank = csd_load_u16(page->bytes + page->ranks_at + 2u * block);
    if ((offset / 64u & 1u) != 0) {
      rank += csd_popcount(word_at(page, offset / 64u - 1u));
    }
    return rank +
           csd_popcount(word_at(page, offset / 64u) & ((UINT64_C(1) << (offset & 63u)) - 1u));
  }
  uint32_t low = 0;
  uint32_t high = page->header.doc_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2u;
    if (offset_at(page, middle) < offset) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}

uint32_t csd_column_doc(const struct csd_column_page *page, uint32_t rank) {
  const uint32_t first = page->header.first_doc;
  if (page->header.presence == CSD_COLUMN_PRESENCE_ALL) {
    return first + rank;
  }
  if (page->header.presence == CSD_COLUMN_PRESENCE_LIST) {
    return first + offset_at(page, rank);
  }
  uint32_t word = 0;
  uint32_t before = 0;
  uint64_t bits = word_at(page, 0);
  for (uint32_t here; (here = csd_popcount(bits)) <= rank - before;) {
    before += here;
    bits = word_at(page, ++word);
  }
  for (; before < rank; before++) {
    bits &= bits - 1u;
  }
  return first + 64u * word + (uint32_t)__builtin_ctzll(bits);
}

bool csd_column_find(const struct csd_column_page *page, uint32_t doc, uint32_t *rank) {
  const uint32_t offset = doc - page->header.first_doc;
  switch (page->header.presence) {
    case CSD_COLUMN_PRESENCE_ALL: *rank = offset; return true;
    case CSD_COLUMN_PRESENCE_BITMAP:
      if ((word_at(page, offset / 64u) >> (offset & 63u) & 1u) == 0) {
        return false;
      }
      *rank = csd_column_rank(page, doc);
      return true;
    default:
      *rank = csd_column_rank(page, doc);
      return *rank < page->header.doc_count && offset_at(page, *rank) == offset;
  }
}

/* Packed counts of more bits are added up one by one. */
#define MAX_SUMMED_BITS 8u

/* Bits of the counts that are added up at once: what is left of 64 behind a part of a byte. */
#define SUMMED_BITS 57u

/* The lowest bit of each of as many counts of BITS bits as are added up at once. */
#define LOWEST(BITS) \
  (((UINT64_C(1) << (SUMMED_BITS / (BITS) * (BITS))) - 1u) / ((UINT64_C(1) << (BITS)) - 1u))

uint32_t csd_column_values_between(const struct csd_column_page *page, uint32_t from, uint32_t to) {
  static const uint64_t LOWEST_BITS[MAX_SUMMED_BITS + 1u] = {
      0, LOWEST(1), LOWEST(2), LOWEST(3), LOWEST(4), LOWEST(5), LOWEST(6), LOWEST(7), LOWEST(8)};
  const uint8_t *counts = page->bytes + page->counts_at;
  const unsigned bits = page->header.count_bits;
  uint32_t values = to - from;
  if (bits > MAX_SUMMED_BITS) {
    for (uint32_t i = from; i < to; i++) {
      values += (uint32_t)csd_load_packed_u64(counts, bits, i);
    }
    return values;
  }
  const uint32_t at_once = bits == 0 ? to - from : SUMMED_BITS / bits;
  while (bits > 0 && from < to) {
    const uint32_t n = to - from < at_once ? to - from : at_once;
    const uint32_t at = bits * from;
    const uint64_t some = csd_load_u64(counts + at / 8u) >> (at & 7u);
    const uint64_t packed = some & ((UINT64_C(1) << (n * bits)) - 1u);
    for (unsigned bit = 0; bit < bits; bit++) {
      values += csd_popcount(packed & (LOWEST_BITS[bits] << bit)) << bit;
    }
    from += n;
  }
  return values;
}

uint32_t csd_column_first_value(const struct csd_column_page *page, uint32_t rank) {
  if (!is_flagged(page, CSD_COLUMN_FLAG_MULTI)) {
    return rank;
  }
  if (rank == page->header.doc_count) {
    return page->header.value_count;
  }
  const uint32_t block = rank / CSD_COLUMN_BLOCK_DOCS;
  return csd_load_u16(page->bytes + page->starts_at + 2u * block) +
         csd_column_values_between(page, block * CSD_COLUMN_BLOCK_DOCS, rank);
}

uint64_t csd_column_entries_below(const struct csd_column_page *page, uint64_t from,
                                  int64_t value) {
  /* Without a branch on the entries: which half is next would be a guess. */
  uint64_t left = page->header.unit - from;
  while (left > 1u) {
    const uint64_t half = left / 2u;
    from += half & (0u - (uint64_t)(csd_column_table(page, from + half - 1u) < value));
    left -= half;
  }
  return from + (left == 1u && csd_column_table(page, from) < value);
}

bool csd_column_pack_range(const struct csd_column_page *page, int64_t lo, int64_t hi,
                           uint64_t *first, uint64_t *last) {
  const struct csd_column_page_header *h = &page->header;
  lo = lo > h->min ? lo : h->min;
  hi = hi < h->max ? hi : h->max;
  if (lo > hi) {
    return false;
  }
  if (is_flagged(page, CSD_COLUMN_FLAG_TABLE)) {
    *first = csd_column_entries_below(page, 0, lo);
    *last = hi == h->max ? h->unit : csd_column_entries_below(page, *first, hi + 1);
    *last -= 1u; /* min is the first entry, so that one is at most hi unless lo is above it */
    return *first <= *last;
  }
  /* Both distances are from 0 to max - min, which as an unsigned number does not overflow. */
  const uint64_t to_lo = (uint64_t)lo - (uint64_t)h->min;
  *first = to_lo / h->unit + (to_lo % h->unit != 0);
  *last = ((uint64_t)hi - (uint64_t)h->min) / h->unit;
  return *first <= *last;
}
