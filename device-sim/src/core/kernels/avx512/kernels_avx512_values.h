/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Kernels with AVX-512 over values of column pages, eight at a time. */
#ifndef CSD_KERNELS_AVX512_VALUES_H
#define CSD_KERNELS_AVX512_VALUES_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/kernels/kernels_values.h"

/* What is alike for all values of a column. */
struct csd_value_lanes {
  __m512i mask, unit, base;
  bool scaled;
};

static inline struct csd_value_lanes csd_value_lanes_of(const struct csd_packed_values *packed) {
  return (struct csd_value_lanes){
      .mask = _mm512_set1_epi64((long long)csd_mask_of(packed->bits)),
      .unit = _mm512_set1_epi64((long long)packed->unit),
      .base = _mm512_set1_epi64((long long)packed->base),
      .scaled = packed->unit != 1,
  };
}

static inline __m512i csd_values_of(const struct csd_value_lanes *lanes, __m512i bytes,
                                    __m512i shift) {
  __m512i v = _mm512_and_si512(_mm512_srlv_epi64(bytes, shift), lanes->mask);
  v = lanes->scaled ? _mm512_mullo_epi64(v, lanes->unit) : v;
  return _mm512_add_epi64(v, lanes->base);
}

static inline __mmask8 csd_eight_of(uint32_t n) {
  return (__mmask8)(n >= 8u ? 0xFFu : (1u << n) - 1u);
}

static void csd_unpack_values_avx512(const struct csd_packed_values *packed, uint32_t first,
                                     uint32_t n, int64_t *values) {
  const unsigned bits = packed->bits;
  if (bits > 56u) { /* eight values and the bits before them may not be within 64 bytes */
    csd_unpack_values(packed, first, n, values);
    return;
  }
  const struct csd_value_lanes lanes = csd_value_lanes_of(packed);
  const uint64_t start = (uint64_t)first * bits;
  const uint8_t *at = packed->column + (start >> 3);
  const __m512i bit = _mm512_add_epi64(
      _mm512_mullo_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(bits)),
      _mm512_set1_epi64((long long)(start & 7u)));
  const __m512i low_byte = _mm512_set4_epi64(0x0808080808080808, 0, 0x0808080808080808, 0);
  const __m512i from = _mm512_add_epi8(_mm512_shuffle_epi8(_mm512_srli_epi64(bit, 3), low_byte),
                                       _mm512_set1_epi64(0x0706050403020100));
  const __m512i shift = _mm512_and_si512(bit, _mm512_set1_epi64(7));
  /* Eight values take as many bytes as each takes bits. */
  for (uint32_t i = 0; i < n; i += 8u, at += bits) {
    const __m512i bytes = _mm512_permutexvar_epi8(from, _mm512_loadu_si512(at));
    _mm512_mask_storeu_epi64(values + i, csd_eight_of(n - i), csd_values_of(&lanes, bytes, shift));
  }
}

static void csd_gather_values_avx512(const struct csd_packed_values *packed, const uint32_t *at,
                                     uint32_t offset, uint32_t n, int64_t *values) {
  if (packed->bits > CSD_ONE_LOAD_BITS) {
    csd_gather_values(packed, at, offset, n, values);
    return;
  }
  const struct csd_value_lanes lanes = csd_value_lanes_of(packed);
  const __m512i bits = _mm512_set1_epi64(packed->bits);
  const __m256i first = _mm256_set1_epi32((int)offset);
  const __m512i seven = _mm512_set1_epi64(7);
  for (uint32_t i = 0; i < n; i += 8u) {
    const __mmask8 valid = csd_eight_of(n - i);
    const __m256i number =
        _mm256_maskz_sub_epi32(valid, _mm256_maskz_loadu_epi32(valid, at + i), first);
    const __m512i bit = _mm512_mul_epu32(_mm512_cvtepu32_epi64(number), bits);
    const __m512i bytes = _mm512_i64gather_epi64(_mm512_srli_epi64(bit, 3), packed->column, 1);
    _mm512_mask_storeu_epi64(values + i, valid,
                             csd_values_of(&lanes, bytes, _mm512_and_si512(bit, seven)));
  }
}

static const struct csd_value_kernels csd_value_kernels_avx512 = {
    .unpack = csd_unpack_values_avx512,
    .gather = csd_gather_values_avx512,
    .sum = csd_sum_values,
    .divide = csd_divide_values,
};

#endif
