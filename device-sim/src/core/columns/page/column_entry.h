/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * What the page index keeps of a column page, in the same few bytes as of a posting page
 * (csd_page_range): its docs, its least and greatest value rounded outwards to 32 bits each, and
 * which parts of what is between have values (column_parts.h). After FLIXR (Koo et al., IEEE TC
 * 2022, section 4.1: the range index and the bitmap index of a page).
 */
#ifndef CSD_COLUMN_ENTRY_H
#define CSD_COLUMN_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lists/page_source.h"
#include "csd/csd_wire.h"

/** What an entry says of its page. */
struct csd_column_entry {
  uint32_t first_doc;
  uint32_t last_doc;
  bool all_docs;  /* each doc from first_doc to last_doc has a value */
  uint32_t min;   /* csd_column_round_down of its least value */
  uint32_t max;   /* csd_column_round_up of its greatest */
  uint64_t parts; /* csd_column_parts */
};

/*
 * 32-bit numbers stand for some of the values, in their order: all of up to 2^26 in magnitude, and
 * of greater ones those with 26 significant bits.
 */

/** Number of the greatest such value that is at most `value`. */
uint32_t csd_column_round_down(int64_t value);

/** Number of the least such value that is at least `value`. */
uint32_t csd_column_round_up(int64_t value);

/** The value that such a number stands for; numbers of greater magnitude than values stand for the
 * greatest or least value. */
int64_t csd_column_rounded(uint32_t number);

/** Bit of lead_last_doc, which as a doc ID does not have it: every doc of the span has a value. */
#define CSD_COLUMN_ENTRY_ALL UINT32_C(0x80000000)

/** What csd_column_range_of (column_parts.h) has put into an entry. */
static inline struct csd_column_entry csd_column_entry_of(const struct csd_page_range *range) {
  return (struct csd_column_entry){
      .first_doc = range->lead_first_doc & ~CSD_PAGE_RANGE_COLUMN,
      .last_doc = range->lead_last_doc & ~CSD_COLUMN_ENTRY_ALL,
      .all_docs = (range->lead_last_doc & CSD_COLUMN_ENTRY_ALL) != 0,
      .min = (uint32_t)range->lead_impacts,
      .max = (uint32_t)(range->lead_impacts >> 32),
      .parts = range->parts,
  };
}

#endif
