/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Required children of the root that add nothing to a score. What is left of the root without them
 * can often be produced in faster ways; they are applied to its batches.
 */
#ifndef CSD_FILTERS_H
#define CSD_FILTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/eval/eval.h"
#include "core/eval/eval_bits.h"
#include "core/plan/arena.h"

#define CSD_MAX_FILTERS 8u

/** The filters of a program, and working memory for a batch. */
struct csd_filters {
  uint32_t count;
  struct csd_node *nodes[CSD_MAX_FILTERS]; /* least cost first */
  struct csd_column_cursor *run; /* a column with matches in a part of the segment; NULL */
  uint32_t run_from, run_end;    /* docs of the part that was seen last, of its pages */
  uint32_t docs[CSD_DOC_LIST];
  float scores[CSD_WINDOW_DOCS];
  uint16_t index[CSD_WINDOW_DOCS + 64];
  float no_scores[CSD_WINDOW_DOCS];
  uint64_t bits[CSD_WIDE_DOCS / 64u];
  uint64_t other[CSD_WIDE_DOCS / 64u + 2u];
};

/**
 * Takes filters out of the children of a BOOL that is the root, where that pays. To be called when
 * its children are made and before anything is derived from them.
 *
 * @return the filters; NULL if there are none, or no memory for them: the node is as it was then
 */
struct csd_filters *csd_filters_split(struct csd_arena *arena, struct csd_node *root);

/** A column that lets pass what is produced, the one with the least cost; NULL: there is none. */
struct csd_column_cursor *csd_filters_column(const struct csd_filters *filters);

/**
 * Produces matches as csd_root_produce, less those that a filter does not match.
 *
 * @param filters  NULL: there are none
 */
int csd_filters_produce(struct csd_filters *filters, struct csd_eval *eval, uint32_t from,
                        uint32_t limit, bool scored, struct csd_batch *batch);

#endif
