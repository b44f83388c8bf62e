/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/index/index_rebuild.h"

#include <string.h>

#include "base/status.h"
#include "core/lists/page_check.h"

/* A page of the store, and the bytes behind it that its check may read. */
struct stored {
  uint8_t bytes[CSD_PAGE_BYTES + CSD_PAGE_SLACK_BYTES];
};

/* Makes one entry anew. Returns false if the store cannot be read. */
static bool rebuild_entry(struct csd_store *store, uint64_t lba, uint32_t i,
                          struct csd_index_group *group) {
  struct stored stored;
  memset(stored.bytes + CSD_PAGE_BYTES, 0, CSD_PAGE_SLACK_BYTES);
  if (csd_store_read(store, lba, 1, stored.bytes) < 0) {
    return false;
  }
  csd_clear_bit(group->present, i);
  csd_clear_bit(group->pending, i);
  if (csd_stored_page_read(stored.bytes, &group->pages[i])) {
    csd_set_bit(group->present, i);
  }
  return true;
}

struct csd_rebuilt csd_index_rebuild(struct csd_index_file *file, struct csd_store *store,
                                     struct csd_index_group *group, uint8_t *page) {
  struct csd_rebuilt rebuilt = {.complete = true};
  for (uint64_t n = 0; n < file->groups && n * CSD_GROUP_LBAS < store->lba_count; n++) {
    if (csd_index_file_read(file, n, page) < 0) {
      rebuilt.complete = false;
      continue;
    }
    (void)csd_index_decode(page, n, group); /* on a failure all entries are pending */
    const uint64_t before = rebuilt.entries;
    for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
      const uint64_t lba = n * CSD_GROUP_LBAS + i;
      if (!csd_bit(group->pending, i)) {
        continue;
      }
      if (lba >= store->lba_count) {
        csd_clear_bit(group->pending, i);
      } else if (rebuild_entry(store, lba, i, group)) {
        rebuilt.entries++;
      } else {
        rebuilt.complete = false;
      }
    }
    if (rebuilt.entries > before) {
      csd_index_encode(group, n, page);
      rebuilt.complete &= csd_index_file_write(file, n, page) == 0;
    }
  }
  return rebuilt;
}
