/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Sort keys: what wire/WIRE.md, section 4, makes of a stored number, and which stored numbers can
 * have the keys of a range. Pure functions.
 */
#ifndef CSD_SORT_KEY_H
#define CSD_SORT_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "csd/csd_wire.h"

/** Key of a stored number, by a csd_sort_transform. */
uint64_t csd_sort_key_of_value(uint8_t transform, int64_t value);

/** Key of a score. */
uint64_t csd_sort_key_of_score(float score);

/** Key of a doc ID, which may be any signed number. */
static inline uint64_t csd_sort_key_of_doc(int64_t doc) {
  return (uint64_t)doc + (UINT64_C(1) << 63);
}

/**
 * The lowest score whose key is at most `key`, or less if no score is that low; NaN and numbers
 * beyond it are not scores.
 */
float csd_sort_min_score(uint64_t key);

/**
 * Finds where the stored numbers are whose keys lie from `first` to `last`: nowhere but in
 * [*lo, *hi], where there may be others.
 *
 * @param min  no stored number is less
 * @param max  none is greater
 * @return false if there are none
 */
bool csd_sort_values(uint8_t transform, int64_t min, int64_t max, uint64_t first, uint64_t last,
                     int64_t *lo, int64_t *hi);

/** Whether keys never fall as the stored numbers rise, if these are all in [min, max]. */
bool csd_sort_rises(uint8_t transform, int64_t min, int64_t max);

/** Whether, besides, no two of them have the same key. */
bool csd_sort_ascends(uint8_t transform, int64_t min, int64_t max);

#endif
