/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_aggregate.c. */
#include "core/aggregate/aggregator.h"

#include <string.h>

#include "core/aggregate/histogram.h"
#include "core/plan/plan_aggregate.h"

enum { COUNT_BYTES = 4, PAIR_BYTES = 12 };

static bool make_keys(struct csd_aggregator *aggregator, struct csd_arena *arena,
                      const struct csd_column_ref *column, uint64_t matches, uint32_t data_bytes,
                      size_t arena_bytes) {
  const struct csd_aggregate *a = &aggregator->aggregate;
  if (a->kind == CSD_AGGREGATE_KIND_TERMS) {
    return csd_key_counter_index(&aggregator->keys, arena, a->from, column->max,
                                 data_bytes / COUNT_BYTES, arena_bytes);
  }
  int64_t low = column->min;
  int64_t high = column->max;
  if (a->kind == CSD_AGGREGATE_KIND_HISTOGRAM) {
    low = csd_bucket_of(low, a->width);
    high = csd_bucket_of(high, a->width);
  }
  const uint64_t each = column->doc_count == 0 ? 1u : column->value_count / column->doc_count + 1u;
  uint64_t most = column->value_count;
  most = matches < most / each ? matches * each : most;
  return csd_key_counter_make(&aggregator->keys, arena, low > a->from ? low : a->from, high, most,
                              data_bytes / PAIR_BYTES, arena_bytes);
}

bool csd_aggregator_make(struct csd_aggregator *aggregator, struct csd_arena *arena,
                         const struct csd_value_kernels *kernels, const struct csd_plan *plan,
                         const struct csd_aggregate *aggregate, uint64_t matches,
                         uint32_t data_bytes, size_t arena_bytes) {
  const struct csd_column_ref column = csd_plan_column_at(plan, aggregate->column);
  aggregator->aggregate = *aggregate;
  aggregator->kernels = kernels;
  aggregator->values = 0;
  aggregator->single = column.value_count == column.doc_count;
  switch (aggregate->kind) {
    case CSD_AGGREGATE_KIND_STATS: csd_stats_open(&aggregator->stats, aggregate); return true;
    case CSD_AGGREGATE_KIND_RANGES:
      return csd_ranges_make(&aggregator->ranges, arena, plan, aggregate);
    default: return make_keys(aggregator, arena, &column, matches, data_bytes, arena_bytes);
  }
}

void csd_aggregator_add(struct csd_aggregator *aggregator, const struct csd_value_block *block) {
  switch (aggregator->aggregate.kind) {
    case CSD_AGGREGATE_KIND_STATS:
      csd_stats_add(&aggregator->stats, aggregator->kernels, block);
      break;
    case CSD_AGGREGATE_KIND_TERMS:
      aggregator->values += block->value_count;
      csd_terms_add(&aggregator->keys, block);
      break;
    case CSD_AGGREGATE_KIND_VALUES: csd_values_add(&aggregator->keys, block); break;
    case CSD_AGGREGATE_KIND_HISTOGRAM:
      csd_histogram_add(&aggregator->keys, aggregator->kernels, aggregator->aggregate.width, block);
      break;
    default: csd_ranges_add(&aggregator->ranges, block); break;
  }
}

bool csd_aggregator_may_repeat(const struct csd_aggregator *aggregator,
                               const struct csd_alike *alike) {
  const int64_t width = aggregator->aggregate.width;
  const bool one_value = alike->min == alike->max;
  switch (aggregator->aggregate.kind) {
    case CSD_AGGREGATE_KIND_STATS:
      return one_value && aggregator->single && csd_stats_may_repeat(&aggregator->stats);
    case CSD_AGGREGATE_KIND_TERMS: return one_value && aggregator->single;
    case CSD_AGGREGATE_KIND_VALUES: return one_value;
    case CSD_AGGREGATE_KIND_HISTOGRAM:
      return csd_bucket_of(alike->min, width) == csd_bucket_of(alike->max, width);
    default: return csd_ranges_may_repeat(&aggregator->ranges, alike->min, alike->max);
  }
}

void csd_aggregator_repeat(struct csd_aggregator *aggregator, const struct csd_alike *alike) {
  const int64_t value = alike->min;
  aggregator->values += alike->docs;
  switch (aggregator->aggregate.kind) {
    case CSD_AGGREGATE_KIND_STATS: csd_stats_repeat(&aggregator->stats, value, alike->docs); break;
    case CSD_AGGREGATE_KIND_HISTOGRAM:
      csd_key_counter_add(&aggregator->keys, csd_bucket_of(value, aggregator->aggregate.width),
                          alike->docs);
      break;
    case CSD_AGGREGATE_KIND_RANGES:
      csd_ranges_repeat(&aggregator->ranges, value, alike->docs);
      break;
    default: csd_key_counter_add(&aggregator->keys, value, alike->docs); break;
  }
}

/* ---- results ---- */

/* Writes zeros up to a multiple of 8 bytes; returns it. */
static uint32_t pad(uint8_t *data, uint32_t bytes) {
  const uint32_t padded = (bytes + 7u) & ~7u;
  memset(data + bytes, 0, padded - bytes);
  return padded;
}

static uint32_t close_terms(struct csd_key_counter *keys, struct csd_aggregate_result *result,
                            uint8_t *data, uint32_t room) {
  csd_key_counter_fold(keys);
  const uint64_t most = room / COUNT_BYTES;
  const uint64_t n = keys->index_count < most ? keys->index_count : most;
  const bool more = n < keys->index_count || keys->cut;
  result->entry_count = (uint32_t)n;
  result->flags = more ? CSD_AGGREGATE_RESULT_FLAG_MORE : 0;
  result->next = more ? keys->from + (int64_t)n : 0;
  if (n > 0) {
    memcpy(data, keys->counts, (size_t)n * COUNT_BYTES);
  }
  return pad(data, (uint32_t)n * COUNT_BYTES);
}

static uint32_t close_pairs(struct csd_key_counter *keys, struct csd_aggregate_result *result,
                            uint8_t *data, uint32_t room) {
  csd_key_counter_fold(keys);
  const uint32_t most = room / PAIR_BYTES; /* padded they fit, too: room is a multiple of 8 */
  const uint32_t used = csd_key_counter_count(keys);
  const uint32_t n = used < most ? used : most;
  int64_t next;
  const bool more = csd_key_counter_give(keys, n, data, data + 8u * (size_t)n, &next);
  result->entry_count = n;
  result->flags = more ? CSD_AGGREGATE_RESULT_FLAG_MORE : 0;
  result->next = more ? next : 0;
  return pad(data, n * PAIR_BYTES);
}

uint32_t csd_aggregator_close(struct csd_aggregator *aggregator,
                              struct csd_aggregate_result *result, uint8_t *data, uint32_t room) {
  memset(result, 0, sizeof *result);
  result->kind = aggregator->aggregate.kind;
  switch (aggregator->aggregate.kind) {
    case CSD_AGGREGATE_KIND_STATS: csd_stats_close(&aggregator->stats, result); return 0;
    case CSD_AGGREGATE_KIND_RANGES:
      result->entry_count = aggregator->ranges.range_count;
      result->value_count = csd_ranges_close(&aggregator->ranges, data);
      return pad(data, result->entry_count * COUNT_BYTES);
    case CSD_AGGREGATE_KIND_TERMS:
      result->value_count = aggregator->values;
      return close_terms(&aggregator->keys, result, data, room);
    default: return close_pairs(&aggregator->keys, result, data, room);
  }
}
