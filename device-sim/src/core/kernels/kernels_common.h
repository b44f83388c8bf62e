/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Kernels that are best in plain C everywhere; each version compiles them for its machine. */
#ifndef CSD_KERNELS_COMMON_H
#define CSD_KERNELS_COMMON_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/kernels/bits.h"
#include "core/kernels/kernels.h"
#include "csd/csd_wire.h"

/* Docs to look for in one block up to which a search for each pays; plain C can look backwards. */
#define CSD_SEARCH_PAYS_TO 1024u

/**
 * set_bits of struct csd_kernels. By bytes: a byte is set again less often than a longer word, and
 * then the load would have to wait for the store.
 */
static inline void csd_set_bits(uint64_t *bits, uint32_t base, const uint32_t *docs, unsigned n) {
  uint8_t *bytes = (uint8_t *)bits;
  for (unsigned i = 0; i < n; i++) {
    const uint32_t offset = docs[i] - base;
    bytes[offset >> 3] |= (uint8_t)(1u << (offset & 7u));
  }
}

/** unpack_positions of struct csd_kernels. */
static inline void csd_unpack_positions(const uint8_t *column, unsigned bits, uint32_t first,
                                        uint32_t n, uint32_t base, uint32_t *positions) {
  for (uint32_t i = 0; i < n; i++) {
    base += csd_load_packed(column, bits, first + i);
    positions[i] = base;
  }
}

/** unpack_few of struct csd_kernels. */
static inline void csd_unpack_few(const struct csd_few_values *postings, uint32_t n, uint32_t base,
                                  uint32_t *positions) {
  for (uint32_t i = 0; i < n; i++) {
    const struct csd_few_values *posting = &postings[i];
    const uint32_t mask = (UINT32_C(1) << posting->bits) - 1u;
    uint32_t position = base;
    uint32_t bit = posting->odd;
    for (uint32_t j = 0; j < CSD_FEW_POSITIONS; j++, bit += posting->bits) {
      const uint32_t value = csd_load_u32(posting->at + (bit >> 3)) >> (bit & 7u) & mask;
      position += j < posting->count ? value : 0;
      *positions++ = position;
    }
  }
}

/** match_few of struct csd_kernels. */
static inline void csd_match_few(const uint32_t *positions, const uint32_t *others, uint32_t n,
                                 uint8_t *left) {
  for (uint32_t i = 0; i < n * CSD_FEW_POSITIONS; i += CSD_FEW_POSITIONS) {
    unsigned found = 0;
    for (uint32_t j = 0; j < CSD_FEW_POSITIONS; j++) {
      for (uint32_t k = 0; k < CSD_FEW_POSITIONS; k++) {
        found |= (unsigned)(positions[i + j] == others[i + k]) << j;
      }
    }
    left[i / CSD_FEW_POSITIONS] &= (uint8_t)found;
  }
}

/* Pairs of positions up to which each is compared with each: no branch depends on them. */
#define CSD_FEW_PAIRS 24u

/* Other positions up to which up to CSD_POSITIONS_SLACK are compared with each of them. */
#define CSD_COMPARED_TO 24u

/* Up to CSD_POSITIONS_SLACK positions, compared with one other at a time. Always as many, so that
   the compiler makes vectors of them. */
static inline uint32_t csd_keep_compared(uint32_t *positions, uint32_t n, const uint32_t *others,
                                         uint32_t m) {
  uint32_t found[CSD_POSITIONS_SLACK] = {0};
  for (uint32_t j = 0; j < m; j++) {
    const uint32_t other = others[j];
    for (uint32_t i = 0; i < CSD_POSITIONS_SLACK; i++) {
      found[i] |= positions[i] == other ? 1u : 0u;
    }
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    positions[kept] = positions[i];
    kept += found[i];
  }
  return kept;
}

