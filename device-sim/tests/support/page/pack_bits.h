/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Columns of packed numbers, as the test side's own writers of pages put them. */
#ifndef CSD_TEST_PACK_BITS_H
#define CSD_TEST_PACK_BITS_H

#include <stdint.h>

/** How many bits a value takes; 0 for 0. */
static inline uint8_t test_bits_of(uint64_t value) {
  uint8_t bits = 0;
  for (; value != 0; value >>= 1) {
    bits++;
  }
  return bits;
}

/** Puts the low `bits` bits of a value, least significant first, at bit `at` of zeroed bytes. */
static inline void test_put_bits(uint8_t *bytes, uint64_t at, unsigned bits, uint64_t value) {
  while (bits > 0) {
    const unsigned shift = at % 8;
    const unsigned n = bits < 8 - shift ? bits : 8 - shift;
    bytes[at / 8] = (uint8_t)(bytes[at / 8] | (value & ((1u << n) - 1)) << shift);
    value >>= n;
    at += n;
    bits -= n;
  }
}

#endif
