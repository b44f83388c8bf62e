/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Header, directory and the places of columns; what the columns hold: page_check_blocks.c. */
#include "core/lists/page_check.h"

#include <string.h>

#include "core/kernels/bits.h"
#include "core/kernels/crc32c.h"
#include "core/lists/page_check_blocks.h"
#include "core/lists/page_parts.h"

enum {
  CRC_START = 12, /* the checksum covers what follows it */
  MAX_DOC_BITS = 31,
  MAX_FREQ_BITS = 31,
  MAX_NORM_BITS = 8
};

_Static_assert(offsetof(struct csd_page_header, crc32c) + 4 == CRC_START, "crc32c ends at byte 12");

bool csd_page_has_magic(const uint8_t *page) {
  uint32_t magic;
  memcpy(&magic, page, sizeof magic);
  return magic == CSD_PAGE_MAGIC;
}

struct csd_page_header csd_page_header_of(const uint8_t *page) {
  struct csd_page_header header;
  memcpy(&header, page, sizeof header);
  return header;
}

struct csd_page_range csd_page_range_of(const struct csd_page_header *header) {
  return (struct csd_page_range){.lead_first_doc = header->lead_first_doc,
                                 .lead_last_doc = header->lead_last_doc,
                                 .lead_impacts = header->lead_impacts};
}

/* Bits behind the last value, up to the byte's end, are zero. */
static bool padding_is_zero(const uint8_t *column, uint32_t count, uint32_t bits) {
  const uint32_t end = count * bits;
  return (end & 7u) == 0 || column[end >> 3] >> (end & 7u) == 0;
}

static int check_header(const struct csd_page_header *h) {
  if (h->flags != 0 || h->reserved0 != 0 || h->reserved1 != 0 || h->reserved2 != 0) {
    return CSD_CORRUPT("page header: flags or reserved bytes are not zero");
  }
  if (h->block_count == 0 || h->block_count > CSD_MAX_BLOCKS_PER_PAGE) {
    return CSD_CORRUPT("page header: block_count is %u", h->block_count);
  }
  if (h->used_bytes > CSD_PAGE_BYTES) {
    return CSD_CORRUPT("page header: used_bytes is %u", h->used_bytes);
  }
  if (csd_page_directory_end(h) > h->used_bytes) {
    return CSD_CORRUPT("page header: the directory of %u blocks exceeds used_bytes",
                       h->block_count);
  }
  return 0;
}

/* Rules about one directory entry and its neighbour before it. */
static int check_entry(const struct csd_checked_page *c, uint32_t b,
                       const struct csd_block_entry *e, const struct csd_block_entry *before) {
  const bool first = (e->flags & CSD_BLOCK_FLAG_FIRST_OF_LIST) != 0;
  const bool last = (e->flags & CSD_BLOCK_FLAG_LAST_OF_LIST) != 0;
  if (csd_block_exceptions(e) > CSD_MAX_FREQ_EXCEPTIONS) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "unknown flags %u", b, e->flags);
  }
  if (e->count == 0 || e->count > CSD_BLOCK_POSTINGS || (!last && e->count != CSD_BLOCK_POSTINGS)) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "count is %u", b, e->count);
  }
  if (e->doc_bits > MAX_DOC_BITS || e->freq_bits > MAX_FREQ_BITS || e->norm_bits > MAX_NORM_BITS) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "widths are %u, %u, %u", b, e->doc_bits, e->freq_bits,
                       e->norm_bits);
  }
  if (csd_block_exceptions(e) != 0 &&
      (csd_block_is_list(e) || e->freq_bits > CSD_MAX_EXCEPTION_BITS)) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "%" PRIu32 " freq exceptions with freq_bits %u and flags %u",
                       b, csd_block_exceptions(e), e->freq_bits, e->flags);
  }
  if (before == NULL && first != (c->header.lead_base_doc == CSD_NO_DOC)) {
    return CSD_CORRUPT("page header: lead_base_doc %" PRIu32
                       " does not go with the flags of block 0",
                       c->header.lead_base_doc);
  }
  if (before != NULL) {
    const bool closed = (before->flags & CSD_BLOCK_FLAG_LAST_OF_LIST) != 0;
    if (first != closed) {
      return CSD_CORRUPT(CSD_BLOCK_TEXT "lists overlap or leave a gap", b);
    }
  }
  if (csd_page_last_doc(c, b) >= CSD_MAX_DOC) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "last_doc %" PRIu32 " is too high", b,
                       csd_page_last_doc(c, b));
  }
  if (!csd_block_is_bitmap(e)) {
    return 0;
  }
  if (e->doc_bits != 0) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "a bitmap with doc_bits %u", b, e->doc_bits);
  }
  if ((!first && csd_page_base_doc(c, b, e) >= csd_page_last_doc(c, b)) ||
      csd_page_span(c, b, e) > CSD_MAX_BITMAP_BYTES * 8u) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "a bitmap of the docs from %" PRIu32 " to %" PRIu32, b,
                       csd_page_base_doc(c, b, e) + 1u, csd_page_last_doc(c, b));
  }
  return 0;
}

