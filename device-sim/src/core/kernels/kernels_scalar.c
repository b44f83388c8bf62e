/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/kernels/test_kernels*.c, the same for every version. */
#include "core/kernels/bits.h"
#include "core/kernels/kernels.h"
#include "core/kernels/kernels_bitmap.h"
#include "core/kernels/kernels_common.h"
#include "core/kernels/kernels_values.h"

/* Docs to look for in one block from which on a map of the block pays for itself. */
#define MAP_PAYS_FROM 20u

/* Docs to look for per doc of the block from which on the roles are changed. */
#define BACKWARDS_PAYS_FROM 8u

/*
 * One group of 8 values of a fixed width takes exactly `bits` bytes. `bits` is a constant wherever
 * this is inlined, so that every shift and offset below is one too.
 */
static inline __attribute__((always_inline)) void unpack_group(const uint8_t *at,
                                                               const unsigned bits,
                                                               uint32_t *values) {
  const uint32_t mask = (1u << bits) - 1u;
  if (bits <= 8) {
    const uint64_t word = csd_load_u64(at);
    for (unsigned j = 0; j < 8; j++) {
      values[j] = (uint32_t)(word >> ((j * bits) & 63u)) & mask;
    }
  } else {
    for (unsigned j = 0; j < 8; j++) {
      values[j] = (uint32_t)(csd_load_u64(at + (j * bits >> 3)) >> ((j * bits) & 7u)) & mask;
    }
  }
}

static inline __attribute__((always_inline)) void docs_of_width(const uint8_t *at,
                                                                const unsigned bits,
                                                                unsigned groups, uint32_t base,
                                                                uint32_t *docs) {
  for (unsigned g = 0; g < groups; g++, at += bits, docs += 8) {
    uint32_t v[8];
    unpack_group(at, bits, v);
    /* Sums of pairs first: the chain from group to group is then one addition long. */
    const uint32_t s1 = v[0] + 1u;
    const uint32_t s2 = s1 + v[1] + 1u;
    const uint32_t s3 = s2 + v[2] + 1u;
    const uint32_t s4 = s2 + (v[2] + v[3] + 2u);
    const uint32_t s5 = s4 + v[4] + 1u;
    const uint32_t s6 = s4 + (v[4] + v[5] + 2u);
    const uint32_t s7 = s6 + v[6] + 1u;
    const uint32_t s8 = s6 + (v[6] + v[7] + 2u);
    docs[0] = base + s1;
    docs[1] = base + s2;
    docs[2] = base + s3;
    docs[3] = base + s4;
    docs[4] = base + s5;
    docs[5] = base + s6;
    docs[6] = base + s7;
    docs[7] = base + s8;
    base += s8;
  }
}

static inline __attribute__((always_inline)) void freqs_of_width(const uint8_t *at,
                                                                 const unsigned bits,
                                                                 unsigned groups, uint32_t *freqs) {
  for (unsigned g = 0; g < groups; g++, at += bits, freqs += 8) {
    uint32_t v[8];
    unpack_group(at, bits, v);
    for (unsigned j = 0; j < 8; j++) {
      freqs[j] = v[j] + 1u;
    }
  }
}

/* EACH(0) ... EACH(31) */
/* clang-format off */
#define WIDTHS(EACH)                                                                        \
  EACH(0) EACH(1) EACH(2) EACH(3) EACH(4) EACH(5) EACH(6) EACH(7) EACH(8) EACH(9) EACH(10)  \
  EACH(11) EACH(12) EACH(13) EACH(14) EACH(15) EACH(16) EACH(17) EACH(18) EACH(19) EACH(20) \
  EACH(21) EACH(22) EACH(23) EACH(24) EACH(25) EACH(26) EACH(27) EACH(28) EACH(29) EACH(30) \
  EACH(31)
/* clang-format on */

#define DOCS_CASE(BITS) \
  case BITS: docs_of_width(column, BITS, groups, base, docs); break;

#define FREQS_CASE(BITS) \
  case BITS: freqs_of_width(column, BITS, groups, freqs); break;

static void unpack_docs(const uint8_t *column, unsigned bits, unsigned count, uint32_t base,
                        uint32_t *docs) {
  const unsigned groups = (count + 7u) / 8u;
  switch (bits) { WIDTHS(DOCS_CASE) }
}

static void unpack_freqs(const uint8_t *column, unsigned bits, unsigned count, uint32_t *freqs) {
  const unsigned groups = (count + 7u) / 8u;
  switch (bits) { WIDTHS(FREQS_CASE) }
}

static void unpack_norms(const uint8_t *column, unsigned bits, unsigned count, uint8_t base,
                         uint8_t *norms) {
  if (bits == 0) {
    memset(norms, base, count);
    return;
  }
  const unsigned groups = (count + 7u) / 8u;
  const uint64_t mask = (1u << bits) - 1u;
  for (unsigned g = 0; g < groups; g++, column += bits, norms += 8) {
    const uint64_t word = csd_load_u64(column);
    for (unsigned j = 0; j < 8; j++) {
      norms[j] = (uint8_t)(base + ((word >> (j * bits)) & mask));
    }
  }
}

/*
 * Where `doc` is or would be among 128 ascending docs; 127 too if it is beyond the last. Shifts
 * the outcome of each comparison into place, for a branch on it could not be predicted.
 */
