/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Columns: every kernel of every version that this machine can run, against what the words of
 * kernels.h say in the plainest C. Inputs end at a forbidden page, as far beyond a column as a
 * kernel may read; outputs end where their room does. Sets of docs: test_kernels_docs.c; scores:
 * test_kernels_scores.c.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/core/kernels/kernels_tested.h"
#include "tests/support/check.h"
#include "tests/support/guarded.h"

#define BEYOND 64u /* bytes that may be read behind a column */

static uint8_t *column_end; /* where the forbidden page begins */

static void pack(uint8_t *column, unsigned bits, const uint32_t *values, unsigned n) {
  for (unsigned i = 0; i < n * bits; i++) {
    const unsigned bit = (values[i / bits] >> (i % bits)) & 1u;
    column[i / 8] = (uint8_t)((column[i / 8] & ~(1u << (i % 8))) | bit << (i % 8));
  }
}

static uint32_t random_value(unsigned bits) {
  const uint32_t mask = (1u << bits) - 1u;
  switch (check_random_below(&kernels_seed, 4)) {
    case 0: return mask;
    case 1: return 0;
    default: return (uint32_t)check_random(&kernels_seed) & mask;
  }
}

/* A column of random values and random bytes behind it, BEYOND bytes before the forbidden page. */
static uint8_t *make_column(unsigned bits, unsigned count, uint32_t *values) {
  const unsigned bytes = (bits * count + 7) / 8;
  uint8_t *column = column_end - (bytes + BEYOND);
  for (unsigned i = 0; i < bytes + BEYOND; i++) {
    column[i] = (uint8_t)check_random(&kernels_seed);
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
      const uint32_t base = count % 3 == 0 ? UINT32_MAX : (uint32_t)check_random(&kernels_seed);
      kernels_tested->unpack_docs(column, bits, count, base, docs);
      uint32_t expected = base;
      unsigned wrong = 0;
      for (unsigned i = 0; i < count; i++) {
        expected += values[i] + 1u;
        wrong += docs[i] != expected;
      }
      CHECK_MSG(wrong == 0, "%s: %u of %u docs of %u bits", kernels_tested->name, wrong, count,
                bits);
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
      kernels_tested->unpack_freqs(column, bits, count, freqs);
      unsigned wrong = 0;
      for (unsigned i = 0; i < count; i++) {
        wrong += freqs[i] != values[i] + 1u;
      }
      CHECK_MSG(wrong == 0, "%s: %u of %u freqs of %u bits", kernels_tested->name, wrong, count,
                bits);
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
      const uint8_t base = (uint8_t)check_random(&kernels_seed);
      kernels_tested->unpack_norms(column, bits, count, base, norms);
      unsigned wrong = 0;
      for (unsigned i = 0; i < count; i++) {
        wrong += norms[i] != (uint8_t)(base + values[i]);
      }
      CHECK_MSG(wrong == 0, "%s: %u of %u norms of %u bits", kernels_tested->name, wrong, count,
                bits);
    }
  }
  guarded_free(norms, BLOCK);
}

/* Frequencies of ascending positions, and the sums before them, each against its own sum. */
static void rank_freqs_once(unsigned bits, unsigned count, const uint32_t *values,
                            const uint8_t *column) {
  uint8_t position[BLOCK];
  unsigned n = 0;
  const unsigned one_in = 1u + check_random_below(&kernels_seed, count);
  for (unsigned i = 0; i < count; i++) {
    position[n] = (uint8_t)i;
    n += check_random_below(&kernels_seed, one_in) == 0 || (i + 1u == count && n == 0);
  }
  uint32_t *freqs = guarded_take(n * sizeof *freqs);
  uint32_t *ranks = guarded_take(n * sizeof *ranks);
  kernels_tested->rank_freqs(column, bits, position, n, freqs, ranks);
  unsigned wrong = 0;
  for (unsigned i = 0; i < n; i++) {
    uint32_t rank = 0;
    for (unsigned j = 0; j < position[i]; j++) {
      rank += values[j] + 1u;
    }
    wrong += freqs[i] != values[position[i]] + 1u || ranks[i] != rank;
  }
  CHECK_MSG(wrong == 0, "%s: %u of %u ranks in %u freqs of %u bits", kernels_tested->name, wrong, n,
            count, bits);
  guarded_free(freqs, n * sizeof *freqs);
  guarded_free(ranks, n * sizeof *ranks);
}

