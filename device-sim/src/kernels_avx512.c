/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * AVX-512 kernels. Compiled with the instruction sets that csd_cpu.avx512 stands for, and called
 * only where they are there.
 *
 * Compressed vectors are stored whole, never with a masked compress to memory, which is microcode
 * on some processors; what lies behind the valid part is overwritten by the next store or void.
 */
#if defined(__x86_64__)

#include <immintrin.h>

#include "bits.h"
#include "kernels.h"
#include "kernels_common.h"

#define LANES 16u /* 32-bit values of a vector */

static inline __m512i lane_numbers(void) {
  return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/* ---- unpacking ---- */

/*
 * How to unpack 16 values of one width: they take 2 * bits bytes, at most 62, so that one load
 * has them all. Up to 25 bits a value lies within 4 bytes that a byte permutation puts in its
 * lane; wider ones come from two neighbouring 32-bit words.
 */
struct unpacking {
  __m512i from;  /* bytes to permute, or the lower of the two words */
  __m512i shift; /* right, in bits */
  __m512i mask;
};

static inline struct unpacking unpacking_of(unsigned bits) {
  const __m512i at = _mm512_madd_epi16(lane_numbers(), _mm512_set1_epi32((int)bits));
  struct unpacking u;
  u.mask = _mm512_set1_epi32((int)((1u << bits) - 1u));
  if (bits <= 25) {
    const __m512i low_byte = _mm512_set4_epi32(0x0C0C0C0C, 0x08080808, 0x04040404, 0x00000000);
    u.from = _mm512_add_epi8(_mm512_shuffle_epi8(_mm512_srli_epi32(at, 3), low_byte),
                             _mm512_set1_epi32(0x03020100));
    u.shift = _mm512_and_si512(at, _mm512_set1_epi32(7));
  } else {
    u.from = _mm512_srli_epi32(at, 5);
    u.shift = at; /* modulo 32 */
  }
  return u;
}

static inline __m512i unpack_narrow(const uint8_t *at, const struct unpacking *u) {
  const __m512i bytes = _mm512_permutexvar_epi8(u->from, _mm512_loadu_si512(at));
  return _mm512_and_si512(_mm512_srlv_epi32(bytes, u->shift), u->mask);
}

static inline __m512i unpack_wide(const uint8_t *at, const struct unpacking *u) {
  const __m512i words = _mm512_loadu_si512(at);
  const __m512i low = _mm512_permutexvar_epi32(u->from, words);
  const __m512i high =
      _mm512_permutexvar_epi32(_mm512_add_epi32(u->from, _mm512_set1_epi32(1)), words);
  return _mm512_and_si512(_mm512_shrdv_epi32(low, high, u->shift), u->mask);
}

/* Sums from the first lane up to each lane. */
static inline __m512i sums_of(__m512i v) {
  const __m512i zero = _mm512_setzero_si512();
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 15));
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 14));
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 12));
  return _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 8));
}

/* The chain from group to group is one addition: sums within a group do not wait for it. */
#define UNPACK_DOCS(UNPACK)                                                              \
  for (unsigned i = 0; i < count; i += LANES, column += 2 * bits) {                      \
    const __m512i sums = sums_of(UNPACK(column, &u));                                    \
    _mm512_storeu_si512(docs + i, _mm512_add_epi32(sums, before));                       \
    const __m512i all = _mm512_permutexvar_epi32(_mm512_set1_epi32(LANES - 1), sums);    \
    before = _mm512_add_epi32(before, _mm512_add_epi32(all, _mm512_set1_epi32(LANES))); \
  }

static void unpack_docs(const uint8_t *column, unsigned bits, unsigned count, uint32_t base,
                        uint32_t *docs) {
  const struct unpacking u = unpacking_of(bits);
  /* Every delta is stored less 1. */
  __m512i before =
      _mm512_add_epi32(_mm512_set1_epi32((int)(base + 1u)), lane_numbers());
  if (bits <= 25) {
    UNPACK_DOCS(unpack_narrow)
  } else {
    UNPACK_DOCS(unpack_wide)
  }
}

static void unpack_freqs(const uint8_t *column, unsigned bits, unsigned count, uint32_t *freqs) {
  const struct unpacking u = unpacking_of(bits);
  const __m512i one = _mm512_set1_epi32(1);
  if (bits <= 25) {
    for (unsigned i = 0; i < count; i += LANES, column += 2 * bits) {
      _mm512_storeu_si512(freqs + i, _mm512_add_epi32(unpack_narrow(column, &u), one));
    }
  } else {
    for (unsigned i = 0; i < count; i += LANES, column += 2 * bits) {
      _mm512_storeu_si512(freqs + i, _mm512_add_epi32(unpack_wide(column, &u), one));
    }
  }
}

