/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/lists/test_list_cursor.c. */
#include "core/lists/list_pages.h"

/* The first page that a seek to `target` has to look at. */
static uint32_t first_ahead(const struct csd_list_cursor *cursor, uint32_t target) {
  const struct csd_list_ahead *ahead = &cursor->ahead;
  return ahead->page >= cursor->next_page && target >= ahead->end && ahead->end != 0
             ? ahead->page + 1u
             : cursor->next_page;
}

/* Whether cursor->ahead tells of the page where a seek to `target` would go. */
static bool knows_ahead(const struct csd_list_cursor *cursor, uint32_t target) {
  return target >= cursor->ahead.from && target < cursor->ahead.end &&
         cursor->ahead.page >= cursor->next_page;
}

int csd_list_page_find(struct csd_list_cursor *cursor, uint32_t target, uint32_t *page) {
  struct csd_page_range range;
  if (knows_ahead(cursor, target)) {
    *page = cursor->ahead.page;
    return 0;
  }
  return csd_page_run_find(&cursor->run, first_ahead(cursor, target), target, true, page, &range);
}

/* Where the list's docs in the page are that was found, and what bounds them. */
static void describe(const struct csd_list_cursor *cursor, uint32_t page, uint32_t target,
                     const struct csd_page_range *range, struct csd_list_ahead *ahead) {
  *ahead = (struct csd_list_ahead){.from = target, .page = page, .impacts = cursor->list_impacts};
  if (page == cursor->run.page_count) {
    ahead->start = CSD_CURSOR_END;
    ahead->end = CSD_CURSOR_END;
  } else if (page == 0 && cursor->run.first_slot != 0) {
    /* The index tells of the list that leads the page. */
    ahead->start = target;
    ahead->end = cursor->run.page_count > 1 ? range->lead_first_doc : cursor->max_doc;
  } else {
    ahead->start = range->lead_first_doc > target ? range->lead_first_doc : target;
    ahead->end = range->lead_last_doc + 1u;
    ahead->impacts = range->lead_impacts != 0 ? range->lead_impacts : cursor->list_impacts;
  }
}

bool csd_list_page_look_ahead(struct csd_list_cursor *cursor, uint32_t target) {
  struct csd_page_range range;
  uint32_t page;
  if (knows_ahead(cursor, target)) {
    return true;
  }
  if (csd_page_run_find(&cursor->run, first_ahead(cursor, target), target, false, &page, &range) !=
      0) {
    return false;
  }
  describe(cursor, page, target, &range, &cursor->ahead);
  return true;
}