static void ranks_of_all_widths_and_counts(void) {
  uint32_t values[BLOCK];
  for (unsigned bits = 0; bits <= 31; bits++) {
    for (unsigned count = 1; count <= BLOCK; count++) {
      const uint8_t *column = make_column(bits, count, values);
      rank_freqs_once(bits, count, values, column);
    }
  }
}

/* Frequencies of some positions, of which a few have exceptions. */
static void gather_freqs_once(unsigned bits, unsigned count, const uint32_t *values,
                              const uint8_t *column, const uint8_t *position, unsigned n) {
  uint32_t *freqs = guarded_take(n * sizeof *freqs);
  uint8_t exceptions[CSD_MAX_FREQ_EXCEPTIONS * CSD_EXCEPTION_BYTES];
  const unsigned most = bits <= CSD_MAX_EXCEPTION_BITS ? CSD_MAX_FREQ_EXCEPTIONS + 1u : 1u;
  const unsigned exception_count = check_random_below(&kernels_seed, most);
  for (unsigned e = 0; e < exception_count; e++) {
    const unsigned which = check_random_below(&kernels_seed, n);
    exceptions[CSD_EXCEPTION_BYTES * e] = position[which];
    exceptions[CSD_EXCEPTION_BYTES * e + 1] = (uint8_t)check_random(&kernels_seed);
  }
  kernels_tested->gather_freqs(column, bits, count, exceptions, exception_count, position, n,
                               freqs);
  unsigned wrong = 0;
  for (unsigned i = 0; i < n; i++) {
    uint32_t expected = values[position[i]] + 1u;
    for (unsigned e = 0; e < exception_count; e++) {
      const uint8_t *exception = exceptions + CSD_EXCEPTION_BYTES * e;
      expected += position[i] == exception[0] ? (uint32_t)exception[1] << bits : 0;
    }
    wrong += freqs[i] != expected;
  }
  CHECK_MSG(wrong == 0, "%s: %u of %u gathered freqs of %u bits", kernels_tested->name, wrong, n,
            bits);
  guarded_free(freqs, n * sizeof *freqs);
}

static void gather_norms_once(unsigned bits, unsigned count, const uint32_t *values,
                              const uint8_t *column, const uint8_t *position, unsigned n) {
  uint8_t *norms = guarded_take(n);
  const uint8_t base = (uint8_t)check_random(&kernels_seed);
  kernels_tested->gather_norms(column, bits, count, base, position, n, norms);
  unsigned wrong = 0;
  for (unsigned i = 0; i < n; i++) {
    wrong += norms[i] != (uint8_t)(base + values[position[i]]);
  }
  CHECK_MSG(wrong == 0, "%s: %u of %u gathered norms of %u bits", kernels_tested->name, wrong, n,
            bits);
  guarded_free(norms, n);
}

static void freqs_and_norms_gathered(void) {
  uint32_t values[BLOCK];
  for (unsigned round = 0; round < 4000; round++) {
    const unsigned bits = round % 32;
    const unsigned count = round % 3 == 0 ? BLOCK : 1 + check_random_below(&kernels_seed, BLOCK);
    const uint8_t *column = make_column(bits, count, values);
    const unsigned n = 1 + check_random_below(&kernels_seed, round % 2 == 0 ? 5 : count);
    uint8_t *position = guarded_take(n);
    for (unsigned i = 0; i < n; i++) {
      position[i] = (uint8_t)check_random_below(&kernels_seed, count);
    }
    gather_freqs_once(bits, count, values, column, position, n);
    if (bits <= 8) {
      gather_norms_once(bits, count, values, column, position, n);
    }
    guarded_free(position, n);
  }
}

