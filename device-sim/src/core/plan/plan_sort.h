/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The part of a plan that says by which keys TOP_K_BY_COLUMN ranks. */
#ifndef CSD_PLAN_SORT_H
#define CSD_PLAN_SORT_H

#include <stdbool.h>
#include <stdint.h>

#include "csd/csd_wire.h"

/** The sort part of a plan; all zero without one. */
struct csd_plan_sort {
  struct csd_sort_header header;
  struct csd_sort_key keys[CSD_MAX_SORT_KEYS];
  uint64_t after[CSD_MAX_SORT_KEYS];  /* with HAS_AFTER */
  uint64_t bottom[CSD_MAX_SORT_KEYS]; /* with HAS_BOTTOM */
};

/**
 * Finds out how many bytes the part has.
 *
 * @param bytes  where the part begins
 * @param size   bytes that are there
 * @return the bytes that it takes, which may be more, or -PLAN_MALFORMED if its header is bad
 */
int64_t csd_plan_sort_bytes(const uint8_t *bytes, uint64_t size);

/** Copies the part out of a plan that has all of its bytes. */
void csd_plan_sort_read(const uint8_t *bytes, struct csd_plan_sort *sort);

/**
 * Checks the keys.
 *
 * @return 0 or -PLAN_MALFORMED
 */
int csd_plan_sort_check(const struct csd_plan_sort *sort, uint32_t column_count);

/** Whether a key is the score. */
static inline bool csd_plan_sort_scores(const struct csd_plan_sort *sort) {
  for (uint32_t i = 0; i < sort->header.key_count; i++) {
    if (sort->keys[i].kind == CSD_SORT_KIND_SCORE) {
      return true;
    }
  }
  return false;
}

#endif
