/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A task's variables, and how programs look at rows: every look is counted. */
#ifndef CSD_ROWS_TASK_H
#define CSD_ROWS_TASK_H

#include <string.h>

#include "csd/csd_rows.h"

/* An entry of the hash table: free if the key is 0, which no part has. */
struct rows_bucket {
  uint32_t key;
  uint32_t promoted;
};

struct csd_rows_task {
  uint32_t mask; /* buckets - 1; 0: there is no table */
  uint32_t parts;
  struct rows_bucket *buckets;
  uint32_t *query_words;
  uint32_t *queries; /* where each begins in query_words */
  uint32_t query_count;
  uint32_t group_count;
  struct csd_rows_group groups[CSD_ROWS_MAX_GROUPS];
};

/* A page being worked on. */
struct rows_page {
  const uint8_t *bytes;
  uint32_t rows;
  struct csd_rows_counts *counts;
};

/* Where a filter's output goes. */
struct rows_output {
  uint8_t *bytes;
  uint32_t room;
  uint32_t used;
  bool overflow;
};

static inline uint32_t rows_u32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline uint16_t rows_u16(const uint8_t *at) {
  uint16_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline int64_t rows_value32(const uint8_t *at, struct csd_rows_counts *counts) {
  counts->values++;
  return rows_u32(at);
}

static inline int64_t rows_value8(const uint8_t *at, struct csd_rows_counts *counts) {
  counts->values++;
  return *at;
}

/* Row `i`, with at least so many bytes; NULL if the page is damaged. */
static inline const uint8_t *rows_row(const struct rows_page *page, uint32_t i, uint32_t bytes) {
  const uint32_t at = rows_u16(page->bytes + CSD_ROWS_HEAD_BYTES + 2u * i);
  page->counts->rows++;
  return at + bytes <= CSD_ROWS_PAGE_BYTES ? page->bytes + at : NULL;
}

static inline void rows_put(struct rows_output *out, const void *bytes, uint32_t count) {
  if (count > out->room - out->used) {
    out->overflow = true;
    return;
  }
  memcpy(out->bytes + out->used, bytes, count);
  out->used += count;
}

/* Bytes of a task's variables, and their set-up there, in memory aligned to 8. */
uint64_t csd_rows_task_bytes(uint32_t parts, uint32_t words);
int csd_rows_task_open(void *memory, uint32_t parts, const uint32_t *queries, uint32_t words);

/* The sums of a group, which is made if there is none; NULL if there are too many. */
int64_t *csd_rows_sums(struct csd_rows_task *task, uint32_t key);

/* The entry of a part, or the free one where it belongs. */
struct rows_bucket *csd_rows_bucket(struct csd_rows_task *task, uint32_t key,
                                    struct csd_rows_counts *counts);

int csd_rows_corrupt(const char *what, uint32_t row);

/* Programs: over a page, `out` NULL to go through with them; over a filter's output. */
int csd_rows_items(struct csd_rows_task *task, enum csd_rows_program program,
                   const struct rows_page *page, struct rows_output *out);
int csd_rows_items_rest(struct csd_rows_task *task, enum csd_rows_program program,
                        const uint8_t *rows, uint32_t bytes, struct csd_rows_counts *counts);
int csd_rows_build(struct csd_rows_task *task, const struct rows_page *page);
int csd_rows_join(struct csd_rows_task *task, bool exact, const struct rows_page *page,
                  struct rows_output *out);
int csd_rows_join_rest(struct csd_rows_task *task, bool exact, const uint8_t *rows, uint32_t bytes,
                       struct csd_rows_counts *counts);

#endif
