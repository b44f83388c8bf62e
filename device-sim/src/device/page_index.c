/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/page_index.h"

#include "base/lazy_memory.h"
#include "base/status.h"

enum { CHANGING = 1, PRESENT = 2, ONE_CHANGE = 4 };

int csd_page_index_open(struct csd_page_index *index, uint64_t lba_count) {
  index->lba_count = lba_count;
  index->slots = csd_lazy_alloc(lba_count, sizeof *index->slots);
  if (index->slots == NULL) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "page index of %llu LBAs", (unsigned long long)lba_count);
  }
  return 0;
}

void csd_page_index_close(struct csd_page_index *index) {
  csd_lazy_free(index->slots, index->lba_count, sizeof *index->slots);
  index->slots = NULL;
}

/* Release and acquire order keeps the fields between the two looks at `sequence`. */
#define PUT(field, value) atomic_store_explicit(&slot->field, (value), memory_order_release)
#define GET(field) atomic_load_explicit(&slot->field, memory_order_acquire)

void csd_page_index_put(struct csd_page_index *index, uint64_t lba,
                        const struct csd_stored_page *page) {
  struct csd_page_index_slot *slot = &index->slots[lba];
  const uint32_t sequence = atomic_load_explicit(&slot->sequence, memory_order_relaxed);
  PUT(sequence, sequence | CHANGING);
  PUT(stamp, page->stamp);
  PUT(file_page, page->file_page);
  PUT(lead_first_doc, page->range.lead_first_doc);
  PUT(lead_last_doc, page->range.lead_last_doc);
  PUT(lead_impacts, page->range.lead_impacts);
  PUT(sequence, ((sequence & ~(uint32_t)(CHANGING | PRESENT)) + ONE_CHANGE) | PRESENT);
}

void csd_page_index_clear(struct csd_page_index *index, uint64_t lba) {
  struct csd_page_index_slot *slot = &index->slots[lba];
  const uint32_t sequence = atomic_load_explicit(&slot->sequence, memory_order_relaxed);
  if (sequence & PRESENT) {
    PUT(sequence, (sequence & ~(uint32_t)(CHANGING | PRESENT)) + ONE_CHANGE);
  }
}

bool csd_page_index_peek(const struct csd_page_index *index, uint64_t lba, uint64_t stamp,
                         uint32_t file_page, struct csd_page_range *range) {
  if (lba >= index->lba_count) {
    return false;
  }
  struct csd_page_index_slot *slot = &index->slots[lba];
  const uint32_t sequence = GET(sequence);
  if ((sequence & (CHANGING | PRESENT)) != PRESENT) {
    return false;
  }
  if (GET(stamp) != stamp || GET(file_page) != file_page) {
    return false;
  }
  *range = (struct csd_page_range){GET(lead_first_doc), GET(lead_last_doc), GET(lead_impacts)};
  /* If the entry changed meanwhile, it counts as unknown, and the caller reads the page. */
  return atomic_load_explicit(&slot->sequence, memory_order_relaxed) == sequence;
}