/* A column of block `b` starts where the one before it ended, and lies inside the page. */
static int check_place(struct csd_checked_page *c, uint32_t b, const char *name, uint32_t offset,
                       uint32_t bytes) {
  if (offset != c->column_end) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "%s column at byte %" PRIu32 ", expected at %" PRIu32, b,
                       name, offset, c->column_end);
  }
  if (offset + bytes > c->header.used_bytes) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "%s column runs beyond used_bytes", b, name);
  }
  c->column_end += bytes;
  return 0;
}

static int check_column(struct csd_checked_page *c, uint32_t b, const char *name, uint32_t offset,
                        const struct csd_block_entry *e, uint32_t bits) {
  const int status = check_place(c, b, name, offset, csd_page_column_bytes(e, bits));
  if (status == 0 && !padding_is_zero(c->page + offset, e->count, bits)) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "bits behind the %s column are not zero", b, name);
  }
  return status;
}

/* A bitmap has as many bits as the block has postings, the last one for last_doc. */
static int check_bitmap(struct csd_checked_page *c, uint32_t b, const struct csd_block_entry *e) {
  const uint32_t span = csd_page_span(c, b, e);
  const uint32_t words = (span + 63u) / 64u;
  const int status = check_place(c, b, "doc", e->offset, 8u * words);
  if (status < 0) {
    return status;
  }
  uint32_t set = 0;
  uint64_t word = 0;
  for (uint32_t w = 0; w < words; w++) {
    memcpy(&word, c->page + e->offset + 8u * w, sizeof word);
    set += csd_popcount(word);
  }
  if (word >> ((span - 1u) & 63u) != 1) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "the bitmap does not end at doc %" PRIu32, b,
                       csd_page_last_doc(c, b));
  }
  if (set != e->count) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "%" PRIu32 " bits for %u postings", b, set, e->count);
  }
  return 0;
}

/* Freq exceptions stand in the order of their postings and raise their freqs. */
static int check_exceptions(struct csd_checked_page *c, uint32_t b,
                            const struct csd_block_entry *e) {
  const uint32_t count = csd_block_exceptions(e), offset = csd_page_exceptions_offset(c, b, e);
  const int status = check_place(c, b, "freq exceptions", offset, count * CSD_EXCEPTION_BYTES);
  if (status < 0) {
    return status;
  }
  int before = -1;
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t *exception = c->page + offset + i * CSD_EXCEPTION_BYTES;
    if (exception[0] <= before || exception[0] >= e->count || exception[1] == 0) {
      return CSD_CORRUPT(CSD_BLOCK_TEXT "freq exception %" PRIu32 " is %u for posting %u", b, i,
                         exception[1], exception[0]);
    }
    before = exception[0];
  }
  return 0;
}

static int check_columns(struct csd_checked_page *c) {
  const uint32_t blocks = c->header.block_count;
  c->column_end =
      csd_page_directory_end(&c->header) + c->impacts_count * (uint32_t)CSD_IMPACTS_BYTES;
  if (c->column_end > c->header.used_bytes) {
    return CSD_CORRUPT("page header: the directory of %" PRIu32 " blocks, %" PRIu32
                       " with impacts, exceeds used_bytes",
                       blocks, c->impacts_count);
  }
  int status = 0;
  for (uint32_t b = 0; b < blocks && status == 0; b++) {
    const struct csd_block_entry e = csd_page_entry(c, b);
    status = csd_block_is_bitmap(&e) ? check_bitmap(c, b, &e)
                                     : check_column(c, b, "doc", e.offset, &e, e.doc_bits);
    if (status == 0) {
      status = check_column(c, b, "freq", csd_page_freq_offset(c, b, &e), &e, e.freq_bits);
    }
    if (status == 0) {
      status = check_exceptions(c, b, &e);
    }
    if (status == 0) {
      status = check_column(c, b, "norm", csd_page_norm_offset(c, b, &e), &e, e.norm_bits);
    }
  }
  if (status < 0) {
    return status;
  }
  if (c->column_end != c->header.used_bytes) {
    return CSD_CORRUPT("page header: used_bytes is %u, the columns end at %" PRIu32,
                       c->header.used_bytes, c->column_end);
  }
  for (uint32_t i = c->column_end; i < CSD_PAGE_BYTES; i++) {
    if (c->page[i] != 0) {
      return CSD_CORRUPT("byte %" PRIu32 " behind the columns is not zero", i);
    }
  }
  return 0;
}

