/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Every kernel of every version that this machine can run, against what the words of kernels.h say
 * in the plainest C. Inputs end at a forbidden page, as far beyond a column as a kernel may read;
 * outputs end where their room does.
 *
 * CSD_KERNELS=<name> tests that version only, and fails if it cannot run here.
 */
#include <stdlib.h>

#include "core/kernels/kernels.h"
#include "tests/support/check.h"
#include "tests/support/guarded.h"

#define BLOCK CSD_BLOCK_POSTINGS
#define MAX_WORDS 64u
#define BEYOND 64u /* bytes that may be read behind a column */

static const struct csd_kernels *kernels; /* under test */
static uint64_t seed;
static uint8_t *column_end; /* where the forbidden page begins */

static void pack(uint8_t *column, unsigned bits, const uint32_t *values, unsigned n) {
  for (unsigned i = 0; i < n * bits; i++) {
    const unsigned bit = (values[i / bits] >> (i % bits)) & 1u;
    column[i / 8] = (uint8_t)((column[i / 8] & ~(1u << (i % 8))) | bit << (i % 8));
  }
}

static uint32_t random_value(unsigned bits) {
  const uint32_t mask = (1u << bits) - 1u;
  switch (check_random_below(&seed, 4)) {
    case 0: return mask;
    case 1: return 0;
    default: return (uint32_t)check_random(&seed) & mask;
  }
}

/* A column of random values and random bytes behind it, BEYOND bytes before the forbidden page. */
static uint8_t *make_column(unsigned bits, unsigned count, uint32_t *values) {
  const unsigned bytes = (bits * count + 7) / 8;
  uint8_t *column = column_end - (bytes + BEYOND);
  for (unsigned i = 0; i < bytes + BEYOND; i++) {
    column[i] = (uint8_t)check_random(&seed);
  }
  for (unsigned i = 0; i < count; i++) {
    values[i] = random_value(bits);
  }
  pack(column, bits, values, count);
  return column;
}

static void docs_of_all_widths_and_counts(void) {
  uint32_t *docs = guarded_take(BLOCK * sizeof *docs);
  uint32_t values[BLOCK];
  for (unsigned bits = 0; bits <= 31; bits++) {
    for (unsigned count = 1; count <= BLOCK; count++) {
      uint8_t *column = make_column(bits, count, values);
      /* What comes before the first doc is CSD_NO_DOC; sums are modulo 2^32. */
      const uint32_t base = count % 3 == 0 ? UINT32_MAX : (uint32_t)check_random(&seed);
      kernels->unpack_docs(column, bits, count, base, docs);
      uint32_t expected = base;
      unsigned wrong = 0;
      for (unsigned i = 0; i < count; i++) {
        expected += values[i] + 1u;
        wrong += docs[i] != expected;
      }
      CHECK_MSG(wrong == 0, "%s: %u of %u docs of %u bits", kernels->name, wrong, count, bits);
    }
  }
  guarded_free(docs, BLOCK * sizeof *docs);
}

static void freqs_of_all_widths_and_counts(void) {
  uint32_t *freqs = guarded_take(BLOCK * sizeof *freqs);
  uint32_t values[BLOCK];
  for (unsigned bits = 0; bits <= 31; bits++) {
    for (unsigned count = 1; count <= BLOCK; count++) {
      uint8_t *column = make_column(bits, count, values);
      kernels->unpack_freqs(column, bits, count, freqs);
      unsigned wrong = 0;
      for (unsigned i = 0; i < count; i++) {
        wrong += freqs[i] != values[i] + 1u;
      }
      CHECK_MSG(wrong == 0, "%s: %u of %u freqs of %u bits", kernels->name, wrong, count, bits);
    }
  }
  guarded_free(freqs, BLOCK * sizeof *freqs);
}

static void norms_of_all_widths_and_counts(void) {
  uint8_t *norms = guarded_take(BLOCK);
  uint32_t values[BLOCK];
  for (unsigned bits = 0; bits <= 8; bits++) {
    for (unsigned count = 1; count <= BLOCK; count++) {
      uint8_t *column = make_column(bits, count, values);
      const uint8_t base = (uint8_t)check_random(&seed);
      kernels->unpack_norms(column, bits, count, base, norms);
      unsigned wrong = 0;
      for (unsigned i = 0; i < count; i++) {
        wrong += norms[i] != (uint8_t)(base + values[i]);
      }
      CHECK_MSG(wrong == 0, "%s: %u of %u norms of %u bits", kernels->name, wrong, count, bits);
    }
  }
  guarded_free(norms, BLOCK);
}

