/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/plan/plan_aggregate.h"

#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "core/plan/malformed.h"
#include "core/plan/plan_lists.h"

int64_t csd_plan_aggregate_bytes(const uint8_t *bytes, uint64_t size) {
  struct csd_aggregate_header header;
  if (size < sizeof header) {
    return sizeof header;
  }
  memcpy(&header, bytes, sizeof header);
  MALFORMED_IF(header.reserved0 != 0 || header.reserved1 != 0 || header.reserved2 != 0,
               "aggregate header: a reserved field is not 0");
  MALFORMED_IF(header.aggregate_count == 0, "aggregate header: no aggregates");
  if (header.aggregate_count > CSD_MAX_AGGREGATES) {
    return csd_fail(CSD_STATUS_PLAN_TOO_LARGE, "aggregate header: %u aggregates",
                    header.aggregate_count);
  }
  return (int64_t)(sizeof header + header.aggregate_count * sizeof(struct csd_aggregate));
}

uint32_t csd_plan_aggregate_count(const uint8_t *bytes) {
  struct csd_aggregate_header header;
  memcpy(&header, bytes, sizeof header);
  return header.aggregate_count;
}

/* What only one kind has is 0 in the others. */
static int check_kind(uint32_t i, const struct csd_aggregate *a, uint32_t range_count) {
  const bool stats = a->kind == CSD_AGGREGATE_KIND_STATS;
  const bool ranges = a->kind == CSD_AGGREGATE_KIND_RANGES;
  const bool histogram = a->kind == CSD_AGGREGATE_KIND_HISTOGRAM;
  const bool moments = stats && a->flags == CSD_AGGREGATE_FLAG_MOMENTS;
  MALFORMED_IF(
      stats ? a->stats_type < CSD_STATS_TYPE_I64 || a->stats_type > CSD_STATS_TYPE_SORTABLE_F64
            : a->stats_type != 0,
      "aggregate %" PRIu32 ": kind %u with stats_type %u", i, a->kind, a->stats_type);
  MALFORMED_IF(a->flags != 0 && !moments, "aggregate %" PRIu32 ": kind %u with flags 0x%02X", i,
               a->kind, a->flags);
  MALFORMED_IF(ranges
                   ? a->range_count == 0 || (uint32_t)a->first_range + a->range_count > range_count
                   : (a->first_range | a->range_count) != 0,
               "aggregate %" PRIu32 ": kind %u with %u ranges from %u, of %" PRIu32, i, a->kind,
               a->range_count, a->first_range, range_count);
  MALFORMED_IF(histogram ? a->width < 1 : a->width != 0,
               "aggregate %" PRIu32 ": kind %u with width %" PRId64, i, a->kind, a->width);
  MALFORMED_IF(!csd_aggregate_is_paged(a) && a->from != 0,
               "aggregate %" PRIu32 ": kind %u from %" PRId64, i, a->kind, a->from);
  MALFORMED_IF((!stats && a->carry_sum != 0) ||
                   (!moments && (a->carry_count | a->carry_mean | a->carry_variance) != 0) ||
                   a->carry_count >> 62 != 0,
               "aggregate %" PRIu32 ": kind %u, flags 0x%02X with such a carry", i, a->kind,
               a->flags);
  return 0;
}

static int check_aggregate(const struct csd_plan *plan, uint32_t i, const struct csd_aggregate *a) {
  MALFORMED_IF(a->kind < CSD_AGGREGATE_KIND_STATS || a->kind > CSD_AGGREGATE_KIND_RANGES,
               "aggregate %" PRIu32 ": kind is %u", i, a->kind);
  MALFORMED_IF(a->reserved0 != 0 || a->reserved1 != 0,
               "aggregate %" PRIu32 ": a reserved field is not 0", i);
  MALFORMED_IF(a->column >= plan->header.column_count,
               "aggregate %" PRIu32 ": column %" PRIu32 " of %u", i, a->column,
               plan->header.column_count);
  if (a->kind == CSD_AGGREGATE_KIND_TERMS) {
    const struct csd_column_ref column = csd_plan_column_at(plan, a->column);
    MALFORMED_IF(column.min < 0 || column.max > CSD_MAX_AGGREGATED_ORD || a->from < 0,
                 "aggregate %" PRIu32 ": ordinals from %" PRId64 " to %" PRId64
                 ", counted from"
                 " %" PRId64,
                 i, column.min, column.max, a->from);
  }
  const int status = check_kind(i, a, plan->header.range_count);
  return status < 0 ? status : csd_plan_ranges_check(plan, a->first_range, a->range_count);
}

int csd_plan_aggregate_check(const struct csd_plan *plan, uint64_t room) {
  uint64_t least = sizeof(struct csd_result_header) +
                   plan->aggregate_count * sizeof(struct csd_aggregate_result);
  for (uint32_t i = 0; i < plan->aggregate_count; i++) {
    const struct csd_aggregate aggregate = csd_plan_aggregate_at(plan, i);
    const int status = check_aggregate(plan, i, &aggregate);
    if (status < 0) {
      return status;
    }
    least += csd_aggregate_least_bytes(&aggregate);
  }
  if (least > room) {
    return csd_fail(CSD_STATUS_PLAN_TOO_LARGE,
                    "plan: %" PRIu32 " aggregates need a result page of %" PRIu64
                    " bytes, not %" PRIu64,
                    plan->aggregate_count, least, room);
  }
  return 0;
}
