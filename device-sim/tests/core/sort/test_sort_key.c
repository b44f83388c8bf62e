/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Keys of known values, and that csd_sort_values leaves no value out. */
#include <math.h>
#include <string.h>

#include "core/sort/sort_key.h"
#include "tests/support/check.h"

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void known_keys(void) {
  CHECK_EQ(UINT64_C(1) << 63, csd_sort_key_of_value(CSD_SORT_TRANSFORM_I64, 0));
  CHECK_EQ(0, csd_sort_key_of_value(CSD_SORT_TRANSFORM_I64, INT64_MIN));
  CHECK_EQ(UINT64_MAX, csd_sort_key_of_value(CSD_SORT_TRANSFORM_I64, INT64_MAX));
  CHECK_EQ(0x80000005u, csd_sort_key_of_value(CSD_SORT_TRANSFORM_I32, (INT64_C(77) << 32) + 5));
  CHECK_EQ(0, csd_sort_key_of_value(CSD_SORT_TRANSFORM_I32, INT32_MIN));
  CHECK_EQ(1, csd_sort_key_of_value(CSD_SORT_TRANSFORM_ORD, 0));
  CHECK_EQ(0x7FFFFFFFu, csd_sort_key_of_value(CSD_SORT_TRANSFORM_F32, bits_of(-0.0f)));
  CHECK_EQ(0x80000000u, csd_sort_key_of_value(CSD_SORT_TRANSFORM_F32, bits_of(0.0f)));
  CHECK_EQ(0xFFC00000u, csd_sort_key_of_value(CSD_SORT_TRANSFORM_F32, 0x7F800001));
  CHECK_EQ(0xFFC00000u, csd_sort_key_of_value(CSD_SORT_TRANSFORM_F32, (int32_t)0xFFFFFFFF));
  CHECK_EQ(0x007FFFFFu, csd_sort_key_of_value(CSD_SORT_TRANSFORM_F32, bits_of(-INFINITY)));
  CHECK_EQ(0xFFF8000000000000u, csd_sort_key_of_value(CSD_SORT_TRANSFORM_F64, -1));
  CHECK_EQ(0x7FFFFFFFFFFFFFFFu, csd_sort_key_of_value(CSD_SORT_TRANSFORM_F64, INT64_MIN));
  CHECK_EQ(csd_sort_key_of_value(CSD_SORT_TRANSFORM_F64, (int64_t)bits_of_double(-2.5)),
           csd_sort_key_of_value(CSD_SORT_TRANSFORM_SORTABLE_F64,
                                 (int64_t)bits_of_double(-2.5) ^ INT64_MAX));
  CHECK_EQ(csd_sort_key_of_value(CSD_SORT_TRANSFORM_F32, bits_of(-2.5f)),
           csd_sort_key_of_value(CSD_SORT_TRANSFORM_SORTABLE_F32,
                                 (int32_t)(bits_of(-2.5f) ^ 0x7FFFFFFFu)));
  CHECK(csd_sort_key_of_doc(-1) < csd_sort_key_of_doc(0));
}

static void scores(void) {
  static const float some[] = {0.0f, 1e-45f, 0.5f, 1.0f, 3.25f, 3.4e38f, INFINITY};
  for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
    const uint64_t key = csd_sort_key_of_score(some[i]);
    CHECK(csd_sort_min_score(key) == some[i]);
    CHECK(i == 0 || key < csd_sort_key_of_score(some[i - 1]));
  }
  CHECK(csd_sort_min_score(UINT64_MAX) <= 0.0f);
  CHECK(csd_sort_min_score(0) == INFINITY);
}

/* A number that some transform treats in its own way, or any. */
static int64_t odd_value(uint64_t *random) {
  static const int64_t odd[] = {0,
                                1,
                                -1,
                                INT32_MAX,
                                INT32_MIN,
                                INT64_MAX,
                                INT64_MIN,
                                0x7F800000,
                                -0x7F800001,
                                -0x800000,
                                0x7FF0000000000000,
                                -0x7FF0000000000001,
                                -0x10000000000000};
  const uint32_t i = check_random_below(random, 24);
  const int64_t near = (int64_t)check_random_below(random, 5) - 2;
  if (i < sizeof odd / sizeof odd[0]) {
    return (int64_t)((uint64_t)odd[i] + (uint64_t)near);
  }
  const int64_t any = (int64_t)check_random(random);
  return i < 18 ? any : i < 22 ? (int32_t)any : (any & 0xFF) - 128;
}

/* Whatever lies in the columns' bounds and has a key of the range is within what is found. */
static void values_of_keys(void) {
  uint64_t random = 42;
  uint32_t narrow = 0;
  for (uint32_t i = 0; i < 2000000; i++) {
    const uint8_t transform = (uint8_t)(1 + check_random_below(&random, 7));
    const int64_t value = odd_value(&random);
    int64_t min = odd_value(&random);
    int64_t max = odd_value(&random);
    min = min < value ? min : value;
    max = max > value ? max : value;
    const uint64_t key = csd_sort_key_of_value(transform, value);
    uint64_t first = csd_sort_key_of_value(transform, odd_value(&random));
    uint64_t last = csd_sort_key_of_value(transform, odd_value(&random));
    first = check_random_below(&random, 4) == 0 ? 0 : first;
    last = check_random_below(&random, 4) == 0 ? UINT64_MAX : last;
    int64_t lo, hi;
    const bool some = csd_sort_values(transform, min, max, first, last, &lo, &hi);
    narrow += !some || lo > min || hi < max;
    if (key >= first && key <= last && !(some && value >= lo && value <= hi)) {
      CHECK_MSG(false, "transform %u: %" PRId64 " of %" PRId64 " to %" PRId64, transform, value,
                min, max);
      return;
    }
    if (csd_sort_rises(transform, min, max)) {
      const int64_t other = odd_value(&random);
      CHECK(other < value || other > max || csd_sort_key_of_value(transform, other) >= key);
    }
    if (csd_sort_ascends(transform, min, max)) {
      const int64_t other = odd_value(&random);
      CHECK(csd_sort_rises(transform, min, max));
      CHECK(other <= value || other > max || csd_sort_key_of_value(transform, other) > key);
    }
  }
  CHECK_MSG(narrow > 500000, "%u ranges are narrower than the column", narrow);
}

int main(void) {
  RUN(known_keys);
  RUN(scores);
  RUN(values_of_keys);
  return check_result();
}