/* Frequencies of some positions, of which a few have exceptions. */
static void gather_freqs_once(unsigned bits, unsigned count, const uint32_t *values,
                              const uint8_t *column, const uint8_t *position, unsigned n) {
  uint32_t *freqs = guarded_take(n * sizeof *freqs);
  uint8_t exceptions[CSD_MAX_FREQ_EXCEPTIONS * CSD_EXCEPTION_BYTES];
  const unsigned most = bits <= CSD_MAX_EXCEPTION_BITS ? CSD_MAX_FREQ_EXCEPTIONS + 1u : 1u;
  const unsigned exception_count = check_random_below(&seed, most);
  for (unsigned e = 0; e < exception_count; e++) {
    const unsigned which = check_random_below(&seed, n);
    exceptions[CSD_EXCEPTION_BYTES * e] = position[which];
    exceptions[CSD_EXCEPTION_BYTES * e + 1] = (uint8_t)check_random(&seed);
  }
  kernels->gather_freqs(column, bits, count, exceptions, exception_count, position, n, freqs);
  unsigned wrong = 0;
  for (unsigned i = 0; i < n; i++) {
    uint32_t expected = values[position[i]] + 1u;
    for (unsigned e = 0; e < exception_count; e++) {
      const uint8_t *exception = exceptions + CSD_EXCEPTION_BYTES * e;
      expected += position[i] == exception[0] ? (uint32_t)exception[1] << bits : 0;
    }
    wrong += freqs[i] != expected;
  }
  CHECK_MSG(wrong == 0, "%s: %u of %u gathered freqs of %u bits", kernels->name, wrong, n, bits);
  guarded_free(freqs, n * sizeof *freqs);
}

static void gather_norms_once(unsigned bits, unsigned count, const uint32_t *values,
                              const uint8_t *column, const uint8_t *position, unsigned n) {
  uint8_t *norms = guarded_take(n);
  const uint8_t base = (uint8_t)check_random(&seed);
  kernels->gather_norms(column, bits, count, base, position, n, norms);
  unsigned wrong = 0;
  for (unsigned i = 0; i < n; i++) {
    wrong += norms[i] != (uint8_t)(base + values[position[i]]);
  }
  CHECK_MSG(wrong == 0, "%s: %u of %u gathered norms of %u bits", kernels->name, wrong, n, bits);
  guarded_free(norms, n);
}

static void freqs_and_norms_gathered(void) {
  uint32_t values[BLOCK];
  for (unsigned round = 0; round < 4000; round++) {
    const unsigned bits = round % 32;
    const unsigned count = round % 3 == 0 ? BLOCK : 1 + check_random_below(&seed, BLOCK);
    const uint8_t *column = make_column(bits, count, values);
    const unsigned n = 1 + check_random_below(&seed, round % 2 == 0 ? 5 : count);
    uint8_t *position = guarded_take(n);
    for (unsigned i = 0; i < n; i++) {
      position[i] = (uint8_t)check_random_below(&seed, count);
    }
    gather_freqs_once(bits, count, values, column, position, n);
    if (bits <= 8) {
      gather_norms_once(bits, count, values, column, position, n);
    }
    guarded_free(position, n);
  }
}

/* `n` ascending docs from `first` on, `gap` apart on average; returns how many fit below 2^31. */
static unsigned make_docs(uint32_t *docs, unsigned n, uint32_t first, uint32_t gap) {
  uint64_t doc = first;
  for (unsigned i = 0; i < n; i++) {
    doc += i == 0 ? 0 : 1 + check_random_below(&seed, 2 * gap - 1);
    if (doc >= 0x7FFFFFFFu) {
      return i;
    }
    docs[i] = (uint32_t)doc;
  }
  return n;
}

