/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_aggregate.c. */
#include "core/aggregate/stats.h"

#include <string.h>

#define NAN_BITS UINT64_C(0x7FF8000000000000)

static double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Any NaN gives the same bits. */
static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return value == value ? bits : NAN_BITS;
}

/* Bits that sort like the doubles as signed numbers; the way there is the way back. */
static int64_t turn(uint64_t bits) {
  return (int64_t)(bits ^ ((uint64_t)((int64_t)bits >> 63) >> 1));
}

static double float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static double value_of(uint8_t type, int64_t stored) {
  const uint32_t low = (uint32_t)stored;
  switch (type) {
    case CSD_STATS_TYPE_F32: return float_of(low);
    case CSD_STATS_TYPE_SORTABLE_F32: return float_of(low ^ (-(low >> 31) >> 1));
    case CSD_STATS_TYPE_SORTABLE_F64: return double_of((uint64_t)turn((uint64_t)stored));
    default: return double_of((uint64_t)stored);
  }
}

void csd_stats_open(struct csd_stats *stats, const struct csd_aggregate *aggregate) {
  stats->type = aggregate->stats_type;
  stats->moments = (aggregate->flags & CSD_AGGREGATE_FLAG_MOMENTS) != 0;
  stats->count = 0;
  stats->int_sum = aggregate->carry_sum;
  stats->sum = double_of(aggregate->carry_sum);
  stats->n = (double)aggregate->carry_count;
  stats->mean = double_of(aggregate->carry_mean);
  stats->variance = double_of(aggregate->carry_variance);
  stats->min = INT64_MAX;
  stats->max = INT64_MIN;
}

/* One step of Welford's method, as Lucene takes it: no step is fused with another. */
static void add_moment(struct csd_stats *stats, double value) {
  const double before = stats->mean;
  stats->n += 1.0;
  stats->mean = before + (value - before) / stats->n;
  stats->variance += (value - stats->mean) * (value - before);
}

static void add_ints(struct csd_stats *stats, const struct csd_value_kernels *kernels,
                     const int64_t *values, uint32_t n) {
  struct csd_value_sums sums = {.sum = stats->int_sum, .min = stats->min, .max = stats->max};
  kernels->sum(values, n, &sums);
  stats->int_sum = sums.sum;
  stats->min = sums.min;
  stats->max = sums.max;
  for (uint32_t i = 0; i < n && stats->moments; i++) {
    add_moment(stats, (double)values[i]);
  }
}

static void add_doubles(struct csd_stats *stats, const int64_t *values, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const double value = value_of(stats->type, values[i]);
    const int64_t place = turn(bits_of(value));
    stats->min = place < stats->min ? place : stats->min;
    stats->max = place > stats->max ? place : stats->max;
    stats->sum += value;
    if (stats->moments) {
      add_moment(stats, value);
    }
  }
}

void csd_stats_add(struct csd_stats *stats, const struct csd_value_kernels *kernels,
                   const struct csd_value_block *block) {
  stats->count += block->value_count;
  if (stats->type == CSD_STATS_TYPE_I64) {
    add_ints(stats, kernels, block->values, block->value_count);
  } else {
    add_doubles(stats, block->values, block->value_count);
  }
}

bool csd_stats_may_repeat(const struct csd_stats *stats) {
  return stats->type == CSD_STATS_TYPE_I64 && !stats->moments;
}

void csd_stats_repeat(struct csd_stats *stats, int64_t value, uint64_t times) {
  stats->count += times;
  stats->int_sum += (uint64_t)value * times;
  stats->min = value < stats->min ? value : stats->min;
  stats->max = value > stats->max ? value : stats->max;
}

void csd_stats_close(const struct csd_stats *stats, struct csd_aggregate_result *result) {
  const bool ints = stats->type == CSD_STATS_TYPE_I64;
  result->value_count = stats->count;
  result->sum = ints ? stats->int_sum : bits_of(stats->sum);
  if (stats->count > 0) {
    result->min = (uint64_t)(ints ? stats->min : turn((uint64_t)stats->min));
    result->max = (uint64_t)(ints ? stats->max : turn((uint64_t)stats->max));
  }
  if (stats->moments) {
    result->mean = bits_of(stats->mean);
    result->variance = bits_of(stats->variance);
  }
}
