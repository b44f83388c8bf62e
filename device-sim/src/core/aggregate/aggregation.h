/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Mode AGGREGATE: takes the root's matches, batch by batch, and makes the result page of what their
 * values in some columns come to. A column is read once for all its aggregates, and only those of
 * its pages that have matches and are not known from the page index to be alike.
 */
#ifndef CSD_AGGREGATION_H
#define CSD_AGGREGATION_H

#include <stdint.h>

#include "core/eval/eval.h"
#include "core/plan/arena.h"
#include "core/plan/plan.h"

struct csd_aggregation; /* lives in the arena */

/**
 * Makes an aggregation, which takes as much of the arena as it can use.
 *
 * @param plan       a checked plan of mode AGGREGATE; stays readable
 * @param capacity   bytes of the result page
 * @param live_docs  NULL: all docs are live
 * @return 0 or -INSUFFICIENT_GRANT
 */
int csd_aggregation_make(struct csd_arena *arena, const struct csd_plan *plan, uint32_t capacity,
                         const uint64_t *live_docs, const struct csd_page_source *source,
                         struct csd_eval *eval, struct csd_aggregation **aggregation);

/**
 * Takes the matches of a batch without scores; batches ascend. Their values may be read later.
 *
 * @param count  the number of live matches is added
 *
 * @return 0, or a negated status: those of a pin, LIST_CORRUPT
 */
int csd_aggregation_take(struct csd_aggregation *aggregation, const struct csd_batch *batch,
                         uint64_t *count);

/**
 * Reads the values of all matches that have been taken.
 *
 * @return as csd_aggregation_take
 */
int csd_aggregation_flush(struct csd_aggregation *aggregation);

/** Writes what follows the result header, and in the header the sizes; the rest of it stands. */
void csd_aggregation_close(struct csd_aggregation *aggregation, uint8_t *result);

#endif