static void intersect_once(unsigned n, uint32_t docs_gap, unsigned count, uint32_t block_gap) {
  uint32_t block[BLOCK];
  uint32_t wanted[4 * BLOCK];
  uint8_t map[CSD_INTERSECT_MAP_BYTES];
  memset(map, 0xA5, sizeof map);
  memset(block, 0xFF, sizeof block);
  const uint32_t first = check_random_below(&seed, 3) == 0 ? 0x7FFFFFFFu - 200u * block_gap
                                                           : check_random_below(&seed, 1u << 30);
  count = make_docs(block, count, first, block_gap);
  const uint32_t ahead = check_random_below(&seed, 3 * docs_gap + 1);
  n = make_docs(wanted, n, first > ahead ? first - ahead : first, docs_gap);
  uint32_t *docs = guarded_take(n * sizeof *docs);
  memcpy(docs, wanted, n * sizeof *docs);
  uint16_t *index = guarded_take((n + CSD_INTERSECT_ROOM) * sizeof *index);
  uint8_t *position = guarded_take(n + CSD_INTERSECT_ROOM);
  const unsigned hits = kernels->intersect(docs, n, block, count, map, index, position);
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
            kernels->name, hits, expected, wrong, n, count);
  guarded_free(docs, n * sizeof *docs);
  guarded_free(index, (n + CSD_INTERSECT_ROOM) * sizeof *index);
  guarded_free(position, n + CSD_INTERSECT_ROOM);
}

static void intersections(void) {
  static const uint32_t gaps[] = {1, 2, 5, 40, 2000, 100000};
  for (unsigned round = 0; round < 1500; round++) {
    const unsigned count = round % 3 == 0 ? 1 + check_random_below(&seed, BLOCK) : BLOCK;
    const unsigned n = 1 + check_random_below(&seed, round % 2 == 0 ? 20 : 4 * BLOCK);
    intersect_once(n, gaps[check_random_below(&seed, 6)], count,
                   gaps[check_random_below(&seed, 6)]);
  }
}

/* A bitmap of `words` words with at most BLOCK bits set, the last word ending at the guard. */
static uint8_t *make_bitmap(unsigned words) {
  uint8_t *bitmap = guarded_take(8u * words);
  memset(bitmap, 0, 8u * words);
  const unsigned bits = 1 + check_random_below(&seed, BLOCK);
  for (unsigned i = 0; i < bits; i++) {
    const unsigned bit = check_random_below(&seed, 64 * words);
    bitmap[bit / 8] |= (uint8_t)(1u << (bit % 8));
  }
  return bitmap;
}

static bool bit_at(const uint8_t *bitmap, unsigned bit) {
  return (bitmap[bit / 8] >> (bit % 8)) & 1u;
}

static void intersect_bitmap_once(unsigned words, unsigned n, uint32_t gap, bool wants_position) {
  uint8_t *bitmap = make_bitmap(words);
  const bool from_zero = check_random_below(&seed, 4) == 0;
  const uint32_t first = from_zero ? 0 : check_random_below(&seed, 1u << 30);
  const uint32_t ahead = check_random_below(&seed, 3 * gap + 1);
  uint32_t wanted[4 * BLOCK];
  n = make_docs(wanted, n, first > ahead ? first - ahead : first, gap);
  uint32_t *docs = guarded_take(n * sizeof *docs);
  memcpy(docs, wanted, n * sizeof *docs);
  uint16_t *index = guarded_take((n + CSD_INTERSECT_ROOM) * sizeof *index);
  uint8_t *position = guarded_take(n + CSD_INTERSECT_ROOM);
  const unsigned hits = kernels->intersect_bitmap(docs, n, bitmap, words, first, index,
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
            kernels->name, hits, expected, wrong, n, words);
  guarded_free(docs, n * sizeof *docs);
  guarded_free(index, (n + CSD_INTERSECT_ROOM) * sizeof *index);
  guarded_free(position, n + CSD_INTERSECT_ROOM);
  guarded_free(bitmap, 8u * words);
}

static void intersections_with_bitmaps(void) {
  static const uint32_t gaps[] = {1, 2, 5, 40, 2000};
  for (unsigned round = 0; round < 1500; round++) {
    const unsigned words = 1 + check_random_below(&seed, CSD_MAX_BITMAP_BYTES / 8);
    const unsigned n = 1 + check_random_below(&seed, round % 2 == 0 ? 20 : 4 * BLOCK);
    intersect_bitmap_once(words, n, gaps[check_random_below(&seed, 5)], round % 3 != 0);
  }
}