/* First doc of block 0, whose doc column has been checked. */
static uint32_t first_doc(const struct csd_checked_page *c) {
  const struct csd_block_entry e = csd_page_entry(c, 0);
  const uint8_t *docs = c->page + e.offset;
  const uint32_t base = csd_page_base_doc(c, 0, &e);
  if (!csd_block_is_bitmap(&e)) {
    return base + 1u + csd_load_packed(docs, e.doc_bits, 0);
  }
  uint32_t bit = 0;
  while ((docs[bit / 8] >> (bit % 8) & 1) == 0) {
    bit++;
  }
  return base + 1u + bit;
}

static int check_lead(const struct csd_checked_page *c, uint32_t lead_blocks) {
  const struct csd_page_header *h = &c->header;
  const uint32_t first = first_doc(c);
  if (h->lead_blocks != lead_blocks) {
    return CSD_CORRUPT("page header: lead_blocks is %u, not %" PRIu32, h->lead_blocks, lead_blocks);
  }
  if (h->lead_first_doc != first) {
    return CSD_CORRUPT("page header: lead_first_doc is %" PRIu32 ", not %" PRIu32,
                       h->lead_first_doc, first);
  }
  if (h->lead_last_doc != csd_page_last_doc(c, lead_blocks - 1)) {
    return CSD_CORRUPT("page header: lead_last_doc is %" PRIu32 ", not %" PRIu32, h->lead_last_doc,
                       csd_page_last_doc(c, lead_blocks - 1));
  }
  if (!csd_impacts_well_formed(h->lead_impacts)) {
    return CSD_CORRUPT("page header: lead_impacts malformed");
  }
  return 0;
}

int csd_page_check(const uint8_t *page) {
  struct csd_checked_page c = {.page = page, .header = csd_page_header_of(page)};
  if (c.header.magic != CSD_PAGE_MAGIC) {
    return CSD_CORRUPT("page header: magic is 0x%08" PRIX32 ", not a posting page", c.header.magic);
  }
  if (c.header.version != CSD_WIRE_VERSION) {
    return csd_fail(CSD_STATUS_UNSUPPORTED_VERSION, "page header: wire version %u, not %u",
                    c.header.version, CSD_WIRE_VERSION);
  }
  const uint32_t crc = csd_crc32c(0, page + CRC_START, CSD_PAGE_BYTES - CRC_START);
  if (crc != c.header.crc32c) {
    return CSD_CORRUPT("page header: checksum is 0x%08" PRIX32 ", the bytes give 0x%08" PRIX32,
                       c.header.crc32c, crc);
  }
  int status = check_header(&c.header);
  if (status < 0) {
    return status;
  }
  uint32_t lead_blocks = 0;
  struct csd_block_entry before = {0};
  for (uint32_t b = 0; b < c.header.block_count; b++) {
    const struct csd_block_entry e = csd_page_entry(&c, b);
    status = check_entry(&c, b, &e, b == 0 ? NULL : &before);
    if (status < 0) {
      return status;
    }
    if (lead_blocks == 0 && (e.flags & CSD_BLOCK_FLAG_LAST_OF_LIST)) {
      lead_blocks = b + 1;
    }
    c.impacts_count += !csd_block_is_list(&e);
    before = e;
  }
  if (lead_blocks == 0) {
    lead_blocks = c.header.block_count;
  }
  status = check_columns(&c);
  if (status == 0) {
    status = check_lead(&c, lead_blocks);
  }
  if (status == 0) {
    status = csd_page_check_blocks(&c, lead_blocks);
  }
  return status;
}
