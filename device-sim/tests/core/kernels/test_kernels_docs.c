/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Intersections and bits, as test_kernels.c. */
#include <stdlib.h>

#include "tests/core/kernels/kernels_tested.h"
#include "tests/support/check.h"
#include "tests/support/guarded.h"

#define MAX_WORDS 64u

static void intersect_once(unsigned n, uint32_t docs_gap, unsigned count, uint32_t block_gap) {
  uint32_t block[BLOCK];
  uint32_t wanted[4 * BLOCK];
  uint8_t map[CSD_INTERSECT_MAP_BYTES];
  memset(map, 0xA5, sizeof map);
  memset(block, 0xFF, sizeof block);
  const uint32_t first = check_random_below(&kernels_seed, 3) == 0
                             ? 0x7FFFFFFFu - 200u * block_gap
                             : check_random_below(&kernels_seed, 1u << 30);
  count = kernels_make_docs(block, count, first, block_gap);
  const uint32_t ahead = check_random_below(&kernels_seed, 3 * docs_gap + 1);
  n = kernels_make_docs(wanted, n, first > ahead ? first - ahead : first, docs_gap);
  uint32_t *docs = guarded_take(n * sizeof *docs);
  memcpy(docs, wanted, n * sizeof *docs);
  uint16_t *index = guarded_take((n + CSD_INTERSECT_ROOM) * sizeof *index);
  uint8_t *position = guarded_take(n + CSD_INTERSECT_ROOM);
  const unsigned hits = kernels_tested->intersect(docs, n, block, count, map, index, position);
  unsigned expected = 0;
  unsigned wrong = 0;
  for (unsigned i = 0, j = 0; i < n; i++) {
    while (j < count && block[j] < docs[i]) {
      j++;
    }
    if (j < count && block[j] == docs[i]) {
      wrong += expected >= hits || index[expected] != i || position[expected] != j;
      expected++;
    }
  }
  CHECK_MSG(hits == expected && wrong == 0, "%s: %u of %u hits, %u wrong (%u docs, %u in block)",
            kernels_tested->name, hits, expected, wrong, n, count);
  guarded_free(docs, n * sizeof *docs);
  guarded_free(index, (n + CSD_INTERSECT_ROOM) * sizeof *index);
  guarded_free(position, n + CSD_INTERSECT_ROOM);
}

static void intersections(void) {
  static const uint32_t gaps[] = {1, 2, 5, 40, 2000, 100000};
  for (unsigned round = 0; round < 1500; round++) {
    const unsigned count = round % 3 == 0 ? 1 + check_random_below(&kernels_seed, BLOCK) : BLOCK;
    const unsigned n = 1 + check_random_below(&kernels_seed, round % 2 == 0 ? 20 : 4 * BLOCK);
    intersect_once(n, gaps[check_random_below(&kernels_seed, 6)], count,
                   gaps[check_random_below(&kernels_seed, 6)]);
  }
}

/* A bitmap of `words` words with at most BLOCK bits set, the last word ending at the guard. */
static uint8_t *make_bitmap(unsigned words) {
  uint8_t *bitmap = guarded_take(8u * words);
  memset(bitmap, 0, 8u * words);
  const unsigned bits = 1 + check_random_below(&kernels_seed, BLOCK);
  for (unsigned i = 0; i < bits; i++) {
    const unsigned bit = check_random_below(&kernels_seed, 64 * words);
    bitmap[bit / 8] |= (uint8_t)(1u << (bit % 8));
  }
  return bitmap;
}

static bool bit_at(const uint8_t *bitmap, unsigned bit) {
  return (bitmap[bit / 8] >> (bit % 8)) & 1u;
}

static void intersect_bitmap_once(unsigned words, unsigned n, uint32_t gap, bool wants_position) {
  uint8_t *bitmap = make_bitmap(words);
  const bool from_zero = check_random_below(&kernels_seed, 4) == 0;
  const uint32_t first = from_zero ? 0 : check_random_below(&kernels_seed, 1u << 30);
  const uint32_t ahead = check_random_below(&kernels_seed, 3 * gap + 1);
  uint32_t wanted[4 * BLOCK];
  n = kernels_make_docs(wanted, n, first > ahead ? first - ahead : first, gap);
  uint32_t *docs = guarded_take(n * sizeof *docs);
  memcpy(docs, wanted, n * sizeof *docs);
  uint16_t *index = guarded_take((n + CSD_INTERSECT_ROOM) * sizeof *index);
  uint8_t *position = guarded_take(n + CSD_INTERSECT_ROOM);
  const unsigned hits = kernels_tested->intersect_bitmap(docs, n, bitmap, words, first, index,
                                                         wants_position ? position : NULL);
  unsigned expected = 0;
  unsigned wrong = 0;
  for (unsigned i = 0; i < n; i++) {
    if (docs[i] < first || docs[i] - first >= 64 * words || !bit_at(bitmap, docs[i] - first)) {
      continue;
    }
    unsigned rank = 0;
    for (unsigned bit = 0; bit < docs[i] - first; bit++) {
      rank += bit_at(bitmap, bit);
    }
    wrong +=
        expected >= hits || index[expected] != i || (wants_position && position[expected] != rank);
    expected++;
  }
  CHECK_MSG(hits == expected && wrong == 0, "%s: %u of %u hits, %u wrong (%u docs, %u words)",
            kernels_tested->name, hits, expected, wrong, n, words);
  guarded_free(docs, n * sizeof *docs);
  guarded_free(index, (n + CSD_INTERSECT_ROOM) * sizeof *index);
  guarded_free(position, n + CSD_INTERSECT_ROOM);
  guarded_free(bitmap, 8u * words);
}