static void bitmaps_ored(void) {
  for (unsigned round = 0; round < 1500; round++) {
    const unsigned words = check_random_below(&seed, CSD_MAX_BITMAP_BYTES / 8 + 1);
    const unsigned at =
        check_random_below(&seed, 3) == 0 ? 64 * (round % 5) : check_random_below(&seed, 300);
    const unsigned room = at / 64 + words + 1;
    uint8_t *bitmap = make_bitmap(words > 0 ? words : 1);
    uint64_t *bits = guarded_take(room * sizeof *bits);
    uint64_t expected[CSD_MAX_BITMAP_BYTES / 8 + 8];
    for (unsigned i = 0; i < room; i++) {
      expected[i] = bits[i] = check_random(&seed) & check_random(&seed);
    }
    for (unsigned bit = 0; bit < 64 * words; bit++) {
      expected[(at + bit) / 64] |= (uint64_t)bit_at(bitmap, bit) << ((at + bit) % 64);
    }
    kernels->or_bitmap(bits, at, bitmap, words);
    CHECK_MSG(memcmp(bits, expected, room * sizeof *bits) == 0, "%s: %u words from bit %u",
              kernels->name, words, at);
    guarded_free(bits, room * sizeof *bits);
    guarded_free(bitmap, 8u * (words > 0 ? words : 1));
  }
}

static void bits_set_and_listed_and_counted(void) {
  static const uint32_t gaps[] = {1, 2, 5, 40, 300};
  for (unsigned round = 0; round < 600; round++) {
    const unsigned words = 1 + check_random_below(&seed, MAX_WORDS);
    const uint32_t base = check_random_below(&seed, 1u << 25) * 64u;
    uint64_t *bits = guarded_take(words * sizeof *bits);
    uint64_t expected[MAX_WORDS];
    for (unsigned i = 0; i < words; i++) {
      const uint64_t any = check_random(&seed);
      bits[i] = round % 4 == 0 ? 0 : round % 4 == 1 ? any : any & check_random(&seed) & 0xFFFFFFu;
      if (check_random_below(&seed, 10) == 0) {
        bits[i] = UINT64_MAX;
      }
      expected[i] = bits[i];
    }
    uint32_t all[64 * MAX_WORDS];
    const unsigned most = make_docs(all, 64 * words, base + check_random_below(&seed, 70),
                                    gaps[check_random_below(&seed, 5)]);
    const unsigned limit = round % 5 == 0 ? 1 : most;
    unsigned n = 0;
    while (n < limit && n < most && all[n] < base + 64u * words) {
      expected[(all[n] - base) / 64] |= UINT64_C(1) << ((all[n] - base) % 64);
      n++;
    }
    uint32_t *docs = guarded_take(n * sizeof *docs);
    memcpy(docs, all, n * sizeof *docs);
    kernels->set_bits(bits, base, docs, n);
    guarded_free(docs, n * sizeof *docs);
    CHECK_MSG(memcmp(bits, expected, words * sizeof *bits) == 0, "%s: %u docs in %u words",
              kernels->name, n, words);
    unsigned naive = 0;
    for (unsigned i = 0; i < 64 * words; i++) {
      naive += (unsigned)((bits[i / 64] >> (i % 64)) & 1u);
    }
    const size_t room = (naive + CSD_LIST_BITS_SLACK) * sizeof(uint32_t);
    uint32_t *listed = guarded_take(room);
    const unsigned listed_n = kernels->list_bits(bits, words, base, listed);
    naive = 0;
    unsigned wrong = 0;
    for (unsigned i = 0; i < 64 * words; i++) {
      if ((bits[i / 64] >> (i % 64)) & 1u) {
        wrong += naive >= listed_n || listed[naive] != base + i;
        naive++;
      }
    }
    CHECK_MSG(listed_n == naive && wrong == 0, "%s: listed %u of %u, %u wrong", kernels->name,
              listed_n, naive, wrong);
    CHECK_EQ(naive, kernels->count_bits(bits, words));
    guarded_free(listed, room);
    guarded_free(bits, words * sizeof *bits);
  }
  CHECK_EQ(0, kernels->count_bits(NULL, 0));
}

/* One step a statement, so that nothing can be contracted even if the compiler were allowed to. */
static float plain_score(float weight, float entry, uint32_t freq) {
  const volatile float x = (float)(int32_t)freq * entry;
  const volatile float y = 1.0f + x;
  const volatile float q = weight / y;
  return weight - q;
}

