/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/kernels/test_kernels*.c, the same for every version. */
/*
 * AVX2 kernels. Compiled with the instruction sets that csd_cpu.avx2 stands for, and called only
 * where they are there.
 */
#if defined(__x86_64__)

#include <immintrin.h>

#include "core/kernels/bits.h"
#include "core/kernels/kernels.h"
#include "core/kernels/kernels_avx2_bits.h"
#include "core/kernels/kernels_avx2_bytes.h"
#include "core/kernels/kernels_avx2_positions.h"
#include "core/kernels/kernels_bitmap.h"
#include "core/kernels/kernels_common.h"
#include "core/kernels/kernels_values.h"

#define LANES 8u /* 32-bit values of a vector */

/* Docs to look for in one block from which on fetching the groups' last docs pays. */
#define VECTOR_PAYS_FROM 4u

/* Postings of a block up to which sums of bytes are quicker than all the block's sums. */
#define RANK_BYTES_PAY_TO 12u

static inline __m256i load(const void *at) { return _mm256_loadu_si256(at); }

static inline void store(void *at, __m256i v) { _mm256_storeu_si256(at, v); }

/* ---- unpacking ---- */

/* Widest values that lie within 4 bytes wherever they start. */
#define MAX_NARROW 25u

/* How to unpack 8 values of one width: they take `bits` bytes; 4 of them are in each half. */
struct unpacking {
  unsigned high; /* byte that the upper half starts at */
  __m256i bytes; /* of each lane */
  __m256i shift; /* right, in bits */
  __m256i mask;
};

/* Of values that start at bit `start` of a byte. */
static inline struct unpacking unpacking_from(unsigned bits, unsigned start) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3);
  const int low = (int)start;
  const int odd = (int)((start + 4u * bits) & 7u); /* where in its byte the upper half starts */
  const __m256i at = _mm256_add_epi32(_mm256_madd_epi16(lane, _mm256_set1_epi32((int)bits)),
                                      _mm256_setr_epi32(low, low, low, low, odd, odd, odd, odd));
  const __m256i low_byte = _mm256_set1_epi64x(0x0404040400000000);
  const __m256i low_bytes =
      _mm256_add_epi8(low_byte, _mm256_setr_epi64x(0, 0x0808080808080808, 0, 0x0808080808080808));
  return (struct unpacking){
      .high = (start + 4u * bits) >> 3,
      .bytes = _mm256_add_epi8(_mm256_shuffle_epi8(_mm256_srli_epi32(at, 3), low_bytes),
                               _mm256_set1_epi32(0x03020100)),
      .shift = _mm256_and_si256(at, _mm256_set1_epi32(7)),
      .mask = _mm256_set1_epi32((int)((1u << bits) - 1u))};
}

static inline struct unpacking unpacking_of(unsigned bits) { return unpacking_from(bits, 0); }

static inline __m256i unpack(const uint8_t *at, const struct unpacking *u) {
  const __m256i lanes = _mm256_shuffle_epi8(csd_load_two_avx2(at, at + u->high), u->bytes);
  return _mm256_and_si256(_mm256_srlv_epi32(lanes, u->shift), u->mask);
}

/* Sums from the first lane up to each lane. */
static inline __m256i sums_of(__m256i v) {
  v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
  v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
  const __m256i low_sum = _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(3));
  return _mm256_add_epi32(v, _mm256_blend_epi32(_mm256_setzero_si256(), low_sum, 0xF0));
}

