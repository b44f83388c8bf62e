/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/lists/page_check.h"

#include <string.h>

#include "base/status.h"
#include "core/kernels/bits.h"
#include "core/kernels/crc32c.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the engine reads the little-endian wire in place"
#endif

enum {
  HEADER_BYTES = sizeof(struct csd_page_header),
  ENTRY_BYTES = sizeof(struct csd_block_entry),
  LAST_DOC_BYTES = sizeof(uint32_t),
  IMPACTS_BYTES = sizeof(uint64_t),
  CRC_START = 12, /* the checksum covers what follows it */
  MAX_DOC_BITS = 31,
  MAX_FREQ_BITS = 31,
  MAX_NORM_BITS = 8,
  WHOLE_LIST = CSD_BLOCK_FLAG_FIRST_OF_LIST | CSD_BLOCK_FLAG_LAST_OF_LIST
};

_Static_assert(offsetof(struct csd_page_header, crc32c) + 4 == CRC_START, "crc32c ends at byte 12");

/* A block's postings as far as the rules about them need: freqs capped at 255. */
struct postings {
  uint8_t freq[CSD_BLOCK_POSTINGS];
  uint8_t norm[CSD_BLOCK_POSTINGS];
};

/* A page under check. */
struct check {
  const uint8_t *page;
  struct csd_page_header header;
  uint32_t impacts_count; /* blocks with an impacts word */
  uint32_t column_end;    /* where the next column must start */
};

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
  return (struct csd_page_range){header->lead_first_doc, header->lead_last_doc,
                                 header->lead_impacts};
}

#define CORRUPT(...) csd_fail(CSD_STATUS_PAGE_CORRUPT, __VA_ARGS__)

static struct csd_block_entry entry_of(const struct check *c, uint32_t block) {
  struct csd_block_entry entry;
  memcpy(&entry,
         c->page + HEADER_BYTES + (uint32_t)c->header.block_count * LAST_DOC_BYTES +
             block * ENTRY_BYTES,
         sizeof entry);
  return entry;
}

static uint32_t last_doc_of(const struct check *c, uint32_t block) {
  uint32_t doc;
  memcpy(&doc, c->page + HEADER_BYTES + block * LAST_DOC_BYTES, sizeof doc);
  return doc;
}

static uint32_t column_bytes(const struct csd_block_entry *entry, uint32_t bits) {
  return (entry->count * bits + 7u) / 8u;
}

/* A block that is its whole list has neither an impacts word nor freq exceptions. */
static bool is_whole_list(const struct csd_block_entry *entry) {
  return (entry->flags & WHOLE_LIST) == WHOLE_LIST;
}

static uint32_t exceptions_of(const struct csd_block_entry *entry) {
  return entry->flags >> CSD_EXCEPTIONS_SHIFT;
}

static bool is_bitmap(const struct csd_block_entry *entry) {
  return (entry->flags & CSD_BLOCK_FLAG_DOC_BITMAP) != 0;
}

/* Last doc of the list's block before block `b`, NO_DOC for the list's first. */
static uint32_t base_of(const struct check *c, uint32_t b, const struct csd_block_entry *entry) {
  if (entry->flags & CSD_BLOCK_FLAG_FIRST_OF_LIST) {
    return CSD_NO_DOC;
  }
  return b == 0 ? c->header.lead_base_doc : last_doc_of(c, b - 1);
}

/* Docs that block `b` may have: those above its base doc up to its last one. */
static uint32_t span_of(const struct check *c, uint32_t b, const struct csd_block_entry *entry) {
  return last_doc_of(c, b) - base_of(c, b, entry); /* NO_DOC counts as -1 */
}

static uint32_t doc_bytes(const struct check *c, uint32_t b, const struct csd_block_entry *entry) {
  return is_bitmap(entry) ? (span_of(c, b, entry) + 63u) / 64u * 8u
                          : column_bytes(entry, entry->doc_bits);
}

static uint32_t freq_offset(const struct check *c, uint32_t b,
                            const struct csd_block_entry *entry) {
  return entry->offset + doc_bytes(c, b, entry);
}

static uint32_t exceptions_offset(const struct check *c, uint32_t b,
                                  const struct csd_block_entry *entry) {
  return freq_offset(c, b, entry) + column_bytes(entry, entry->freq_bits);
}