static void scores(void) {
  static const float special[] = {0.0f, -0.0f,   1e-45f, 1e-38f, 3.4e38f, __builtin_inff(),
                                  1.0f, 1.2e-7f, -1.0f};
  static const float weights[] = {0.0f, 1.0f, 7.3456f, 1e-40f, 3e38f, -2.5f, 0.33333334f};
  float *table = guarded_take(256 * sizeof *table);
  for (unsigned round = 0; round < 1200; round++) {
    const unsigned n = round < 300 ? round % (BLOCK + 1) : check_random_below(&seed, BLOCK + 1);
    const uint32_t norm_span = round % 3 == 0 ? 256 : round % 3 == 1 ? 64 : 20;
    const uint32_t norm_base = check_random_below(&seed, 257 - norm_span);
    const float weight = weights[check_random_below(&seed, 7)];
    for (unsigned i = 0; i < 256; i++) {
      table[i] = check_random_below(&seed, 20) == 0
                     ? special[check_random_below(&seed, 9)]
                     : 1.0f / (0.3f + (float)check_random_below(&seed, 1u << 24) / 1e6f);
    }
    uint32_t *freqs = guarded_take(n * sizeof *freqs);
    uint8_t *norms = guarded_take(n);
    float *result = guarded_take(n * sizeof *result);
    for (unsigned i = 0; i < n; i++) {
      freqs[i] = check_random_below(&seed, 10) == 0 ? check_random_below(&seed, 0x7FFFFFFF)
                                                    : 1 + check_random_below(&seed, 30);
      norms[i] = (uint8_t)(norm_base + check_random_below(&seed, norm_span));
    }
    kernels->score(weight, table, freqs, norms, n, result);
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; i++) {
      const float expected = plain_score(weight, table[norms[i]], freqs[i]);
      /* The sign of a NaN is not specified; which numbers are NaN is. */
      const bool both_nan = expected != expected && result[i] != result[i];
      wrong += !both_nan && memcmp(&expected, &result[i], sizeof expected) != 0;
    }
    CHECK_MSG(wrong == 0, "%s: %u of %u scores", kernels->name, wrong, n);
    guarded_free(freqs, n * sizeof *freqs);
    guarded_free(norms, n);
    guarded_free(result, n * sizeof *result);
  }
  guarded_free(table, 256 * sizeof *table);
}

static void docs_above_a_min_score(void) {
  static const double special[] = {0.0, -0.0, 1e300, -1e300, __builtin_inf(), __builtin_nan("")};
  for (unsigned round = 0; round < 600; round++) {
    const unsigned n = round < 100 ? round : check_random_below(&seed, 1000);
    uint32_t *docs = guarded_take(n * sizeof *docs);
    double *sums = guarded_take(n * sizeof *sums);
    uint32_t expected_docs[1000];
    double expected_sums[1000];
    const double rest = check_random_below(&seed, 50) / 7.0;
    const double slack = 1.000001;
    const double min_score = check_random_below(&seed, 120) / 7.0;
    unsigned expected = 0;
    for (unsigned i = 0; i < n; i++) {
      docs[i] = 3 * i + check_random_below(&seed, 3);
      sums[i] = check_random_below(&seed, 30) == 0 ? special[check_random_below(&seed, 6)]
                                                   : check_random_below(&seed, 100) / 7.0;
      const double bound = sums[i] + rest;
      if (!(bound * slack <= min_score)) {
        expected_docs[expected] = docs[i];
        expected_sums[expected++] = sums[i];
      }
    }
    const unsigned kept = kernels->keep_above(docs, sums, n, rest, slack, min_score);
    CHECK_MSG(kept == expected && memcmp(docs, expected_docs, kept * sizeof *docs) == 0 &&
                  memcmp(sums, expected_sums, kept * sizeof *sums) == 0,
              "%s: kept %u of %u, not %u", kernels->name, kept, n, expected);
    guarded_free(docs, n * sizeof *docs);
    guarded_free(sums, n * sizeof *sums);
  }
}

