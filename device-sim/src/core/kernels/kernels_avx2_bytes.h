/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Packed values of up to 8 bits as bytes, with AVX2; for kernels_avx2.c alone. */
#ifndef CSD_KERNELS_AVX2_BYTES_H
#define CSD_KERNELS_AVX2_BYTES_H

#include <immintrin.h>
#include <stdint.h>

#include "core/kernels/bits.h"
#include "csd/csd_wire.h"

#define CSD_BYTES_AT_ONCE 32u

/* How to unpack 32 values of one width: as 16-bit lanes, 8 values (`bits` bytes) in each half;
   shifted left by multiplication. */
struct csd_bytes_avx2 {
  __m256i bytes;
  __m256i factor;
  __m128i right;
};

static inline struct csd_bytes_avx2 csd_bytes_avx2_of(unsigned bits) {
  const __m128i lane = _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7);
  const __m128i at = _mm_mullo_epi16(lane, _mm_set1_epi16((short)bits));
  const __m128i first_byte = _mm_srli_epi16(at, 3);
  const __m128i bytes8 =
      _mm_or_si128(first_byte, _mm_slli_epi16(_mm_add_epi16(first_byte, _mm_set1_epi16(1)), 8));
  /* left by 16 - bits - at % 8, at least 1; then right by 16 - bits */
  const __m128i odd = _mm_and_si128(at, _mm_set1_epi16(7));
  const __m128i power =
      _mm_shuffle_epi8(_mm_setr_epi8(-128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0),
                       _mm_or_si128(odd, _mm_set1_epi16((short)0xFF00))); /* 2^(7 - odd) */
  const __m128i factor8 = _mm_sll_epi16(power, _mm_cvtsi32_si128((int)(9u - bits)));
  return (struct csd_bytes_avx2){.bytes = _mm256_broadcastsi128_si256(bytes8),
                                 .factor = _mm256_broadcastsi128_si256(factor8),
                                 .right = _mm_cvtsi32_si128((int)(16u - bits))};
}

/* Two loads of 16 bytes, as the halves of a vector. */
static inline __m256i csd_load_two_avx2(const uint8_t *low, const uint8_t *high) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)low)),
                                 _mm_loadu_si128((const void *)high), 1);
}

static inline __m256i csd_unpack_bytes_avx2(const uint8_t *at, unsigned bits,
                                            const struct csd_bytes_avx2 *u) {
  __m256i low = csd_load_two_avx2(at, at + 2 * bits);
  __m256i high = csd_load_two_avx2(at + bits, at + 3 * bits);
  low = _mm256_mullo_epi16(_mm256_shuffle_epi8(low, u->bytes), u->factor);
  high = _mm256_mullo_epi16(_mm256_shuffle_epi8(high, u->bytes), u->factor);
  return _mm256_packus_epi16(_mm256_srl_epi16(low, u->right), _mm256_srl_epi16(high, u->right));
}

static void csd_unpack_norms_avx2(const uint8_t *column, unsigned bits, unsigned count,
                                  uint8_t base, uint8_t *norms) {
  const struct csd_bytes_avx2 u = csd_bytes_avx2_of(bits);
  const __m256i bases = _mm256_set1_epi8((char)base);
  for (unsigned i = 0; i < count; i += CSD_BYTES_AT_ONCE, column += 4 * bits) {
    const __m256i values = csd_unpack_bytes_avx2(column, bits, &u);
    _mm256_storeu_si256((void *)(norms + i), _mm256_add_epi8(values, bases));
  }
}

/* Sums of eight values each, from four vectors: 16 bits of lane q are those of vector v. Each is
   the sum of all eights before, in their order. All 128 values together are below 2^16. */
static inline __m256i csd_sums_before_avx2(const __m256i *values) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i low = _mm256_or_si256(_mm256_sad_epu8(values[0], zero),
                                      _mm256_slli_epi64(_mm256_sad_epu8(values[1], zero), 16));
  const __m256i high = _mm256_or_si256(_mm256_slli_epi64(_mm256_sad_epu8(values[2], zero), 32),
                                       _mm256_slli_epi64(_mm256_sad_epu8(values[3], zero), 48));
  const __m256i own = _mm256_or_si256(low, high);
  __m256i sums = _mm256_add_epi16(own, _mm256_slli_si256(own, 8));
  const __m256i half = _mm256_permute4x64_epi64(sums, 0x55);
  sums = _mm256_add_epi16(sums, _mm256_blend_epi32(zero, half, 0xF0));
  /* Of each vector what the vectors before come to. */
  const uint64_t vectors = (uint64_t)_mm256_extract_epi64(sums, 3);
  const uint64_t before = (vectors << 16) * UINT64_C(0x0001000100010001);
  return _mm256_add_epi16(_mm256_sub_epi16(sums, own), _mm256_set1_epi64x((long long)before));
}

/* rank_freqs of values of up to 8 bits: sums of eight, then a sum of those within eight for each
   posting. */
static inline void csd_rank_bytes_avx2(const uint8_t *column, unsigned bits,
                                       const uint8_t *position, unsigned n, uint32_t *freqs,
                                       uint32_t *ranks) {
  enum { VECTORS = CSD_BLOCK_POSTINGS / CSD_BYTES_AT_ONCE };
  _Static_assert(VECTORS == 4, "four vectors of bytes, whose sums share a vector");
  const struct csd_bytes_avx2 u = csd_bytes_avx2_of(bits);
  __m256i vectors[VECTORS];
  uint8_t values[CSD_BLOCK_POSTINGS];
  uint16_t before[CSD_BLOCK_POSTINGS / 8u];
  for (unsigned v = 0; v < VECTORS; v++) {
    vectors[v] = v * CSD_BYTES_AT_ONCE <= position[n - 1u]
                     ? csd_unpack_bytes_avx2(column + v * 4u * bits, bits, &u)
                     : _mm256_setzero_si256();
    _mm256_storeu_si256((void *)(values + v * CSD_BYTES_AT_ONCE), vectors[v]);
  }
  _mm256_storeu_si256((void *)before, csd_sums_before_avx2(vectors));
  for (unsigned i = 0; i < n; i++) {
    const uint32_t at = position[i];
    const uint32_t eight = at / 8u;
    const uint64_t below = _bzhi_u64(csd_load_u64(values + 8u * eight), 8u * (at & 7u));
    const __m128i sum = _mm_sad_epu8(_mm_cvtsi64_si128((long long)below), _mm_setzero_si128());
    freqs[i] = values[at] + 1u;
    ranks[i] = at + before[4u * (eight & 3u) + eight / 4u] + (uint32_t)_mm_cvtsi128_si32(sum);
  }
}

#endif
