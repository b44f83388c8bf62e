/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* A hash table with open addressing, at most half full. Each mark carries the number of its round,
   so that clearing only begins another round. */
#include "timing/record_pages.h"

#include <string.h>

#include "base/lazy_memory.h"
#include "base/status.h"

int csd_page_marks_open(struct csd_page_marks *set, uint32_t limit) {
  uint32_t capacity = 2;
  while (capacity < 2 * limit) {
    capacity *= 2;
  }
  *set = (struct csd_page_marks){.marks = csd_lazy_alloc(capacity, sizeof *set->marks),
                                 .capacity = capacity,
                                 .limit = limit,
                                 .round = 1};
  if (set->marks != NULL) {
    return 0;
  }
  return csd_fail(CSD_STATUS_NO_MEMORY, "a record of %u pages", limit);
}

void csd_page_marks_close(struct csd_page_marks *set) {
  csd_lazy_free(set->marks, set->capacity, sizeof *set->marks);
  set->marks = NULL;
}

void csd_page_marks_clear(struct csd_page_marks *set) {
  set->count = 0;
  if (++set->round == 0) {
    memset(set->marks, 0, set->capacity * sizeof *set->marks);
    set->round = 1;
  }
}

struct csd_page_mark *csd_page_marks_of(struct csd_page_marks *set, uint64_t lba) {
  const uint32_t mask = set->capacity - 1;
  uint32_t at = (uint32_t)((lba * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & mask;
  for (;; at = (at + 1) & mask) {
    struct csd_page_mark *mark = &set->marks[at];
    if (mark->round != set->round) {
      if (set->count == set->limit) {
        return NULL;
      }
      set->count++;
      *mark = (struct csd_page_mark){.lba = lba, .round = set->round};
      return mark;
    }
    if (mark->lba == lba) {
      return mark;
    }
  }
}