static void docs_copied_above_a_min_score(void) {
  static const float special[] = {0.0f, -0.0f, 1e30f, __builtin_inff(), __builtin_nanf("")};
  for (unsigned round = 0; round < 600; round++) {
    const unsigned n = check_random_below(&seed, round < 300 ? 40 : 200);
    uint32_t *docs = guarded_take(n * sizeof *docs);
    float *scores = guarded_take(n * sizeof *scores);
    const size_t room = (n + CSD_ABOVE_SLACK) * sizeof *docs;
    uint32_t *kept_docs = guarded_take(room);
    float *kept_scores = guarded_take(room);
    const float min_score = round % 10 == 0 ? -__builtin_inff() : (float)(round % 10) / 3.0f;
    for (unsigned i = 0; i < n; i++) {
      docs[i] = 3 * i + check_random_below(&seed, 3);
      scores[i] = check_random_below(&seed, 30) == 0 ? special[check_random_below(&seed, 5)]
                                                     : (float)check_random_below(&seed, 10) / 3.0f;
    }
    const unsigned kept = kernels->copy_above(docs, scores, n, min_score, kept_docs, kept_scores);
    unsigned expected = 0;
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; i++) {
      if (!(scores[i] <= min_score)) {
        wrong += docs[i] != kept_docs[expected] ||
                 memcmp(&scores[i], &kept_scores[expected], sizeof scores[i]) != 0;
        expected++;
      }
    }
    CHECK_MSG(kept == expected && wrong == 0, "%s: copied %u of %u, not %u; %u are wrong",
              kernels->name, kept, n, expected, wrong);
    guarded_free(docs, n * sizeof *docs);
    guarded_free(scores, n * sizeof *scores);
    guarded_free(kept_docs, room);
    guarded_free(kept_scores, room);
  }
}

/* Ascending docs, from close together to far apart; some are those of `other`. */
static void fill_to_merge(uint32_t *docs, unsigned n, const uint32_t *other, unsigned other_count) {
  const unsigned step = 1 + check_random_below(&seed, 1u << check_random_below(&seed, 12));
  uint32_t doc = check_random_below(&seed, 2 * step);
  unsigned j = 0;
  for (unsigned i = 0; i < n; i++) {
    while (j < other_count && other[j] < doc) {
      j++;
    }
    if (j < other_count && check_random_below(&seed, 3) == 0) {
      doc = other[j];
    }
    docs[i] = doc;
    doc += 1 + check_random_below(&seed, step);
  }
}

static void docs_merged(void) {
  for (unsigned round = 0; round < 2000; round++) {
    const unsigned most = round < 1000 ? 40 : 300;
    const unsigned a_count = check_random_below(&seed, most);
    const unsigned b_count = check_random_below(&seed, most);
    uint32_t *a = guarded_take(a_count * sizeof *a);
    uint32_t *b = guarded_take(b_count * sizeof *b);
    const size_t room = (a_count + b_count + CSD_MERGE_DOCS_SLACK) * sizeof *a;
    uint32_t *out = guarded_take(room);
    fill_to_merge(a, a_count, NULL, 0);
    fill_to_merge(b, b_count, a, a_count);
    if (a_count > 0 && round % 7 == 0) {
      a[a_count - 1] = UINT32_C(0x7FFFFFFE); /* the greatest doc that there can be */
    }
    const unsigned n = kernels->merge_docs(a, a_count, b, b_count, out);
    unsigned i = 0;
    unsigned j = 0;
    unsigned expected = 0;
    unsigned wrong = 0;
    for (; i < a_count || j < b_count; expected++) {
      const uint32_t x = i < a_count ? a[i] : UINT32_MAX;
      const uint32_t y = j < b_count ? b[j] : UINT32_MAX;
      wrong += out[expected] != (x < y ? x : y);
      i += x <= y;
      j += y <= x;
    }
    CHECK_MSG(n == expected && wrong == 0, "%s: %u and %u docs merged to %u, not %u; %u are wrong",
              kernels->name, a_count, b_count, n, expected, wrong);
    guarded_free(a, a_count * sizeof *a);
    guarded_free(b, b_count * sizeof *b);
    guarded_free(out, room);
  }
  CHECK(kernels->merge_pays_to > 0);
}

