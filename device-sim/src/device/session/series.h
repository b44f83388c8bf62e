/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A series: TOP_K plans of one search that a session runs one after the other, those of lower docs
 * first. What a plan has found and counted is known to those that follow it, by the flag FOLLOWS.
 * For the thread that has acquired the session.
 */
#ifndef CSD_SERIES_H
#define CSD_SERIES_H

#include <stdint.h>

/** Bytes of a grant for the scores: as many hits as a series may be asked for. */
#define CSD_SERIES_BYTES 4096u

struct csd_series {
  float *scores; /* the best ones so far, descending; NULL: no room, so that nothing is handed on */
  uint32_t room; /* of these */
  uint32_t k;    /* that the search wants; 0: no series */
  uint32_t count;   /* scores; k of them say what the next hit has to beat */
  uint64_t matches; /* counted so far */
};

/** Makes a series over a part of a grant, without plans so far. */
void csd_series_open(struct csd_series *series, void *bytes, uint32_t size);

/**
 * Lets a plan follow the series, or begin a new one. One that follows then asks for hits that beat
 * the k-th best so far, and counts on from what has been counted.
 *
 * @param plan  in the grant; not checked yet, and not trusted
 */
void csd_series_begin_plan(struct csd_series *series, uint8_t *plan, uint32_t plan_bytes);

/** Takes what a plan of the series has found: its result page. */
void csd_series_end_plan(struct csd_series *series, const uint8_t *page);

#endif
