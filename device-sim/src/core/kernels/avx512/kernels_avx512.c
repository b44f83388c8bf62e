/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/kernels/test_kernels*.c, the same for every version. */
/*
 * AVX-512 kernels. Compiled with the instruction sets that csd_cpu.avx512 stands for, and called
 * only where they are there.
 *
 * Compressed vectors are stored whole, never with a masked compress to memory, which is microcode
 * on some processors; what lies behind the valid part is overwritten by the next store or void.
 */
#if defined(__x86_64__)

#include <immintrin.h>

#include "core/kernels/avx512/kernels_avx512_bits.h"
#include "core/kernels/avx512/kernels_avx512_bytes.h"
#include "core/kernels/avx512/kernels_avx512_gather.h"
#include "core/kernels/avx512/kernels_avx512_map.h"
#include "core/kernels/avx512/kernels_avx512_merge.h"
#include "core/kernels/avx512/kernels_avx512_positions.h"
#include "core/kernels/avx512/kernels_avx512_range.h"
#include "core/kernels/avx512/kernels_avx512_sums.h"
#include "core/kernels/avx512/kernels_avx512_values.h"
#include "core/kernels/bits.h"
#include "core/kernels/kernels.h"
#include "core/kernels/kernels_bitmap.h"
#include "core/kernels/kernels_common.h"

#define LANES 16u /* 32-bit values of a vector */

/* Docs to look for in one block from which on merging is quicker than searching. */
#define MERGE_PAYS_FROM 24u

/* Docs per 4096 up to which merging two lists is quicker than going by way of bits. */
#define MERGE_DOCS_PAYS_TO 256u

/* ranges_pay_to: the gather of match_map costs as much as about four comparisons. */
#define RANGES_PAY_TO 5u

/* Postings of a block up to which sums of bytes are quicker than all the block's sums. */
#define RANK_BYTES_PAY_TO 24u

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

