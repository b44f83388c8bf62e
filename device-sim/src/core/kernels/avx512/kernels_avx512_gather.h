/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Kernels with AVX-512 that look values up in a block, which is in registers meanwhile: docs in a
 * bitmap, frequencies and norms in their columns.
 */
#ifndef CSD_KERNELS_AVX512_GATHER_H
#define CSD_KERNELS_AVX512_GATHER_H

#include <immintrin.h>
#include <stdint.h>

#include "core/kernels/kernels_bitmap.h"
#include "core/kernels/kernels_common.h"

/* Docs from which on to look 16 up at a time is quicker than one after the other. */
#define CSD_BITMAP_PAYS_FROM 12u

/* Widest values of a column of a block that two vectors have room for. */
#define CSD_TWO_VECTORS_BITS 8u

/* The lanes of `n` values, 16 at most. */
static inline __mmask16 csd_lanes_of(unsigned n) {
  return (__mmask16)(n >= 16 ? 0xFFFFu : (1u << n) - 1u);
}

/* ---- bitmaps ---- */

/* 32 words of 32 bits: of a bitmap, or what belongs to each of them. */
struct csd_half {
  __m512i part[2];
};

static inline __m512i csd_word_at(const struct csd_half *half, __m512i at) {
  return _mm512_permutex2var_epi32(half->part[0], at, half->part[1]);
}

static inline struct csd_half csd_load_half(const uint8_t *bitmap, unsigned words) {
  const __mmask8 first = (__mmask8)(words >= 8 ? 0xFFu : (1u << words) - 1u);
  const __mmask8 second = (__mmask8)(words >= 16  ? 0xFFu
                                     : words <= 8 ? 0u
                                                  : (1u << (words - 8u)) - 1u);
  return (struct csd_half){
      {_mm512_maskz_loadu_epi64(first, bitmap), _mm512_maskz_loadu_epi64(second, bitmap + 64)}};
}

/* Sums of the lanes before each lane; *total is what comes before them and grows by their sum. */
static inline __m512i csd_sums_before(__m512i counts, __m512i *total) {
  const __m512i zero = _mm512_setzero_si512();
  __m512i v = counts;
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 15));
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 14));
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 12));
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 8));
  const __m512i before = _mm512_add_epi32(_mm512_sub_epi32(v, counts), *total);
  *total = _mm512_add_epi32(*total, _mm512_permutexvar_epi32(_mm512_set1_epi32(15), v));
  return before;
}

/* How many bits are set before each word. */
static inline struct csd_half csd_bits_before(const struct csd_half *half, __m512i *total) {
  struct csd_half before;
  before.part[0] = csd_sums_before(_mm512_popcnt_epi32(half->part[0]), total);
  before.part[1] = csd_sums_before(_mm512_popcnt_epi32(half->part[1]), total);
  return before;
}

static unsigned csd_intersect_bitmap_avx512(const uint32_t *docs, unsigned n, const uint8_t *bitmap,
                                            unsigned words, uint32_t first, uint16_t *index,
                                            uint8_t *position) {
  if (n < CSD_BITMAP_PAYS_FROM) {
    return csd_intersect_bitmap(docs, n, bitmap, words, first, index, position);
  }
  const __m256i numbers = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i span = _mm512_set1_epi32((int)(64u * words));
  const unsigned above = words > 16 ? words - 16u : 0;
  const struct csd_half low = csd_load_half(bitmap, words);
  const struct csd_half high = csd_load_half(bitmap + (above > 0 ? 128 : 0), above);
  __m512i total = _mm512_setzero_si512();
  const struct csd_half low_before = csd_bits_before(&low, &total);
  const struct csd_half high_before = csd_bits_before(&high, &total);
  unsigned hits = 0;
  for (unsigned i = 0; i < n; i += 16) {
    const __mmask16 valid = csd_lanes_of(n - i);
    const __m512i bit =
        _mm512_sub_epi32(_mm512_maskz_loadu_epi32(valid, docs + i), _mm512_set1_epi32((int)first));
    const __mmask16 inside = _mm512_mask_cmplt_epu32_mask(valid, bit, span);
    const __m512i at = _mm512_srli_epi32(bit, 5);
    const __mmask16 upper = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
    const __m512i word =
        _mm512_mask_blend_epi32(upper, csd_word_at(&low, at), csd_word_at(&high, at));
    const __m512i place = _mm512_sllv_epi32(one, _mm512_and_si512(bit, _mm512_set1_epi32(31)));
    const __mmask16 hit = _mm512_mask_test_epi32_mask(inside, word, place);
    _mm256_storeu_si256(
        (void *)(index + hits),
        _mm256_maskz_compress_epi16(hit, _mm256_add_epi16(numbers, _mm256_set1_epi16((short)i))));
    if (position != NULL) {
      const __m512i below = _mm512_and_si512(word, _mm512_sub_epi32(place, one));
      const __m512i before = _mm512_mask_blend_epi32(upper, csd_word_at(&low_before, at),
                                                     csd_word_at(&high_before, at));
      const __m512i rank = _mm512_and_si512(_mm512_add_epi32(before, _mm512_popcnt_epi32(below)),
                                            _mm512_set1_epi32((int)CSD_BLOCK_POSTINGS - 1));
      _mm_storeu_si128((void *)(position + hits),
                       _mm_maskz_compress_epi8(hit, _mm512_cvtepi32_epi8(rank)));
    }
    hits += (unsigned)_mm_popcnt_u32(hit);
  }
  return hits;
}