static inline unsigned search_block(const uint32_t *block, uint32_t doc) {
  unsigned at = (unsigned)(block[63] < doc) << 6;
  at += (unsigned)(block[at + 31] < doc) << 5;
  at += (unsigned)(block[at + 15] < doc) << 4;
  at += (unsigned)(block[at + 7] < doc) << 3;
  at += (unsigned)(block[at + 3] < doc) << 2;
  at += (unsigned)(block[at + 1] < doc) << 1;
  at += (unsigned)(block[at] < doc);
  return at;
}

static unsigned intersect_by_search(const uint32_t *docs, unsigned n, const uint32_t *block,
                                    uint16_t *index, uint8_t *position) {
  unsigned hits = 0;
  for (unsigned i = 0; i < n; i++) {
    const unsigned at = search_block(block, docs[i]);
    index[hits] = (uint16_t)i;
    position[hits] = (uint8_t)at;
    hits += block[at] == docs[i];
  }
  return hits;
}

/*
 * The map says where in the block a doc would be. Entries of docs that are not in the block are
 * left from earlier blocks and harmless, because the block itself has the last word.
 */
static unsigned intersect_by_map(const uint32_t *docs, unsigned n, const uint32_t *block,
                                 unsigned count, uint8_t *map, uint16_t *index, uint8_t *position) {
  const uint32_t first = block[0];
  const uint32_t span = block[count - 1] - first;
  for (unsigned i = 0; i < count; i++) {
    map[block[i] - first] = (uint8_t)i;
  }
  unsigned hits = 0;
  for (unsigned i = 0; i < n; i++) {
    const uint32_t offset = docs[i] - first;
    const unsigned at = map[offset <= span ? offset : 0] & (CSD_BLOCK_POSTINGS - 1);
    index[hits] = (uint16_t)i;
    position[hits] = (uint8_t)at;
    hits += block[at] == docs[i];
  }
  return hits;
}

/* For few docs of the block, from `at` to `end`: looks each of them up among the docs. */
static unsigned intersect_backwards(const uint32_t *docs, unsigned n, const uint32_t *block,
                                    unsigned at, unsigned end, uint16_t *index, uint8_t *position) {
  unsigned hits = 0;
  unsigned low = 0;
  for (; at < end; at++) {
    unsigned high = n;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (docs[middle] < block[at]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == n) {
      break;
    }
    index[hits] = (uint16_t)low;
    position[hits] = (uint8_t)at;
    hits += docs[low] == block[at];
  }
  return hits;
}

static unsigned intersect(const uint32_t *docs, unsigned n, const uint32_t *block, unsigned count,
                          uint8_t *map, uint16_t *index, uint8_t *position) {
  if (n < MAP_PAYS_FROM) {
    return intersect_by_search(docs, n, block, index, position);
  }
  const unsigned at = search_block(block, docs[0]);
  const uint32_t last = docs[n - 1];
  const unsigned end = block[count - 1] <= last ? count : search_block(block, last) + 1;
  if ((end - at) * BACKWARDS_PAYS_FROM <= n) {
    return intersect_backwards(docs, n, block, at, end, index, position);
  }
  if (block[count - 1] - block[0] < CSD_INTERSECT_MAP_BYTES) {
    return intersect_by_map(docs, n, block, count, map, index, position);
  }
  return intersect_by_search(docs, n, block, index, position);
}

static uint64_t count_bits(const uint64_t *bits, unsigned words) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < words; i++) {
    sum += csd_popcount(bits[i]);
  }
  return sum;
}

/* Four at a time whether there are so many or not: a loop that ends at the last bit of each word
   would mispredict about once a word. */
static unsigned list_bits(const uint64_t *bits, unsigned words, uint32_t base, uint32_t *docs) {
  const uint64_t guard = UINT64_C(1) << 63; /* counting zeros of zero is not defined */
  unsigned n = 0;
  for (unsigned i = 0; i < words; i++, base += 64) {
    uint64_t word = bits[i];
    if (word == 0) {
      continue;
    }
    const unsigned end = n + csd_popcount(word);
    for (unsigned at = n; at < end; at += 4) {
      for (unsigned j = 0; j < 4; j++) {
        docs[at + j] = base + (uint32_t)__builtin_ctzll(word | guard);
        word &= word - 1;
      }
    }
    n = end;
  }
  return n;
}

static void score(float weight, const float *table, const uint32_t *freqs, const uint8_t *norms,
                  unsigned n, float *scores) {
  /* Two loops: the first has table look-ups, the second compiles to vector arithmetic. */
  for (unsigned i = 0; i < n; i++) {
    scores[i] = table[norms[i]];
  }
  for (unsigned i = 0; i < n; i++) {
    scores[i] = weight - weight / (1.0f + (float)(int32_t)freqs[i] * scores[i]);
  }
}

static void rank_freqs(const uint8_t *column, unsigned bits, const uint8_t *position, unsigned n,
                       uint32_t *freqs, uint32_t *ranks) {
  csd_rank_freqs(unpack_docs, column, bits, position, n, freqs, ranks);
}

const struct csd_kernels csd_kernels_scalar = {
    .name = "scalar",
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