/* Of values that start at bit `start` of a byte. */
static inline struct unpacking unpacking_from(unsigned bits, unsigned start) {
  const __m512i at =
      _mm512_add_epi32(_mm512_madd_epi16(lane_numbers(), _mm512_set1_epi32((int)bits)),
                       _mm512_set1_epi32((int)start));
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

static inline struct unpacking unpacking_of(unsigned bits) { return unpacking_from(bits, 0); }

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
#define UNPACK_DOCS(UNPACK)                                                             \
  for (unsigned i = 0; i < count; i += LANES, column += 2 * bits) {                     \
    const __m512i sums = sums_of(UNPACK(column, &u));                                   \
    _mm512_storeu_si512(docs + i, _mm512_add_epi32(sums, before));                      \
    const __m512i all = _mm512_permutexvar_epi32(_mm512_set1_epi32(LANES - 1), sums);   \
    before = _mm512_add_epi32(before, _mm512_add_epi32(all, _mm512_set1_epi32(LANES))); \
  }

static void unpack_docs(const uint8_t *column, unsigned bits, unsigned count, uint32_t base,
                        uint32_t *docs) {
  const struct unpacking u = unpacking_of(bits);
  /* Every delta is stored less 1. */
  __m512i before = _mm512_add_epi32(_mm512_set1_epi32((int)(base + 1u)), lane_numbers());
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

static void unpack_positions(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n,
                             uint32_t base, uint32_t *positions) {
  const struct unpacking u = unpacking_from(bits, first * bits & 7u);
  const __m512i last = _mm512_set1_epi32(LANES - 1);
  __m512i before = _mm512_set1_epi32((int)base);
  column += first * bits >> 3;
  for (uint32_t i = 0; i < n; i += LANES, column += 2 * bits) {
    const __m512i values = bits <= 25 ? unpack_narrow(column, &u) : unpack_wide(column, &u);
    const __m512i sums = _mm512_add_epi32(sums_of(values), before);
    _mm512_storeu_si512(positions + i, sums);
    before = _mm512_permutexvar_epi32(last, sums);
  }
}

static void rank_freqs(const uint8_t *column, unsigned bits, const uint8_t *position, unsigned n,
                       uint32_t *freqs, uint32_t *ranks) {
  if (bits <= 8 && n <= RANK_BYTES_PAY_TO) {
    csd_rank_bytes_avx512(column, bits, position, n, freqs, ranks);
  } else {
    csd_rank_freqs(unpack_docs, column, bits, position, n, freqs, ranks);
  }
}

/* ---- searching ---- */

/*
 * A doc's 16 neighbours in the block are found by comparing it with the last docs of the groups of
 * 16, its place among them by comparing it with all 16. No branch depends on the docs.
 */
static unsigned intersect(const uint32_t *docs, unsigned n, const uint32_t *block, unsigned count,
                          uint8_t *map, uint16_t *index, uint8_t *position) {
  if (n >= CSD_SEARCH_PAYS_TO) {
    return csd_kernels_scalar.intersect(docs, n, block, count, map, index, position);
  }
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

/*
 * Goes through both lists like a merge, 16 against 16: VP2INTERSECT tells which docs of either are
 * in the other, and the list whose 16 end first moves on. For few docs the search is quicker.
 */
__attribute__((target("avx512vp2intersect"))) static unsigned intersect_by_merge(
    const uint32_t *docs, unsigned n, const uint32_t *block, unsigned count, uint8_t *map,
    uint16_t *index, uint8_t *position) {
  if (n < MERGE_PAYS_FROM) {
    return intersect(docs, n, block, count, map, index, position);
  }
  const __m256i lanes16 = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m128i lanes8 = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const unsigned whole = n & ~(LANES - 1u);
  unsigned hits = 0;
  unsigned i = 0;
  unsigned j = 0;
  while (i < whole && j < count) {
    __mmask16 of_docs, of_block;
    _mm512_2intersect_epi32(_mm512_loadu_si512(docs + i), _mm512_loadu_si512(block + j), &of_docs,
                            &of_block);
    const __m256i indices = _mm256_add_epi16(lanes16, _mm256_set1_epi16((short)i));
    const __m128i positions = _mm_add_epi8(lanes8, _mm_set1_epi8((char)j));
    _mm256_storeu_si256((void *)(index + hits), _mm256_maskz_compress_epi16(of_docs, indices));
    _mm_storeu_si128((void *)(position + hits), _mm_maskz_compress_epi8(of_block, positions));
    hits += (unsigned)_mm_popcnt_u32(of_docs);
    const uint32_t docs_end = docs[i + LANES - 1];
    const uint32_t block_end = block[j + LANES - 1];
    i += (unsigned)(docs_end <= block_end) * LANES; /* unpredictable, so no branches */
    j += (unsigned)(block_end <= docs_end) * LANES;
  }
  /* The docs behind the last 16, unless the block ended first. */
  if (j >= count) {
    return hits;
  }
  const unsigned rest =
      intersect(docs + whole, n - whole, block, count, map, index + hits, position + hits);
  for (unsigned k = 0; k < rest; k++) {
    index[hits + k] = (uint16_t)(index[hits + k] + whole);
  }
  return hits + rest;
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

/* Stores lanes 16 * PART on of the numbers of a word's bits as docs. */
#define STORE_DOCS(PART)   \
  _mm512_storeu_si512(     \
      docs + LANES * PART, \
      _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(set, PART)), bases))

/*
 * Lists the bits of a word; returns how many. Their numbers are made as bytes, in one compression.
 * A whole vector is stored, needed or not: to count closer would mean branches that are hard to
 * predict.
 */
static inline unsigned list_word(uint64_t word, uint32_t base, uint32_t *docs) {
  const __m512i numbers =
      _mm512_add_epi64(_mm512_set1_epi64(0x0706050403020100),
                       _mm512_setr_epi64(0, 0x0808080808080808, 0x1010101010101010,
                                         0x1818181818181818, 0x2020202020202020, 0x2828282828282828,
                                         0x3030303030303030, 0x3838383838383838));
  const unsigned count = (unsigned)_mm_popcnt_u64(word);
  const __m512i set = _mm512_maskz_compress_epi8(word, numbers);
  const __m512i bases = _mm512_set1_epi32((int)base);
  STORE_DOCS(0);
  if (count > LANES) {
    STORE_DOCS(1);
    if (count > 2 * LANES) {
      STORE_DOCS(2);
      STORE_DOCS(3);
    }
  }
  return count;
}

#undef STORE_DOCS

/* Eight words at a time: which of them are zero cannot be predicted where the docs are few. */
static unsigned list_bits(const uint64_t *bits, unsigned words, uint32_t base, uint32_t *docs) {
  unsigned n = 0;
  for (unsigned i = 0; i < words; i += 8) {
    const __mmask8 valid = (__mmask8)(words - i >= 8 ? 0xFFu : (1u << (words - i)) - 1u);
    const __m512i part = _mm512_maskz_loadu_epi64(valid, bits + i);
    unsigned some = _cvtmask8_u32(_mm512_test_epi64_mask(part, part));
    if (some == 0xFF) {
      for (unsigned j = i; j < i + 8; j++) {
        n += list_word(bits[j], base + 64u * j, docs + n);
      }
      continue;
    }
    for (; some != 0; some = _blsr_u32(some)) {
      const unsigned j = i + _tzcnt_u32(some);
      n += list_word(bits[j], base + 64u * j, docs + n);
    }
  }
  return n;
}

/* ---- scoring ---- */

static inline __m512 score_of(__m512 weight, __m512i freqs, __m512 norm) {
  const __m512 x = _mm512_mul_ps(_mm512_cvtepi32_ps(freqs), norm);
  const __m512 y = _mm512_add_ps(_mm512_set1_ps(1.0f), x);
  return _mm512_sub_ps(weight, _mm512_div_ps(weight, y));
}

/* Part of a table: 64 entries in registers. */
struct entries {
  __m512 part[4];
};

/* 16 entries by their numbers, 0 to 63; `upper` has the lanes of those above 31. */
static inline __m512 pick(const struct entries *e, __m128i numbers, __mmask16 upper) {
  const __m512i n = _mm512_cvtepu8_epi32(numbers);
  const __m512 low = _mm512_permutex2var_ps(e->part[0], n, e->part[1]);
  const __m512 high = _mm512_permutex2var_ps(e->part[2], n, e->part[3]);
  return _mm512_mask_blend_ps(upper, low, high);
}

/* Eight entries by one load each: a gather takes about twice as long. */
static inline __m256 look_up(const float *table, uint64_t norm) {
  return _mm256_setr_ps(table[norm & 0xFFu], table[norm >> 8 & 0xFFu], table[norm >> 16 & 0xFFu],
                        table[norm >> 24 & 0xFFu], table[norm >> 32 & 0xFFu],
                        table[norm >> 40 & 0xFFu], table[norm >> 48 & 0xFFu], table[norm >> 56]);
}

static inline __m512 look_up_16(const float *table, __m128i norm) {
  const __m256 low = look_up(table, (uint64_t)_mm_cvtsi128_si64(norm));
  const __m256 high = look_up(table, (uint64_t)_mm_extract_epi64(norm, 1));
  return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

/* The norms of a posting block are mostly close together: then a part of the table is enough. */
static void score(float weight, const float *table, const uint32_t *freqs, const uint8_t *norms,
                  unsigned n, float *scores) {
  if (n == 0) {
    return;
  }
  const __m512 weights = _mm512_set1_ps(weight);
  const unsigned first = norms[0] < 32 ? 0 : norms[0] < 224 ? norms[0] - 32u : 192u;
  const struct entries entries = {
      {_mm512_loadu_ps(table + first), _mm512_loadu_ps(table + first + 16),
       _mm512_loadu_ps(table + first + 32), _mm512_loadu_ps(table + first + 48)}};
  for (unsigned i = 0; i < n; i += 64) {
    const __mmask64 valid = n - i >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (n - i)) - 1u;
    const __m512i norm = _mm512_maskz_loadu_epi8(valid, norms + i);
    const __m512i number = _mm512_sub_epi8(norm, _mm512_set1_epi8((char)first));
    const __mmask64 outside = _mm512_cmpgt_epu8_mask(number, _mm512_set1_epi8(63)) & valid;
    const __mmask64 upper = _mm512_test_epi8_mask(number, _mm512_set1_epi8(32));
#define SCORE_PART(J)                                                                          \
  if (i + LANES * J < n) {                                                                     \
    const __m512 entry = outside == 0 ? pick(&entries, _mm512_extracti32x4_epi32(number, J),   \
                                             (__mmask16)(upper >> (LANES * J)))                \
                                      : look_up_16(table, _mm512_extracti32x4_epi32(norm, J)); \
    const __mmask16 mask = (__mmask16)(valid >> (LANES * J));                                  \
    const __m512i freq = _mm512_maskz_loadu_epi32(mask, freqs + i + LANES * J);                \
    _mm512_mask_storeu_ps(scores + i + LANES * J, mask, score_of(weights, freq, entry));       \
  }
    SCORE_PART(0)
    SCORE_PART(1)
    SCORE_PART(2)
    SCORE_PART(3)
#undef SCORE_PART
  }
}

/* Frequencies as bytes, 255 for those above: 16 of 64 from a multiple of 16 on. */
#define FREQ_BYTES(J)     \
  _mm512_cvtusepi32_epi8( \
      _mm512_maskz_loadu_epi32((__mmask16)(valid >> (LANES * J)), freqs + i + LANES * J))

static bool any_needed(const uint8_t *needed, const uint32_t *freqs, const uint8_t *norms,
                       unsigned n) {
  const __m512i part[4] = {_mm512_loadu_si512(needed), _mm512_loadu_si512(needed + 64),
                           _mm512_loadu_si512(needed + 128), _mm512_loadu_si512(needed + 192)};
  for (unsigned i = 0; i < n; i += 64) {
    const __mmask64 valid = n - i >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (n - i)) - 1u;
    const __m512i norm = _mm512_maskz_loadu_epi8(valid, norms + i);
    const __m512i low = _mm512_permutex2var_epi8(part[0], norm, part[1]);
    const __m512i high = _mm512_permutex2var_epi8(part[2], norm, part[3]);
    const __m512i least = _mm512_mask_blend_epi8(_mm512_movepi8_mask(norm), low, high);
    __m512i freq = _mm512_castsi128_si512(FREQ_BYTES(0));
    freq = _mm512_inserti32x4(freq, FREQ_BYTES(1), 1);
    freq = _mm512_inserti32x4(freq, FREQ_BYTES(2), 2);
    freq = _mm512_inserti32x4(freq, FREQ_BYTES(3), 3);
    if (_mm512_mask_cmpge_epu8_mask(valid, freq, least) != 0) {
      return true;
    }
  }
  return false;
}

static unsigned keep_above(uint32_t *docs, double *sums, unsigned n, double rest, double slack,
                           double min_score) {
  const __m512d rests = _mm512_set1_pd(rest);
  const __m512d slacks = _mm512_set1_pd(slack);
  const __m512d least = _mm512_set1_pd(min_score);
  unsigned kept = 0;
  unsigned i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m512d sum = _mm512_loadu_pd(sums + i);
    const __m256i doc = _mm256_loadu_si256((const void *)(docs + i));
    const __m512d bound = _mm512_mul_pd(_mm512_add_pd(sum, rests), slacks);
    const __mmask8 stay = (__mmask8)~_mm512_cmp_pd_mask(bound, least, _CMP_LE_OQ);
    /* Whole vectors: what they overwrite has been read. */
    _mm512_storeu_pd(sums + kept, _mm512_maskz_compress_pd(stay, sum));
    _mm256_storeu_si256((void *)(docs + kept), _mm256_maskz_compress_epi32(stay, doc));
    kept += (unsigned)_mm_popcnt_u32(stay);
  }
  for (; i < n; i++) {
    const double sum = sums[i];
    docs[kept] = docs[i];
    sums[kept] = sum;
    kept += !((sum + rest) * slack <= min_score);
  }
  return kept;
}

