/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The part of csd_page_check that decodes columns. */
#ifndef CSD_PAGE_CHECK_BLOCKS_H
#define CSD_PAGE_CHECK_BLOCKS_H

#include "core/lists/page_parts.h"

/**
 * Checks what the columns of a page hold, whose header, directory and places have been checked:
 * docs end at last_doc, freqs and norms are in range, impacts bound every posting.
 *
 * @param lead_blocks  blocks at the page's start that belong to its first list
 * @return 0 or -PAGE_CORRUPT, with a trail
 */
int csd_page_check_blocks(const struct csd_checked_page *c, uint32_t lead_blocks);

/** Whether every unused pair of an impacts word is zero as a whole. */
bool csd_impacts_well_formed(uint64_t impacts);

#endif
