/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The posting pages that a program has asked for: a set of LBAs with a few bits each. */
#ifndef CSD_RECORD_PAGES_H
#define CSD_RECORD_PAGES_H

#include <stdint.h>

struct csd_page_mark {
  uint64_t lba;
  uint32_t round; /* in which the LBA was added; the mark is free if the set's round is another */
  uint32_t bits;  /* for the user; 0 at first */
};

struct csd_page_marks {
  struct csd_page_mark *marks; /* capacity of them, a power of two */
  uint32_t capacity;
  uint32_t count;
  uint32_t limit; /* of count */
  uint32_t round;
};

/** Makes room for `limit` LBAs, 1 to 2^24. @return 0, or -NO_MEMORY */
int csd_page_marks_open(struct csd_page_marks *set, uint32_t limit);
void csd_page_marks_close(struct csd_page_marks *set);

/** Forgets every LBA. */
void csd_page_marks_clear(struct csd_page_marks *set);

/** Returns the mark of an LBA, and adds the LBA if it is not there; NULL if the set is full. */
struct csd_page_mark *csd_page_marks_of(struct csd_page_marks *set, uint64_t lba);

#endif
