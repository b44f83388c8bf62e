/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * match_map with AVX-512: values of up to 25 bits whose numbers have 31 bits and a sign, 16 at a
 * time; the bits are gathered from the map. Others are taken one by one.
 */
#ifndef CSD_KERNELS_AVX512_MAP_H
#define CSD_KERNELS_AVX512_MAP_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/kernels/avx512/kernels_avx512_range.h"
#include "core/kernels/kernels.h"
#include "core/kernels/kernels_common.h"

/* Whether the numbers of all values of so many bits lie from -2^31 to 2^31 - 1. */
static inline bool csd_map_is_narrow(const struct csd_value_map *map, unsigned bits) {
  const uint64_t limit = UINT64_C(1) << 31;
  if (bits > CSD_RANGE_NARROW || map->unit >= limit >> bits || map->span >= limit) {
    return false;
  }
  const uint64_t most = ((UINT64_C(1) << bits) - 1u) * map->unit; /* below 2^31 */
  /* Offsets from -2^31 to 2^31 - 1 - most. */
  return map->offset + limit < 2u * limit - most;
}

static inline void csd_map_narrow(const uint8_t *at, unsigned bits, uint32_t n,
                                  const struct csd_value_map *map, uint64_t *words) {
  const struct csd_range_lanes lanes = csd_range_lanes_narrow(bits);
  const __m512i unit = _mm512_set1_epi32((int)map->unit);
  const __m512i offset = _mm512_set1_epi32((int)(uint32_t)map->offset);
  const __m512i most = _mm512_set1_epi32((int)map->span);
  const __m128i shift = _mm_cvtsi32_si128((int)map->shift);
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i low5 = _mm512_set1_epi32(31);
  for (uint32_t i = 0; i < n; i += 64u) {
    uint64_t word = 0;
    for (unsigned part = 0; part < 64u; part += 16u, at += 2u * bits) {
      if (i + part >= n) {
        break;
      }
      const __m512i v = csd_range_unpack_narrow(at, &lanes);
      const __m512i number = _mm512_add_epi32(_mm512_mullo_epi32(v, unit), offset);
      const __mmask16 within = _mm512_cmple_epu32_mask(number, most);
      const __m512i bit = _mm512_srl_epi32(number, shift);
      const __m512i found = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), within,
                                                        _mm512_srli_epi32(bit, 5), map->words, 4);
      const __m512i place = _mm512_sllv_epi32(one, _mm512_and_si512(bit, low5));
      word |= (uint64_t)_mm512_mask_test_epi32_mask(within, found, place) << part;
    }
    words[i / 64u] = word;
  }
}

static inline void csd_match_map_avx512(const uint8_t *column, unsigned bits, uint32_t first,
                                        uint32_t n, const struct csd_value_map *map,
                                        uint64_t *words) {
  if (csd_map_is_narrow(map, bits)) {
    csd_map_narrow(column + (uint64_t)first / 8u * bits, bits, n, map, words);
  } else {
    csd_match_map(column, bits, first, n, map, words);
  }
}

#endif
