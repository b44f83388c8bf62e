/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/columns/page/column_check.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/status.h"
#include "core/columns/page/column_page.h"
#include "core/kernels/crc32c.h"

enum { CRC_START = 12, MAX_DOC_BITS = 31, MAX_COUNT_BITS = 16, MAX_VALUE_BITS = 64 };

_Static_assert(offsetof(struct csd_column_page_header, crc32c) + 4 == CRC_START,
               "crc32c ends at byte 12");

#define CORRUPT_IF(condition, ...)                                           \
  do {                                                                       \
    if (condition) {                                                         \
      return csd_fail(CSD_STATUS_PAGE_CORRUPT, "column page: " __VA_ARGS__); \
    }                                                                        \
  } while (0)

bool csd_column_has_magic(const uint8_t *page) { return csd_load_u32(page) == CSD_COLUMN_MAGIC; }

static int check_header(const struct csd_column_page_header *h) {
  const bool multi = (h->flags & CSD_COLUMN_FLAG_MULTI) != 0;
  const bool list = h->presence == CSD_COLUMN_PRESENCE_LIST;
  CORRUPT_IF(h->reserved0 != 0 || h->reserved1 != 0, "reserved bytes are not zero");
  CORRUPT_IF(h->presence < CSD_COLUMN_PRESENCE_ALL || h->presence > CSD_COLUMN_PRESENCE_LIST,
             "presence is %u", h->presence);
  CORRUPT_IF((h->flags & ~(CSD_COLUMN_FLAG_TABLE | CSD_COLUMN_FLAG_MULTI)) != 0, "flags are 0x%02X",
             h->flags);
  CORRUPT_IF(h->first_doc >= CSD_MAX_DOC || h->doc_span > CSD_MAX_DOC - h->first_doc,
             "%" PRIu32 " docs from %" PRIu32, h->doc_span, h->first_doc);
  CORRUPT_IF(h->doc_count == 0 || h->doc_count > h->doc_span ||
                 (h->presence == CSD_COLUMN_PRESENCE_ALL && h->doc_count != h->doc_span),
             "%" PRIu32 " docs of %" PRIu32 " with presence %u", h->doc_count, h->doc_span,
             h->presence);
  CORRUPT_IF(multi ? h->value_count < h->doc_count || h->value_count > CSD_MAX_COLUMN_VALUES
                   : h->value_count != h->doc_count,
             "%" PRIu32 " values of %" PRIu32 " docs", h->value_count, h->doc_count);
  CORRUPT_IF(h->value_bits > MAX_VALUE_BITS || h->doc_bits > (list ? MAX_DOC_BITS : 0) ||
                 h->count_bits > (multi ? MAX_COUNT_BITS : 0),
             "widths are %u, %u, %u", h->value_bits, h->doc_bits, h->count_bits);
  CORRUPT_IF(h->min > h->max, "values from %" PRId64 " to %" PRId64, h->min, h->max);
  CORRUPT_IF(h->unit == 0, "unit is 0");
  return 0;
}

static int check_table(const struct csd_column_page *page) {
  const struct csd_column_page_header *h = &page->header;
  for (uint64_t i = 1; i < h->unit; i++) {
    CORRUPT_IF(csd_column_table(page, i) <= csd_column_table(page, i - 1),
               "entry %" PRIu64 " of the table does not ascend", i);
  }
  CORRUPT_IF(csd_column_table(page, 0) != h->min || csd_column_table(page, h->unit - 1) != h->max,
             "the table does not go from min to max");
  return 0;
}

static int check_bitmap(const struct csd_column_page *page) {
  const struct csd_column_page_header *h = &page->header;
  const uint32_t words = (h->doc_span - 1u) / 64u + 1u;
  uint32_t docs = 0;
  uint64_t word = 0;
  for (uint32_t w = 0; w < words; w++) {
    if (w % 2u == 0) {
      const uint32_t rank = csd_load_u16(page->bytes + page->ranks_at + w); /* 2 bytes, 2 words */
      CORRUPT_IF(rank != docs, "rank of block %" PRIu32 " is %" PRIu32 ", not %" PRIu32, w / 2u,
                 rank, docs);
    }
    word = csd_load_u64(page->bytes + page->docs_at + 8u * (size_t)w);
    docs += csd_popcount(word);
  }
  CORRUPT_IF(word >> ((h->doc_span - 1u) & 63u) != 1u, "the bitmap does not end with the span");
  CORRUPT_IF((page->bytes[page->docs_at] & 1u) == 0, "the bitmap does not begin with the span");
  CORRUPT_IF(docs != h->doc_count, "%" PRIu32 " bits for %" PRIu32 " docs", docs, h->doc_count);
  return 0;
}

/* Bits behind the last of `count` packed values, up to the byte's end, are zero. */
static bool padding_is_zero(const uint8_t *column, uint32_t count, unsigned bits) {
  const uint64_t end = (uint64_t)count * bits;
  return (end & 7u) == 0 || column[end >> 3] >> (end & 7u) == 0;
}

static int check_list(const struct csd_column_page *page) {
  const struct csd_column_page_header *h = &page->header;
  const uint8_t *offsets = page->bytes + page->docs_at;
  uint64_t before = 0;
  for (uint32_t i = 0; i < h->doc_count; i++) {
    const uint64_t offset = csd_load_packed_u64(offsets, h->doc_bits, i);
    CORRUPT_IF(i == 0 && offset != 0, "the list does not begin with the span");
    CORRUPT_IF(i > 0 && offset <= before, "doc %" PRIu32 " of the list does not ascend", i);
    before = offset;
  }
  CORRUPT_IF(before != h->doc_span - 1u, "the list does not end with the span");
  CORRUPT_IF(!padding_is_zero(offsets, h->doc_count, h->doc_bits), "bits behind the list");
  return 0;
}

