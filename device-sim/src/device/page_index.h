/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The page index: for every LBA that holds a posting page, the page's file, its number there and
 * the doc range of its lead list. With it, a program skips pages without reading them. It grows as
 * pages are written and loaded, and is never persistent.
 *
 * A posting page of a given stamp and number never changes. So an entry that matches both is right
 * even after the LBA has been rewritten: it then describes a page that is gone, as a read would
 * show.
 *
 * Threads: look-ups take no lock. Changes of one LBA must exclude each other.
 */
#ifndef CSD_PAGE_INDEX_H
#define CSD_PAGE_INDEX_H

#include <stdatomic.h>

#include "core/columns/stored_page.h"
#include "core/lists/page_source.h"

/* Each slot is a sequence lock. Its fields are atomic: a torn read is then detected, and defined.
 */
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

/** Sets the entry of an LBA to what there is to know of a checked page. */
void csd_page_index_put(struct csd_page_index *index, uint64_t lba,
                        const struct csd_stored_page *page);

/** Removes the entry of an LBA, if there is one. */
void csd_page_index_clear(struct csd_page_index *index, uint64_t lba);

/** Whether an LBA has an entry. */
static inline bool csd_page_index_has(const struct csd_page_index *index, uint64_t lba) {
  return (atomic_load_explicit(&index->slots[lba].sequence, memory_order_relaxed) & 2u) != 0;
}

/** Returns whether the LBA is known to hold page `file_page` of file `stamp`; sets *range if so. */
bool csd_page_index_peek(const struct csd_page_index *index, uint64_t lba, uint64_t stamp,
                         uint32_t file_page, struct csd_page_range *range);

#endif
