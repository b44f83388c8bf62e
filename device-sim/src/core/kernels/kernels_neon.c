/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/kernels/test_kernels*.c, the same for every version. */
/*
 * NEON kernels, for every AArch64 processor. Listing bits stays as in plain C: there is nothing
 * like a compression to gain from.
 */
#if defined(__aarch64__)

#include <arm_neon.h>

#include "core/kernels/bits.h"
#include "core/kernels/kernels.h"
#include "core/kernels/kernels_bitmap.h"
#include "core/kernels/kernels_common.h"
#include "core/kernels/kernels_values.h"

#define LANES 4u /* 32-bit values of a vector */

/* ---- unpacking ---- */

/* Widest values that lie within 4 bytes wherever they start. */
#define MAX_NARROW 25u

/* How to unpack 4 values of one width that start at bit `start` (0 or 4) of a byte. */
struct unpacking {
  uint8x16_t bytes; /* of each lane */
  int32x4_t shift;  /* left, so negative */
};

static inline uint32x4_t lane_numbers(void) {
  static const uint32_t numbers[4] = {0, 1, 2, 3};
  return vld1q_u32(numbers);
}

static inline struct unpacking unpacking_of(unsigned bits, unsigned start) {
  const uint32x4_t at = vmlaq_n_u32(vdupq_n_u32(start), lane_numbers(), bits);
  const uint32x4_t first = vshrq_n_u32(at, 3);
  const uint32x4_t all = vmlaq_n_u32(vdupq_n_u32(0x03020100), first, 0x01010101);
  return (struct unpacking){
      .bytes = vreinterpretq_u8_u32(all),
      .shift = vnegq_s32(vreinterpretq_s32_u32(vandq_u32(at, vdupq_n_u32(7))))};
}

static inline uint32x4_t unpack(const uint8_t *at, const struct unpacking *u, uint32x4_t mask) {
  const uint32x4_t lanes = vreinterpretq_u32_u8(vqtbl1q_u8(vld1q_u8(at), u->bytes));
  return vandq_u32(vshlq_u32(lanes, u->shift), mask);
}

/* Sums from the first lane up to each lane. */
static inline uint32x4_t sums_of(uint32x4_t v) {
  const uint32x4_t zero = vdupq_n_u32(0);
  v = vaddq_u32(v, vextq_u32(zero, v, 3));
  return vaddq_u32(v, vextq_u32(zero, v, 2));
}

static void unpack_docs(const uint8_t *column, unsigned bits, unsigned count, uint32_t base,
                        uint32_t *docs) {
  if (bits > MAX_NARROW) { /* a list with a doc in 2^25 */
    csd_kernels_scalar.unpack_docs(column, bits, count, base, docs);
    return;
  }
  const unsigned high = 4u * bits >> 3;
  const struct unpacking first = unpacking_of(bits, 0);
  const struct unpacking second = unpacking_of(bits, (4u * bits) & 7u);
  const uint32x4_t mask = vdupq_n_u32((1u << bits) - 1u);
  const uint32x4_t four = vdupq_n_u32(LANES);
  /* Every delta is stored less 1. */
  uint32x4_t before = vaddq_u32(vdupq_n_u32(base + 1u), lane_numbers());
  for (unsigned i = 0; i < count; i += 2 * LANES, column += bits) {
    const uint32x4_t low_sums = sums_of(unpack(column, &first, mask));
    const uint32x4_t high_sums = sums_of(unpack(column + high, &second, mask));
    const uint32x4_t between = vaddq_u32(vdupq_laneq_u32(low_sums, 3), four);
    const uint32x4_t all = vaddq_u32(vdupq_laneq_u32(high_sums, 3), four);
    vst1q_u32(docs + i, vaddq_u32(before, low_sums));
    vst1q_u32(docs + i + LANES, vaddq_u32(before, vaddq_u32(between, high_sums)));
    before = vaddq_u32(before, vaddq_u32(between, all));
  }
}

static void unpack_freqs(const uint8_t *column, unsigned bits, unsigned count, uint32_t *freqs) {
  if (bits > MAX_NARROW) {
    csd_kernels_scalar.unpack_freqs(column, bits, count, freqs);
    return;
  }
  const unsigned high = 4u * bits >> 3;
  const struct unpacking first = unpacking_of(bits, 0);
  const struct unpacking second = unpacking_of(bits, (4u * bits) & 7u);
  const uint32x4_t mask = vdupq_n_u32((1u << bits) - 1u);
  const uint32x4_t one = vdupq_n_u32(1);
  for (unsigned i = 0; i < count; i += 2 * LANES, column += bits) {
    vst1q_u32(freqs + i, vaddq_u32(unpack(column, &first, mask), one));
    vst1q_u32(freqs + i + LANES, vaddq_u32(unpack(column + high, &second, mask), one));
  }
}

