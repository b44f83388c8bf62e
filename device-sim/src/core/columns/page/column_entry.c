/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/columns/page/column_entry.h"

/*
 * Magnitudes are kept as small floating-point numbers: 25 bits behind the leading one, and where
 * that stands. Below 2^25 they are exact.
 */
#define MANTISSA_BITS 25u

/* Of a magnitude below 2^63; *exact tells whether the number stands for no other one. */
static uint32_t round_magnitude(uint64_t magnitude, bool *exact) {
  *exact = true;
  if (magnitude < UINT64_C(1) << MANTISSA_BITS) {
    return (uint32_t)magnitude;
  }
  const unsigned leading = 63u - (unsigned)__builtin_clzll(magnitude);
  const unsigned shift = leading - MANTISSA_BITS;
  const uint64_t kept = magnitude >> shift;
  *exact = kept << shift == magnitude;
  return ((shift + 1u) << MANTISSA_BITS) + (uint32_t)(kept - (UINT64_C(1) << MANTISSA_BITS));
}

#define HALF UINT32_C(0x80000000)

uint32_t csd_column_round_down(int64_t value) {
  bool exact;
  if (value >= 0) {
    return HALF + round_magnitude((uint64_t)value, &exact);
  }
  const uint32_t rounded = round_magnitude(~(uint64_t)value, &exact);
  return HALF - 1u - rounded - (exact ? 0u : 1u);
}

uint32_t csd_column_round_up(int64_t value) {
  bool exact;
  if (value < 0) {
    return HALF - 1u - round_magnitude(~(uint64_t)value, &exact);
  }
  const uint32_t rounded = round_magnitude((uint64_t)value, &exact);
  return HALF + rounded + (exact ? 0u : 1u);
}

int64_t csd_column_rounded(uint32_t number) {
  const bool negative = number < HALF;
  const uint32_t rounded = negative ? HALF - 1u - number : number - HALF;
  const uint32_t shift = rounded >> MANTISSA_BITS; /* and 1 more than that, but for 0 */
  uint64_t magnitude = rounded;
  if (shift > 63u - MANTISSA_BITS) {
    magnitude = INT64_MAX;
  } else if (shift > 0) {
    const uint64_t leading = UINT64_C(1) << MANTISSA_BITS;
    magnitude = (leading + (rounded & (uint32_t)(leading - 1u))) << (shift - 1u);
  }
  return (int64_t)(negative ? ~magnitude : magnitude);
}
