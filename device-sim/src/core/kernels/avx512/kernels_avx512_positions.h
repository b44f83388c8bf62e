/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Positions of docs that have few, with AVX-512; for kernels_avx512.c alone. */
#ifndef CSD_KERNELS_AVX512_POSITIONS_H
#define CSD_KERNELS_AVX512_POSITIONS_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernels/kernels_common.h"

/* Other positions up to which comparing up to 16 with each of them pays. */
#define CSD_COMPARED_16_TO 48u

/* Up to 16 positions, compared with one other at a time. */
static inline uint32_t csd_keep_common_16(uint32_t *positions, uint32_t n, const uint32_t *others,
                                          uint32_t m) {
  const __mmask16 all = (__mmask16)((1u << n) - 1u);
  const __m512i own = _mm512_maskz_loadu_epi32(all, positions);
  __mmask16 found = 0;
  for (uint32_t j = 0; j < m; j++) {
    found |= _mm512_cmpeq_epi32_mask(own, _mm512_set1_epi32((int)others[j]));
  }
  found &= all;
  _mm512_mask_storeu_epi32(positions, all, _mm512_maskz_compress_epi32(found, own));
  return (uint32_t)_mm_popcnt_u32(found);
}

/* All pairs of up to four of each at once. */
static uint32_t csd_keep_common_avx512(uint32_t *positions, uint32_t n, const uint32_t *others,
                                       uint32_t m) {
  if (n > 16u || m > CSD_COMPARED_16_TO) {
    return csd_keep_common(positions, n, others, m);
  }
  if (n > 4u || m > 4u) {
    return csd_keep_common_16(positions, n, others, m);
  }
  const __m512i four = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
  const __m128i own = _mm_loadu_si128((const void *)positions);
  const __m512i left = _mm512_permutexvar_epi32(four, _mm512_castsi128_si512(own));
  const __m512i right = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)others));
  unsigned pairs = _cvtmask16_u32(_mm512_cmpeq_epi32_mask(left, right));
  pairs &= ((1u << m) - 1u) * 0x1111u;
  pairs |= pairs >> 2;
  pairs |= pairs >> 1;
  const unsigned all = (1u << n) - 1u;
  const unsigned found = _pext_u32(pairs, 0x1111) & all;
  _mm_mask_storeu_epi32(positions, (__mmask8)all, _mm_maskz_compress_epi32((__mmask8)found, own));
  return (uint32_t)_mm_popcnt_u32(found);
}

/* Four postings at once, each in a quarter of a vector. Four values of up to 25 bits lie within 16
   bytes, wherever they start. */
static void csd_unpack_few_avx512(const struct csd_few_values *postings, uint32_t n, uint32_t base,
                                  uint32_t *positions) {
  _Static_assert(sizeof *postings == 16 && offsetof(struct csd_few_values, bits) == 8 &&
                     offsetof(struct csd_few_values, odd) == 9 &&
                     offsetof(struct csd_few_values, count) == 10,
                 "four postings are a vector, and the third number of each is taken apart");
  const __m512i lane = _mm512_set4_epi32(3, 2, 1, 0);
  const __m512i low_byte = _mm512_set4_epi32(0x0C0C0C0C, 0x08080808, 0x04040404, 0x00000000);
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i byte = _mm512_set1_epi32(0xFF);
  const __m512i bases = _mm512_set1_epi32((int)base);
  for (uint32_t i = 0; i < n; i += 4u) {
    const uint32_t last = n - 1u;
    const uint32_t b = i + 1u < last ? i + 1u : last;
    const uint32_t c = i + 2u < last ? i + 2u : last;
    const uint32_t d = i + 3u < last ? i + 3u : last;
    const __mmask8 some = (__mmask8)(n - i < 4u ? (1u << 2u * (n - i)) - 1u : 0xFFu);
    const __m512i all = _mm512_maskz_loadu_epi64(some, postings + i);
    __m512i bytes = _mm512_castsi128_si512(_mm_loadu_si128((const void *)postings[i].at));
    bytes = _mm512_inserti32x4(bytes, _mm_loadu_si128((const void *)postings[b].at), 1);
    bytes = _mm512_inserti32x4(bytes, _mm_loadu_si128((const void *)postings[c].at), 2);
    bytes = _mm512_inserti32x4(bytes, _mm_loadu_si128((const void *)postings[d].at), 3);
    const __m512i layout = _mm512_shuffle_epi32(all, 0xAA);
    const __m512i bits = _mm512_and_si512(layout, byte);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(layout, 8), byte);
    const __m512i count = _mm512_and_si512(_mm512_srli_epi32(layout, 16), byte);
    const __m512i bit = _mm512_add_epi32(odd, _mm512_madd_epi16(lane, bits));
    const __m512i from = _mm512_add_epi8(_mm512_shuffle_epi8(_mm512_srli_epi32(bit, 3), low_byte),
                                         _mm512_set1_epi32(0x03020100));
    const __m512i words = _mm512_shuffle_epi8(bytes, from);
    const __m512i shift = _mm512_and_si512(bit, _mm512_set1_epi32(7));
    const __m512i mask = _mm512_sub_epi32(_mm512_sllv_epi32(one, bits), one);
    const __mmask16 own = _mm512_cmplt_epu32_mask(lane, count);
    __m512i v = _mm512_maskz_and_epi32(own, _mm512_srlv_epi32(words, shift), mask);
    v = _mm512_add_epi32(v, _mm512_bslli_epi128(v, 4));
    v = _mm512_add_epi32(v, _mm512_bslli_epi128(v, 8));
    _mm512_storeu_si512(positions + i * CSD_FEW_POSITIONS, _mm512_add_epi32(v, bases));
  }
}

/* Each position of four docs with all others of its doc, which are turned round in its quarter. */
static void csd_match_few_avx512(const uint32_t *positions, const uint32_t *others, uint32_t n,
                                 uint8_t *left) {
  for (uint32_t i = 0; i < n; i += 4u) {
    const __m512i a = _mm512_loadu_si512(positions + i * CSD_FEW_POSITIONS);
    const __m512i b = _mm512_loadu_si512(others + i * CSD_FEW_POSITIONS);
    const unsigned found =
        _cvtmask16_u32(_mm512_cmpeq_epi32_mask(a, b)) |
        _cvtmask16_u32(_mm512_cmpeq_epi32_mask(a, _mm512_shuffle_epi32(b, 0x39))) |
        _cvtmask16_u32(_mm512_cmpeq_epi32_mask(a, _mm512_shuffle_epi32(b, 0x4E))) |
        _cvtmask16_u32(_mm512_cmpeq_epi32_mask(a, _mm512_shuffle_epi32(b, 0x93)));
    const __mmask16 some = (__mmask16)(n - i < 4u ? (1u << (n - i)) - 1u : 15u);
    const __m128i bits = _mm_cvtsi32_si128((int)_pdep_u32(found, 0x0F0F0F0Fu));
    const __m128i before = _mm_maskz_loadu_epi8(some, left + i);
    _mm_mask_storeu_epi8(left + i, some, _mm_and_si128(before, bits));
  }
}

#endif