static void unpack_norms(const uint8_t *column, unsigned bits, unsigned count, uint8_t base,
                         uint8_t *norms) {
  static const uint16_t numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const uint16x8_t at = vmulq_n_u16(vld1q_u16(numbers), (uint16_t)bits);
  const uint16x8_t first = vshrq_n_u16(at, 3);
  const uint8x16_t bytes = vreinterpretq_u8_u16(vmlaq_n_u16(vdupq_n_u16(0x0100), first, 0x0101));
  const int16x8_t shift = vnegq_s16(vreinterpretq_s16_u16(vandq_u16(at, vdupq_n_u16(7))));
  const uint8x8_t mask = vdup_n_u8((uint8_t)((1u << bits) - 1u));
  const uint8x8_t bases = vdup_n_u8(base);
  for (unsigned i = 0; i < count; i += 8, column += bits) {
    const uint16x8_t lanes = vreinterpretq_u16_u8(vqtbl1q_u8(vld1q_u8(column), bytes));
    const uint8x8_t values = vand_u8(vmovn_u16(vshlq_u16(lanes, shift)), mask);
    vst1_u8(norms + i, vadd_u8(values, bases));
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
  const uint32_t last[8] = {block[15], block[31], block[47],  block[63],
                            block[79], block[95], block[111], UINT32_MAX};
  const uint32x4_t low_lasts = vld1q_u32(last);
  const uint32x4_t high_lasts = vld1q_u32(last + 4);
  static const uint8_t ordinals[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  const uint8x16_t ordinal = vld1q_u8(ordinals);
  unsigned hits = 0;
  for (unsigned i = 0; i < n; i++) {
    const uint32x4_t doc = vdupq_n_u32(docs[i]);
    /* Each group that ends before the doc counts for -1. */
    const uint32x4_t ended = vaddq_u32(vcltq_u32(low_lasts, doc), vcltq_u32(high_lasts, doc));
    const unsigned group = (0u - vaddvq_u32(ended)) * 16u;
    const uint32_t *near = block + group;
    const uint16x8_t low = vcombine_u16(vmovn_u32(vceqq_u32(vld1q_u32(near), doc)),
                                        vmovn_u32(vceqq_u32(vld1q_u32(near + 4), doc)));
    const uint16x8_t high = vcombine_u16(vmovn_u32(vceqq_u32(vld1q_u32(near + 8), doc)),
                                         vmovn_u32(vceqq_u32(vld1q_u32(near + 12), doc)));
    const uint8x16_t equal = vcombine_u8(vmovn_u16(low), vmovn_u16(high));
    const unsigned place = vmaxvq_u8(vandq_u8(equal, ordinal)); /* 0: none */
    index[hits] = (uint16_t)i;
    position[hits] = (uint8_t)(group + place - 1u);
    hits += place != 0;
  }
  return hits;
}

/* ---- bits ---- */

static uint64_t count_bits(const uint64_t *bits, unsigned words) {
  uint64x2_t sum = vdupq_n_u64(0);
  unsigned i = 0;
  for (; i + 2 <= words; i += 2) {
    const uint8x16_t counts = vcntq_u8(vreinterpretq_u8_u64(vld1q_u64(bits + i)));
    sum = vpadalq_u32(sum, vpaddlq_u16(vpaddlq_u8(counts)));
  }
  uint64_t rest = 0;
  if (i < words) {
    rest = vaddv_u8(vcnt_u8(vcreate_u8(bits[i])));
  }
  return vaddvq_u64(sum) + rest;
}

static unsigned list_bits(const uint64_t *bits, unsigned words, uint32_t base, uint32_t *docs) {
  return csd_kernels_scalar.list_bits(bits, words, base, docs);
}

/* ---- scoring ---- */

static void score(float weight, const float *table, const uint32_t *freqs, const uint8_t *norms,
                  unsigned n, float *scores) {
  const float32x4_t weights = vdupq_n_f32(weight);
  const float32x4_t one = vdupq_n_f32(1.0f);
  unsigned i = 0;
  for (; i + LANES <= n; i += LANES) {
    float32x4_t norm = vld1q_dup_f32(table + norms[i]);
    norm = vld1q_lane_f32(table + norms[i + 1], norm, 1);
    norm = vld1q_lane_f32(table + norms[i + 2], norm, 2);
    norm = vld1q_lane_f32(table + norms[i + 3], norm, 3);
    const float32x4_t freq = vcvtq_f32_s32(vreinterpretq_s32_u32(vld1q_u32(freqs + i)));
    const float32x4_t y = vaddq_f32(one, vmulq_f32(freq, norm));
    vst1q_f32(scores + i, vsubq_f32(weights, vdivq_f32(weights, y)));
  }
  for (; i < n; i++) {
    scores[i] = weight - weight / (1.0f + (float)(int32_t)freqs[i] * table[norms[i]]);
  }
}

static void rank_freqs(const uint8_t *column, unsigned bits, const uint8_t *position, unsigned n,
                       uint32_t *freqs, uint32_t *ranks) {
  csd_rank_freqs(unpack_docs, column, bits, position, n, freqs, ranks);
}

const struct csd_kernels csd_kernels_neon = {
    .name = "neon",
    .unpack_docs = unpack_docs,
    .unpack_freqs = unpack_freqs,
    .unpack_norms = unpack_norms,
    .unpack_positions = csd_unpack_positions,
    .keep_common = csd_keep_common,
    .unpack_few = csd_unpack_few,
    .match_few = csd_match_few,
    .gather_freqs = csd_gather_freqs,
    .rank_freqs = rank_freqs,
    .gather_norms = csd_gather_norms,
    .intersect = intersect,
    .intersect_bitmap = csd_intersect_bitmap,
    .or_bitmap = csd_or_bitmap,
    .set_bits = csd_set_bits,
    .count_bits = count_bits,
    .list_bits = list_bits,
    .score = score,
    .any_needed = csd_any_needed,
    .keep_above = csd_keep_above,
    .copy_above = csd_copy_above,
    .merge_docs = csd_merge_docs,
    .merge_scores = csd_merge_scores,
    .match_range = csd_match_range,
    .match_map = csd_match_map,
    .values = &csd_plain_value_kernels,
    .merge_pays_to = CSD_MERGE_DOCS_PAYS_TO,
    .ranges_pay_to = CSD_RANGES_PAY_TO,
};

#endif
