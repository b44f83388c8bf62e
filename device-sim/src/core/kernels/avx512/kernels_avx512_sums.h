/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * merge_scores with AVX-512: as merge_docs, 8 with 8. A lane is a doc with the bits of its score
 * below it, so that both move together. Vectors are stored one late, when the doc that follows is
 * known: the last lane of a doc gets its sum.
 */
#ifndef CSD_KERNELS_AVX512_SUMS_H
#define CSD_KERNELS_AVX512_SUMS_H

#include <immintrin.h>
#include <stdint.h>

/* The postings from `at` on, of which there are `n` or 8; padding is above every doc. */
static inline __m512i csd_sums_load(const uint32_t *docs, const float *scores, unsigned n) {
  const __mmask8 valid = (__mmask8)(n >= 8 ? 0xFFu : (1u << n) - 1u);
  const __m256i doc = _mm256_mask_loadu_epi32(_mm256_set1_epi32(-1), valid, docs);
  const __m256i score = _mm256_maskz_loadu_epi32(valid, scores);
  return _mm512_or_si512(_mm512_slli_epi64(_mm512_cvtepu32_epi64(doc), 32),
                         _mm512_cvtepu32_epi64(score));
}

/* Orders lanes `swapped` with each other; `upper` get the greater. */
static inline __m512i csd_sums_step(__m512i v, __m512i swapped, __mmask8 upper) {
  return _mm512_mask_max_epu64(_mm512_min_epu64(v, swapped), upper, v, swapped);
}

/* Sorts 8 lanes that first rise, then fall, or the other way round. */
static inline __m512i csd_sums_sort(__m512i v) {
  v = csd_sums_step(v, _mm512_shuffle_i64x2(v, v, 0x4E), 0xF0);
  v = csd_sums_step(v, _mm512_shuffle_i64x2(v, v, 0xB1), 0xCC);
  return csd_sums_step(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC), 0xAA);
}

static inline void csd_sums_pair(__m512i *low, __m512i *high) {
  const __m512i falling = _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), *low);
  *low = csd_sums_sort(_mm512_min_epu64(falling, *high));
  *high = csd_sums_sort(_mm512_max_epu64(falling, *high));
}

static inline __m512d csd_sums_scores(__m512i v) {
  return _mm512_cvtps_pd(_mm256_castsi256_ps(_mm512_cvtepi64_epi32(v)));
}

/* Stores the docs whose last lane is in `v`, the vector between `before` and `after`. */
static inline unsigned csd_sums_store(__m512i before, __m512i v, __m512i after, uint32_t *docs,
                                      double *sums) {
  const __m512i score_bits = _mm512_set1_epi64(0xFFFFFFFF);
  const __m512i previous = _mm512_alignr_epi64(v, before, 7);
  const __m512i next = _mm512_alignr_epi64(after, v, 1);
  const __mmask8 second = _mm512_cmple_epu64_mask(_mm512_xor_si512(v, previous), score_bits);
  const __mmask8 last = _mm512_cmpgt_epu64_mask(_mm512_xor_si512(v, next), score_bits);
  const __mmask8 valid = _mm512_mask_cmplt_epu64_mask(
      last, v, _mm512_set1_epi64((long long)UINT64_C(0xFFFFFFFF00000000)));
  const __m512d own = csd_sums_scores(v);
  const __m512d sum = _mm512_mask_add_pd(own, second, own, csd_sums_scores(previous));
  const __m256i doc = _mm512_cvtepi64_epi32(_mm512_srli_epi64(v, 32));
  _mm256_storeu_si256((void *)docs, _mm256_maskz_compress_epi32(valid, doc));
  _mm512_storeu_pd(sums, _mm512_maskz_compress_pd(valid, sum));
  return (unsigned)_mm_popcnt_u32(valid);
}

static unsigned csd_merge_scores_avx512(const uint32_t *a_docs, const float *a_scores,
                                        unsigned a_count, const uint32_t *b_docs,
                                        const float *b_scores, unsigned b_count, uint32_t *docs,
                                        double *sums) {
  const __m512i none = _mm512_set1_epi64(-1);
  __m512i before = none;
  __m512i waiting = csd_sums_load(a_docs, a_scores, a_count);
  __m512i high = csd_sums_load(b_docs, b_scores, b_count);
  csd_sums_pair(&waiting, &high);
  unsigned n = 0;
  unsigned i = 8;
  unsigned j = 8;
  while (i < a_count || j < b_count) {
    __m512i low;
    if (i + 8 <= a_count && j + 8 <= b_count) {
      const unsigned from_a = a_docs[i] <= b_docs[j]; /* unpredictable, so no branch */
      low = csd_sums_load(from_a != 0 ? a_docs + i : b_docs + j,
                          from_a != 0 ? a_scores + i : b_scores + j, 8);
      i += 8u * from_a;
      j += 8u - 8u * from_a;
    } else if (j >= b_count || (i < a_count && a_docs[i] <= b_docs[j])) {
      low = csd_sums_load(a_docs + i, a_scores + i, a_count - i);
      i += 8;
    } else {
      low = csd_sums_load(b_docs + j, b_scores + j, b_count - j);
      j += 8;
    }
    csd_sums_pair(&low, &high);
    n += csd_sums_store(before, waiting, low, docs + n, sums + n);
    before = waiting;
    waiting = low;
  }
  n += csd_sums_store(before, waiting, high, docs + n, sums + n);
  return n + csd_sums_store(waiting, high, none, docs + n, sums + n);
}

#endif