static uint32_t norm_offset(const struct check *c, uint32_t b,
                            const struct csd_block_entry *entry) {
  return exceptions_offset(c, b, entry) + exceptions_of(entry) * CSD_EXCEPTION_BYTES;
}

static uint32_t value_at(const uint8_t *column, uint32_t i, uint32_t bits) {
  uint64_t word;
  memcpy(&word, column + (i * bits >> 3), sizeof word);
  return (uint32_t)(word >> (i * bits & 7u)) & ((1u << bits) - 1u);
}

/* Bits behind the last value, up to the byte's end, are zero. */
static bool padding_is_zero(const uint8_t *column, uint32_t count, uint32_t bits) {
  const uint32_t end = count * bits;
  return (end & 7u) == 0 || column[end >> 3] >> (end & 7u) == 0;
}

static int check_header(const struct csd_page_header *h) {
  if (h->flags != 0 || h->reserved0 != 0 || h->reserved1 != 0 || h->reserved2 != 0) {
    return CORRUPT("page header: flags or reserved bytes are not zero");
  }
  if (h->block_count == 0 || h->block_count > CSD_MAX_BLOCKS_PER_PAGE) {
    return CORRUPT("page header: block_count is %u", h->block_count);
  }
  if (h->used_bytes > CSD_PAGE_BYTES) {
    return CORRUPT("page header: used_bytes is %u", h->used_bytes);
  }
  if (HEADER_BYTES + h->block_count * (uint32_t)(LAST_DOC_BYTES + ENTRY_BYTES) > h->used_bytes) {
    return CORRUPT("page header: the directory of %u blocks exceeds used_bytes", h->block_count);
  }
  return 0;
}

/* Rules about one directory entry and its neighbour before it. */
static int check_entry(const struct check *c, uint32_t b, const struct csd_block_entry *e,
                       const struct csd_block_entry *before) {
  const bool first = (e->flags & CSD_BLOCK_FLAG_FIRST_OF_LIST) != 0;
  const bool last = (e->flags & CSD_BLOCK_FLAG_LAST_OF_LIST) != 0;
  if (exceptions_of(e) > CSD_MAX_FREQ_EXCEPTIONS) {
    return CORRUPT("block %u: unknown flags %u", b, e->flags);
  }
  if (e->count == 0 || e->count > CSD_BLOCK_POSTINGS || (!last && e->count != CSD_BLOCK_POSTINGS)) {
    return CORRUPT("block %u: count is %u", b, e->count);
  }
  if (e->doc_bits > MAX_DOC_BITS || e->freq_bits > MAX_FREQ_BITS || e->norm_bits > MAX_NORM_BITS) {
    return CORRUPT("block %u: widths are %u, %u, %u", b, e->doc_bits, e->freq_bits, e->norm_bits);
  }
  if (exceptions_of(e) != 0 && (is_whole_list(e) || e->freq_bits > CSD_MAX_EXCEPTION_BITS)) {
    return CORRUPT("block %u: %u freq exceptions with freq_bits %u and flags %u", b,
                   exceptions_of(e), e->freq_bits, e->flags);
  }
  if (before == NULL && first != (c->header.lead_base_doc == CSD_NO_DOC)) {
    return CORRUPT("page header: lead_base_doc %u does not go with the flags of block 0",
                   c->header.lead_base_doc);
  }
  if (before != NULL) {
    const bool closed = (before->flags & CSD_BLOCK_FLAG_LAST_OF_LIST) != 0;
    if (first != closed) {
      return CORRUPT("block %u: lists overlap or leave a gap", b);
    }
  }
  if (last_doc_of(c, b) >= CSD_MAX_DOC) {
    return CORRUPT("block %u: last_doc %u is too high", b, last_doc_of(c, b));
  }
  if (!is_bitmap(e)) {
    return 0;
  }
  if (e->doc_bits != 0) {
    return CORRUPT("block %u: a bitmap with doc_bits %u", b, e->doc_bits);
  }
  if ((!first && base_of(c, b, e) >= last_doc_of(c, b)) ||
      span_of(c, b, e) > CSD_MAX_BITMAP_BYTES * 8u) {
    return CORRUPT("block %u: a bitmap of the docs from %u to %u", b, base_of(c, b, e) + 1u,
                   last_doc_of(c, b));
  }
  return 0;
}

