/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Packed values of up to 8 bits as bytes, with AVX-512; for kernels_avx512.c alone. */
#ifndef CSD_KERNELS_AVX512_BYTES_H
#define CSD_KERNELS_AVX512_BYTES_H

#include <immintrin.h>
#include <stdint.h>

#include "core/kernels/bits.h"
#include "csd/csd_wire.h"

#define CSD_BYTES_AT_ONCE 64u

/* How to unpack 64 values of one width: 8 of them take `bits` bytes, which are brought to a 64-bit
   lane; then each value is taken out. */
struct csd_bytes_avx512 {
  __m512i from;
  __m512i shift;
  __m512i mask;
};

static inline struct csd_bytes_avx512 csd_bytes_avx512_of(unsigned bits) {
  const __m512i byte = _mm512_set1_epi64(0x0706050403020100);
  const __m512i lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  const __m512i at =
      _mm512_shuffle_epi8(_mm512_madd_epi16(lane, _mm512_set1_epi64(bits)),
                          _mm512_set4_epi64(0x0808080808080808, 0, 0x0808080808080808, 0));
  const uint64_t shifts = UINT64_C(0x0706050403020100) * bits;
  return (struct csd_bytes_avx512){.from = _mm512_add_epi8(at, byte),
                                   .shift = _mm512_set1_epi64((long long)shifts),
                                   .mask = _mm512_set1_epi8((char)((1u << bits) - 1u))};
}

static inline __m512i csd_unpack_bytes_avx512(const uint8_t *at, const struct csd_bytes_avx512 *u) {
  const __m512i words = _mm512_permutexvar_epi8(u->from, _mm512_loadu_si512(at));
  return _mm512_and_si512(_mm512_multishift_epi64_epi8(u->shift, words), u->mask);
}

static void csd_unpack_norms_avx512(const uint8_t *column, unsigned bits, unsigned count,
                                    uint8_t base, uint8_t *norms) {
  const struct csd_bytes_avx512 u = csd_bytes_avx512_of(bits);
  const __m512i bases = _mm512_set1_epi8((char)base);
  for (unsigned i = 0; i < count; i += CSD_BYTES_AT_ONCE, column += 8 * bits) {
    _mm512_storeu_si512(norms + i, _mm512_add_epi8(csd_unpack_bytes_avx512(column, &u), bases));
  }
}

/* Sums of the values from the first lane up to each lane. */
static inline __m128i csd_sums_of_8_avx512(__m128i v) {
  v = _mm_add_epi16(v, _mm_slli_si128(v, 2));
  v = _mm_add_epi16(v, _mm_slli_si128(v, 4));
  return _mm_add_epi16(v, _mm_slli_si128(v, 8));
}

/* rank_freqs of values of up to 8 bits: sums of eight, then a sum of those within eight for each
   posting. All 128 together are below 2^16. */
static inline void csd_rank_bytes_avx512(const uint8_t *column, unsigned bits,
                                         const uint8_t *position, unsigned n, uint32_t *freqs,
                                         uint32_t *ranks) {
  _Static_assert(CSD_BLOCK_POSTINGS == 2u * CSD_BYTES_AT_ONCE, "a block is two vectors of bytes");
  const struct csd_bytes_avx512 u = csd_bytes_avx512_of(bits);
  const __m512i zero = _mm512_setzero_si512();
  uint8_t values[CSD_BLOCK_POSTINGS];
  uint16_t before[CSD_BLOCK_POSTINGS / 8u];
  const __m512i low = csd_unpack_bytes_avx512(column, &u);
  const __m512i high = position[n - 1u] >= CSD_BYTES_AT_ONCE
                           ? csd_unpack_bytes_avx512(column + 8u * bits, &u)
                           : zero;
  _mm512_storeu_si512(values, low);
  _mm512_storeu_si512(values + CSD_BYTES_AT_ONCE, high);
  const __m128i lows = csd_sums_of_8_avx512(_mm512_cvtepi64_epi16(_mm512_sad_epu8(low, zero)));
  const __m128i highs = csd_sums_of_8_avx512(_mm512_cvtepi64_epi16(_mm512_sad_epu8(high, zero)));
  const __m128i all = _mm_shuffle_epi8(lows, _mm_set1_epi16(0x0F0E));
  _mm_storeu_si128((void *)before, _mm_slli_si128(lows, 2));
  _mm_storeu_si128((void *)(before + 8), _mm_add_epi16(_mm_slli_si128(highs, 2), all));
  for (unsigned i = 0; i < n; i++) {
    const uint32_t at = position[i];
    const uint64_t below = _bzhi_u64(csd_load_u64(values + (at & ~7u)), 8u * (at & 7u));
    const __m128i sum = _mm_sad_epu8(_mm_cvtsi64_si128((long long)below), _mm_setzero_si128());
    freqs[i] = values[at] + 1u;
    ranks[i] = at + before[at / 8u] + (uint32_t)_mm_cvtsi128_si32(sum);
  }
}

#endif
