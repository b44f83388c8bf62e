/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Takes ascending docs to the pages of a column that they are on. The pages are found in the page
 * index some ahead of where they are read, and prefetched: mostly they are in no cache, and the
 * misses then overlap.
 */
#ifndef CSD_COLUMN_WALK_H
#define CSD_COLUMN_WALK_H

#include <stdint.h>

#include "core/columns/column_cursor.h"
#include "core/columns/page/column_facts.h"

/** Most stops that are given at once; as many again are found ahead. */
#define CSD_WALK_STOPS 8u

/** Docs that are in the span of one page. */
struct csd_column_stop {
  uint32_t at;                   /* the page's number in the column */
  uint32_t first, end;           /* indices of the docs in those of the walk */
  struct csd_column_facts facts; /* their page is where it is, once it has been read */
};

struct csd_column_walk {
  struct csd_column_cursor *cursor;
  const uint32_t *docs;
  uint32_t n;
  uint32_t next; /* index of the first doc that has not been taken to a page */
  unsigned turn; /* which of the stops were given last */
  uint32_t counts[2];
  struct csd_column_stop stops[2][CSD_WALK_STOPS];
};

/**
 * Begins a walk.
 *
 * @param cursor  where the walk before ended, or before the first page; nothing is pinned. It is
 *                used for walks alone
 * @param docs    `n` of them, which ascend from those of the walk before; kept
 */
void csd_column_walk_begin(struct csd_column_walk *walk, struct csd_column_cursor *cursor,
                           const uint32_t *docs, uint32_t n);

/**
 * Gives the next stops, in order. Docs in the span of no page have no value, and are left out.
 *
 * @param stops  stay until the next call
 * @return their number, 0 behind the last one; or a negated status: of a pin, LIST_CORRUPT
 */
int csd_column_walk_next(struct csd_column_walk *walk, struct csd_column_stop **stops);

/**
 * Pins the page of a stop. Its facts are exact from then on.
 *
 * @return 0, or a negated status: of a pin, LIST_CORRUPT
 */
int csd_column_walk_read(struct csd_column_walk *walk, struct csd_column_stop *stop);

/** Unpins the page of a stop. */
void csd_column_walk_release(struct csd_column_walk *walk, const struct csd_column_stop *stop);

#endif