static void unpack_norms(const uint8_t *column, unsigned bits, unsigned count, uint8_t base,
                         uint8_t *norms) {
  /* 8 values take `bits` bytes: bring these to each 64-bit lane, then take each value out. */
  const __m512i byte = _mm512_set1_epi64(0x0706050403020100);
  const __m512i lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  const __m512i at = _mm512_shuffle_epi8(
      _mm512_madd_epi16(lane, _mm512_set1_epi64(bits)),
      _mm512_set4_epi64(0x0808080808080808, 0, 0x0808080808080808, 0));
  const __m512i from = _mm512_add_epi8(at, byte);
  const uint64_t shifts = UINT64_C(0x0706050403020100) * bits;
  const __m512i shift = _mm512_set1_epi64((long long)shifts);
  const __m512i mask = _mm512_set1_epi8((char)((1u << bits) - 1u));
  const __m512i bases = _mm512_set1_epi8((char)base);
  for (unsigned i = 0; i < count; i += 64, column += 8 * bits) {
    const __m512i words = _mm512_permutexvar_epi8(from, _mm512_loadu_si512(column));
    const __m512i values = _mm512_and_si512(_mm512_multishift_epi64_epi8(shift, words), mask);
    _mm512_storeu_si512(norms + i, _mm512_add_epi8(values, bases));
  }
}

/* ---- searching ---- */

/*
 * A doc's 16 neighbours in the block are found by comparing it with the last docs of the groups of
 * 16, its place among them by comparing it with all 16. No branch depends on the docs.
 */
static unsigned intersect(const uint32_t *docs, unsigned n, const uint32_t *block, unsigned count,
                          uint8_t *map, uint16_t *index, uint8_t *position) {
  (void)map;
  (void)count;
  const __m256i lasts =
      _mm256_setr_epi32((int)block[15], (int)block[31], (int)block[47], (int)block[63],
                        (int)block[79], (int)block[95], (int)block[111], -1);
  unsigned hits = 0;
  for (unsigned i = 0; i < n; i++) {
    const __m256i doc = _mm256_set1_epi32((int)docs[i]);
    const unsigned before = _cvtmask8_u32(_mm256_cmplt_epu32_mask(lasts, doc));
    const unsigned group = (unsigned)_mm_popcnt_u32(before) * LANES;
    const unsigned equal = _cvtmask16_u32(_mm512_cmpeq_epi32_mask(
        _mm512_loadu_si512(block + group), _mm512_broadcastd_epi32(_mm256_castsi256_si128(doc))));
    index[hits] = (uint16_t)i;
    position[hits] = (uint8_t)(group + _tzcnt_u32(equal));
    hits += equal != 0;
  }
  return hits;
}

/* ---- bits ---- */

static uint64_t count_bits(const uint64_t *bits, unsigned words) {
  __m512i sum = _mm512_setzero_si512();
  unsigned i = 0;
  for (; i + 8 <= words; i += 8) {
    sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_loadu_si512(bits + i)));
  }
  const __mmask8 rest = (__mmask8)((1u << (words - i)) - 1u);
  sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_maskz_loadu_epi64(rest, bits + i)));
  return (uint64_t)_mm512_reduce_add_epi64(sum);
}

/*
 * The numbers of a word's bits are made as bytes, in one compression. Two stores of 16 docs whether
 * needed or not: how many a word needs is hard to predict.
 */
static unsigned list_bits(const uint64_t *bits, unsigned words, uint32_t base, uint32_t *docs) {
  const __m512i numbers = _mm512_add_epi64(
      _mm512_set1_epi64(0x0706050403020100),
      _mm512_setr_epi64(0, 0x0808080808080808, 0x1010101010101010, 0x1818181818181818,
                        0x2020202020202020, 0x2828282828282828, 0x3030303030303030,
                        0x3838383838383838));
  unsigned n = 0;
  for (unsigned i = 0; i < words; i++, base += 64) {
    const __m512i set = _mm512_maskz_compress_epi8(bits[i], numbers);
    const __m512i bases = _mm512_set1_epi32((int)base);
    const unsigned count = (unsigned)_mm_popcnt_u64(bits[i]);
#define STORE_DOCS(PART)                                                            \
  _mm512_storeu_si512(                                                              \
      docs + n + LANES * PART,                                                      \
      _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(set, PART)), bases))
    STORE_DOCS(0);
    STORE_DOCS(1);
    if (count > 2 * LANES) {
      STORE_DOCS(2);
      STORE_DOCS(3);
    }
#undef STORE_DOCS
    n += count;
  }
  return n;
}

/* ---- scoring ---- */

static inline __m512 score_of(__m512 weight, __m512i freqs, __m512 norm) {
  const __m512 x = _mm512_mul_ps(_mm512_cvtepi32_ps(freqs), norm);
  const __m512 y = _mm512_add_ps(_mm512_set1_ps(1.0f), x);
  return _mm512_sub_ps(weight, _mm512_div_ps(weight, y));
}

static void score(float weight, const float *table, const uint32_t *freqs, const uint8_t *norms,
                  unsigned n, float *scores) {
  const __m512 weights = _mm512_set1_ps(weight);
  for (unsigned i = 0; i < n; i += LANES) {
    const __mmask16 mask = n - i >= LANES ? 0xFFFF : (__mmask16)((1u << (n - i)) - 1u);
    const __m512i norm = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask, norms + i));
    const __m512 entry = _mm512_i32gather_ps(norm, table, 4);
    const __m512i freq = _mm512_maskz_loadu_epi32(mask, freqs + i);
    _mm512_mask_storeu_ps(scores + i, mask, score_of(weights, freq, entry));
  }
}

const struct csd_kernels csd_kernels_avx512 = {
    .name = "avx512",
    .unpack_docs = unpack_docs,
    .unpack_freqs = unpack_freqs,
    .unpack_norms = unpack_norms,
    .intersect = intersect,
    .set_bits = csd_set_bits_in_two,
    .count_bits = count_bits,
    .list_bits = list_bits,
    .score = score,
};

#endif
