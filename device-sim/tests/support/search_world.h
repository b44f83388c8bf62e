/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Posting lists on a device and queries over them, answered by brute force too. */
#ifndef CSD_SEARCH_WORLD_H
#define CSD_SEARCH_WORLD_H

#include <stdbool.h>

#include "csd/csd.h"
#include "tests/support/page/lists.h"

enum { WORLD_LISTS = 6, WORLD_MAX_DOC = 30000, WORLD_PLAN_BYTES = 4096 };

struct search_world {
  struct test_list lists[WORLD_LISTS];
  struct csd_list_ref refs[WORLD_LISTS];
  uint8_t *pages;
  uint32_t page_count;
  uint64_t first_lba;
  float table[CSD_NORM_TABLE_ENTRIES];
  uint8_t norms[WORLD_MAX_DOC];
  uint16_t freqs[WORLD_LISTS][WORLD_MAX_DOC]; /* 0: the doc is not in the list */
};

/** A flat query: terms by their occur, and what comes of it. */
struct search_query {
  uint8_t mode;
  uint32_t k;
  uint32_t term_count;
  uint32_t list[4];
  uint8_t occur[4];
  float weight[4];
};

/** Makes the lists and their pages; the same for the same seed. */
struct search_world *search_world_make(uint64_t seed, uint64_t stamp, uint64_t first_lba);
void search_world_free(struct search_world *world);

/** Writes the pages to the device. @return 0, or a negated status */
int64_t search_world_write(const struct search_world *world, struct csd_queue *queue);

/** A query of 1 to 4 terms with one required or optional at least. */
struct search_query search_query_random(uint64_t *seed);

/** Encodes a query's plan into WORLD_PLAN_BYTES. @return its bytes */
uint32_t search_query_plan(const struct search_world *world, const struct search_query *query,
                           uint8_t *plan);

/** Whether a result page is what brute force finds; prints and counts a failure if not. */
bool search_query_check(const struct search_world *world, const struct search_query *query,
                        const uint8_t *result, int64_t result_bytes);

#endif
