/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A column's cursor, and what the page index says of the pages that it may go to. */
#ifndef CSD_COLUMN_INDEX_H
#define CSD_COLUMN_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "core/columns/column_wants.h"
#include "core/columns/page/column_entry.h"
#include "core/columns/page/column_page.h"
#include "core/kernels/kernels.h"
#include "core/lists/extents.h"
#include "core/lists/list_cursor.h"
#include "core/lists/page_source.h"
#include "csd/csd_wire.h"

/** Which docs of the current page have a wanted value. */
enum csd_column_verdict {
  CSD_COLUMN_NO_DOC,   /**< none; the page need not have been read */
  CSD_COLUMN_ALL_DOCS, /**< all from start to end; likewise */
  CSD_COLUMN_SOME,     /**< the page is pinned and tells; if not pinned, the cursor is lazy */
};

struct csd_column_cursor {
  const struct csd_page_source *source;
  const struct csd_kernels *kernels;
  struct csd_work *work;
  const struct csd_extent *extents; /* of the file, ascending */
  uint32_t extent_count;
  uint32_t extent; /* the one used last */

  /* The column, and the values that are wanted. */
  struct csd_column_ref ref;
  uint32_t max_doc;
  int64_t lo;
  int64_t hi;
  const struct csd_column_wants *wants; /* tells the wanted ones of these; NULL: all are */
  void *wanted;                         /* the set or area */
  uint32_t lo_down, lo_up;              /* rounded, to compare with entries of the page index */
  uint32_t hi_down, hi_up;
  uint32_t read; /* pages read, those that were read before once more */
  bool lazy;     /* pages that the index knows are read by csd_column_cursor_pin alone */

  /* What has been asked for ahead, see column_ahead.h. */
  bool index_asked;
  uint32_t next;     /* the page that will be read next, if it is one after the other */
  uint32_t ahead;    /* pages behind the one that is read that are asked for with it */
  uint32_t asked_to; /* pages before this one were asked for, or will not be read */

  /* The page: the first one that ends behind the last seek's target. */
  uint32_t at;    /* its number in the column; page_count: the cursor is at its end */
  uint32_t start; /* no doc of it is before */
  uint32_t end;   /* its last doc + 1; 0 before the first seek, CSD_CURSOR_END at the end */
  bool all_docs;  /* all from start to end have a value; false if that is not known */
  enum csd_column_verdict verdict;
  struct csd_column_entry entry; /* what the page index said of the page; if not pinned */
  bool pinned;
  struct csd_column_page page; /* if pinned */
  bool by_wants;               /* if verdict is SOME: `wants` tells of each value */
  uint64_t first, last;        /* else the packed values that match */
};

/** LBA of a page of the column. */
static inline uint64_t csd_column_cursor_lba(struct csd_column_cursor *cursor, uint32_t at) {
  return csd_extent_lba(cursor->extents, cursor->extent_count, &cursor->extent,
                        cursor->ref.first_page + at);
}

/** What the page index says of page `at`; false if nothing, or nothing that can be right. */
bool csd_column_cursor_peek(struct csd_column_cursor *cursor, uint32_t at,
                            struct csd_column_entry *entry);

/** Whether the page will be read if the cursor gets to it, as far as the index shows that. */
bool csd_column_cursor_takes(const struct csd_column_cursor *cursor,
                             const struct csd_column_entry *entry);

/**
 * The last page from number `low` on that, as far as the index knows the pages, begins at or before
 * the target; `low` if it knows none.
 */
uint32_t csd_column_cursor_last_by(struct csd_column_cursor *cursor, uint32_t low, uint32_t target);

/** Whether no value of a page is wanted, as the index shows. */
bool csd_column_cursor_excludes(const struct csd_column_cursor *cursor,
                                const struct csd_column_entry *entry);

/** Whether the index shows that a page matches as a whole or not at all; if so, sets the verdict.
 */
bool csd_column_cursor_judge(struct csd_column_cursor *cursor,
                             const struct csd_column_entry *entry);

#endif