/** keep_common of struct csd_kernels. */
static inline uint32_t csd_keep_common(uint32_t *positions, uint32_t n, const uint32_t *others,
                                       uint32_t m) {
  uint32_t kept = 0;
  if (n * m <= CSD_FEW_PAIRS) {
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t position = positions[i];
      uint32_t found = 0;
      for (uint32_t j = 0; j < m; j++) {
        found |= others[j] == position;
      }
      positions[kept] = position;
      kept += found;
    }
    return kept;
  }
  if (n <= CSD_POSITIONS_SLACK && m <= CSD_COMPARED_TO) {
    return csd_keep_compared(positions, n, others, m);
  }
  uint32_t j = 0;
  for (uint32_t i = 0; i < n; i++) {
    while (j < m && (int32_t)others[j] < (int32_t)positions[i]) {
      j++;
    }
    if (j == m) {
      break;
    }
    positions[kept] = positions[i];
    kept += others[j] == positions[i];
  }
  return kept;
}

/** rank_freqs of struct csd_kernels, by the sums that unpack_docs of a version gives. */
static inline void csd_rank_freqs(void (*unpack_docs)(const uint8_t *, unsigned, unsigned, uint32_t,
                                                      uint32_t *),
                                  const uint8_t *column, unsigned bits, const uint8_t *position,
                                  unsigned n, uint32_t *freqs, uint32_t *ranks) {
  /* A stored 0 is a frequency of 1, as it is a delta of 1: docs would be the frequencies' sums. */
  uint32_t sums[CSD_BLOCK_POSTINGS];
  unpack_docs(column, bits, position[n - 1u] + 1u, 0, sums);
  for (unsigned i = 0; i < n; i++) {
    const uint32_t at = position[i];
    ranks[i] = at == 0 ? 0 : sums[at - 1u];
    freqs[i] = sums[at] - ranks[i];
  }
}

/** gather_freqs of struct csd_kernels. */
static inline void csd_gather_freqs(const uint8_t *column, unsigned bits, unsigned count,
                                    const uint8_t *exceptions, unsigned exception_count,
                                    const uint8_t *position, unsigned n, uint32_t *freqs) {
  (void)count;
  for (unsigned i = 0; i < n; i++) {
    freqs[i] = csd_load_packed(column, bits, position[i]) + 1u;
  }
  for (unsigned e = 0; e < exception_count; e++, exceptions += CSD_EXCEPTION_BYTES) {
    const uint32_t high = (uint32_t)exceptions[1] << bits;
    for (unsigned i = 0; i < n; i++) {
      freqs[i] += position[i] == exceptions[0] ? high : 0u;
    }
  }
}

/** gather_norms of struct csd_kernels. */
static inline void csd_gather_norms(const uint8_t *column, unsigned bits, unsigned count,
                                    uint8_t base, const uint8_t *position, unsigned n,
                                    uint8_t *norms) {
  (void)count;
  for (unsigned i = 0; i < n; i++) {
    norms[i] = (uint8_t)(base + csd_load_packed(column, bits, position[i]));
  }
}

/** any_needed of struct csd_kernels. Eight at once: no branch for each. */
static inline bool csd_any_needed(const uint8_t *needed, const uint32_t *freqs,
                                  const uint8_t *norms, unsigned n) {
  for (unsigned i = 0; i < n; i += 8) {
    const unsigned end = n - i < 8 ? n : i + 8;
    unsigned found = 0;
    for (unsigned j = i; j < end; j++) {
      found |= freqs[j] >= needed[norms[j]]; /* one that needs 255 needs no more */
    }
    if (found != 0) {
      return true;
    }
  }
  return false;
}

/** copy_above of struct csd_kernels. */
static inline unsigned csd_copy_above(const uint32_t *docs, const float *scores, unsigned n,
                                      float min_score, uint32_t *kept_docs, float *kept_scores) {
  unsigned kept = 0;
  for (unsigned i = 0; i < n; i++) {
    kept_docs[kept] = docs[i];
    kept_scores[kept] = scores[i];
    kept += !(scores[i] <= min_score);
  }
  return kept;
}

