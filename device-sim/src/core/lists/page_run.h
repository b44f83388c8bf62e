/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The pages of a list: where they are on the device, and which of them a doc is in. */
#ifndef CSD_PAGE_RUN_H
#define CSD_PAGE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lists/page_source.h"
#include "csd/csd_wire.h"

struct csd_work;

struct csd_page_run {
  const struct csd_page_source *source;
  struct csd_work *work;
  const struct csd_extent *extents; /* of the file, ascending */
  uint32_t extent_count;
  uint32_t extent; /* the one used last */
  uint64_t stamp;
  uint32_t first_page;
  uint32_t page_count; /* 0: there are none */
  uint32_t first_slot; /* the list's first block in the first page */
  uint32_t magic;      /* of the pages */
  uint32_t next;       /* the page behind the one pinned last */
  uint32_t asked_to;   /* pages before this one were asked for, or passed */
  uint32_t ahead;      /* pages to ask for ahead of the one pinned */
  uint32_t pinned;     /* pages pinned, those that were pinned before once more */
};

/** Pages of a list that are asked for before its first one is read. */
#define CSD_FIRST_PAGES 16u

/**
 * Lists of so few pages do not have the page index read: their pages are sooner read themselves.
 */
#define CSD_FEW_PAGES 4u

/**
 * Sets a run up; reads nothing.
 *
 * @param ref      checked list reference; not kept
 * @param extents  the file's extents, ref->extent_count of them; kept
 * @param magic    CSD_PAGE_MAGIC or CSD_POSITION_MAGIC
 */
void csd_page_run_open(struct csd_page_run *run, const struct csd_list_ref *ref,
                       const struct csd_extent *extents, const struct csd_page_source *source,
                       struct csd_work *work, uint32_t magic);

/** Pins page `page` of the list; 0, or a negated status: those of a pin, LIST_CORRUPT. */
int csd_page_run_pin(struct csd_page_run *run, uint32_t page, const uint8_t **bytes);

/**
 * Asks for the first pages of the list, and for what the index knows of all of them, if the source
 * is cold. Each pin then asks ahead: the more, the longer pages are pinned one after the other;
 * little behind pages that were passed over.
 */
void csd_page_run_ask(struct csd_page_run *run);

/** Prefetches page `page` of the list, if there is one, as a whole or its head alone. */
void csd_page_run_prefetch(struct csd_page_run *run, uint32_t page, bool whole);

/** Status of a look that would have had to read a page, and was not to. */
enum { CSD_PAGE_RUN_UNKNOWN = 1 };

/**
 * Sets *page to the first page, from number `next` on, that may have a doc at or after `target`;
 * page_count if there is none.
 *
 * @param may_read  whether pages may be read that the page index does not know
 * @param range     set to that of the page; if another list leads that, of the next, if there is
 *                  one
 * @return 0, CSD_PAGE_RUN_UNKNOWN, or a negated status
 */
int csd_page_run_find(struct csd_page_run *run, uint32_t next, uint32_t target, bool may_read,
                      uint32_t *page, struct csd_page_range *range);

#endif
