/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_columns.c, which compares programs with a plain
 * evaluation. */
/* From page to page; what a page's docs match: column_match.c. */
#include "core/columns/column_cursor.h"

#include <inttypes.h>

#include "base/status.h"
#include "core/columns/column_ahead.h"
#include "core/columns/page/column_check.h"

#define COLUMN_CORRUPT(...) csd_fail(CSD_STATUS_LIST_CORRUPT, __VA_ARGS__)

void csd_column_cursor_rewind(struct csd_column_cursor *cursor) {
  csd_column_cursor_close(cursor);
  cursor->extent = 0;
  cursor->at = UINT32_MAX; /* the page before the first */
  cursor->start = 0;
  cursor->end = 0;
  cursor->verdict = CSD_COLUMN_NO_DOC;
  cursor->next = 0;
  cursor->ahead = 0;
  cursor->asked_to = 0;
}

void csd_column_cursor_open(struct csd_column_cursor *cursor, const struct csd_column_ref *ref,
                            const struct csd_value_range *range, const struct csd_extent *extents,
                            uint32_t max_doc, const struct csd_page_source *source,
                            const struct csd_kernels *kernels, struct csd_work *work) {
  memset(cursor, 0, sizeof *cursor);
  cursor->source = source;
  cursor->kernels = kernels;
  cursor->work = work;
  cursor->extents = extents;
  cursor->extent_count = ref->extent_count;
  cursor->ref = *ref;
  cursor->max_doc = max_doc;
  csd_column_cursor_want(cursor, range);
  csd_column_cursor_rewind(cursor);
  csd_column_ask_for_index(cursor);
}

void csd_column_cursor_close(struct csd_column_cursor *cursor) {
  if (cursor->pinned) {
    csd_column_cursor_release(cursor, &cursor->page);
    cursor->pinned = false;
  }
}

/* Every value of the page is wanted. */
static void take_all_values(struct csd_column_cursor *cursor) {
  const struct csd_column_page_header *h = &cursor->page.header;
  cursor->first = 0;
  cursor->last = UINT64_MAX;
  cursor->verdict = h->doc_count == h->doc_span ? CSD_COLUMN_ALL_DOCS : CSD_COLUMN_SOME;
}

static void judge_page_by_wants(struct csd_column_cursor *cursor) {
  switch (cursor->wants->judge(cursor->wanted, cursor->kernels, &cursor->page)) {
    case CSD_SET_NONE: cursor->verdict = CSD_COLUMN_NO_DOC; break;
    case CSD_SET_ALL: take_all_values(cursor); break;
    default:
      cursor->by_wants = true;
      cursor->verdict = CSD_COLUMN_SOME;
      break;
  }
}

static void judge_page(struct csd_column_cursor *cursor) {
  const struct csd_column_page_header *h = &cursor->page.header;
  cursor->by_wants = false;
  if (cursor->wants != NULL) {
    judge_page_by_wants(cursor);
  } else if (cursor->lo <= h->min && h->max <= cursor->hi) {
    take_all_values(cursor);
  } else if (csd_column_pack_range(&cursor->page, cursor->lo, cursor->hi, &cursor->first,
                                   &cursor->last)) {
    cursor->verdict = CSD_COLUMN_SOME;
  } else {
    cursor->verdict = CSD_COLUMN_NO_DOC;
  }
}

int csd_column_cursor_read(struct csd_column_cursor *cursor, uint32_t at, uint32_t least,
                           struct csd_column_page *page) {
  const uint8_t *bytes;
  int status = cursor->source->pin(cursor->source->context, csd_column_cursor_lba(cursor, at),
                                   cursor->ref.stamp, cursor->ref.first_page + at, &bytes);
  if (status < 0) {
    return status;
  }
  const struct csd_column_page_header *h = &page->header;
  if (!csd_column_has_magic(bytes) || !csd_column_lay_out(bytes, page)) {
    status = COLUMN_CORRUPT("column page %" PRIu32 " is none", at);
  } else if (h->first_doc < least || h->first_doc + h->doc_span > cursor->max_doc) {
    status =
        COLUMN_CORRUPT("column page %" PRIu32 " has docs %" PRIu32 " to %" PRIu32
                       ", behind %" PRIu32 " of %" PRIu32,
                       at, h->first_doc, h->first_doc + h->doc_span - 1u, least, cursor->max_doc);
  } else if (h->min < cursor->ref.min || h->max > cursor->ref.max) {
    status = COLUMN_CORRUPT("column page %" PRIu32 " has values that the column has not", at);
  }
  if (status < 0) {
    cursor->source->unpin(cursor->source->context, bytes);
    return status;
  }
  cursor->work->pages_read++;
  cursor->read++;
  return 0;
}

