/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* match_range and match_map of every version, for every width, against single values. */
#include <stdbool.h>
#include <string.h>

#include "core/kernels/bits.h"
#include "tests/core/kernels/kernels_tested.h"
#include "tests/support/check.h"
#include "tests/support/guarded.h"

enum { MAX_VALUES = 700, BEHIND = 64 };

static uint64_t value_at(const uint8_t *column, unsigned bits, uint32_t i) {
  uint64_t value = 0;
  for (unsigned b = 0; b < bits; b++) {
    const uint64_t bit = (uint64_t)i * bits + b;
    value |= (uint64_t)(column[bit / 8] >> (bit % 8) & 1u) << b;
  }
  return value;
}

static bool word_is_right(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n,
                          uint64_t lo, uint64_t hi, uint64_t word) {
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t value = value_at(column, bits, first + i);
    if ((word >> i & 1u) != (value >= lo && value <= hi)) {
      return false;
    }
  }
  return true;
}

static void ranges(void) {
  for (unsigned round = 0; round < 65 * 40; round++) {
    const unsigned bits = round % 65;
    const uint32_t first = 64 * check_random_below(&kernels_seed, 4);
    const uint32_t n = 1 + check_random_below(&kernels_seed, MAX_VALUES - first);
    const size_t bytes = ((size_t)(first + n) * bits + 7) / 8 + BEHIND;
    const uint64_t last = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint8_t *column = guarded_take(bytes);
    for (size_t i = 0; i < bytes; i++) {
      column[i] = (uint8_t)(round % 3 == 0 ? 0xFF * check_random_below(&kernels_seed, 2)
                                           : check_random(&kernels_seed));
    }
    uint64_t lo = check_random(&kernels_seed) & last;
    uint64_t hi = check_random(&kernels_seed) & last;
    if (round % 5 == 0) {
      lo = value_at(column, bits, first);
      hi = round % 2 == 0 ? lo : last;
    }
    if (lo > hi) {
      const uint64_t other = lo;
      lo = hi;
      hi = other;
    }
    const size_t word_bytes = (n + 63) / 64 * sizeof(uint64_t);
    uint64_t *words = guarded_take(word_bytes);
    kernels_tested->match_range(column, bits, first, n, lo, hi, words);
    for (uint32_t i = 0; i < n; i += 64) {
      const uint32_t left = n - i < 64 ? n - i : 64;
      CHECK_MSG(word_is_right(column, bits, first + i, left, lo, hi, words[i / 64]),
                "%s: %u bits, %u values from %u", kernels_tested->name, bits, n, first);
    }
    guarded_free(words, word_bytes);
    guarded_free(column, bytes);
  }
}

/* A range that no value of so few bits can be in, or that goes beyond them all. */
static void ranges_beyond_the_width(void) {
  uint8_t column[128 + BEHIND];
  memset(column, 0x5A, sizeof column);
  for (unsigned bits = 0; bits <= 8; bits++) {
    uint64_t words[2] = {UINT64_MAX, UINT64_MAX};
    kernels_tested->match_range(column, bits, 0, 128, 256, UINT64_MAX, words);
    CHECK(words[0] == 0 && words[1] == 0);
    kernels_tested->match_range(column, bits, 0, 128, 0, UINT64_MAX, words);
    CHECK(words[0] == UINT64_MAX && words[1] == UINT64_MAX);
  }
}

/* A map in which about every third bit is set, for values that begin before it or within. */
static void maps(void) {
  enum { MAP_WORDS = 32 };
  for (unsigned round = 0; round < 65 * 40; round++) {
    const unsigned bits = round % 65;
    const uint32_t first = 64 * check_random_below(&kernels_seed, 4);
    const uint32_t n = 1 + check_random_below(&kernels_seed, MAX_VALUES - first);
    const size_t bytes = ((size_t)(first + n) * bits + 7) / 8 + BEHIND;
    uint8_t *column = guarded_take(bytes);
    for (size_t i = 0; i < bytes; i++) {
      column[i] = (uint8_t)check_random(&kernels_seed);
    }
    const uint32_t map_bits = 1 + check_random_below(&kernels_seed, 64 * MAP_WORDS);
    const size_t map_bytes = (map_bits + 63) / 64 * sizeof(uint64_t);
    uint64_t *map_words = guarded_take(map_bytes);
    for (uint32_t w = 0; w < (map_bits + 63) / 64; w++) {
      map_words[w] = check_random(&kernels_seed) & check_random(&kernels_seed);
    }
    /* So that values of these bits fall on the whole map, and some beside it. */
    const unsigned shift = bits > 10 ? bits - 10 - check_random_below(&kernels_seed, 2) : 0;
    struct csd_value_map map = {
        .words = map_words,
        .unit = round % 4 == 0 ? 1 + check_random_below(&kernels_seed, 9) : 1,
        .span = ((uint64_t)map_bits << shift) - 1,
        .shift = shift};
    if (round % 3 == 0) {
      map.offset = (check_random(&kernels_seed) & 0x7FF) << shift;
      map.offset = round % 2 == 0 ? map.offset : 0 - map.offset;
    }
    const size_t word_bytes = (n + 63) / 64 * sizeof(uint64_t);
    uint64_t *words = guarded_take(word_bytes);
    kernels_tested->match_map(column, bits, first, n, &map, words);
    for (uint32_t i = 0; i < n; i++) {
      const uint64_t number = value_at(column, bits, first + i) * map.unit + map.offset;
      const bool is_set = number <= map.span &&
                          (map_words[(number >> shift) / 64] >> ((number >> shift) % 64) & 1u) != 0;
      if (!CHECK_MSG((words[i / 64] >> (i % 64) & 1u) == is_set, "%s: %u bits, value %u from %u",
                     kernels_tested->name, bits, i, first)) {
        break;
      }
    }
    guarded_free(words, word_bytes);
    guarded_free(map_words, map_bytes);
    guarded_free(column, bytes);
  }
}

static void tests(void) {
  RUN(ranges);
  RUN(ranges_beyond_the_width);
  RUN(maps);
}

int main(void) { return kernels_test_all(tests); }