static void positions_of_all_widths(void) {
  uint32_t values[BLOCK];
  for (unsigned bits = 0; bits <= 31; bits++) {
    for (unsigned round = 0; round < 100; round++) {
      const unsigned count = 1 + check_random_below(&kernels_seed, BLOCK);
      const uint8_t *column = make_column(bits, count, values);
      const unsigned first = check_random_below(&kernels_seed, count);
      const unsigned most = round % 3 == 0 || count - first < 5 ? count - first : 5;
      const unsigned n = 1 + check_random_below(&kernels_seed, most);
      const size_t room = (n + CSD_POSITIONS_SLACK) * sizeof(uint32_t);
      uint32_t *positions = guarded_take(room);
      const uint32_t base = (uint32_t)check_random(&kernels_seed);
      kernels_tested->unpack_positions(column, bits, first, n, base, positions);
      uint32_t expected = base;
      unsigned wrong = 0;
      for (unsigned i = 0; i < n; i++) {
        expected += values[first + i];
        wrong += positions[i] != expected;
      }
      CHECK_MSG(wrong == 0, "%s: %u of %u positions of %u bits from value %u on",
                kernels_tested->name, wrong, n, bits, first);
      guarded_free(positions, room);
    }
  }
}

static void few_of_all_widths(void) {
  static uint32_t values[CSD_FEW_WIDTH + 1][BLOCK];
  const uint8_t *columns[CSD_FEW_WIDTH + 1];
  for (unsigned round = 0; round < 500; round++) {
    /* One column ends where it may not be read beyond; the others are copies before it. */
    static uint8_t copies[CSD_FEW_WIDTH + 1][4 * BLOCK + BEYOND];
    const unsigned last = round % (CSD_FEW_WIDTH + 1);
    for (unsigned bits = 0; bits <= CSD_FEW_WIDTH; bits++) {
      memcpy(copies[bits], make_column(bits, BLOCK, values[bits]), (bits * BLOCK + 7) / 8 + BEYOND);
      columns[bits] = copies[bits];
    }
    columns[last] = make_column(last, BLOCK, values[last]);
    const unsigned n = check_random_below(&kernels_seed, 10);
    struct csd_few_values *postings = guarded_take(n * sizeof *postings);
    unsigned first[10];
    for (unsigned i = 0; i < n; i++) {
      const unsigned bits =
          check_random_below(&kernels_seed, 2) == 0 ? last : check_random_below(&kernels_seed, 26);
      const unsigned count = 1 + check_random_below(&kernels_seed, CSD_FEW_POSITIONS);
      first[i] = check_random_below(&kernels_seed, BLOCK - count + 1);
      postings[i] = (struct csd_few_values){.at = columns[bits] + (first[i] * bits >> 3),
                                            .bits = (uint8_t)bits,
                                            .odd = first[i] * bits & 7u,
                                            .count = (uint8_t)count};
    }
    const size_t room = (n * CSD_FEW_POSITIONS + CSD_POSITIONS_SLACK) * sizeof(uint32_t);
    uint32_t *positions = guarded_take(room);
    const uint32_t base = (uint32_t)check_random(&kernels_seed);
    kernels_tested->unpack_few(postings, n, base, positions);
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; i++) {
      uint32_t expected = base;
      for (unsigned j = 0; j < CSD_FEW_POSITIONS; j++) {
        expected += j < postings[i].count ? values[postings[i].bits][first[i] + j] : 0;
        wrong += positions[i * CSD_FEW_POSITIONS + j] != expected;
      }
    }
    CHECK_MSG(wrong == 0, "%s: %u positions of %u postings", kernels_tested->name, wrong, n);
    guarded_free(positions, room);
    guarded_free(postings, n * sizeof *postings);
  }
}

