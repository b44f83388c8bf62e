/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Positions of docs that have few, with AVX2; for kernels_avx2.c alone. */
#ifndef CSD_KERNELS_AVX2_POSITIONS_H
#define CSD_KERNELS_AVX2_POSITIONS_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernels/kernels_common.h"

/* Up to 16 positions, compared with one other at a time. */
static uint32_t csd_keep_common_avx2(uint32_t *positions, uint32_t n, const uint32_t *others,
                                     uint32_t m) {
  if (n > 16u || m > CSD_COMPARED_TO || n * m <= 4u) {
    return csd_keep_common(positions, n, others, m);
  }
  const __m256i low = _mm256_loadu_si256((const void *)positions);
  const __m256i high = _mm256_loadu_si256((const void *)(positions + 8));
  __m256i low_found = _mm256_setzero_si256();
  __m256i high_found = _mm256_setzero_si256();
  for (uint32_t j = 0; j < m; j++) {
    const __m256i other = _mm256_set1_epi32((int)others[j]);
    low_found = _mm256_or_si256(low_found, _mm256_cmpeq_epi32(low, other));
    high_found = _mm256_or_si256(high_found, _mm256_cmpeq_epi32(high, other));
  }
  unsigned found = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(low_found)) |
                   (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(high_found)) << 8;
  found &= (1u << n) - 1u;
  uint32_t kept = 0;
  for (; found != 0; found &= found - 1u) {
    positions[kept++] = positions[_tzcnt_u32(found)];
  }
  return kept;
}

/* Two postings at once, each in half a vector. Four values of up to 25 bits lie within 16 bytes,
   wherever they start. */
static void csd_unpack_few_avx2(const struct csd_few_values *postings, uint32_t n, uint32_t base,
                                uint32_t *positions) {
  _Static_assert(sizeof *postings == 16 && offsetof(struct csd_few_values, bits) == 8 &&
                     offsetof(struct csd_few_values, odd) == 9 &&
                     offsetof(struct csd_few_values, count) == 10,
                 "two postings are a vector, and the third number of each is taken apart");
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3);
  const __m256i low_byte = _mm256_setr_epi32(0x00000000, 0x04040404, 0x08080808, 0x0C0C0C0C,
                                             0x00000000, 0x04040404, 0x08080808, 0x0C0C0C0C);
  const __m256i one = _mm256_set1_epi32(1);
  const __m256i byte = _mm256_set1_epi32(0xFF);
  const __m256i bases = _mm256_set1_epi32((int)base);
  for (uint32_t i = 0; i < n; i += 2u) {
    const struct csd_few_values *a = &postings[i];
    const struct csd_few_values *b = i + 1u < n ? a + 1 : a;
    const __m256i all =
        _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)a)),
                                _mm_loadu_si128((const void *)b), 1);
    const __m256i bytes =
        _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)a->at)),
                                _mm_loadu_si128((const void *)b->at), 1);
    const __m256i layout = _mm256_shuffle_epi32(all, 0xAA);
    const __m256i bits = _mm256_and_si256(layout, byte);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(layout, 8), byte);
    const __m256i count = _mm256_and_si256(_mm256_srli_epi32(layout, 16), byte);
    const __m256i bit = _mm256_add_epi32(odd, _mm256_madd_epi16(lane, bits));
    const __m256i from = _mm256_add_epi8(_mm256_shuffle_epi8(_mm256_srli_epi32(bit, 3), low_byte),
                                         _mm256_set1_epi32(0x03020100));
    const __m256i words = _mm256_shuffle_epi8(bytes, from);
    const __m256i shift = _mm256_and_si256(bit, _mm256_set1_epi32(7));
    const __m256i mask = _mm256_sub_epi32(_mm256_sllv_epi32(one, bits), one);
    __m256i v = _mm256_and_si256(_mm256_srlv_epi32(words, shift), mask);
    v = _mm256_and_si256(v, _mm256_cmpgt_epi32(count, lane));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    _mm256_storeu_si256((void *)(positions + i * CSD_FEW_POSITIONS), _mm256_add_epi32(v, bases));
  }
}

/* Each position of two docs with all others of its doc, which are turned round in its half. */
static void csd_match_few_avx2(const uint32_t *positions, const uint32_t *others, uint32_t n,
                               uint8_t *left) {
  for (uint32_t i = 0; i < n; i += 2u) {
    const __m256i a = _mm256_loadu_si256((const void *)(positions + i * CSD_FEW_POSITIONS));
    const __m256i b = _mm256_loadu_si256((const void *)(others + i * CSD_FEW_POSITIONS));
    const __m256i equal =
        _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi32(a, b),
                                        _mm256_cmpeq_epi32(a, _mm256_shuffle_epi32(b, 0x39))),
                        _mm256_or_si256(_mm256_cmpeq_epi32(a, _mm256_shuffle_epi32(b, 0x4E)),
                                        _mm256_cmpeq_epi32(a, _mm256_shuffle_epi32(b, 0x93))));
    const unsigned found = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(equal));
    left[i] &= (uint8_t)(found & 15u);
    if (i + 1u < n) {
      left[i + 1u] &= (uint8_t)(found >> 4);
    }
  }
}

#endif
