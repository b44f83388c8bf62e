/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The part of a plan that says what AGGREGATE makes of the matches. */
#ifndef CSD_PLAN_AGGREGATE_H
#define CSD_PLAN_AGGREGATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/plan/plan.h"
#include "csd/csd_wire.h"

/**
 * Finds out how many bytes the part has.
 *
 * @param bytes  where the part begins
 * @param size   bytes that are there
 * @return the bytes that it takes, which may be more; or -PLAN_MALFORMED or -PLAN_TOO_LARGE if its
 *         header is bad
 */
int64_t csd_plan_aggregate_bytes(const uint8_t *bytes, uint64_t size);

/** Number of aggregates of a part that has all of its bytes. */
uint32_t csd_plan_aggregate_count(const uint8_t *bytes);

/**
 * Checks the aggregates of a plan whose columns and ranges have been checked.
 *
 * @param room  bytes of the result page
 * @return 0, -PLAN_MALFORMED or -PLAN_TOO_LARGE
 */
int csd_plan_aggregate_check(const struct csd_plan *plan, uint64_t room);

/** Whether an aggregate's data may be given in parts, on several pages. */
static inline bool csd_aggregate_is_paged(const struct csd_aggregate *aggregate) {
  return aggregate->kind == CSD_AGGREGATE_KIND_TERMS ||
         aggregate->kind == CSD_AGGREGATE_KIND_VALUES ||
         aggregate->kind == CSD_AGGREGATE_KIND_HISTOGRAM;
}

/** Bytes that the data of an aggregate must have room for on any result page. */
static inline uint32_t csd_aggregate_least_bytes(const struct csd_aggregate *aggregate) {
  return csd_aggregate_is_paged(aggregate) ? 16u : (4u * aggregate->range_count + 7u) & ~7u;
}

#endif
