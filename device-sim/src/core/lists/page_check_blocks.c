/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/lists/test_page_check.c, through csd_page_check. */
#include "core/lists/page_check_blocks.h"

#include <string.h>

#include "core/kernels/bits.h"
#include "core/kernels/kernels.h"

/* A block's postings as far as the rules about them need: freqs capped at 255. */
struct postings {
  uint8_t freq[CSD_BLOCK_POSTINGS];
  uint8_t norm[CSD_BLOCK_POSTINGS];
};

/*
 * Packed docs ascend by construction, so they end where their sum says. Sums are of 32 bits: a
 * delta is 2^31 at most, so that none can pass 2^32 without having been above 2^31, as no doc is.
 */
static int check_docs(const struct csd_kernels *kernels, const struct csd_checked_page *c,
                      uint32_t b, const struct csd_block_entry *e) {
  uint32_t docs[CSD_BLOCK_POSTINGS], any = 0;
  kernels->unpack_docs(c->page + e->offset, e->doc_bits, e->count, csd_page_base_doc(c, b, e),
                       docs);
  for (uint32_t i = 0; i < e->count; i++) {
    any |= docs[i];
  }
  if (any > INT32_MAX || docs[e->count - 1u] != csd_page_last_doc(c, b)) {
    return CSD_CORRUPT(CSD_BLOCK_TEXT "decodes to last doc %" PRIu32 "%s, not %" PRIu32, b,
                       docs[e->count - 1u], any > INT32_MAX ? " after one above 2^31" : "",
                       csd_page_last_doc(c, b));
  }
  return 0;
}

static uint8_t capped(uint32_t freq) {
  return (uint8_t)(freq < CSD_IMPACT_FREQ_UNBOUNDED ? freq : CSD_IMPACT_FREQ_UNBOUNDED);
}

static int check_freqs(const struct csd_kernels *kernels, const struct csd_checked_page *c,
                       uint32_t b, const struct csd_block_entry *e, uint8_t *out) {
  const uint8_t *column = c->page + csd_page_freq_offset(c, b, e);
  uint32_t freqs[CSD_BLOCK_POSTINGS], any = 0;
  kernels->unpack_freqs(column, e->freq_bits, e->count, freqs);
  for (uint32_t i = 0; i < e->count; i++) {
    any |= freqs[i];
    out[i] = capped(freqs[i]);
  }
  if (any > INT32_MAX) {
    for (uint32_t i = 0; i < e->count; i++) {
      if (freqs[i] > INT32_MAX) {
        return CSD_CORRUPT(CSD_BLOCK_TEXT "freq of posting %" PRIu32 " exceeds 2^31 - 1", b, i);
      }
    }
  }
  const uint8_t *exceptions = c->page + csd_page_exceptions_offset(c, b, e);
  for (uint32_t i = 0; i < csd_block_exceptions(e); i++, exceptions += CSD_EXCEPTION_BYTES) {
    const uint32_t stored = csd_load_packed(column, e->freq_bits, exceptions[0]) |
                            (uint32_t)exceptions[1] << e->freq_bits;
    out[exceptions[0]] = capped(stored + 1u);
  }
  return 0;
}

static int decode_block(const struct csd_kernels *kernels, const struct csd_checked_page *c,
                        uint32_t b, const struct csd_block_entry *e, struct postings *out) {
  int status = csd_block_is_bitmap(e) ? 0 : check_docs(kernels, c, b, e);
  if (status == 0) {
    status = check_freqs(kernels, c, b, e, out->freq);
  }
  if (status < 0) {
    return status;
  }
  kernels->unpack_norms(c->page + csd_page_norm_offset(c, b, e), e->norm_bits, e->count,
                        e->norm_base, out->norm);
  uint8_t wrapped = 0; /* norms are summed modulo 256 */
  for (uint32_t i = 0; i < e->count; i++) {
    wrapped |= out->norm[i] < e->norm_base;
  }
  return wrapped != 0 ? CSD_CORRUPT(CSD_BLOCK_TEXT "a norm exceeds 255", b) : 0;
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
  const struct csd_kernels *kernels = csd_kernels_choose();
  struct postings postings = {0};
  const uint8_t *next_impacts = c->page + csd_page_directory_end(&c->header);
  for (uint32_t b = 0; b < c->header.block_count; b++) {
    const struct csd_block_entry e = csd_page_entry(c, b);
    const int status = decode_block(kernels, c, b, &e, &postings);
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