/* A column of block `b` starts where the one before it ended, and lies inside the page. */
static int check_place(struct check *c, uint32_t b, const char *name, uint32_t offset,
                       uint32_t bytes) {
  if (offset != c->column_end) {
    return CORRUPT("block %u: %s column at byte %u, expected at %u", b, name, offset,
                   c->column_end);
  }
  if (offset + bytes > c->header.used_bytes) {
    return CORRUPT("block %u: %s column runs beyond used_bytes", b, name);
  }
  c->column_end += bytes;
  return 0;
}

static int check_column(struct check *c, uint32_t b, const char *name, uint32_t offset,
                        const struct csd_block_entry *e, uint32_t bits) {
  const int status = check_place(c, b, name, offset, column_bytes(e, bits));
  if (status == 0 && !padding_is_zero(c->page + offset, e->count, bits)) {
    return CORRUPT("block %u: bits behind the %s column are not zero", b, name);
  }
  return status;
}

/* A bitmap has as many bits as the block has postings, the last one for last_doc. */
static int check_bitmap(struct check *c, uint32_t b, const struct csd_block_entry *e) {
  const uint32_t span = span_of(c, b, e);
  const uint32_t words = (span + 63u) / 64u;
  const int status = check_place(c, b, "doc", e->offset, 8u * words);
  if (status != 0) {
    return status;
  }
  uint32_t set = 0;
  uint64_t word = 0;
  for (uint32_t w = 0; w < words; w++) {
    memcpy(&word, c->page + e->offset + 8u * w, sizeof word);
    set += csd_popcount(word);
  }
  if (word >> ((span - 1u) & 63u) != 1) {
    return CORRUPT("block %u: the bitmap does not end at doc %u", b, last_doc_of(c, b));
  }
  if (set != e->count) {
    return CORRUPT("block %u: %u bits for %u postings", b, set, e->count);
  }
  return 0;
}

/* Freq exceptions stand in the order of their postings and raise their freqs. */
static int check_exceptions(struct check *c, uint32_t b, const struct csd_block_entry *e) {
  const uint32_t count = exceptions_of(e), offset = exceptions_offset(c, b, e);
  const int status = check_place(c, b, "freq exceptions", offset, count * CSD_EXCEPTION_BYTES);
  if (status != 0) {
    return status;
  }
  int before = -1;
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t *exception = c->page + offset + i * CSD_EXCEPTION_BYTES;
    if (exception[0] <= before || exception[0] >= e->count || exception[1] == 0) {
      return CORRUPT("block %u: freq exception %u is %u for posting %u", b, i, exception[1],
                     exception[0]);
    }
    before = exception[0];
  }
  return 0;
}

static int check_columns(struct check *c) {
  const uint32_t blocks = c->header.block_count;
  c->column_end = HEADER_BYTES + blocks * (uint32_t)(LAST_DOC_BYTES + ENTRY_BYTES) +
                  c->impacts_count * (uint32_t)IMPACTS_BYTES;
  if (c->column_end > c->header.used_bytes) {
    return CORRUPT("page header: the directory of %u blocks, %u with impacts, exceeds used_bytes",
                   blocks, c->impacts_count);
  }
  int status = 0;
  for (uint32_t b = 0; b < blocks && status == 0; b++) {
    const struct csd_block_entry e = entry_of(c, b);
    status = is_bitmap(&e) ? check_bitmap(c, b, &e)
                           : check_column(c, b, "doc", e.offset, &e, e.doc_bits);
    if (status == 0) {
      status = check_column(c, b, "freq", freq_offset(c, b, &e), &e, e.freq_bits);
    }
    if (status == 0) {
      status = check_exceptions(c, b, &e);
    }
    if (status == 0) {
      status = check_column(c, b, "norm", norm_offset(c, b, &e), &e, e.norm_bits);
    }
  }
  if (status != 0) {
    return status;
  }
  if (c->column_end != c->header.used_bytes) {
    return CORRUPT("page header: used_bytes is %u, the columns end at %u", c->header.used_bytes,
                   c->column_end);
  }
  for (uint32_t i = c->column_end; i < CSD_PAGE_BYTES; i++) {
    if (c->page[i] != 0) {
      return CORRUPT("byte %u behind the columns is not zero", i);
    }
  }
  return 0;
}

