/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** One aggregate at work: what the kinds have in common. */
#ifndef CSD_AGGREGATOR_H
#define CSD_AGGREGATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/aggregate/key_counter.h"
#include "core/aggregate/ranges.h"
#include "core/aggregate/stats.h"

struct csd_aggregator {
  struct csd_aggregate aggregate;
  const struct csd_value_kernels *kernels;
  bool single;                 /* no doc has several values */
  uint64_t values;             /* TERMS: all, counted or not */
  struct csd_aggregator *next; /* of the same column */
  union {
    struct csd_stats stats;
    struct csd_ranges ranges;
    struct csd_key_counter keys; /* TERMS, VALUES, HISTOGRAM */
  };
};

/** What so many docs, each with a value, have in common. */
struct csd_alike {
  int64_t min, max; /* no value is outside */
  uint32_t docs;
};

/**
 * Makes an aggregator.
 *
 * @param matches      about how many docs are added at most
 * @param data_bytes   that a result page can have for it
 * @param arena_bytes  that it may take of the arena if it is one of those that can do with less
 * @return false if these, or the arena, are not enough
 */
bool csd_aggregator_make(struct csd_aggregator *aggregator, struct csd_arena *arena,
                         const struct csd_value_kernels *kernels, const struct csd_plan *plan,
                         const struct csd_aggregate *aggregate, uint64_t matches,
                         uint32_t data_bytes, size_t arena_bytes);

void csd_aggregator_add(struct csd_aggregator *aggregator, const struct csd_value_block *block);

/** Whether csd_aggregator_repeat can stand for csd_aggregator_add of all the docs' values. */
bool csd_aggregator_may_repeat(const struct csd_aggregator *aggregator,
                               const struct csd_alike *alike);

/** Adds docs of which no value needs to be known. */
void csd_aggregator_repeat(struct csd_aggregator *aggregator, const struct csd_alike *alike);

/**
 * Gives what has come of it.
 *
 * @param result  all its fields are set but doc_count
 * @param data    where its data go
 * @param room    bytes that these may take, a multiple of 8 and at least csd_aggregate_least_bytes
 * @return bytes that they take, a multiple of 8
 */
uint32_t csd_aggregator_close(struct csd_aggregator *aggregator,
                              struct csd_aggregate_result *result, uint8_t *data, uint32_t room);

#endif
