/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Result pages of mode AGGREGATE, of one window after the other, made into one. */
#ifndef CSD_GATHER_AGGREGATES_H
#define CSD_GATHER_AGGREGATES_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Lets sums begin with what those of earlier windows came to, so that they are added in the order
 * of docs.
 *
 * @param aggregates  those of the plan, which are changed
 * @param counts      of each aggregate, the carry_count that the host sent
 * @param page        what earlier windows have come to
 */
void csd_gather_carry(uint8_t *aggregates, const uint64_t *counts, const uint8_t *page);

/** Lets sums begin with the carries of the host, of which MOMENTS are not restored in full. */
void csd_gather_carry_back(uint8_t *aggregates, uint32_t count, const uint64_t *counts,
                           const uint64_t *sums);

/**
 * Whether a page that has as many results as the plan has aggregates has theirs, and no bytes but
 * their data.
 */
bool csd_gather_are_results(const uint8_t *aggregates, const uint8_t *page, uint32_t bytes);

/**
 * Adds a page to another.
 *
 * @param aggregates  those of the plan
 * @param before      what earlier windows have come to; NULL: there was none
 * @param page        what the window has come to
 * @param carries     NULL: sums of the page begin with those of `before`. Else they begin, as those
 *                    do, with these carries of the host, and are added
 * @param to          where the page goes, its header left aside
 * @return bytes of the page; 0 if there are more than `room`, or one of the pages is not complete
 */
uint32_t csd_gather_aggregates(const uint8_t *aggregates, const uint64_t *carries,
                               const uint8_t *before, const uint8_t *page, uint8_t *to,
                               uint32_t room);

#endif