static void scores_merged(void) {
  for (unsigned round = 0; round < 2000; round++) {
    const unsigned most = round < 1000 ? 24 : 300;
    const unsigned counts[2] = {check_random_below(&seed, most), check_random_below(&seed, most)};
    const unsigned all = counts[0] + counts[1];
    uint32_t *docs[2];
    float *scores[2];
    for (unsigned s = 0; s < 2; s++) {
      docs[s] = guarded_take(counts[s] * sizeof **docs);
      scores[s] = guarded_take(counts[s] * sizeof **scores);
      fill_to_merge(docs[s], counts[s], s == 0 ? NULL : docs[0], s == 0 ? 0 : counts[0]);
      for (unsigned i = 0; i < counts[s]; i++) {
        scores[s][i] = (float)check_random_below(&seed, 100) / 7.0f;
      }
    }
    uint32_t *merged = guarded_take((all + CSD_MERGE_SUMS_SLACK) * sizeof *merged);
    double *sums = guarded_take((all + CSD_MERGE_SUMS_SLACK) * sizeof *sums);
    const unsigned n = kernels->merge_scores(docs[0], scores[0], counts[0], docs[1], scores[1],
                                             counts[1], merged, sums);
    unsigned i = 0;
    unsigned j = 0;
    unsigned expected = 0;
    unsigned wrong = 0;
    for (; i < counts[0] || j < counts[1]; expected++) {
      const uint32_t x = i < counts[0] ? docs[0][i] : UINT32_MAX;
      const uint32_t y = j < counts[1] ? docs[1][j] : UINT32_MAX;
      double sum = x <= y ? (double)scores[0][i] : 0.0;
      sum += y <= x ? (double)scores[1][j] : 0.0;
      wrong += merged[expected] != (x < y ? x : y) || sums[expected] != sum;
      i += x <= y;
      j += y <= x;
    }
    CHECK_MSG(n == expected && wrong == 0, "%s: %u and %u merged to %u, not %u; %u are wrong",
              kernels->name, counts[0], counts[1], n, expected, wrong);
    for (unsigned s = 0; s < 2; s++) {
      guarded_free(docs[s], counts[s] * sizeof **docs);
      guarded_free(scores[s], counts[s] * sizeof **scores);
    }
    guarded_free(merged, (all + CSD_MERGE_SUMS_SLACK) * sizeof *merged);
    guarded_free(sums, (all + CSD_MERGE_SUMS_SLACK) * sizeof *sums);
  }
}

static void test_version(const struct csd_kernels *version) {
  kernels = version;
  seed = 3;
  printf("kernels %s\n", version->name);
  CHECK(strlen(version->name) <= 15);
  CHECK(csd_kernels_find(version->name) == version);
  RUN(docs_of_all_widths_and_counts);
  RUN(freqs_of_all_widths_and_counts);
  RUN(norms_of_all_widths_and_counts);
  RUN(freqs_and_norms_gathered);
  RUN(intersections);
  RUN(intersections_with_bitmaps);
  RUN(bitmaps_ored);
  RUN(bits_set_and_listed_and_counted);
  RUN(scores);
  RUN(docs_above_a_min_score);
  RUN(docs_copied_above_a_min_score);
  RUN(docs_merged);
  RUN(scores_merged);
}

static void the_best_is_chosen_and_the_unknown_refused(void) {
  const struct csd_kernels *list[CSD_MAX_KERNELS];
  const unsigned n = csd_kernels_list(list);
  CHECK(n >= 1 && n <= CSD_MAX_KERNELS);
  CHECK(csd_kernels_choose() == list[0]);
  CHECK(list[n - 1] == &csd_kernels_scalar);
  CHECK(csd_kernels_find("") == NULL);
  CHECK(csd_kernels_find("scalar ") == NULL);
#if defined(__x86_64__)
  CHECK(csd_kernels_find("neon") == NULL);
#else
  CHECK(csd_kernels_find("avx2") == NULL);
#endif
}

int main(void) {
  const struct csd_kernels *list[CSD_MAX_KERNELS];
  const unsigned n = csd_kernels_list(list);
  const size_t room = 4 * BLOCK + BEYOND;
  column_end = (uint8_t *)guarded_take(room) + room;
  const char *only = getenv("CSD_KERNELS");
  RUN(the_best_is_chosen_and_the_unknown_refused);
  if (only != NULL) {
    const struct csd_kernels *version = csd_kernels_find(only);
    if (!check_that(version != NULL, __FILE__, __LINE__, "no kernels \"%s\" here", only)) {
      return check_result();
    }
    test_version(version);
    return check_result();
  }
  for (unsigned i = 0; i < n; i++) {
    test_version(list[i]);
  }
  return check_result();
}
