/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Validation of position pages: after it, every rule of wire/WIRE.md about such a page holds. */
#ifndef CSD_POSITION_CHECK_H
#define CSD_POSITION_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lists/page_source.h"

/** Whether the bytes claim to be a position page. */
bool csd_position_has_magic(const uint8_t *page);

/**
 * Checks a position page in full: checksum, header, directory, and what every block has.
 *
 * @param page  CSD_PAGE_BYTES bytes that nobody changes meanwhile
 * @return 0, or a negated status with a trail: PAGE_CORRUPT, UNSUPPORTED_VERSION
 */
int csd_position_check(const uint8_t *page);

/** What the page index keeps of a checked page: the docs of its lead. */
struct csd_page_range csd_position_range_of(const uint8_t *page);

#endif