static unsigned copy_above(const uint32_t *docs, const float *scores, unsigned n, float min_score,
                           uint32_t *kept_docs, float *kept_scores) {
  const __m512 least = _mm512_set1_ps(min_score);
  unsigned kept = 0;
  for (unsigned i = 0; i < n; i += LANES) {
    const __mmask16 valid = (__mmask16)(n - i >= LANES ? 0xFFFFu : (1u << (n - i)) - 1u);
    const __m512 score = _mm512_maskz_loadu_ps(valid, scores + i);
    const __m512i doc = _mm512_maskz_loadu_epi32(valid, docs + i);
    const __mmask16 stay = _mm512_mask_cmp_ps_mask(valid, score, least, _CMP_NLE_UQ);
    _mm512_storeu_ps(kept_scores + kept, _mm512_maskz_compress_ps(stay, score));
    _mm512_storeu_si512(kept_docs + kept, _mm512_maskz_compress_epi32(stay, doc));
    kept += (unsigned)_mm_popcnt_u32(stay);
  }
  return kept;
}

const struct csd_kernels csd_kernels_avx512 = {
    .name = "avx512",
    .unpack_docs = unpack_docs,
    .unpack_freqs = unpack_freqs,
    .unpack_norms = csd_unpack_norms_avx512,
    .unpack_positions = unpack_positions,
    .keep_common = csd_keep_common_avx512,
    .unpack_few = csd_unpack_few_avx512,
    .match_few = csd_match_few_avx512,
    .gather_freqs = csd_gather_freqs_avx512,
    .rank_freqs = rank_freqs,
    .gather_norms = csd_gather_norms_avx512,
    .intersect = intersect,
    .intersect_bitmap = csd_intersect_bitmap_avx512,
    .or_bitmap = csd_or_bitmap_avx512,
    .set_bits = csd_set_bits_avx512,
    .count_bits = count_bits,
    .list_bits = list_bits,
    .score = score,
    .any_needed = any_needed,
    .keep_above = keep_above,
    .copy_above = copy_above,
    .merge_docs = csd_merge_docs_avx512,
    .merge_scores = csd_merge_scores_avx512,
    .match_range = csd_match_range_avx512,
    .match_map = csd_match_map_avx512,
    .values = &csd_value_kernels_avx512,
    .merge_pays_to = MERGE_DOCS_PAYS_TO,
    .ranges_pay_to = RANGES_PAY_TO,
};

