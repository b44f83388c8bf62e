/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The pages of a cursor's list, by the page index where it knows them: for the parts of the cursor
 * only. */
#ifndef CSD_LIST_PAGES_H
#define CSD_LIST_PAGES_H

#include "core/lists/list_cursor.h"

/**
 * Sets *page to the first page ahead that may end at or after `target`; page_count if there is
 * none. Reads pages that the index does not know.
 *
 * @return 0, or a negated status, as csd_page_run_pin
 */
int csd_list_page_find(struct csd_list_cursor *cursor, uint32_t target, uint32_t *page);

/** Sets cursor->ahead to what the index tells of the page where a seek to `target` would go. Reads
 * no page. @return false if it tells nothing */
bool csd_list_page_look_ahead(struct csd_list_cursor *cursor, uint32_t target);

#endif
