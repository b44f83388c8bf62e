/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The values of chosen docs of a column page, unpacked in blocks. */
#ifndef CSD_VALUES_H
#define CSD_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/columns/page/column_facts.h"
#include "core/columns/page/column_page.h"
#include "core/kernels/kernels.h"

/** Most docs of a block. */
#define CSD_VALUE_BLOCK_DOCS 1024u
/** Most values of a block. */
#define CSD_VALUE_BLOCK_VALUES 4096u

/** Values of some docs, which ascend. */
struct csd_value_block {
  uint32_t doc_count;
  uint32_t value_count;
  int64_t *values;
  const uint32_t *ends; /* of each doc, the index behind its last value; NULL: each has one */
  bool continued;       /* the first doc is the last one of the block before, */
  int64_t before;       /* of which this was the last value */
  bool unfinished;      /* the last doc has further values, in the next block */
  int64_t min, max;     /* no value is outside */
};

/** Docs of a page that have a value, by their ranks. */
struct csd_value_choice {
  const struct csd_column_page *page;
  const struct csd_column_facts *facts; /* of the page */
  uint32_t count;
  uint32_t first;        /* if ranks is NULL: ranks from this one on */
  const uint32_t *ranks; /* ascending; each is `offset` too high */
  uint32_t offset;
};

/**
 * Chooses those of some docs, which are in the page's span, that have a value.
 *
 * @param docs     `n` of them, at least one, ascending; kept
 * @param is_run   whether they are neighbours
 * @param ranks    room for n; kept
 */
void csd_values_choose(const struct csd_column_page *page, const struct csd_column_facts *facts,
                       const uint32_t *docs, uint32_t n, bool is_run, uint32_t *ranks,
                       struct csd_value_choice *choice);

/** Whether docs of a page may have several values. */
static inline bool csd_values_are_several(const struct csd_column_page *page) {
  return (page->header.flags & CSD_COLUMN_FLAG_MULTI) != 0;
}

/**
 * Unpacks the values of docs that have one each.
 *
 * @param from    the first of the choice's docs to take
 * @param n       how many
 */
void csd_values_of_one(const struct csd_value_kernels *kernels,
                       const struct csd_value_choice *choice, uint32_t from, uint32_t n,
                       int64_t *values);

/** A walk over the blocks of a choice of docs that may have several values each; at the beginning
 * all zero but for the arrays. */
struct csd_value_walk {
  int64_t *values; /* CSD_VALUE_BLOCK_VALUES */
  uint32_t *ends;  /* CSD_VALUE_BLOCK_DOCS */
  uint32_t docs;   /* of the choice that are done */
  uint32_t given;  /* values of the next one that are */
  int64_t last;    /* the last of these */
};

/** Unpacks the next block of a choice of which docs are left. */
void csd_values_of_several(const struct csd_value_kernels *kernels,
                           const struct csd_value_choice *choice, struct csd_value_walk *walk,
                           struct csd_value_block *block);

#endif