/* Makes a page that begins at or behind doc `least` the cursor's, pinned. */
static int read_page(struct csd_column_cursor *cursor, uint32_t at, uint32_t least) {
  csd_column_ask_on(cursor, at);
  const int status = csd_column_cursor_read(cursor, at, least, &cursor->page);
  if (status < 0) {
    return status;
  }
  const struct csd_column_page_header *h = &cursor->page.header;
  cursor->pinned = true;
  cursor->start = h->first_doc;
  cursor->end = h->first_doc + h->doc_span;
  cursor->all_docs = h->doc_count == h->doc_span;
  judge_page(cursor);
  return 0;
}

void csd_column_cursor_want(struct csd_column_cursor *cursor, const struct csd_value_range *range) {
  cursor->wants = NULL;
  cursor->lo = range->lo;
  cursor->hi = range->hi;
  cursor->lo_down = csd_column_round_down(range->lo);
  cursor->lo_up = csd_column_round_up(range->lo);
  cursor->hi_down = csd_column_round_down(range->hi);
  cursor->hi_up = csd_column_round_up(range->hi);
  if (cursor->pinned) {
    judge_page(cursor);
  }
}

void csd_column_cursor_want_some(struct csd_column_cursor *cursor,
                                 const struct csd_value_range *hull,
                                 const struct csd_column_wants *wants, void *wanted) {
  csd_column_cursor_want(cursor, hull);
  cursor->wants = wants;
  cursor->wanted = wanted;
}

int csd_column_cursor_pin(struct csd_column_cursor *cursor) {
  return cursor->pinned ? 0 : read_page(cursor, cursor->at, cursor->start);
}

/* Goes to a page: one that the index knows is read only if it has to be. */
static int enter(struct csd_column_cursor *cursor, uint32_t at, uint32_t least, uint32_t target) {
  csd_column_cursor_close(cursor);
  cursor->at = at;
  cursor->work->units += 8;
  struct csd_column_entry *entry = &cursor->entry;
  if (csd_column_cursor_peek(cursor, at, entry) && entry->first_doc >= least) {
    cursor->start = entry->first_doc;
    cursor->end = entry->last_doc + 1u;
    cursor->all_docs = entry->all_docs;
    if (cursor->end <= target || csd_column_cursor_judge(cursor, entry)) {
      return 0;
    }
    if (cursor->lazy) {
      cursor->verdict = CSD_COLUMN_SOME;
      return 0;
    }
  }
  return read_page(cursor, at, least);
}

/* Pages that are looked at ahead. */
#define PAGES_AHEAD 64u

uint32_t csd_column_cursor_run_end(struct csd_column_cursor *cursor, uint32_t limit) {
  uint32_t end = cursor->end;
  for (uint32_t i = 1; i <= PAGES_AHEAD && end < limit; i++) {
    struct csd_column_entry entry;
    const uint32_t at = cursor->at + i;
    if (at >= cursor->ref.page_count || !csd_column_cursor_peek(cursor, at, &entry) ||
        entry.first_doc < end || csd_column_cursor_excludes(cursor, &entry)) {
      break;
    }
    end = entry.last_doc + 1u;
  }
  return end < limit ? end : limit;
}

int csd_column_cursor_seek_on(struct csd_column_cursor *cursor, uint32_t target) {
  while (cursor->end <= target) {
    const uint32_t next = cursor->at + 1u;
    if (next >= cursor->ref.page_count) {
      csd_column_cursor_close(cursor);
      cursor->at = cursor->ref.page_count - 1u;
      cursor->start = CSD_CURSOR_END;
      cursor->end = CSD_CURSOR_END;
      cursor->all_docs = false;
      cursor->verdict = CSD_COLUMN_NO_DOC;
      return 0;
    }
    const uint32_t at = csd_column_cursor_last_by(cursor, next, target);
    const int status = enter(cursor, at, cursor->end, target);
    if (status < 0) {
      return status;
    }
  }
  return 0;
}
