/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <string.h>

#include "device/memory/page_seal.h"
#include "tests/support/check.h"

static struct csd_seal_key key;
static _Alignas(8) uint8_t page[CSD_PAGE_BYTES];

static void fill(uint64_t seed) {
  for (uint32_t i = 0; i < sizeof page; i++) {
    page[i] = (uint8_t)check_random_below(&seed, 256);
  }
}

static void every_bit_counts(void) {
  fill(1);
  const uint64_t seal = csd_seal_of(&key, page);
  CHECK(seal != 0);
  for (uint32_t bit = 0; bit < 8 * sizeof page; bit++) {
    page[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    CHECK(csd_seal_of(&key, page) != seal);
    page[bit / 8] ^= (uint8_t)(1u << (bit % 8));
  }
  CHECK(csd_seal_of(&key, page) == seal);
}

/* What a sum would not see. */
static void places_count(void) {
  fill(2);
  const uint64_t seal = csd_seal_of(&key, page);
  for (uint32_t word = 0; word + 2 <= CSD_SEAL_WORDS; word++) {
    uint8_t first[8];
    uint8_t *at = page + 8 * word;
    memcpy(first, at, 8);
    memcpy(at, at + 8, 8);
    memcpy(at + 8, first, 8);
    CHECK(csd_seal_of(&key, page) != seal);
    memcpy(at + 8, at, 8);
    memcpy(at, first, 8);
  }
}

static void keys_differ(void) {
  struct csd_seal_key other;
  REQUIRE(csd_seal_key_draw(&other));
  CHECK(memcmp(&key, &other, sizeof key) != 0);
  memset(page, 0, sizeof page);
  CHECK(csd_seal_of(&key, page) != csd_seal_of(&other, page));
}

/* Worked out by hand, with numbers that wrap and carry. */
static void a_small_key_gives_a_known_seal(void) {
  struct csd_seal_key plain = {.parts = {1, 10, 100, 1000, 7}};
  memset(page, 0, sizeof page);
  CHECK_EQ(UINT64_C(1) << 63 | 7, csd_seal_of(&plain, page));
  const uint64_t ones = UINT64_MAX;
  memcpy(page + 16, &ones, sizeof ones);
  memcpy(page + 24, &ones, sizeof ones);
  /* (2^64 - 1)^2 = 2^128 - 2^65 + 1: from the lowest on, the parts 1, 0, 2^32 - 2, 2^32 - 1 */
  CHECK_EQ(UINT64_C(1) << 63 | (7 + 1 + 100 * UINT64_C(0xFFFFFFFE) + 1000 * UINT64_C(0xFFFFFFFF)),
           csd_seal_of(&plain, page));
  plain.words[2] = 1; /* wraps to 0 */
  CHECK_EQ(UINT64_C(1) << 63 | 7, csd_seal_of(&plain, page));
}

int main(void) {
  CHECK(csd_seal_key_draw(&key));
  RUN(every_bit_counts);
  RUN(places_count);
  RUN(keys_differ);
  RUN(a_small_key_gives_a_known_seal);
  return check_result();
}