static void unpack_docs(const uint8_t *column, unsigned bits, unsigned count, uint32_t base,
                        uint32_t *docs) {
  if (bits > MAX_NARROW) { /* a list with a doc in 2^25 */
    csd_kernels_scalar.unpack_docs(column, bits, count, base, docs);
    return;
  }
  const struct unpacking u = unpacking_of(bits);
  const __m256i last = _mm256_set1_epi32(LANES - 1);
  /* Every delta is stored less 1. */
  __m256i before = _mm256_add_epi32(_mm256_set1_epi32((int)(base + 1u)),
                                    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  for (unsigned i = 0; i < count; i += LANES, column += bits) {
    const __m256i sums = sums_of(unpack(column, &u));
    store(docs + i, _mm256_add_epi32(sums, before));
    /* The chain from group to group is one addition: sums within a group do not wait for it. */
    const __m256i all = _mm256_permutevar8x32_epi32(sums, last);
    before = _mm256_add_epi32(before, _mm256_add_epi32(all, _mm256_set1_epi32(LANES)));
  }
}

static void unpack_freqs(const uint8_t *column, unsigned bits, unsigned count, uint32_t *freqs) {
  if (bits > MAX_NARROW) {
    csd_kernels_scalar.unpack_freqs(column, bits, count, freqs);
    return;
  }
  const struct unpacking u = unpacking_of(bits);
  const __m256i one = _mm256_set1_epi32(1);
  for (unsigned i = 0; i < count; i += LANES, column += bits) {
    store(freqs + i, _mm256_add_epi32(unpack(column, &u), one));
  }
}

static void unpack_positions(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n,
                             uint32_t base, uint32_t *positions) {
  if (bits > MAX_NARROW) {
    csd_unpack_positions(column, bits, first, n, base, positions);
    return;
  }
  const struct unpacking u = unpacking_from(bits, first * bits & 7u);
  column += first * bits >> 3;
  __m256i before = _mm256_set1_epi32((int)base);
  for (uint32_t i = 0; i < n; i += LANES, column += bits) {
    const __m256i sums = _mm256_add_epi32(sums_of(unpack(column, &u)), before);
    store(positions + i, sums);
    before = _mm256_permutevar8x32_epi32(sums, _mm256_set1_epi32(LANES - 1));
  }
}

static void rank_freqs(const uint8_t *column, unsigned bits, const uint8_t *position, unsigned n,
                       uint32_t *freqs, uint32_t *ranks) {
  if (bits <= 8 && n <= RANK_BYTES_PAY_TO) {
    csd_rank_bytes_avx2(column, bits, position, n, freqs, ranks);
  } else {
    csd_rank_freqs(unpack_docs, column, bits, position, n, freqs, ranks);
  }
}

/* ---- searching ---- */

static inline unsigned lanes_set(__m256i v) {
  return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(v));
}

/* Lanes of v that are at or above x, unsigned. */
static inline unsigned at_or_above(__m256i v, __m256i x) {
  return lanes_set(_mm256_cmpeq_epi32(_mm256_max_epu32(v, x), v));
}

/*
 * A doc's 8 neighbours in the block are found by comparing it with the last docs of the groups of
 * 8, its place among them by comparing it with all 8. No branch depends on the docs.
 */
static unsigned intersect(const uint32_t *docs, unsigned n, const uint32_t *block, unsigned count,
                          uint8_t *map, uint16_t *index, uint8_t *position) {
  if (n < VECTOR_PAYS_FROM || n >= CSD_SEARCH_PAYS_TO) {
    return csd_kernels_scalar.intersect(docs, n, block, count, map, index, position);
  }
  const __m256i groups = _mm256_setr_epi32(7, 15, 23, 31, 39, 47, 55, 63);
  const __m256i low = _mm256_i32gather_epi32((const int *)block, groups, 4);
  const __m256i high = _mm256_i32gather_epi32((const int *)(block + 64), groups, 4);
  unsigned hits = 0;
  for (unsigned i = 0; i < n; i++) {
    const __m256i doc = _mm256_set1_epi32((int)docs[i]);
    /* A doc beyond the last belongs to the last group as well. */
    const unsigned from = at_or_above(low, doc) | at_or_above(high, doc) << 8 | 1u << 15;
    const unsigned group = _tzcnt_u32(from) * LANES;
    const unsigned equal = lanes_set(_mm256_cmpeq_epi32(load(block + group), doc));
    index[hits] = (uint16_t)i;
    position[hits] = (uint8_t)(group + _tzcnt_u32(equal));
    hits += equal != 0;
  }
  return hits;
}

/* ---- bits ---- */

static uint64_t count_bits(const uint64_t *bits, unsigned words) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < words; i++) {
    sum += (uint64_t)_mm_popcnt_u64(bits[i]);
  }
  return sum;
}

/* ---- scoring ---- */

static inline __m256 score_of(__m256 weight, __m256i freqs, __m256 norm) {
  const __m256 x = _mm256_mul_ps(_mm256_cvtepi32_ps(freqs), norm);
  const __m256 y = _mm256_add_ps(_mm256_set1_ps(1.0f), x);
  return _mm256_sub_ps(weight, _mm256_div_ps(weight, y));
}

static void score(float weight, const float *table, const uint32_t *freqs, const uint8_t *norms,
                  unsigned n, float *scores) {
  const __m256 weights = _mm256_set1_ps(weight);
  unsigned i = 0;
  for (; i + LANES <= n; i += LANES) {
    /* One load a value: a gather takes about twice as long. */
    const uint64_t norm = csd_load_u64(norms + i);
    const __m256 entry =
        _mm256_setr_ps(table[norm & 0xFFu], table[norm >> 8 & 0xFFu], table[norm >> 16 & 0xFFu],
                       table[norm >> 24 & 0xFFu], table[norm >> 32 & 0xFFu],
                       table[norm >> 40 & 0xFFu], table[norm >> 48 & 0xFFu], table[norm >> 56]);
    _mm256_storeu_ps(scores + i, score_of(weights, load(freqs + i), entry));
  }
  for (; i < n; i++) {
    scores[i] = weight - weight / (1.0f + (float)(int32_t)freqs[i] * table[norms[i]]);
  }
}

