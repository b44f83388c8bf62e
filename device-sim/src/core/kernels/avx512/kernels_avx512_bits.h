/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** set_bits and or_bitmap with AVX-512. */
#ifndef CSD_KERNELS_AVX512_BITS_H
#define CSD_KERNELS_AVX512_BITS_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/kernels/kernels_bitmap.h"

/* Docs that are made ready at once. */
#define CSD_SET_GROUP 128u

/* Docs of the range per doc up to which docs of the same word are put together first. */
#define CSD_SET_DENSE_TO 11u

/* Words of a bitmap up to which plain C is quicker. */
#define CSD_OR_FEW_WORDS 4u

static inline __m512i csd_set_load(const uint32_t *docs, unsigned n, uint32_t base) {
  const __mmask16 valid = (__mmask16)(n >= 16 ? 0xFFFFu : (1u << n) - 1u);
  return _mm512_sub_epi32(_mm512_maskz_loadu_epi32(valid, docs), _mm512_set1_epi32((int)base));
}

/*
 * Sets a bit for each doc, by bytes and in turn from four parts of the docs: a byte that has just
 * been stored is seldom loaded again at once, which would have to wait.
 */
static inline void csd_set_each(uint64_t *bits, uint32_t base, const uint32_t *docs, unsigned n) {
  uint32_t at[CSD_SET_GROUP];
  uint8_t bit[CSD_SET_GROUP];
  uint8_t *bytes = (uint8_t *)bits;
  for (unsigned i = 0; i < n; i += 16) {
    const __m512i offset = csd_set_load(docs + i, n - i, base);
    const __m512i shift = _mm512_and_si512(offset, _mm512_set1_epi32(7));
    _mm512_storeu_si512(at + i, _mm512_srli_epi32(offset, 3));
    _mm_storeu_si128((void *)(bit + i),
                     _mm512_cvtepi32_epi8(_mm512_sllv_epi32(_mm512_set1_epi32(1), shift)));
  }
  const unsigned part = n / 4u;
  for (unsigned i = 0; i < part; i++) {
    bytes[at[i]] |= bit[i];
    bytes[at[i + part]] |= bit[i + part];
    bytes[at[i + 2u * part]] |= bit[i + 2u * part];
    bytes[at[i + 3u * part]] |= bit[i + 3u * part];
  }
  for (unsigned i = 4u * part; i < n; i++) {
    bytes[at[i]] |= bit[i];
  }
}

/*
 * Sets the bits of all docs of a vector that are in the same word together. Sums of bits from the
 * first lane on, modulo 2^32, less those at the end of the word before, are the bits of a word.
 */
static inline void csd_set_together(uint64_t *bits, uint32_t base, const uint32_t *docs,
                                    unsigned n) {
  uint32_t at[CSD_SET_GROUP + 16];
  uint32_t set[CSD_SET_GROUP + 16];
  uint32_t *words = (uint32_t *)(void *)bits;
  const __m512i zero = _mm512_setzero_si512();
  unsigned made = 0;
  for (unsigned i = 0; i < n; i += 16) {
    const unsigned count = n - i >= 16 ? 16 : n - i;
    const __m512i offset = csd_set_load(docs + i, count, base);
    const __m512i word = _mm512_srli_epi32(offset, 5);
    __m512i sum = _mm512_rolv_epi32(_mm512_set1_epi32(1), offset); /* modulo 32 */
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 15));
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 14));
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 12));
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 8));
    const unsigned end_lane = 1u << (count - 1u);
    const unsigned ends =
        (_cvtmask16_u32(_mm512_cmpneq_epi32_mask(word, _mm512_alignr_epi32(word, word, 1))) |
         end_lane) &
        (2u * end_lane - 1u);
    sum = _mm512_maskz_compress_epi32((__mmask16)ends, sum);
    _mm512_storeu_si512(set + made, _mm512_sub_epi32(sum, _mm512_alignr_epi32(sum, zero, 15)));
    _mm512_storeu_si512(at + made, _mm512_maskz_compress_epi32((__mmask16)ends, word));
    made += (unsigned)_mm_popcnt_u32(ends);
  }
  for (unsigned i = 0; i < made; i++) {
    words[at[i]] |= set[i];
  }
}

static void csd_set_bits_avx512(uint64_t *bits, uint32_t base, const uint32_t *docs, unsigned n) {
  while (n > 0) {
    const unsigned group = n < CSD_SET_GROUP ? n : CSD_SET_GROUP;
    if (docs[group - 1] - docs[0] >= CSD_SET_DENSE_TO * group) {
      csd_set_each(bits, base, docs, group);
    } else {
      csd_set_together(bits, base, docs, group);
    }
    docs += group;
    n -= group;
  }
}

static void csd_or_bitmap_avx512(uint64_t *bits, unsigned at, const uint8_t *bitmap,
                                 unsigned words) {
  if (words <= CSD_OR_FEW_WORDS) {
    csd_or_bitmap(bits, at, bitmap, words);
    return;
  }
  const __m512i up = _mm512_set1_epi64(at & 63u);
  __m512i before = _mm512_setzero_si512();
  bits += at / 64u;
  for (; words >= 8; words -= 8, bits += 8, bitmap += 64) {
    const __m512i part = _mm512_loadu_si512(bitmap);
    const __m512i shifted = _mm512_shldv_epi64(part, _mm512_alignr_epi64(part, before, 7), up);
    _mm512_storeu_si512(bits, _mm512_or_si512(_mm512_loadu_si512(bits), shifted));
    before = part;
  }
  /* The rest, and the word that takes what is shifted out. */
  const __mmask8 rest = (__mmask8)((1u << words) - 1u);
  const __mmask8 written = (__mmask8)((2u << words) - 1u);
  const __m512i part = _mm512_maskz_loadu_epi64(rest, bitmap);
  const __m512i shifted = _mm512_shldv_epi64(part, _mm512_alignr_epi64(part, before, 7), up);
  _mm512_mask_storeu_epi64(bits, written,
                           _mm512_or_si512(_mm512_maskz_loadu_epi64(written, bits), shifted));
}

#endif
