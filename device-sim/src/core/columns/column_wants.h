/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What a column cursor asks about values that are not just those of one range: a set, an area. */
#ifndef CSD_COLUMN_WANTS_H
#define CSD_COLUMN_WANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/columns/page/column_entry.h"
#include "core/columns/page/column_page.h"
#include "core/kernels/kernels.h"

/** What is wanted of values between two bounds. */
enum csd_set_verdict {
  CSD_SET_NONE, /**< none of them */
  CSD_SET_ALL,  /**< all of them */
  CSD_SET_SOME, /**< maybe some */
};

/** A way to tell values; `wanted` is what the cursor was given with it. */
struct csd_column_wants {
  /** Docs whose values are found in about the time in which one doc is looked up elsewhere. */
  uint32_t docs_per_cost;

  /** Values that are compared in the time in which one doc of a batch is looked up. */
  uint32_t values_per_look;

  /** Judges a page by its entry in the page index. */
  enum csd_set_verdict (*ask)(const void *wanted, const struct csd_column_entry *entry);

  /** Judges a page, and unless it is clear by its bounds gets ready to compare its values. */
  enum csd_set_verdict (*judge)(void *wanted, const struct csd_kernels *kernels,
                                const struct csd_column_page *page);

  /** Whether value `i` of the page that was judged is wanted, where the verdict was SOME. */
  bool (*has)(const void *wanted, const struct csd_column_page *page, uint32_t i);

  /**
   * Finds which values of that page are wanted.
   *
   * @param first  the first value that is looked at; a multiple of 64
   * @param words  receives a word for every 64 of `n` values, as match_range of csd_kernels does
   */
  void (*match)(const void *wanted, const struct csd_kernels *kernels,
                const struct csd_column_page *page, uint32_t first, uint32_t n, uint64_t *words);
};

#endif
