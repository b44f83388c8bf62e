/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Validation of column pages: after it, every rule of wire/WIRE.md about such a page holds. */
#ifndef CSD_COLUMN_CHECK_H
#define CSD_COLUMN_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/** Whether the bytes claim to be a column page. */
bool csd_column_has_magic(const uint8_t *page);

/**
 * Checks a column page in full: checksum, header, every part.
 *
 * @param page  CSD_PAGE_BYTES bytes that nobody changes meanwhile, and CSD_PAGE_SLACK_BYTES more
 *              that may be read
 * @return 0, or a negated status with a trail: PAGE_CORRUPT, UNSUPPORTED_VERSION
 */
int csd_column_check(const uint8_t *page);

#endif
