/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * What windows of a plan have come to so far: one result page, as the plan over all of them would
 * leave. Before each window the plan is told what hits have to beat and what sums begin with; after
 * it, the window's page is added. Windows do not overlap. Sums of doubles are added in the order of
 * the windows, which then have to ascend; for all else they come in any order.
 */
#ifndef CSD_GATHER_H
#define CSD_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/plan/plan.h"

/** Bytes that a plan may grow by: the bottom keys. */
#define CSD_GATHER_PLAN_BYTES (CSD_MAX_SORT_KEYS * 8u)

struct csd_gather {
  struct csd_plan_header header; /* of the plan, as the host sent it */
  uint8_t *plan;                 /* which is changed for each window */
  uint32_t tail;                 /* offset in the plan of its sort header or aggregates */
  struct csd_plan_sort sort;     /* TOP_K_BY_COLUMN: as the host sent it */
  uint8_t *page;                 /* the gathered result page; 8-byte aligned */
  uint32_t capacity;             /* its most bytes */
  uint32_t windows;              /* whose matches it is about */
  uint32_t upto;                 /* none of them has docs from here on */
  uint32_t aggregate_count;
  uint64_t carry_counts[CSD_MAX_AGGREGATES]; /* AGGREGATE: as the host sent them */
  uint64_t carry_sums[CSD_MAX_AGGREGATES];
};

/**
 * Begins with no window.
 *
 * @param plan      a checked plan, with CSD_GATHER_PLAN_BYTES of room behind it
 * @param page      where the gathered page goes
 * @param capacity  its room
 */
void csd_gather_open(struct csd_gather *gather, uint8_t *plan, const struct csd_plan *checked,
                     uint8_t *page, uint32_t capacity);

/**
 * Makes the plan that of the next window.
 *
 * @param min_score_bits  bits of a float that hits have to score at least; 0: none. TOP_K only
 * @return bytes of the plan
 */
uint32_t csd_gather_prepare(struct csd_gather *gather, uint32_t min_doc, uint32_t limit_doc,
                            uint32_t min_score_bits);

/**
 * Adds the result page of the window that csd_gather_prepare was called for.
 *
 * @param page     a page that the engine has made
 * @param scratch  8-byte aligned; room for another page
 * @return whether there was room; if not, nothing has changed
 */
bool csd_gather_take(struct csd_gather *gather, const uint8_t *page, uint8_t *scratch,
                     uint32_t scratch_bytes);

/**
 * Adds what other windows of the same plan have come to elsewhere, sums of integers being sums.
 * Parameters and result as of csd_gather_take; the page is one that FINAL has left. The plan that
 * led to it had the carries of the host.
 */
bool csd_gather_join(struct csd_gather *gather, const uint8_t *page, uint8_t *scratch,
                     uint32_t scratch_bytes);

/**
 * Whether a page from a device that is not trusted has the form of one that FINAL leaves for the
 * plan: only then it may be joined. What its entries say is not looked at.
 *
 * @param bytes    of the page that are there
 * @param windows  the page may be about, at most
 */
bool csd_gather_is_page(const struct csd_gather *gather, const uint8_t *page, uint32_t bytes,
                        uint32_t windows);

/**
 * Makes the plan what the host sent, and the page empty.
 *
 * @return bytes of the plan
 */
uint32_t csd_gather_restore(struct csd_gather *gather);

/** Whether windows of a plan may be done in two places: its sums are not of doubles. */
bool csd_gather_may_join(const struct csd_plan *plan);

#endif
