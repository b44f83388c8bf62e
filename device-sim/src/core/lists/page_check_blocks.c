/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/lists/test_page_check.c, through csd_page_check. */
#include "core/lists/page_check_blocks.h"

#include <string.h>

#include "core/kernels/bits.h"

/* A block's postings as far as the rules about them need: freqs capped at 255. */
struct postings {
  uint8_t freq[CSD_BLOCK_POSTINGS];
  uint8_t norm[CSD_BLOCK_POSTINGS];
};

/* Packed docs ascend by construction, so they end where their sum says. */
static int check_docs(const struct csd_checked_page *c, uint32_t b,
                      const struct csd_block_entry *e) {
  const uint8_t *docs = c->page + e->offset;
  const uint32_t base = csd_page_base_doc(c, b, e);
  uint64_t doc = (uint64_t)base + e->count; /* NO_DOC counts as -1 below */
  for (uint32_t i = 0; i < e->count; i++) {
    doc += csd_load_packed(docs, e->doc_bits, i);
  }
  if (base == CSD_NO_DOC) {
    doc -= (uint64_t)CSD_NO_DOC + 1u;
  }
  if (doc != csd_page_last_doc(c, b)) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "decodes to last doc %llu, not %" PRIu32, b,
                       (unsigned long long)doc, csd_page_last_doc(c, b));
  }
  return 0;
}

static int decode_block(const struct csd_checked_page *c, uint32_t b,
                        const struct csd_block_entry *e, struct postings *out) {
  const uint8_t *freqs = c->page + csd_page_freq_offset(c, b, e);
  const uint8_t *norms = c->page + csd_page_norm_offset(c, b, e);
  uint32_t freq_high = 0, norm_high = 0;
  const int status = csd_block_is_bitmap(e) ? 0 : check_docs(c, b, e);
  if (status < 0) {
    return status;
  }
  for (uint32_t i = 0; i < e->count; i++) {
    const uint32_t value = csd_load_packed(freqs, e->freq_bits, i);
    freq_high |= value;
    out->freq[i] =
        (uint8_t)(value < CSD_IMPACT_FREQ_UNBOUNDED - 1u ? value + 1u : CSD_IMPACT_FREQ_UNBOUNDED);
  }
  const uint8_t *exceptions = c->page + csd_page_exceptions_offset(c, b, e);
  for (uint32_t i = 0; i < csd_block_exceptions(e); i++, exceptions += CSD_EXCEPTION_BYTES) {
    const uint32_t value = csd_load_packed(freqs, e->freq_bits, exceptions[0]) |
                           (uint32_t)exceptions[1] << e->freq_bits;
    out->freq[exceptions[0]] =
        (uint8_t)(value < CSD_IMPACT_FREQ_UNBOUNDED - 1u ? value + 1u : CSD_IMPACT_FREQ_UNBOUNDED);
  }
  if (freq_high == INT32_MAX) {
    /* Only values near the top can be too high; look which. */
    for (uint32_t i = 0; i < e->count; i++) {
      if (csd_load_packed(freqs, e->freq_bits, i) == INT32_MAX) {
        return CSD_CORRUPT(CSD_BLOCK_TEXT "freq of posting %" PRIu32 " exceeds 2^31 - 1", b, i);
      }
    }
  }
  for (uint32_t i = 0; i < e->count; i++) {
    const uint32_t norm = e->norm_base + csd_load_packed(norms, e->norm_bits, i);
    if (norm > norm_high) {
      norm_high = norm;
    }
    out->norm[i] = (uint8_t)norm;
  }
  if (norm_high > UINT8_MAX) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "a norm exceeds 255", b);
  }
  return 0;
}

/* Unused pairs of an impacts word are zero as a whole. */
bool csd_impacts_well_formed(uint64_t impacts) {
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

int csd_page_check_blocks(const struct csd_checked_page *c, uint32_t lead_blocks) {
  struct postings postings = {0};
  const uint8_t *next_impacts = c->page + csd_page_directory_end(&c->header);
  for (uint32_t b = 0; b < c->header.block_count; b++) {
    const struct csd_block_entry e = csd_page_entry(c, b);
    const int status = decode_block(c, b, &e, &postings);
    if (status < 0) {
      return status;
    }
    uint64_t impacts = 0;
    if (!csd_block_is_list(&e)) {
      memcpy(&impacts, next_impacts, sizeof impacts);
      next_impacts += CSD_IMPACTS_BYTES;
    }
    if (!csd_impacts_well_formed(impacts)) {
      return CSD_CORRUPT(CSD_BLOCK_TEXT "impacts malformed", b);
    }
    if (!impacts_bound(impacts, &postings, e.count)) {
      return CSD_CORRUPT(CSD_BLOCK_TEXT "impacts do not bound its postings", b);
    }
    if (b < lead_blocks && !impacts_bound(c->header.lead_impacts, &postings, e.count)) {
      return CSD_CORRUPT("page header: lead_impacts do not bound block %" PRIu32, b);
    }
  }
  return 0;
}
