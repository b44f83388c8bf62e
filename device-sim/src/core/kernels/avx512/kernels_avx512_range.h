/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * match_range with AVX-512. One load of 64 bytes has 16 values of up to 25 bits, or 8 of up to 64;
 * a permutation puts the bytes of each value into its lane.
 */
#ifndef CSD_KERNELS_AVX512_RANGE_H
#define CSD_KERNELS_AVX512_RANGE_H

#include <immintrin.h>
#include <stdint.h>

/* Widest values that lie within 4 bytes, and within 8, wherever they start. */
#define CSD_RANGE_NARROW 25u
#define CSD_RANGE_WIDE 57u

/* How 16 values of so many bits come out of 64 bytes. */
struct csd_range_lanes {
  __m512i from;  /* bytes of each lane */
  __m512i shift; /* bits of them before its value */
  __m512i mask;
};

static inline struct csd_range_lanes csd_range_lanes_narrow(unsigned bits) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i bit = _mm512_mullo_epi32(lane, _mm512_set1_epi32((int)bits));
  const __m512i low_byte = _mm512_set4_epi32(0x0C0C0C0C, 0x08080808, 0x04040404, 0x00000000);
  return (struct csd_range_lanes){
      .from = _mm512_add_epi8(_mm512_shuffle_epi8(_mm512_srli_epi32(bit, 3), low_byte),
                              _mm512_set1_epi32(0x03020100)),
      .shift = _mm512_and_si512(bit, _mm512_set1_epi32(7)),
      .mask = _mm512_set1_epi32((int)((1u << bits) - 1u)),
  };
}

/* The 16 values that begin at a byte. */
static inline __m512i csd_range_unpack_narrow(const uint8_t *at,
                                              const struct csd_range_lanes *lanes) {
  const __m512i v = _mm512_permutexvar_epi8(lanes->from, _mm512_loadu_si512(at));
  return _mm512_and_si512(_mm512_srlv_epi32(v, lanes->shift), lanes->mask);
}

/* Values of up to 25 bits. Compares as value - lo <= hi - lo, without a sign. */
static inline void csd_range_narrow(const uint8_t *at, unsigned bits, uint32_t n, uint32_t lo,
                                    uint32_t span, uint64_t *words) {
  const struct csd_range_lanes lanes = csd_range_lanes_narrow(bits);
  const __m512i least = _mm512_set1_epi32((int)lo);
  const __m512i most = _mm512_set1_epi32((int)span);
  for (uint32_t i = 0; i < n; i += 64u) {
    uint64_t word = 0;
    for (unsigned part = 0; part < 64u; part += 16u, at += 2u * bits) {
      if (i + part >= n) {
        break;
      }
      const __m512i v = _mm512_sub_epi32(csd_range_unpack_narrow(at, &lanes), least);
      word |= (uint64_t)_mm512_cmple_epu32_mask(v, most) << part;
    }
    words[i / 64u] = word;
  }
}

/* Values of 26 to 64 bits; beyond 57 a value may have bits in a ninth byte. */
static inline void csd_range_wide(const uint8_t *at, unsigned bits, uint32_t n, uint64_t lo,
                                  uint64_t span, uint64_t *words) {
  const __m512i lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  const __m512i bit = _mm512_mullo_epi64(lane, _mm512_set1_epi64((long long)bits));
  const __m512i low_byte =
      _mm512_set4_epi64(0x0808080808080808, 0, 0x0808080808080808, 0); /* of each 16 bytes */
  const __m512i from = _mm512_add_epi8(_mm512_shuffle_epi8(_mm512_srli_epi64(bit, 3), low_byte),
                                       _mm512_set1_epi64(0x0706050403020100));
  const __m512i ninth = _mm512_add_epi8(from, _mm512_set1_epi8(8));
  const __m512i shift = _mm512_and_si512(bit, _mm512_set1_epi64(7));
  const __m512i back = _mm512_sub_epi64(_mm512_set1_epi64(64), shift);
  const __m512i mask = _mm512_set1_epi64(bits == 64u ? -1 : (long long)((1ull << bits) - 1u));
  const __m512i least = _mm512_set1_epi64((long long)lo);
  const __m512i most = _mm512_set1_epi64((long long)span);
  for (uint32_t i = 0; i < n; i += 64u) {
    uint64_t word = 0;
    for (unsigned part = 0; part < 64u; part += 8u, at += bits) {
      if (i + part >= n) {
        break;
      }
      const __m512i bytes = _mm512_loadu_si512(at);
      __m512i v = _mm512_srlv_epi64(_mm512_permutexvar_epi8(from, bytes), shift);
      if (bits > CSD_RANGE_WIDE) {
        const __m512i high = _mm512_permutexvar_epi8(ninth, bytes);
        v = _mm512_or_si512(v, _mm512_sllv_epi64(high, back));
      }
      v = _mm512_sub_epi64(_mm512_and_si512(v, mask), least);
      word |= (uint64_t)_mm512_cmple_epu64_mask(v, most) << part;
    }
    words[i / 64u] = word;
  }
}

static inline void csd_match_range_avx512(const uint8_t *column, unsigned bits, uint32_t first,
                                          uint32_t n, uint64_t lo, uint64_t hi, uint64_t *words) {
  const uint8_t *at = column + (uint64_t)first / 8u * bits;
  if (bits <= CSD_RANGE_NARROW && lo < UINT64_C(1) << bits) {
    const uint64_t last = (UINT64_C(1) << bits) - 1u;
    csd_range_narrow(at, bits, n, (uint32_t)lo, (uint32_t)((hi < last ? hi : last) - lo), words);
  } else if (bits > CSD_RANGE_NARROW) {
    csd_range_wide(at, bits, n, lo, hi - lo, words);
  } else {
    for (uint32_t i = 0; i < n; i += 64u) {
      words[i / 64u] = 0;
    }
  }
}

#endif
