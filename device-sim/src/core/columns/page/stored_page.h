/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Pages of any kind, of postings, positions or a column: the device stores, checks, indexes all.
 */
#ifndef CSD_STORED_PAGE_H
#define CSD_STORED_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lists/page_source.h"

/** Which page it is, and what the page index keeps of it. */
struct csd_stored_page {
  uint64_t stamp;
  uint32_t file_page;
  struct csd_page_range range;
};

/** Whether the bytes claim to be a page of any kind. All else on the device is ordinary data. */
bool csd_stored_page_has_magic(const uint8_t *page);

/**
 * Checks a page in full, as csd_page_check, csd_position_check or csd_column_check does, by its
 * magic.
 *
 * @param page  CSD_PAGE_BYTES bytes that nobody changes meanwhile, and CSD_PAGE_SLACK_BYTES more
 *              that may be read
 * @return 0, or a negated status with a trail: PAGE_CORRUPT, UNSUPPORTED_VERSION
 */
int csd_stored_page_check(const uint8_t *page);

/** What there is to know of a checked page. */
struct csd_stored_page csd_stored_page_of(const uint8_t *page);

/** Whether bytes, as csd_stored_page_check has them, are a valid page; if so, sets *stored. */
bool csd_stored_page_read(const uint8_t *bytes, struct csd_stored_page *stored);

#endif
