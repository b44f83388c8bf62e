/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/sort/sort_key.h"

#include <string.h>

/* A width of floats: sign bit, bits of infinity, bits of the one NaN that stands for all. */
struct floats {
  uint64_t sign;
  uint64_t infinity;
  uint64_t nan;
};

static const struct floats FLOATS_32 = {UINT64_C(1) << 31, 0x7F800000, 0x7FC00000};
static const struct floats FLOATS_64 = {UINT64_C(1) << 63, UINT64_C(0x7FF0000000000000),
                                        UINT64_C(0x7FF8000000000000)};

static uint64_t key_of_float(const struct floats *floats, uint64_t bits) {
  if ((bits & (floats->sign - 1u)) > floats->infinity) {
    bits = floats->nan;
  }
  /* Of a negative float: all ones of its width, less its bits. */
  return (bits & floats->sign) != 0 ? floats->sign + (floats->sign - 1u) - bits
                                    : bits + floats->sign;
}

/* Undoes the form in which floats compare like signed numbers. */
static uint64_t unsort(const struct floats *floats, uint64_t bits) {
  return (bits & floats->sign) != 0 ? bits ^ (floats->sign - 1u) : bits;
}

uint64_t csd_sort_key_of_value(uint8_t transform, int64_t value) {
  const uint64_t bits = (uint64_t)value;
  const uint64_t low = (uint32_t)value;
  switch (transform) {
    case CSD_SORT_TRANSFORM_I32: return low ^ FLOATS_32.sign;
    case CSD_SORT_TRANSFORM_F32: return key_of_float(&FLOATS_32, low);
    case CSD_SORT_TRANSFORM_F64: return key_of_float(&FLOATS_64, bits);
    case CSD_SORT_TRANSFORM_SORTABLE_F32: return key_of_float(&FLOATS_32, unsort(&FLOATS_32, low));
    case CSD_SORT_TRANSFORM_SORTABLE_F64: return key_of_float(&FLOATS_64, unsort(&FLOATS_64, bits));
    case CSD_SORT_TRANSFORM_ORD: return bits + 1u;
    default: return bits ^ FLOATS_64.sign;
  }
}

uint64_t csd_sort_key_of_score(float score) {
  uint32_t bits;
  memcpy(&bits, &score, sizeof bits);
  return UINT32_MAX - key_of_float(&FLOATS_32, bits);
}

float csd_sort_min_score(uint64_t key) {
  /* Scores are never negative: 2^31 - 1 is the key of 0. */
  const uint32_t bits = key < INT32_MAX ? INT32_MAX - (uint32_t)key : 0;
  float score;
  memcpy(&score, &bits, sizeof score);
  return bits > FLOATS_32.infinity ? __builtin_inff() : score;
}

static bool is_wide(int64_t min, int64_t max) { return min < INT32_MIN || max > INT32_MAX; }

static bool is_float(uint8_t transform, const struct floats **floats, bool *raw) {
  *floats = transform == CSD_SORT_TRANSFORM_F32 || transform == CSD_SORT_TRANSFORM_SORTABLE_F32
                ? &FLOATS_32
                : &FLOATS_64;
  *raw = transform == CSD_SORT_TRANSFORM_F32 || transform == CSD_SORT_TRANSFORM_F64;
  return *raw || transform == CSD_SORT_TRANSFORM_SORTABLE_F32 ||
         transform == CSD_SORT_TRANSFORM_SORTABLE_F64;
}

/* Least stored number below which there are but NaNs. */
static int64_t least_number(const struct floats *floats) { return (int64_t)~floats->infinity; }

/*
 * In every form the floats from 0.0 up are stored as themselves and their key is 2^63 (or 2^31)
 * more. Below that, sortable ones go on like this, and raw ones are stored in reverse, as ~key. A
 * NaN with the sign set is out of place: it is stored among the negative numbers, or below them.
 */
static bool float_values(const struct floats *floats, bool raw, int64_t min, uint64_t first,
                         uint64_t last, int64_t *lo, int64_t *hi) {
  const uint64_t infinity = floats->infinity + floats->sign;
  const uint64_t nan = floats->nan + floats->sign;
  *lo = INT64_MIN;
  *hi = INT64_MAX;
  if (first > nan) {
    return false;
  }
  if (last >= nan) {
    if (raw ? min < 0 : min < least_number(floats)) {
      return true;
    }
  } else if (raw && last < floats->sign) {
    *lo = (int64_t)~last;
    *hi = (int64_t)~first;
    return true;
  } else {
    *hi = (int64_t)((last < infinity ? last : infinity) - floats->sign);
  }
  if (first > infinity) {
    *lo = (int64_t)(floats->infinity + 1u);
  } else if (!raw || first >= floats->sign) {
    *lo = (int64_t)(first - floats->sign);
  }
  return *lo <= *hi;
}

static bool ord_values(uint64_t first, uint64_t last, int64_t *lo, int64_t *hi) {
  const uint64_t least = first > 0 ? first - 1u : 0;
  if (last == 0 || least > INT64_MAX) {
    return false;
  }
  *lo = (int64_t)least;
  *hi = last - 1u < INT64_MAX ? (int64_t)(last - 1u) : INT64_MAX;
  return true;
}

bool csd_sort_values(uint8_t transform, int64_t min, int64_t max, uint64_t first, uint64_t last,
                     int64_t *lo, int64_t *hi) {
  const struct floats *floats;
  bool raw;
  *lo = INT64_MIN;
  *hi = INT64_MAX;
  if (is_float(transform, &floats, &raw)) {
    return (floats == &FLOATS_32 && is_wide(min, max)) ||
           float_values(floats, raw, min, first, last, lo, hi);
  }
  switch (transform) {
    case CSD_SORT_TRANSFORM_I32:
      if (first > UINT32_MAX) {
        return false;
      }
      if (!is_wide(min, max)) {
        *lo = (int64_t)(first - FLOATS_32.sign);
        *hi = (int64_t)((last < UINT32_MAX ? last : UINT32_MAX) - FLOATS_32.sign);
      }
      return true;
    case CSD_SORT_TRANSFORM_ORD: return min < 0 || ord_values(first, last, lo, hi);
    default:
      *lo = (int64_t)(first ^ FLOATS_64.sign);
      *hi = (int64_t)(last ^ FLOATS_64.sign);
      return true;
  }
}

bool csd_sort_rises(uint8_t transform, int64_t min, int64_t max) {
  const struct floats *floats;
  bool raw;
  if (is_float(transform, &floats, &raw)) {
    return min >= (raw ? 0 : least_number(floats)) && !(floats == &FLOATS_32 && is_wide(min, max));
  }
  switch (transform) {
    case CSD_SORT_TRANSFORM_I32: return !is_wide(min, max);
    case CSD_SORT_TRANSFORM_DISTANCE: return false;
    case CSD_SORT_TRANSFORM_ORD: return min >= 0;
    default: return true;
  }
}

bool csd_sort_ascends(uint8_t transform, int64_t min, int64_t max) {
  const struct floats *floats;
  bool raw;
  /* NaNs have one key. */
  return csd_sort_rises(transform, min, max) &&
         (!is_float(transform, &floats, &raw) || max <= (int64_t)floats->infinity);
}
