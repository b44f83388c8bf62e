/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Kernels over values of column pages in plain C; each version compiles them for its machine. */
#ifndef CSD_KERNELS_VALUES_H
#define CSD_KERNELS_VALUES_H

#include <stdint.h>

#include "core/kernels/bits.h"
#include "core/kernels/kernels.h"

/* Widest values of which any one can be loaded with one load of 64 bits. */
#define CSD_ONE_LOAD_BITS 57u

static inline uint64_t csd_mask_of(unsigned bits) {
  return bits == 64u ? UINT64_MAX : (UINT64_C(1) << bits) - 1u;
}

static inline int64_t csd_value_of(const struct csd_packed_values *packed, uint64_t number) {
  return (int64_t)(packed->base + packed->unit * number);
}

/** unpack of struct csd_value_kernels. */
static inline void csd_unpack_values(const struct csd_packed_values *packed, uint32_t first,
                                     uint32_t n, int64_t *values) {
  const struct csd_packed_values p = *packed;
  if (p.bits > CSD_ONE_LOAD_BITS) {
    for (uint32_t i = 0; i < n; i++) {
      values[i] = csd_value_of(&p, csd_load_packed_u64(p.column, p.bits, first + i));
    }
    return;
  }
  const uint64_t mask = csd_mask_of(p.bits);
  uint64_t bit = (uint64_t)first * p.bits;
  for (uint32_t i = 0; i < n; i++, bit += p.bits) {
    values[i] = csd_value_of(&p, csd_load_u64(p.column + (bit >> 3)) >> (bit & 7u) & mask);
  }
}

/** gather of struct csd_value_kernels. */
static inline void csd_gather_values(const struct csd_packed_values *packed, const uint32_t *at,
                                     uint32_t offset, uint32_t n, int64_t *values) {
  const struct csd_packed_values p = *packed;
  if (p.bits > CSD_ONE_LOAD_BITS) {
    for (uint32_t i = 0; i < n; i++) {
      values[i] = csd_value_of(&p, csd_load_packed_u64(p.column, p.bits, at[i] - offset));
    }
    return;
  }
  const uint64_t mask = csd_mask_of(p.bits);
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t bit = (uint64_t)(at[i] - offset) * p.bits;
    values[i] = csd_value_of(&p, csd_load_u64(p.column + (bit >> 3)) >> (bit & 7u) & mask);
  }
}

/** sum of struct csd_value_kernels. */
static inline void csd_sum_values(const int64_t *values, uint32_t n, struct csd_value_sums *sums) {
  uint64_t sum = 0;
  int64_t min = sums->min;
  int64_t max = sums->max;
  for (uint32_t i = 0; i < n; i++) {
    sum += (uint64_t)values[i];
    min = values[i] < min ? values[i] : min;
    max = values[i] > max ? values[i] : max;
  }
  sums->sum += sum;
  sums->min = min;
  sums->max = max;
}

/* Below this, products of a quotient and a width, and a width more, are 32-bit integers. */
#define CSD_SPAN_32 (UINT64_C(1) << 30)

/** divide of struct csd_value_kernels: by multiplication, and puts right what is one off. */
static inline void csd_divide_values(const int64_t *values, uint32_t n, int64_t first,
                                     uint64_t span, int64_t width, int64_t *buckets) {
  const uint64_t start = (uint64_t)first * (uint64_t)width;
  const double inverse = 1.0 / (double)width;
  if (span < CSD_SPAN_32 && (uint64_t)width < CSD_SPAN_32) {
    const int32_t width_32 = (int32_t)width;
    for (uint32_t i = 0; i < n; i++) {
      const int32_t at = (int32_t)(uint32_t)((uint64_t)values[i] - start);
      const int32_t bucket = (int32_t)((double)at * inverse);
      const int32_t rest = at - bucket * width_32;
      buckets[i] = first + (bucket + (rest >= width_32) - (rest < 0));
    }
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    const int64_t at = (int64_t)((uint64_t)values[i] - start);
    const int64_t bucket = (int64_t)((double)at * inverse);
    const int64_t rest = at - bucket * width;
    buckets[i] = first + bucket + (rest >= width) - (rest < 0);
  }
}

static const struct csd_value_kernels csd_plain_value_kernels = {
    .unpack = csd_unpack_values,
    .gather = csd_gather_values,
    .sum = csd_sum_values,
    .divide = csd_divide_values,
};

#endif
