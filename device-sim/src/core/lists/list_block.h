/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Where a cursor's blocks are described in its page: for the parts of the cursor only. */
#ifndef CSD_LIST_BLOCK_H
#define CSD_LIST_BLOCK_H

#include <stddef.h>

#include "core/kernels/bits.h"
#include "core/lists/list_cursor.h"

#define CSD_LAST_DOCS_AT sizeof(struct csd_page_header)

/* Room for the directory of every page that a cursor takes: no look at it can leave the page. */
_Static_assert(sizeof(struct csd_page_header) +
                       CSD_MAX_BLOCKS_PER_PAGE * (4u + sizeof(struct csd_block_entry) + 8u) <=
                   CSD_PAGE_BYTES,
               "a full directory fits a page");

enum { CSD_WHOLE_LIST = CSD_BLOCK_FLAG_FIRST_OF_LIST | CSD_BLOCK_FLAG_LAST_OF_LIST };

/** Width of doc deltas up to which the docs of a block cannot add up to 2^32. */
#define CSD_SURE_DOC_BITS 24u

/** Last doc of block `slot` of the page. */
static inline uint32_t csd_last_doc_of(const struct csd_list_cursor *cursor, uint32_t slot) {
  return csd_load_u32(cursor->page + CSD_LAST_DOCS_AT + 4u * slot);
}

/** First slot from `slot` on before `end` whose block ends at or after `target`; else the last. */
static inline uint32_t csd_find_slot(const struct csd_list_cursor *cursor, uint32_t slot,
                                     uint32_t end, uint32_t target) {
  uint32_t low = slot;
  for (uint32_t step = 1; slot < end && csd_last_doc_of(cursor, slot) < target; step *= 2) {
    low = slot + 1u;
    slot += step;
  }
  uint32_t high = slot < end ? slot : end - 1u;
  while (low < high) {
    const uint32_t middle = (low + high) / 2u;
    if (csd_last_doc_of(cursor, middle) >= target) {
      high = middle;
    } else {
      low = middle + 1u;
    }
  }
  return low;
}

/** Impacts of block `slot` of the list, which is in the page. */
static inline uint64_t csd_impacts_of(const struct csd_list_cursor *cursor, uint32_t slot) {
  return csd_load_u64(cursor->page + cursor->impacts_at + 8u * (slot - cursor->start_slot));
}

/** The current block's csd_block_entry, on any byte. */
static inline const uint8_t *csd_entry_of(const struct csd_list_cursor *cursor) {
  return cursor->page + CSD_LAST_DOCS_AT + 4u * cursor->block_count +
         sizeof(struct csd_block_entry) * cursor->slot;
}

/** Fields of it. */
#define CSD_ENTRY_U8(cursor, field) csd_entry_of(cursor)[offsetof(struct csd_block_entry, field)]
#define CSD_ENTRY_U16(cursor, field) \
  csd_load_u16(csd_entry_of(cursor) + offsetof(struct csd_block_entry, field))

#endif
