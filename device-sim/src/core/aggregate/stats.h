/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** STATS: number, sum, least and greatest of values, mean and variance if they are asked for. */
#ifndef CSD_STATS_H
#define CSD_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/aggregate/values.h"
#include "csd/csd_wire.h"

struct csd_stats {
  uint8_t type; /* enum csd_stats_type */
  bool moments;
  uint64_t count; /* values of this plan */
  uint64_t int_sum;
  double sum;
  double n; /* MOMENTS: values, those of the carry included */
  double mean;
  double variance;
  int64_t min, max; /* of doubles, numbers in their order */
};

/** Begins with the aggregate's carry. */
void csd_stats_open(struct csd_stats *stats, const struct csd_aggregate *aggregate);

void csd_stats_add(struct csd_stats *stats, const struct csd_value_kernels *kernels,
                   const struct csd_value_block *block);

/** Whether csd_stats_repeat can stand for csd_stats_add. */
bool csd_stats_may_repeat(const struct csd_stats *stats);

/** Adds one value so many times. */
void csd_stats_repeat(struct csd_stats *stats, int64_t value, uint64_t times);

/** Sets the fields of a result that STATS has, but doc_count. */
void csd_stats_close(const struct csd_stats *stats, struct csd_aggregate_result *result);

#endif