static int check_counts(const struct csd_column_page *page) {
  const struct csd_column_page_header *h = &page->header;
  const uint8_t *counts = page->bytes + page->counts_at;
  uint64_t values = 0;
  for (uint32_t i = 0; i < h->doc_count; i++) {
    if (i % CSD_COLUMN_BLOCK_DOCS == 0) {
      const uint32_t block = i / CSD_COLUMN_BLOCK_DOCS;
      const uint32_t start = csd_load_u16(page->bytes + page->starts_at + 2u * (size_t)block);
      CORRUPT_IF(start != values, "start of block %" PRIu32 " is %" PRIu32 ", not %" PRIu64, block,
                 start, values);
    }
    values += 1u + csd_load_packed_u64(counts, h->count_bits, i);
  }
  CORRUPT_IF(values != h->value_count, "%" PRIu64 " values by the counts, not %" PRIu32, values,
             h->value_count);
  CORRUPT_IF(!padding_is_zero(counts, h->doc_count, h->count_bits), "bits behind the counts");
  return 0;
}

/* The packed values go from 0 to what max is packed as, and both are there. */
static int check_values(const struct csd_column_page *page) {
  const struct csd_column_page_header *h = &page->header;
  const uint8_t *values = page->bytes + page->values_at;
  const uint64_t range = (uint64_t)h->max - (uint64_t)h->min;
  const bool table = (h->flags & CSD_COLUMN_FLAG_TABLE) != 0;
  const uint64_t most = table ? h->unit - 1u : range / h->unit;
  CORRUPT_IF(!table && range % h->unit != 0, "max is not min and a number of units");
  uint64_t least = h->value_bits == 0 ? 0 : UINT64_MAX;
  uint64_t greatest = 0;
  /* Values of no bits are all alike, and there may be very many. */
  for (uint32_t i = 0; i < h->value_count && h->value_bits > 0; i++) {
    const uint64_t packed = csd_load_packed_u64(values, h->value_bits, i);
    least = packed < least ? packed : least;
    greatest = packed > greatest ? packed : greatest;
  }
  CORRUPT_IF(least != 0 || greatest != most,
             "packed values from %" PRIu64 " to %" PRIu64 ", not to %" PRIu64, least, greatest,
             most);
  CORRUPT_IF(!padding_is_zero(values, h->value_count, h->value_bits), "bits behind the values");
  return 0;
}

/* The values of a doc ascend; equal ones may follow each other. */
static int check_order(const struct csd_column_page *page) {
  const struct csd_column_page_header *h = &page->header;
  uint32_t value = 0;
  for (uint32_t i = 0; i < h->doc_count; i++) {
    const uint8_t *counts = page->bytes + page->counts_at;
    const uint64_t more = csd_load_packed_u64(counts, h->count_bits, i);
    uint64_t before = csd_column_packed_value(page, value++);
    for (uint64_t j = 0; j < more; j++) {
      const uint64_t packed = csd_column_packed_value(page, value++);
      CORRUPT_IF(packed < before, "values of doc number %" PRIu32 " do not ascend", i);
      before = packed;
    }
  }
  return 0;
}

static int check_parts(const struct csd_column_page *page) {
  const struct csd_column_page_header *h = &page->header;
  int status = (h->flags & CSD_COLUMN_FLAG_TABLE) != 0 ? check_table(page) : 0;
  if (status == 0 && h->presence == CSD_COLUMN_PRESENCE_BITMAP) {
    status = check_bitmap(page);
  } else if (status == 0 && h->presence == CSD_COLUMN_PRESENCE_LIST) {
    status = check_list(page);
  }
  const bool multi = (h->flags & CSD_COLUMN_FLAG_MULTI) != 0;
  if (status == 0 && multi) {
    status = check_counts(page);
  }
  if (status == 0) {
    status = check_values(page);
  }
  if (status == 0 && multi) {
    status = check_order(page);
  }
  return status;
}

int csd_column_check(const uint8_t *bytes) {
  struct csd_column_page page;
  const bool fits = csd_column_lay_out(bytes, &page);
  const struct csd_column_page_header *h = &page.header;
  CORRUPT_IF(h->magic != CSD_COLUMN_MAGIC, "magic is 0x%08" PRIX32, h->magic);
  if (h->version != CSD_WIRE_VERSION) {
    return csd_fail(CSD_STATUS_UNSUPPORTED_VERSION, "column page: wire version %u, not %u",
                    h->version, CSD_WIRE_VERSION);
  }
  const uint32_t crc = csd_crc32c(0, bytes + CRC_START, CSD_PAGE_BYTES - CRC_START);
  CORRUPT_IF(crc != h->crc32c, "checksum is 0x%08" PRIX32 ", the bytes give 0x%08" PRIX32,
             h->crc32c, crc);
  int status = check_header(h);
  if (status < 0) {
    return status;
  }
  CORRUPT_IF(!fits, "the parts do not end at used_bytes, %u", h->used_bytes);
  status = check_parts(&page);
  for (uint32_t i = h->used_bytes; i < CSD_PAGE_BYTES && status == 0; i++) {
    CORRUPT_IF(bytes[i] != 0, "byte %" PRIu32 " behind the values is not zero", i);
  }
  return status;
}
