/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** From the pages of a file to the LBAs that they lie on. */
#ifndef CSD_EXTENTS_H
#define CSD_EXTENTS_H

#include <stdint.h>

#include "csd/csd_wire.h"

/**
 * LBA of a page of a file. The extents cover it: the plan check saw to that.
 *
 * @param extents  ascending
 * @param latest   index of the extent used last, which is looked at first; updated
 */
static inline uint64_t csd_extent_lba(const struct csd_extent *extents, uint32_t count,
                                      uint32_t *latest, uint32_t file_page) {
  const struct csd_extent *extent = &extents[*latest];
  if (file_page - extent->file_page >= extent->page_count) {
    uint32_t low = 0;
    uint32_t high = count - 1u;
    while (low < high) {
      const uint32_t middle = (low + high + 1u) / 2u;
      if (extents[middle].file_page <= file_page) {
        low = middle;
      } else {
        high = middle - 1u;
      }
    }
    *latest = low;
    extent = &extents[low];
  }
  return extent->lba + (file_page - extent->file_page);
}

/**
 * The same, and how many pages of the file lie together from there on.
 *
 * @param left  set to their number, at least 1
 */
static inline uint64_t csd_extent_run(const struct csd_extent *extents, uint32_t count,
                                      uint32_t *latest, uint32_t file_page, uint32_t *left) {
  const uint64_t lba = csd_extent_lba(extents, count, latest, file_page);
  *left = extents[*latest].page_count - (file_page - extents[*latest].file_page);
  return lba;
}

#endif
