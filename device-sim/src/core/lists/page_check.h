/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Validation of posting pages: after it, every rule of wire/WIRE.md about a page holds. */
#ifndef CSD_PAGE_CHECK_H
#define CSD_PAGE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lists/page_source.h"

/** Bytes that must be readable beyond a page: columns are unpacked with wide loads. */
#define CSD_PAGE_SLACK_BYTES 64u

/** Whether the bytes claim to be a posting page. Anything else on the device is ordinary data. */
bool csd_page_has_magic(const uint8_t *page);

/**
 * Checks a page in full: checksum, header, directory, and every column by decoding it.
 *
 * @param page  CSD_PAGE_BYTES bytes that nobody changes meanwhile, and CSD_PAGE_SLACK_BYTES more
 *              that may be read
 * @return 0, or a negated status with a trail: PAGE_CORRUPT, UNSUPPORTED_VERSION
 */
int csd_page_check(const uint8_t *page);

/** Copies the header of a page. */
struct csd_page_header csd_page_header_of(const uint8_t *page);

/** What the page index keeps of a page. */
struct csd_page_range csd_page_range_of(const struct csd_page_header *header);

#endif