static void few_in_common(void) {
  for (unsigned round = 0; round < 2000; round++) {
    const unsigned n = check_random_below(&kernels_seed, 20);
    const unsigned numbers = n * CSD_FEW_POSITIONS;
    const size_t room = (numbers + CSD_POSITIONS_SLACK) * sizeof(uint32_t);
    uint32_t *positions = guarded_take(room);
    uint32_t *others = guarded_take(room);
    for (unsigned i = 0; i < numbers + CSD_POSITIONS_SLACK; i++) {
      positions[i] = check_random_below(&kernels_seed, 9) - 3u;
      others[i] = check_random_below(&kernels_seed, 9) - 3u;
    }
    uint8_t *left = guarded_take(n);
    uint8_t expected[20];
    for (unsigned i = 0; i < n; i++) {
      left[i] = expected[i] = (uint8_t)check_random_below(&kernels_seed, 16);
      for (unsigned j = 0; j < CSD_FEW_POSITIONS; j++) {
        const uint32_t *o = others + i * CSD_FEW_POSITIONS;
        const uint32_t position = positions[i * CSD_FEW_POSITIONS + j];
        if (position != o[0] && position != o[1] && position != o[2] && position != o[3]) {
          expected[i] &= (uint8_t)~(1u << j);
        }
      }
    }
    kernels_tested->match_few(positions, others, n, left);
    CHECK_MSG(memcmp(left, expected, n) == 0, "%s: %u docs", kernels_tested->name, n);
    guarded_free(left, n);
    guarded_free(positions, room);
    guarded_free(others, room);
  }
}

/* `n` positions that ascend, some equal, in an array of so much room; they may be negative. */
static void make_positions(uint32_t *positions, unsigned n, size_t room) {
  memset(positions, 0xFF, room);
  uint32_t position = 0u - check_random_below(&kernels_seed, 4);
  for (unsigned i = 0; i < n; i++) {
    positions[i] = position;
    position += check_random_below(&kernels_seed, 3);
  }
}

static void positions_in_common(void) {
  for (unsigned round = 0; round < 4000; round++) {
    const unsigned most = round % 4 == 0 ? 40 : 5;
    const unsigned n = check_random_below(&kernels_seed, most);
    const unsigned m = check_random_below(&kernels_seed, most);
    const size_t room = (n + CSD_POSITIONS_SLACK) * sizeof(uint32_t);
    const size_t others_room = (m + CSD_POSITIONS_SLACK) * sizeof(uint32_t);
    uint32_t *positions = guarded_take(room);
    uint32_t *others = guarded_take(others_room);
    make_positions(positions, n, room);
    make_positions(others, m, others_room);
    uint32_t expected[40];
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++) {
      unsigned found = 0;
      for (unsigned j = 0; j < m; j++) {
        found |= others[j] == positions[i];
      }
      expected[count] = positions[i];
      count += found;
    }
    const uint32_t next = positions[n];
    const unsigned kept = kernels_tested->keep_common(positions, n, others, m);
    CHECK_MSG(kept == count && memcmp(positions, expected, count * sizeof expected[0]) == 0,
              "%s: %u of %u positions kept, expected %u", kernels_tested->name, kept, n, count);
    CHECK_MSG(positions[n] == next, "%s: what follows is void", kernels_tested->name);
    guarded_free(positions, room);
    guarded_free(others, others_room);
  }
}

static void names_are_short_and_found(void) {
  CHECK(strlen(kernels_tested->name) <= 15);
  CHECK(csd_kernels_find(kernels_tested->name) == kernels_tested);
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

static void tests(void) {
  RUN(names_are_short_and_found);
  RUN(docs_of_all_widths_and_counts);
  RUN(freqs_of_all_widths_and_counts);
  RUN(norms_of_all_widths_and_counts);
  RUN(ranks_of_all_widths_and_counts);
  RUN(freqs_and_norms_gathered);
  RUN(positions_of_all_widths);
  RUN(positions_in_common);
  RUN(few_of_all_widths);
  RUN(few_in_common);
}

int main(void) {
  const size_t room = 4 * BLOCK + BEYOND;
  column_end = (uint8_t *)guarded_take(room) + room;
  RUN(the_best_is_chosen_and_the_unknown_refused);
  return kernels_test_all(tests);
}
