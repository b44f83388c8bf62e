/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * merge_docs with AVX-512: a bitonic network merges 16 docs with 16, of which the lower 16 are
 * done, and the list whose next doc is the lower one gives the next 16.
 */
#ifndef CSD_KERNELS_AVX512_MERGE_H
#define CSD_KERNELS_AVX512_MERGE_H

#include <immintrin.h>
#include <stdint.h>

/* Stands behind the last doc of a list; no doc is that high. */
#define CSD_MERGE_PAD (-1)

/* The docs from `at` on, of which there are `n` or 16. */
static inline __m512i csd_merge_load(const uint32_t *at, unsigned n) {
  return n >= 16 ? _mm512_loadu_si512(at)
                 : _mm512_mask_loadu_epi32(_mm512_set1_epi32(CSD_MERGE_PAD),
                                           (__mmask16)((1u << n) - 1u), at);
}

/* One step of csd_merge_sort: orders lanes `swapped` with each other; `upper` get the greater. */
static inline __m512i csd_merge_step(__m512i v, __m512i swapped, __mmask16 upper) {
  return _mm512_mask_max_epu32(_mm512_min_epu32(v, swapped), upper, v, swapped);
}

/* Sorts 16 values that first rise, then fall, or the other way round. */
static inline __m512i csd_merge_sort(__m512i v) {
  v = csd_merge_step(v, _mm512_shuffle_i64x2(v, v, 0x4E), 0xFF00);
  v = csd_merge_step(v, _mm512_shuffle_i64x2(v, v, 0xB1), 0xF0F0);
  v = csd_merge_step(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC), 0xCCCC);
  return csd_merge_step(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB), 0xAAAA);
}

/* Sorts two vectors that are sorted each. */
static inline void csd_merge_pair(__m512i *low, __m512i *high) {
  const __m512i backwards = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i falling = _mm512_permutexvar_epi32(backwards, *low);
  *low = csd_merge_sort(_mm512_min_epu32(falling, *high));
  *high = csd_merge_sort(_mm512_max_epu32(falling, *high));
}

/* Stores those of 16 sorted docs that neither the lane before has nor are padding. */
static inline unsigned csd_merge_store(__m512i v, __m512i before, uint32_t *out) {
  const __mmask16 fresh = _mm512_cmpneq_epi32_mask(v, _mm512_alignr_epi32(v, before, 15));
  const __mmask16 valid = _mm512_mask_cmpneq_epi32_mask(fresh, v, _mm512_set1_epi32(CSD_MERGE_PAD));
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(valid, v));
  return (unsigned)_mm_popcnt_u32(valid);
}

static unsigned csd_merge_docs_avx512(const uint32_t *a, unsigned a_count, const uint32_t *b,
                                      unsigned b_count, uint32_t *out) {
  __m512i before = _mm512_set1_epi32(CSD_MERGE_PAD);
  __m512i low = csd_merge_load(a, a_count);
  __m512i high = csd_merge_load(b, b_count);
  csd_merge_pair(&low, &high);
  unsigned n = csd_merge_store(low, before, out);
  before = low;
  unsigned i = 16;
  unsigned j = 16;
  while (i + 16 <= a_count && j + 16 <= b_count) {
    const unsigned from_a = a[i] <= b[j]; /* unpredictable, so no branch */
    const uint32_t *next = from_a != 0 ? a + i : b + j;
    low = _mm512_loadu_si512(next);
    i += 16u * from_a;
    j += 16u - 16u * from_a;
    csd_merge_pair(&low, &high);
    n += csd_merge_store(low, before, out + n);
    before = low;
  }
  while (i < a_count || j < b_count) {
    if (j >= b_count || (i < a_count && a[i] <= b[j])) {
      low = csd_merge_load(a + i, a_count - i);
      i += 16;
    } else {
      low = csd_merge_load(b + j, b_count - j);
      j += 16;
    }
    csd_merge_pair(&low, &high);
    n += csd_merge_store(low, before, out + n);
    before = low;
  }
  return n + csd_merge_store(high, before, out + n);
}

#endif
