/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The kernels over values of column pages of every version, for every width, against single values.
 */
#include <string.h>

#include "core/kernels/bits.h"
#include "tests/core/kernels/kernels_tested.h"
#include "tests/support/check.h"
#include "tests/support/guarded.h"

enum { MAX_VALUES = 300, BEHIND = 64, ROUNDS = 65 * 30 };

static uint64_t packed_at(const uint8_t *column, unsigned bits, uint32_t i) {
  uint64_t value = 0;
  for (unsigned b = 0; b < bits; b++) {
    const uint64_t bit = (uint64_t)i * bits + b;
    value |= (uint64_t)(column[bit / 8] >> (bit % 8) & 1u) << b;
  }
  return value;
}

static int64_t value_at(const struct csd_packed_values *packed, uint32_t i) {
  return (int64_t)(packed->base + packed->unit * packed_at(packed->column, packed->bits, i));
}

/* A column that ends where no byte more can be read than a kernel may. */
static uint8_t *random_column(unsigned bits, uint32_t count, size_t *bytes) {
  *bytes = ((size_t)count * bits + 7) / 8 + BEHIND;
  uint8_t *column = guarded_take(*bytes);
  for (size_t i = 0; i < *bytes; i++) {
    column[i] = (uint8_t)check_random(&kernels_seed);
  }
  return column;
}

static struct csd_packed_values random_packed(const uint8_t *column, unsigned bits,
                                              unsigned round) {
  return (struct csd_packed_values){
      .column = column,
      .bits = bits,
      .unit = round % 3 == 0 ? 1 : check_random(&kernels_seed) >> (round % 64),
      .base = round % 2 == 0 ? 0 : check_random(&kernels_seed),
  };
}

static void runs_are_unpacked(void) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    const unsigned bits = round % 65;
    const uint32_t first = check_random_below(&kernels_seed, 40);
    const uint32_t n = 1 + check_random_below(&kernels_seed, MAX_VALUES);
    size_t bytes;
    uint8_t *column = random_column(bits, first + n, &bytes);
    const struct csd_packed_values packed = random_packed(column, bits, round);
    int64_t *values = guarded_take(n * sizeof *values);
    kernels_tested->values->unpack(&packed, first, n, values);
    for (uint32_t i = 0; i < n; i++) {
      CHECK_MSG(values[i] == value_at(&packed, first + i), "%s: %u bits, value %u of %u from %u",
                kernels_tested->name, bits, i, n, first);
    }
    guarded_free(values, n * sizeof *values);
    guarded_free(column, bytes);
  }
}

static void values_are_gathered(void) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    const unsigned bits = round % 65;
    const uint32_t count = 1 + check_random_below(&kernels_seed, MAX_VALUES);
    const uint32_t offset = round % 2 == 0 ? 0 : check_random_below(&kernels_seed, 1u << 30);
    size_t bytes;
    uint8_t *column = random_column(bits, count, &bytes);
    const struct csd_packed_values packed = random_packed(column, bits, round);
    const uint32_t n = 1 + check_random_below(&kernels_seed, MAX_VALUES);
    uint32_t *at = guarded_take(n * sizeof *at);
    for (uint32_t i = 0; i < n; i++) {
      at[i] = offset + (i + 1u == n ? count - 1u : check_random_below(&kernels_seed, count));
    }
    int64_t *values = guarded_take(n * sizeof *values);
    kernels_tested->values->gather(&packed, at, offset, n, values);
    for (uint32_t i = 0; i < n; i++) {
      CHECK_MSG(values[i] == value_at(&packed, at[i] - offset), "%s: %u bits, value %u of %u",
                kernels_tested->name, bits, at[i] - offset, count);
    }
    guarded_free(values, n * sizeof *values);
    guarded_free(at, n * sizeof *at);
    guarded_free(column, bytes);
  }
}

static void values_are_summed(void) {
  for (unsigned round = 0; round < 300; round++) {
    const uint32_t n = round == 0 ? 0 : 1 + check_random_below(&kernels_seed, MAX_VALUES);
    const size_t bytes = (n + 1u) * sizeof(int64_t);
    int64_t *values = guarded_take(bytes);
    struct csd_value_sums sums = {.sum = 5, .min = INT64_MAX, .max = INT64_MIN};
    struct csd_value_sums right = sums;
    for (uint32_t i = 0; i < n; i++) {
      const int64_t value = (int64_t)check_random(&kernels_seed) >> (round % 64);
      values[i + 1u] = value;
      right.sum += (uint64_t)value;
      right.min = value < right.min ? value : right.min;
      right.max = value > right.max ? value : right.max;
    }
    kernels_tested->values->sum(values + 1, n, &sums);
    CHECK_MSG(sums.sum == right.sum && sums.min == right.min && sums.max == right.max,
              "%s: sums of %u values", kernels_tested->name, n);
    guarded_free(values, bytes);
  }
}

static int64_t quotient(int64_t value, int64_t width) {
  const int64_t towards_zero = value / width;
  return towards_zero - (towards_zero * width > value);
}

/* Values about the borders of buckets, up to the greatest span, near both ends of the numbers too.
 */
static void values_are_divided(void) {
  const uint64_t limit = UINT64_C(1) << 52;
  for (unsigned round = 0; round < 3000; round++) {
    const int64_t width = 1 + (int64_t)(check_random(&kernels_seed) % (limit - 1) >> (round % 52));
    const uint64_t range = check_random(&kernels_seed) % limit >> (round / 52 % 52);
    const int64_t least = round % 4 == 0   ? INT64_MIN
                          : round % 4 == 1 ? INT64_MAX - (int64_t)range
                          : round % 4 == 2 ? -(int64_t)(range / 2)
                                           : (int64_t)(check_random(&kernels_seed) >> 2);
    const uint32_t n = 1 + check_random_below(&kernels_seed, 40);
    int64_t *values = guarded_take(n * sizeof *values);
    int64_t *buckets = guarded_take(n * sizeof *buckets);
    for (uint32_t i = 0; i < n; i++) {
      uint64_t at = check_random(&kernels_seed) % (range + 1);
      at = i % 3 == 0 ? at : at / (uint64_t)width * (uint64_t)width - (i % 3 == 1);
      values[i] = (int64_t)((uint64_t)least + (at <= range ? at : range));
    }
    const int64_t first = quotient(least, width);
    const uint64_t start = (uint64_t)first * (uint64_t)width;
    kernels_tested->values->divide(values, n, first, (uint64_t)least + range - start, width,
                                   buckets);
    for (uint32_t i = 0; i < n; i++) {
      CHECK_MSG(buckets[i] == quotient(values[i], width), "%s: %lld / %lld is not %lld",
                kernels_tested->name, (long long)values[i], (long long)width,
                (long long)buckets[i]);
    }
    guarded_free(buckets, n * sizeof *buckets);
    guarded_free(values, n * sizeof *values);
  }
}

static void tests(void) {
  RUN(runs_are_unpacked);
  RUN(values_are_gathered);
  RUN(values_are_summed);
  RUN(values_are_divided);
}

int main(void) { return kernels_test_all(tests); }