static void intersections_with_bitmaps(void) {
  static const uint32_t gaps[] = {1, 2, 5, 40, 2000};
  for (unsigned round = 0; round < 1500; round++) {
    const unsigned words = 1 + check_random_below(&kernels_seed, CSD_MAX_BITMAP_BYTES / 8);
    const unsigned n = 1 + check_random_below(&kernels_seed, round % 2 == 0 ? 20 : 4 * BLOCK);
    intersect_bitmap_once(words, n, gaps[check_random_below(&kernels_seed, 5)], round % 3 != 0);
  }
}

static void bitmaps_ored(void) {
  for (unsigned round = 0; round < 1500; round++) {
    const unsigned words = check_random_below(&kernels_seed, CSD_MAX_BITMAP_BYTES / 8 + 1);
    const unsigned at = check_random_below(&kernels_seed, 3) == 0
                            ? 64 * (round % 5)
                            : check_random_below(&kernels_seed, 300);
    const unsigned room = at / 64 + words + 1;
    uint8_t *bitmap = make_bitmap(words > 0 ? words : 1);
    uint64_t *bits = guarded_take(room * sizeof *bits);
    uint64_t expected[CSD_MAX_BITMAP_BYTES / 8 + 8];
    for (unsigned i = 0; i < room; i++) {
      expected[i] = bits[i] = check_random(&kernels_seed) & check_random(&kernels_seed);
    }
    for (unsigned bit = 0; bit < 64 * words; bit++) {
      expected[(at + bit) / 64] |= (uint64_t)bit_at(bitmap, bit) << ((at + bit) % 64);
    }
    kernels_tested->or_bitmap(bits, at, bitmap, words);
    CHECK_MSG(memcmp(bits, expected, room * sizeof *bits) == 0, "%s: %u words from bit %u",
              kernels_tested->name, words, at);
    guarded_free(bits, room * sizeof *bits);
    guarded_free(bitmap, 8u * (words > 0 ? words : 1));
  }
}

static void bits_set_and_listed_and_counted(void) {
  static const uint32_t gaps[] = {1, 2, 5, 40, 300};
  for (unsigned round = 0; round < 600; round++) {
    const unsigned words = 1 + check_random_below(&kernels_seed, MAX_WORDS);
    const uint32_t base = check_random_below(&kernels_seed, 1u << 25) * 64u;
    uint64_t *bits = guarded_take(words * sizeof *bits);
    uint64_t expected[MAX_WORDS];
    for (unsigned i = 0; i < words; i++) {
      const uint64_t any = check_random(&kernels_seed);
      bits[i] = round % 4 == 0   ? 0
                : round % 4 == 1 ? any
                                 : any & check_random(&kernels_seed) & 0xFFFFFFu;
      if (check_random_below(&kernels_seed, 10) == 0) {
        bits[i] = UINT64_MAX;
      }
      expected[i] = bits[i];
    }
    uint32_t all[64 * MAX_WORDS];
    const unsigned most =
        kernels_make_docs(all, 64 * words, base + check_random_below(&kernels_seed, 70),
                          gaps[check_random_below(&kernels_seed, 5)]);
    const unsigned limit = round % 5 == 0 ? 1 : most;
    unsigned n = 0;
    while (n < limit && n < most && all[n] < base + 64u * words) {
      expected[(all[n] - base) / 64] |= UINT64_C(1) << ((all[n] - base) % 64);
      n++;
    }
    uint32_t *docs = guarded_take(n * sizeof *docs);
    memcpy(docs, all, n * sizeof *docs);
    kernels_tested->set_bits(bits, base, docs, n);
    guarded_free(docs, n * sizeof *docs);
    CHECK_MSG(memcmp(bits, expected, words * sizeof *bits) == 0, "%s: %u docs in %u words",
              kernels_tested->name, n, words);
    unsigned naive = 0;
    for (unsigned i = 0; i < 64 * words; i++) {
      naive += (unsigned)((bits[i / 64] >> (i % 64)) & 1u);
    }
    const size_t room = (naive + CSD_LIST_BITS_SLACK) * sizeof(uint32_t);
    uint32_t *listed = guarded_take(room);
    const unsigned listed_n = kernels_tested->list_bits(bits, words, base, listed);
    naive = 0;
    unsigned wrong = 0;
    for (unsigned i = 0; i < 64 * words; i++) {
      if ((bits[i / 64] >> (i % 64)) & 1u) {
        wrong += naive >= listed_n || listed[naive] != base + i;
        naive++;
      }
    }
    CHECK_MSG(listed_n == naive && wrong == 0, "%s: listed %u of %u, %u wrong",
              kernels_tested->name, listed_n, naive, wrong);
    CHECK_EQ(naive, kernels_tested->count_bits(bits, words));
    guarded_free(listed, room);
    guarded_free(bits, words * sizeof *bits);
  }
  CHECK_EQ(0, kernels_tested->count_bits(NULL, 0));
}

static void tests(void) {
  RUN(intersections);
  RUN(intersections_with_bitmaps);
  RUN(bitmaps_ored);
  RUN(bits_set_and_listed_and_counted);
}

int main(void) { return kernels_test_all(tests); }
