/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/memory/page_seal.h"

#include <string.h>

#include "base/entropy.h"

__extension__ typedef unsigned __int128 wide;

#define PRIME ((UINT64_C(1) << 61) - 1)

bool csd_seal_key_draw(struct csd_seal_key *key) {
  if (!csd_draw_entropy(key, sizeof *key)) {
    return false;
  }
  for (int i = 0; i <= CSD_SEAL_PARTS; i++) {
    key->parts[i] %= PRIME;
  }
  return true;
}

static uint64_t word_of(const uint8_t *page, int word) {
  uint64_t value;
  memcpy(&value, page + 8 * word, sizeof value);
  return value;
}

/* Modulo 2^61 - 1, of less than 2^122. */
static uint64_t reduce(wide value) {
  uint64_t sum = (uint64_t)(value & PRIME) + (uint64_t)(value >> 61);
  sum = (sum & PRIME) + (sum >> 61);
  return sum >= PRIME ? sum - PRIME : sum;
}

uint64_t csd_seal_of(const struct csd_seal_key *key, const uint8_t *page) {
  wide even = 0, odd = 0; /* two sums, so that one addition need not wait for the other */
  for (int i = 0; i < CSD_SEAL_WORDS; i += 4) {
    even += (wide)(word_of(page, i) + key->words[i]) *
            (uint64_t)(word_of(page, i + 1) + key->words[i + 1]);
    odd += (wide)(word_of(page, i + 2) + key->words[i + 2]) *
           (uint64_t)(word_of(page, i + 3) + key->words[i + 3]);
  }
  const wide sum = even + odd;
  wide seal = key->parts[CSD_SEAL_PARTS];
  for (int i = 0; i < CSD_SEAL_PARTS; i++) {
    seal += (wide)key->parts[i] * (uint32_t)(sum >> (32 * i)); /* below 2^96 all together */
  }
  return reduce(seal) | UINT64_C(1) << 63;
}