const struct csd_kernels csd_kernels_avx512_vp2 = {
    .name = "avx512vp2",
    .unpack_docs = unpack_docs,
    .unpack_freqs = unpack_freqs,
    .unpack_norms = csd_unpack_norms_avx512,
    .unpack_positions = unpack_positions,
    .keep_common = csd_keep_common_avx512,
    .unpack_few = csd_unpack_few_avx512,
    .match_few = csd_match_few_avx512,
    .gather_freqs = csd_gather_freqs_avx512,
    .rank_freqs = rank_freqs,
    .gather_norms = csd_gather_norms_avx512,
    .intersect = intersect_by_merge,
    .intersect_bitmap = csd_intersect_bitmap_avx512,
    .or_bitmap = csd_or_bitmap_avx512,
    .set_bits = csd_set_bits_avx512,
    .count_bits = count_bits,
    .list_bits = list_bits,
    .score = score,
    .any_needed = any_needed,
    .keep_above = keep_above,
    .copy_above = copy_above,
    .merge_docs = csd_merge_docs_avx512,
    .merge_scores = csd_merge_scores_avx512,
    .match_range = csd_match_range_avx512,
    .match_map = csd_match_map_avx512,
    .values = &csd_value_kernels_avx512,
    .merge_pays_to = MERGE_DOCS_PAYS_TO,
    .ranges_pay_to = RANGES_PAY_TO,
};

#endif