/* Packed docs ascend by construction, so they end where their sum says. */
static int check_docs(const struct check *c, uint32_t b, const struct csd_block_entry *e) {
  const uint8_t *docs = c->page + e->offset;
  const uint32_t base = base_of(c, b, e);
  uint64_t doc = (uint64_t)base + e->count; /* NO_DOC counts as -1 below */
  for (uint32_t i = 0; i < e->count; i++) {
    doc += value_at(docs, i, e->doc_bits);
  }
  if (base == CSD_NO_DOC) {
    doc -= (uint64_t)CSD_NO_DOC + 1u;
  }
  if (doc != last_doc_of(c, b)) {
    return CORRUPT("block %u: decodes to last doc %llu, not %u", b, (unsigned long long)doc,
                   last_doc_of(c, b));
  }
  return 0;
}

static int decode_block(const struct check *c, uint32_t b, const struct csd_block_entry *e,
                        struct postings *out) {
  const uint8_t *freqs = c->page + freq_offset(c, b, e);
  const uint8_t *norms = c->page + norm_offset(c, b, e);
  uint32_t freq_high = 0, norm_high = 0;
  const int status = is_bitmap(e) ? 0 : check_docs(c, b, e);
  if (status != 0) {
    return status;
  }
  for (uint32_t i = 0; i < e->count; i++) {
    const uint32_t value = value_at(freqs, i, e->freq_bits);
    freq_high |= value;
    out->freq[i] =
        (uint8_t)(value < CSD_IMPACT_FREQ_UNBOUNDED - 1u ? value + 1u : CSD_IMPACT_FREQ_UNBOUNDED);
  }
  const uint8_t *exceptions = c->page + exceptions_offset(c, b, e);
  for (uint32_t i = 0; i < exceptions_of(e); i++, exceptions += CSD_EXCEPTION_BYTES) {
    const uint32_t value = value_at(freqs, exceptions[0], e->freq_bits) | (uint32_t)exceptions[1]
                                                                              << e->freq_bits;
    out->freq[exceptions[0]] =
        (uint8_t)(value < CSD_IMPACT_FREQ_UNBOUNDED - 1u ? value + 1u : CSD_IMPACT_FREQ_UNBOUNDED);
  }
  if (freq_high == INT32_MAX) {
    /* Only values near the top can be too high; look which. */
    for (uint32_t i = 0; i < e->count; i++) {
      if (value_at(freqs, i, e->freq_bits) == INT32_MAX) {
        return CORRUPT("block %u: freq of posting %u exceeds 2^31 - 1", b, i);
      }
    }
  }
  for (uint32_t i = 0; i < e->count; i++) {
    const uint32_t norm = e->norm_base + value_at(norms, i, e->norm_bits);
    if (norm > norm_high) {
      norm_high = norm;
    }
    out->norm[i] = (uint8_t)norm;
  }
  if (norm_high > UINT8_MAX) {
    return CORRUPT("block %u: a norm exceeds 255", b);
  }
  return 0;
}

/* Unused pairs of an impacts word are zero as a whole. */
static bool impacts_well_formed(uint64_t impacts) {
  for (uint32_t p = 0; p < CSD_IMPACT_PAIRS; p++, impacts >>= 16) {
    if ((impacts & 0xFF) == 0 && (impacts & 0xFF00) != 0) {
      return false;
    }
  }
  return true;
}

/* Whether every posting is bounded by a pair: one of no lower freq and no higher norm. */
static bool impacts_bound(uint64_t impacts, const struct postings *postings, uint32_t count) {
  if (impacts == 0) {
    return true; /* unknown */
  }
  /* All loops run over a full block, so that they become vector code; what lies behind the last
     posting counts as covered. */
  uint8_t covered[CSD_BLOCK_POSTINGS];
  for (uint32_t i = 0; i < CSD_BLOCK_POSTINGS; i++) {
    covered[i] = i >= count;
  }
  for (uint32_t p = 0; p < CSD_IMPACT_PAIRS; p++, impacts >>= 16) {
    const uint8_t freq = (uint8_t)impacts, norm = (uint8_t)(impacts >> 8);
    if (freq == 0) {
      continue;
    }
    for (uint32_t i = 0; i < CSD_BLOCK_POSTINGS; i++) {
      covered[i] |= (uint8_t)((postings->freq[i] <= freq) & (postings->norm[i] >= norm));
    }
  }
  uint8_t all = 1;
  for (uint32_t i = 0; i < CSD_BLOCK_POSTINGS; i++) {
    all &= covered[i];
  }
  return all != 0;
}