/* ---- ranges of values ---- */

/* Widest values that lie within 8 bytes wherever they start. */
#define MAX_WIDE 57u

/* Values of up to 25 bits, which compare alike with and without a sign. */
static void match_narrow(const uint8_t *at, unsigned bits, uint32_t n, uint32_t lo, uint32_t hi,
                         uint64_t *words) {
  const struct unpacking u = unpacking_of(bits);
  const __m256i below = _mm256_set1_epi32((int)lo - 1);
  const __m256i above = _mm256_set1_epi32((int)hi + 1);
  for (uint32_t i = 0; i < n; i += 64u) {
    uint64_t word = 0;
    for (unsigned part = 0; part < 64u && i + part < n; part += LANES, at += bits) {
      const __m256i v = unpack(at, &u);
      const __m256i in =
          _mm256_and_si256(_mm256_cmpgt_epi32(v, below), _mm256_cmpgt_epi32(above, v));
      word |= (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(in)) << part;
    }
    words[i / 64u] = word;
  }
}

/* Values of up to 57 bits, likewise, four at a time. */
static void match_wide(const uint8_t *at, unsigned bits, uint32_t n, uint64_t lo, uint64_t hi,
                       uint64_t *words) {
  const long long width = (long long)bits;
  const __m256i below = _mm256_set1_epi64x((long long)lo - 1);
  const __m256i above = _mm256_set1_epi64x((long long)hi + 1);
  const __m256i mask = _mm256_set1_epi64x((long long)((UINT64_C(1) << bits) - 1u));
  const __m256i seven = _mm256_set1_epi64x(7);
  for (uint32_t i = 0; i < n; i += 64u, at += 8u * bits) {
    uint64_t word = 0;
    __m256i bit = _mm256_setr_epi64x(0, width, 2 * width, 3 * width);
    for (unsigned part = 0; part < 64u && i + part < n; part += 4u) {
      const __m256i bytes = _mm256_i64gather_epi64((const void *)at, _mm256_srli_epi64(bit, 3), 1);
      const __m256i v =
          _mm256_and_si256(_mm256_srlv_epi64(bytes, _mm256_and_si256(bit, seven)), mask);
      const __m256i in =
          _mm256_and_si256(_mm256_cmpgt_epi64(v, below), _mm256_cmpgt_epi64(above, v));
      word |= (uint64_t)(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(in)) << part;
      bit = _mm256_add_epi64(bit, _mm256_set1_epi64x(4 * width));
    }
    words[i / 64u] = word;
  }
}

static void match_range(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n,
                        uint64_t lo, uint64_t hi, uint64_t *words) {
  const uint64_t last = bits == 64u ? UINT64_MAX : (UINT64_C(1) << bits) - 1u;
  if (bits > MAX_WIDE || lo > last) {
    csd_match_range(column, bits, first, n, lo, hi, words);
    return;
  }
  const uint8_t *at = column + (uint64_t)first / 8u * bits;
  hi = hi < last ? hi : last;
  if (bits <= MAX_NARROW) {
    match_narrow(at, bits, n, (uint32_t)lo, (uint32_t)hi, words);
  } else {
    match_wide(at, bits, n, lo, hi, words);
  }
}

const struct csd_kernels csd_kernels_avx2 = {
    .name = "avx2",
    .unpack_docs = unpack_docs,
    .unpack_freqs = unpack_freqs,
    .unpack_norms = csd_unpack_norms_avx2,
    .unpack_positions = unpack_positions,
    .keep_common = csd_keep_common_avx2,
    .unpack_few = csd_unpack_few_avx2,
    .match_few = csd_match_few_avx2,
    .gather_freqs = csd_gather_freqs,
    .rank_freqs = rank_freqs,
    .gather_norms = csd_gather_norms,
    .intersect = intersect,
    .intersect_bitmap = csd_intersect_bitmap,
    .or_bitmap = csd_or_bitmap_avx2,
    .set_bits = csd_set_bits,
    .count_bits = count_bits,
    .list_bits = csd_list_bits_avx2,
    .score = score,
    .any_needed = csd_any_needed,
    .keep_above = csd_keep_above,
    .copy_above = csd_copy_above,
    .merge_docs = csd_merge_docs,
    .merge_scores = csd_merge_scores,
    .match_range = match_range,
    .match_map = csd_match_map,
    .values = &csd_plain_value_kernels,
    .merge_pays_to = CSD_MERGE_DOCS_PAYS_TO,
    .ranges_pay_to = 4,
};

#endif
