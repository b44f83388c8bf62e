/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** set_bits and or_bitmap with AVX-512. */
#ifndef CSD_KERNELS_AVX512_BITS_H
#define CSD_KERNELS_AVX512_BITS_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels_bitmap.h"

/* Docs that are made ready at once. */
#define CSD_SET_GROUP 128u

/* Docs of the range per doc up to which docs of the same word are put together first. */
#define CSD_SET_DENSE_TO 16u

/* Words of a bitmap up to which plain C is quicker. */
#define CSD_OR_FEW_WORDS 4u

/* Ready-made: words[i], as 32-bit words, gets bits[i]. */
struct csd_set_list {
  uint32_t words[CSD_SET_GROUP + 16];
  uint32_t bits[CSD_SET_GROUP + 16];
};

static inline __m512i csd_set_load(const uint32_t *docs, unsigned n, uint32_t base) {
  const __mmask16 valid = (__mmask16)(n >= 16 ? 0xFFFFu : (1u << n) - 1u);
  return _mm512_sub_epi32(_mm512_maskz_loadu_epi32(valid, docs), _mm512_set1_epi32((int)base));
}

static inline __m512i csd_set_bit_of(__m512i offset) {
  return _mm512_rolv_epi32(_mm512_set1_epi32(1), offset); /* modulo 32 */
}

/* One entry for each doc. */
static inline unsigned csd_set_each(const uint32_t *docs, unsigned n, uint32_t base,
                                    struct csd_set_list *list) {
  for (unsigned i = 0; i < n; i += 16) {
    const __m512i offset = csd_set_load(docs + i, n - i, base);
    _mm512_storeu_si512(list->words + i, _mm512_srli_epi32(offset, 5));
    _mm512_storeu_si512(list->bits + i, csd_set_bit_of(offset));
  }
  return n;
}

/*
 * One entry for all docs of a vector that are in the same word. Sums of bits from the first lane
 * on, modulo 2^32, less those at the end of the word before, are the bits of a word.
 */
static inline unsigned csd_set_together(const uint32_t *docs, unsigned n, uint32_t base,
                                        struct csd_set_list *list) {
  const __m512i zero = _mm512_setzero_si512();
  unsigned made = 0;
  for (unsigned i = 0; i < n; i += 16) {
    const unsigned count = n - i >= 16 ? 16 : n - i;
    const __m512i offset = csd_set_load(docs + i, count, base);
    const __m512i word = _mm512_srli_epi32(offset, 5);
    __m512i sum = csd_set_bit_of(offset);
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
    _mm512_storeu_si512(list->bits + made,
                        _mm512_sub_epi32(sum, _mm512_alignr_epi32(sum, zero, 15)));
    _mm512_storeu_si512(list->words + made, _mm512_maskz_compress_epi32((__mmask16)ends, word));
    made += (unsigned)_mm_popcnt_u32(ends);
  }
  return made;
}

static void csd_set_bits_avx512(uint64_t *bits, uint32_t base, const uint32_t *docs, unsigned n) {
  uint32_t *words = (uint32_t *)(void *)bits; /* shorter ones are less often set twice in a row */
  struct csd_set_list list;
  while (n > 0) {
    const unsigned group = n < CSD_SET_GROUP ? n : CSD_SET_GROUP;
    const bool dense = docs[group - 1] - docs[0] < CSD_SET_DENSE_TO * group;
    const unsigned made = dense ? csd_set_together(docs, group, base, &list)
                                : csd_set_each(docs, group, base, &list);
    for (unsigned i = 0; i < made; i++) {
      words[list.words[i]] |= list.bits[i];
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
