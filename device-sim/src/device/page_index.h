/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The page index: for every LBA that holds a posting page, its file, its number there and the range
 * of its lead list, so that a page can be skipped unread. Built as pages are written and loaded;
 * never persistent.
 *
 * A page of a given stamp and number never changes, so an entry that matches them is right even if
 * the LBA has been rewritten since: it then describes a page that is gone, as a read would show.
 *
 * Threads: lookups take no lock. Changes of one LBA must exclude each other.
 */
#ifndef CSD_PAGE_INDEX_H
#define CSD_PAGE_INDEX_H

#include <stdatomic.h>

#include "core/lists/page_source.h"

/* A sequence lock a slot. Fields are atomic, so that a torn read is detected, not undefined. */
struct csd_page_index_slot {
  _Atomic uint64_t stamp;
  _Atomic uint64_t lead_impacts;
  _Atomic uint32_t lead_first_doc;
  _Atomic uint32_t lead_last_doc;
  _Atomic uint32_t file_page;
  _Atomic uint32_t sequence; /* bit 0: being changed; bit 1: present; above: count of changes */
};

struct csd_page_index {
  struct csd_page_index_slot *slots; /* mapped memory, touched only where there are pages */
  uint64_t lba_count;
};

/** @return 0, or -NO_MEMORY */
int csd_page_index_open(struct csd_page_index *index, uint64_t lba_count);
void csd_page_index_close(struct csd_page_index *index);

/** Sets the entry of an LBA from the header of a checked page. */
void csd_page_index_put(struct csd_page_index *index, uint64_t lba,
                        const struct csd_page_header *header);

/** Removes the entry of an LBA, if there is one. */
void csd_page_index_clear(struct csd_page_index *index, uint64_t lba);

/** Whether an LBA has an entry. */
static inline bool csd_page_index_has(const struct csd_page_index *index, uint64_t lba) {
  return (atomic_load_explicit(&index->slots[lba].sequence, memory_order_relaxed) & 2u) != 0;
}

/** @return true and *range if the LBA holds, as far as known, page `file_page` of file `stamp` */
bool csd_page_index_peek(const struct csd_page_index *index, uint64_t lba, uint64_t stamp,
                         uint32_t file_page, struct csd_page_range *range);

#endif
