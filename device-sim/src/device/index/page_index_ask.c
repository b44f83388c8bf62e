/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/index/page_index.h"

bool csd_page_index_is_cached(const struct csd_page_index *index, uint64_t lba) {
  const uint64_t group = lba / CSD_GROUP_LBAS;
  return lba >= index->lba_count ||
         atomic_load_explicit(&index->map[group], memory_order_relaxed) != 0 ||
         group >= atomic_load_explicit(&index->stored_groups, memory_order_relaxed);
}

void csd_page_index_ask(struct csd_page_index *index, uint64_t lba, uint64_t count) {
  if (lba >= index->lba_count || count == 0) {
    return;
  }
  const uint64_t stored = atomic_load_explicit(&index->stored_groups, memory_order_acquire);
  const uint64_t left = index->lba_count - lba;
  const uint64_t last = (lba + (count < left ? count : left) - 1) / CSD_GROUP_LBAS;
  const uint64_t end = last + 1 < stored ? last + 1 : stored;
  uint64_t group = lba / CSD_GROUP_LBAS;
  while (group < end) {
    uint64_t wanted = 0; /* groups that lie together */
    while (group + wanted < end &&
           atomic_load_explicit(&index->map[group + wanted], memory_order_relaxed) == 0 &&
           !atomic_load_explicit(&index->asked[group + wanted], memory_order_relaxed)) {
      atomic_store_explicit(&index->asked[group + wanted], true, memory_order_relaxed);
      wanted++;
    }
    if (wanted > 0) {
      pthread_mutex_lock(&index->lock); /* the file may be given up meanwhile */
      if (index->file.file >= 0) {
        csd_index_file_ask(&index->file, group, wanted);
      }
      pthread_mutex_unlock(&index->lock);
    }
    group += wanted + 1;
  }
}