/* First doc of block 0, whose doc column has been checked. */
static uint32_t first_doc(const struct check *c) {
  const struct csd_block_entry e = entry_of(c, 0);
  const uint8_t *docs = c->page + e.offset;
  const uint32_t base = base_of(c, 0, &e);
  if (!is_bitmap(&e)) {
    return base + 1u + value_at(docs, 0, e.doc_bits);
  }
  uint32_t bit = 0;
  while ((docs[bit / 8] >> (bit % 8) & 1) == 0) {
    bit++;
  }
  return base + 1u + bit;
}

static int check_lead(const struct check *c, uint32_t lead_blocks) {
  const struct csd_page_header *h = &c->header;
  const uint32_t first = first_doc(c);
  if (h->lead_blocks != lead_blocks) {
    return CORRUPT("page header: lead_blocks is %u, not %u", h->lead_blocks, lead_blocks);
  }
  if (h->lead_first_doc != first) {
    return CORRUPT("page header: lead_first_doc is %u, not %u", h->lead_first_doc, first);
  }
  if (h->lead_last_doc != last_doc_of(c, lead_blocks - 1)) {
    return CORRUPT("page header: lead_last_doc is %u, not %u", h->lead_last_doc,
                   last_doc_of(c, lead_blocks - 1));
  }
  if (!impacts_well_formed(h->lead_impacts)) {
    return CORRUPT("page header: lead_impacts malformed");
  }
  return 0;
}

static int check_blocks(const struct check *c, uint32_t lead_blocks) {
  struct postings postings = {0};
  const uint8_t *next_impacts =
      c->page + HEADER_BYTES + c->header.block_count * (uint32_t)(LAST_DOC_BYTES + ENTRY_BYTES);
  for (uint32_t b = 0; b < c->header.block_count; b++) {
    const struct csd_block_entry e = entry_of(c, b);
    const int status = decode_block(c, b, &e, &postings);
    if (status != 0) {
      return status;
    }
    uint64_t impacts = 0;
    if (!is_whole_list(&e)) {
      memcpy(&impacts, next_impacts, sizeof impacts);
      next_impacts += IMPACTS_BYTES;
    }
    if (!impacts_well_formed(impacts)) {
      return CORRUPT("block %u: impacts malformed", b);
    }
    if (!impacts_bound(impacts, &postings, e.count)) {
      return CORRUPT("block %u: impacts do not bound its postings", b);
    }
    if (b < lead_blocks && !impacts_bound(c->header.lead_impacts, &postings, e.count)) {
      return CORRUPT("page header: lead_impacts do not bound block %u", b);
    }
  }
  return 0;
}

int csd_page_check(const uint8_t *page) {
  struct check c = {.page = page, .header = csd_page_header_of(page)};
  if (c.header.magic != CSD_PAGE_MAGIC) {
    return CORRUPT("page header: magic is 0x%08X, not a posting page", c.header.magic);
  }
  if (c.header.version != CSD_WIRE_VERSION) {
    return csd_fail(CSD_STATUS_UNSUPPORTED_VERSION, "page header: wire version %u, not %u",
                    c.header.version, CSD_WIRE_VERSION);
  }
  const uint32_t crc = csd_crc32c(0, page + CRC_START, CSD_PAGE_BYTES - CRC_START);
  if (crc != c.header.crc32c) {
    return CORRUPT("page header: checksum is 0x%08X, the bytes give 0x%08X", c.header.crc32c, crc);
  }
  int status = check_header(&c.header);
  if (status != 0) {
    return status;
  }
  uint32_t lead_blocks = 0;
  struct csd_block_entry before = {0};
  for (uint32_t b = 0; b < c.header.block_count; b++) {
    const struct csd_block_entry e = entry_of(&c, b);
    status = check_entry(&c, b, &e, b == 0 ? NULL : &before);
    if (status != 0) {
      return status;
    }
    if (lead_blocks == 0 && (e.flags & CSD_BLOCK_FLAG_LAST_OF_LIST)) {
      lead_blocks = b + 1;
    }
    c.impacts_count += !is_whole_list(&e);
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
    status = check_blocks(&c, lead_blocks);
  }
  return status;
}