/* ---- columns ---- */

/* A column of values of 8 bits at most. */
struct csd_narrow_column {
  __m512i part[2];
  __m512i bits;
  __m512i mask;
};

static inline struct csd_narrow_column csd_load_narrow(const uint8_t *column, unsigned bits,
                                                       unsigned count) {
  const unsigned bytes = (bits * count + 7u) / 8u;
  const __mmask64 first = _bzhi_u64(~UINT64_C(0), bytes < 64 ? bytes : 64);
  const __mmask64 second = _bzhi_u64(~UINT64_C(0), bytes < 64 ? 0 : bytes - 64u);
  return (struct csd_narrow_column){.part = {_mm512_maskz_loadu_epi8(first, column),
                                             _mm512_maskz_loadu_epi8(second, column + 64)},
                                    .bits = _mm512_set1_epi32((int)bits),
                                    .mask = _mm512_set1_epi32((int)((1u << bits) - 1u))};
}

/* Values by their positions, which are below CSD_BLOCK_POSTINGS. */
static inline __m512i csd_narrow_at(const struct csd_narrow_column *column, __m512i positions) {
  const __m512i low_byte = _mm512_set4_epi32(0x0C0C0C0C, 0x08080808, 0x04040404, 0x00000000);
  const __m512i at = _mm512_madd_epi16(positions, column->bits);
  const __m512i from = _mm512_add_epi8(_mm512_shuffle_epi8(_mm512_srli_epi32(at, 3), low_byte),
                                       _mm512_set1_epi32(0x03020100));
  const __m512i bytes = _mm512_permutex2var_epi8(column->part[0], from, column->part[1]);
  const __m512i shift = _mm512_and_si512(at, _mm512_set1_epi32(7));
  return _mm512_and_si512(_mm512_srlv_epi32(bytes, shift), column->mask);
}

static inline __m512i csd_load_positions(const uint8_t *position, __mmask16 valid) {
  return _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(valid, position));
}

static void csd_gather_freqs_avx512(const uint8_t *column, unsigned bits, unsigned count,
                                    const uint8_t *exceptions, unsigned exception_count,
                                    const uint8_t *position, unsigned n, uint32_t *freqs) {
  if (bits > CSD_TWO_VECTORS_BITS) {
    csd_gather_freqs(column, bits, count, exceptions, exception_count, position, n, freqs);
    return;
  }
  const struct csd_narrow_column narrow = csd_load_narrow(column, bits, count);
  for (unsigned i = 0; i < n; i += 16) {
    const __mmask16 valid = csd_lanes_of(n - i);
    const __m512i positions = csd_load_positions(position + i, valid);
    __m512i values = _mm512_add_epi32(csd_narrow_at(&narrow, positions), _mm512_set1_epi32(1));
    for (unsigned e = 0; e < exception_count; e++) {
      const uint8_t *exception = exceptions + CSD_EXCEPTION_BYTES * e;
      values = _mm512_mask_add_epi32(
          values, _mm512_cmpeq_epi32_mask(positions, _mm512_set1_epi32(exception[0])), values,
          _mm512_set1_epi32((int)((uint32_t)exception[1] << bits)));
    }
    _mm512_mask_storeu_epi32(freqs + i, valid, values);
  }
}

static void csd_gather_norms_avx512(const uint8_t *column, unsigned bits, unsigned count,
                                    uint8_t base, const uint8_t *position, unsigned n,
                                    uint8_t *norms) {
  const struct csd_narrow_column narrow = csd_load_narrow(column, bits, count);
  for (unsigned i = 0; i < n; i += 16) {
    const __mmask16 valid = csd_lanes_of(n - i);
    const __m512i values = csd_narrow_at(&narrow, csd_load_positions(position + i, valid));
    _mm_mask_storeu_epi8(norms + i, valid,
                         _mm_add_epi8(_mm512_cvtepi32_epi8(values), _mm_set1_epi8((char)base)));
  }
}

#endif