/* merge_pays_to of kernels that merge doc by doc. */
#define CSD_MERGE_DOCS_PAYS_TO 96u

/** merge_docs of struct csd_kernels. No branch depends on which list is ahead. */
static inline unsigned csd_merge_docs(const uint32_t *a, unsigned a_count, const uint32_t *b,
                                      unsigned b_count, uint32_t *out) {
  unsigned i = 0;
  unsigned j = 0;
  unsigned n = 0;
  while (i < a_count && j < b_count) {
    const uint32_t x = a[i];
    const uint32_t y = b[j];
    out[n++] = x <= y ? x : y;
    i += x <= y;
    j += y <= x;
  }
  memcpy(out + n, a + i, (a_count - i) * sizeof out[0]);
  n += a_count - i;
  memcpy(out + n, b + j, (b_count - j) * sizeof out[0]);
  return n + (b_count - j);
}

/* `value` if `taken`, else 0.0; as a mask, or the compiler makes it a branch. */
static inline double csd_if_taken(unsigned taken, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits &= 0u - (uint64_t)taken;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/** merge_scores of struct csd_kernels. No branch depends on which list is ahead. */
static inline unsigned csd_merge_scores(const uint32_t *a_docs, const float *a_scores,
                                        unsigned a_count, const uint32_t *b_docs,
                                        const float *b_scores, unsigned b_count, uint32_t *docs,
                                        double *sums) {
  unsigned i = 0;
  unsigned j = 0;
  unsigned n = 0;
  while (i < a_count && j < b_count) {
    const uint32_t x = a_docs[i];
    const uint32_t y = b_docs[j];
    docs[n] = x <= y ? x : y;
    sums[n++] =
        csd_if_taken(x <= y, (double)a_scores[i]) + csd_if_taken(y <= x, (double)b_scores[j]);
    i += x <= y;
    j += y <= x;
  }
  for (; i < a_count; i++, n++) {
    docs[n] = a_docs[i];
    sums[n] = (double)a_scores[i];
  }
  for (; j < b_count; j++, n++) {
    docs[n] = b_docs[j];
    sums[n] = (double)b_scores[j];
  }
  return n;
}

/** match_range of struct csd_kernels. */
static inline void csd_match_range(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n,
                                   uint64_t lo, uint64_t hi, uint64_t *words) {
  for (uint32_t i = 0; i < n; i += 64u) {
    const uint32_t m = n - i < 64u ? n - i : 64u;
    uint64_t word = 0;
    for (uint32_t j = 0; j < m; j++) {
      const uint64_t value = csd_load_packed_u64(column, bits, first + i + j);
      word |= (uint64_t)(value - lo <= hi - lo) << j;
    }
    words[i / 64u] = word;
  }
}

/** match_map of struct csd_kernels. */
static inline void csd_match_map(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n,
                                 const struct csd_value_map *map, uint64_t *words) {
  for (uint32_t i = 0; i < n; i += 64u) {
    const uint32_t m = n - i < 64u ? n - i : 64u;
    uint64_t word = 0;
    for (uint32_t j = 0; j < m; j++) {
      const uint64_t value = csd_load_packed_u64(column, bits, first + i + j);
      word |= (uint64_t)csd_value_map_has(map, value) << j;
    }
    words[i / 64u] = word;
  }
}

/** ranges_pay_to of kernels whose match_range takes values one by one. */
#define CSD_RANGES_PAY_TO 1u

/** keep_above of struct csd_kernels. */
static inline unsigned csd_keep_above(uint32_t *docs, double *sums, unsigned n, double rest,
                                      double slack, double min_score) {
  unsigned kept = 0;
  for (unsigned i = 0; i < n; i++) {
    const double sum = sums[i];
    docs[kept] = docs[i];
    sums[kept] = sum;
    kept += !((sum + rest) * slack <= min_score);
  }
  return kept;
}

#endif
