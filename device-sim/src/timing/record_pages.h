/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Which posting pages a program has asked for: a set of LBAs with a few bits each. */
#ifndef CSD_RECORD_PAGES_H
#define CSD_RECORD_PAGES_H

#include <stdint.h>

struct csd_page_mark {
  uint64_t lba;
  uint32_t round; /* in which it was put in; of another round than the set's: free */
  uint32_t bits;  /* the user's; 0 when put in */
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

/** The mark of an LBA, put in if it was not there; NULL if the set is full. */
struct csd_page_mark *csd_page_marks_of(struct csd_page_marks *set, uint64_t lba);

#endif
