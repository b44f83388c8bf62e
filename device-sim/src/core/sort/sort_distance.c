/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_sort.c. */
#include "core/sort/sort_distance.h"

#include <string.h>

#include "core/sort/sort_key.h"

#define SIGN (UINT64_C(1) << 63)

uint64_t csd_sort_key_of_point(const struct csd_geo_centre *centre, int64_t point) {
  const double key = csd_geo_key(centre, (int32_t)(point >> 32), (int32_t)(uint32_t)point);
  int64_t bits;
  memcpy(&bits, &key, sizeof bits);
  return csd_sort_key_of_value(CSD_SORT_TRANSFORM_F64, bits);
}

/* The latitude farthest from `near`, in the direction of `far`, on which points may be no farther
   away than `most` says; `near` is one. */
static int64_t farthest(const struct csd_geo_centre *centre, double most, int64_t near,
                        int64_t far) {
  while (near != far) {
    const int64_t middle = far + (near - far) / 2; /* rounds towards far */
    if (csd_geo_least_key(centre, (int32_t)middle) <= most) {
      if (middle == near) {
        return near;
      }
      near = middle;
    } else {
      far = middle + (near > far ? 1 : -1);
    }
  }
  return near;
}

bool csd_sort_points(const struct csd_geo_centre *centre, uint64_t last, int64_t *lo, int64_t *hi) {
  *lo = INT64_MIN;
  *hi = INT64_MAX;
  if (last < SIGN) {
    return false;
  }
  if (last >= CSD_SORT_KEY_NOWHERE) {
    return true;
  }
  const uint64_t bits = last - SIGN;
  double most;
  memcpy(&most, &bits, sizeof most);
  const double degrees = centre->x / 0x1.1df46a2529d39p-6;
  const double encoded = degrees / 0x1.68p-25;
  const int64_t near = encoded >= INT32_MAX ? INT32_MAX : (int64_t)encoded;
  *lo = (int64_t)((uint64_t)farthest(centre, most, near, INT32_MIN) << 32);
  *hi = (int64_t)((uint64_t)farthest(centre, most, near, INT32_MAX) << 32 | UINT32_MAX);
  return true;
}
