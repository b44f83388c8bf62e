/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Counting kernels: a table that calls another one and counts the elements that were asked for. So
 * the counts do not depend on which kernels run.
 *
 * Kernels have no context: they count in the tally that the calling thread has set.
 */
#ifndef CSD_RECORD_KERNELS_H
#define CSD_RECORD_KERNELS_H

#include <stdint.h>

#include "core/kernels/kernels.h"

/** Work so far; only grows. */
struct csd_tally {
  const struct csd_kernels *kernels; /**< do the work */
  uint64_t values_decoded;           /**< values of columns unpacked, and docs listed from bits */
  uint64_t docs_searched;            /**< docs looked at to search, merge or compare */
  uint64_t postings_scored;
  uint64_t bitmap_words;   /**< words of bitmaps read or written */
  uint64_t bytes_streamed; /**< bytes of packed columns and bitmaps read from posting pages */
};

/** Makes a table that counts. Its merge_pays_to is that of the plain C kernels, whichever run. */
struct csd_kernels csd_counting_kernels(const struct csd_kernels *kernels);

/**
 * Sets the tally in which the counting kernels of this thread count, and whose kernels they call;
 * NULL if none is called from here on. Returns the one set before.
 */
struct csd_tally *csd_tally_set(struct csd_tally *tally);

#endif
