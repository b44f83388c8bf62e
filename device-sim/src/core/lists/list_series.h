/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Series of short lists: whole posting lists that follow each other in posting pages. Their docs
 * are added to bits block by block, without a cursor for each list.
 */
#ifndef CSD_LIST_SERIES_H
#define CSD_LIST_SERIES_H

#include "core/lists/list_cursor.h"

/** Whole lists, from block `slot` of a page on. */
struct csd_list_series {
  uint64_t stamp;
  uint32_t first_page;
  uint32_t page_count;
  uint32_t block_count;
  uint32_t list_count;
  uint32_t next; /* no doc of it behind the latest window is before; 0 at first */
  uint16_t slot;
  uint16_t first_extent; /* in the plan */
  uint16_t extent_count;
};

/** Docs whose bits are wanted. */
struct csd_doc_window {
  uint32_t base; /* the first one, that of bit 0 */
  uint32_t end;  /* behind the last one; at most max_doc */
  uint64_t *bits;
};

/** Reads series. It pins at most one page, and keeps that for the next series. */
struct csd_series_reader {
  const struct csd_page_source *source;
  const struct csd_extent *extents; /* of the plan */
  const struct csd_kernels *kernels;
  struct csd_work *work;
  uint32_t max_doc;
  uint32_t file_page;  /* of the page */
  uint64_t stamp;      /* of the page */
  uint64_t lba;        /* of the page */
  const uint8_t *page; /* pinned; NULL: none */
  uint32_t docs[CSD_DOCS_ROOM];
};

/** Sets a reader up; pins nothing. */
void csd_series_reader_open(struct csd_series_reader *reader, const struct csd_extent *extents,
                            uint32_t max_doc, const struct csd_page_source *source,
                            const struct csd_kernels *kernels, struct csd_work *work);

/** Unpins the page that the reader holds, if any. */
void csd_series_reader_close(struct csd_series_reader *reader);

/**
 * Sets the bits of a series' docs in a window, and its `next`.
 *
 * @return 0, or a negated status: those of a pin, LIST_CORRUPT
 */
int csd_series_add_bits(struct csd_series_reader *reader, struct csd_list_series *series,
                        const struct csd_doc_window *window);

#endif
