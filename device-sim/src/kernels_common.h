/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Kernels that are best in plain C everywhere; each version compiles them for its machine. */
#ifndef CSD_KERNELS_COMMON_H
#define CSD_KERNELS_COMMON_H

#include <stdint.h>
#include <string.h>

/* Docs to look for in one block up to which a search for each pays; plain C can look backwards. */
#define CSD_SEARCH_PAYS_TO 1024u

/* Words that docs may span to be set by way of a buffer, a multiple of 8, and the docs it takes to
   pay. */
#define CSD_BUFFERED_WORDS 64u
#define CSD_BUFFER_PAYS_FROM 16u

/*
 * Makes `words` words, the first of which starts at `base`, in a buffer: each is stored again and
 * again but never loaded, so that there is neither a branch at the end of a word, which would be
 * mispredicted, nor a wait for the last store.
 */
static void csd_set_bits_buffered(uint64_t *bits, uint32_t words, uint32_t base,
                                  const uint32_t *docs, unsigned n) {
  uint64_t made[CSD_BUFFERED_WORDS];
  for (uint32_t w = 0; w < words; w += 8) {
    memset(made + w, 0, 8 * sizeof made[0]);
  }
  uint32_t before = 0;
  uint64_t word = 0;
  unsigned i = 0;
  /* In pairs: the chain from pair to pair is as long as that from doc to doc would be. */
  for (; i + 2 <= n; i += 2) {
    const uint32_t offset1 = docs[i] - base;
    const uint32_t offset2 = docs[i + 1] - base;
    const uint32_t at1 = offset1 >> 6;
    const uint32_t at2 = offset2 >> 6;
    /* As masks, or the compiler makes them branches. */
    const uint64_t same1 = 0u - (uint64_t)(at1 == before);
    const uint64_t same2 = 0u - (uint64_t)(at2 == at1);
    const uint64_t bit1 = UINT64_C(1) << (offset1 & 63u);
    const uint64_t bits2 = UINT64_C(1) << (offset2 & 63u) | (bit1 & same2);
    made[at1] = (word & same1) | bit1;
    word = (word & (same1 & same2)) | bits2;
    made[at2] = word;
    before = at2;
  }
  if (i < n) {
    const uint32_t offset = docs[i] - base;
    const uint64_t same = 0u - (uint64_t)(offset >> 6 == before);
    made[offset >> 6] = (word & same) | UINT64_C(1) << (offset & 63u);
  }
  /* Word by word: a vector would have to wait until the last stores have reached the cache. */
  const volatile uint64_t *one_by_one = made;
  for (uint32_t w = 0; w < words; w++) {
    bits[w] |= one_by_one[w];
  }
}

/** set_bits of struct csd_kernels. */
static void csd_set_bits(uint64_t *bits, uint32_t base, const uint32_t *docs, unsigned n) {
  if (n == 0) {
    return;
  }
  const uint32_t first = (docs[0] - base) >> 6;
  const uint32_t words = ((docs[n - 1] - base) >> 6) - first + 1;
  if (n >= CSD_BUFFER_PAYS_FROM && words <= CSD_BUFFERED_WORDS && words <= n) {
    csd_set_bits_buffered(bits + first, words, base + first * 64u, docs, n);
    return;
  }
  for (unsigned i = 0; i < n; i++) {
    const uint32_t offset = docs[i] - base;
    bits[offset >> 6] |= UINT64_C(1) << (offset & 63u);
  }
}

/** copy_above of struct csd_kernels. */
static inline unsigned csd_copy_above(const uint32_t *docs, const float *scores, unsigned n,
                                      float floor, uint32_t *kept_docs, float *kept_scores) {
  unsigned kept = 0;
  for (unsigned i = 0; i < n; i++) {
    kept_docs[kept] = docs[i];
    kept_scores[kept] = scores[i];
    kept += !(scores[i] <= floor);
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
    sums[n++] = csd_if_taken(x <= y, (double)a_scores[i]) +
                csd_if_taken(y <= x, (double)b_scores[j]);
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

/** keep_above of struct csd_kernels. */
static inline unsigned csd_keep_above(uint32_t *docs, double *sums, unsigned n, double rest,
                                      double slack, double floor) {
  unsigned kept = 0;
  for (unsigned i = 0; i < n; i++) {
    const double sum = sums[i];
    docs[kept] = docs[i];
    sums[kept] = sum;
    kept += !((sum + rest) * slack <= floor);
  }
  return kept;
}

#endif
