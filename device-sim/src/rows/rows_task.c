/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tasks over rows: their variables, and which program runs. */
#include "rows/rows_task.h"

#include <stdlib.h>

#include "base/status.h"

enum { LOAD = 2, MIN_BUCKETS = 16, HASH_SHIFT = 7 }; /* buckets a part, at least */

static const uint32_t golden = 0x9E3779B1u;

int csd_rows_corrupt(const char *what, uint32_t row) {
  return csd_fail(CSD_STATUS_PAGE_CORRUPT, "a page of rows: %s %u", what, (unsigned)row);
}

static int take_queries(struct csd_rows_task *task, const uint32_t *queries, uint32_t words) {
  if (words > 0) {
    memcpy(task->query_words, queries, (size_t)words * sizeof *queries);
  }
  for (uint32_t at = 0; at < words;) {
    const uint32_t head = CSD_ROWS_RECORD_TOKENS / 4u;
    if (words - at < head || task->query_words[at + 1] > words - at - head ||
        task->query_count == CSD_ROWS_MAX_QUERIES) {
      return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "query record %u", (unsigned)task->query_count);
    }
    task->queries[task->query_count++] = at;
    at += head + task->query_words[at + 1];
  }
  return 0;
}

static uint32_t buckets_of(uint32_t parts) {
  uint32_t buckets = MIN_BUCKETS;
  while (buckets < LOAD * parts) {
    buckets *= 2;
  }
  return buckets;
}

uint64_t csd_rows_task_bytes(uint32_t parts, uint32_t words) {
  return sizeof(struct csd_rows_task) + buckets_of(parts) * sizeof(struct rows_bucket) +
         2 * (uint64_t)words * sizeof(uint32_t);
}

int csd_rows_task_open(void *memory, uint32_t parts, const uint32_t *queries, uint32_t words) {
  struct csd_rows_task *task = memory;
  const uint32_t buckets = buckets_of(parts);
  *task = (struct csd_rows_task){.mask = buckets - 1, .parts = parts};
  task->buckets = (struct rows_bucket *)(task + 1);
  memset(task->buckets, 0, buckets * sizeof *task->buckets);
  task->query_words = (uint32_t *)(task->buckets + buckets);
  task->queries = task->query_words + words;
  return take_queries(task, queries, words);
}

int csd_rows_create(uint32_t parts, const uint32_t *queries, uint32_t words,
                    struct csd_rows_task **out) {
  if (parts > CSD_ROWS_MAX_PARTS || (words > 0 && queries == NULL)) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "a task of %u parts", (unsigned)parts);
  }
  struct csd_rows_task *task = malloc(csd_rows_task_bytes(parts, words));
  if (task == NULL) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "a task");
  }
  const int status = csd_rows_task_open(task, parts, queries, words);
  if (status < 0) {
    csd_rows_destroy(task);
    return status;
  }
  *out = task;
  return 0;
}

void csd_rows_destroy(struct csd_rows_task *task) { free(task); }

int64_t *csd_rows_sums(struct csd_rows_task *task, uint32_t key) {
  for (uint32_t i = 0; i < task->group_count; i++) {
    if (task->groups[i].key == key) {
      return task->groups[i].sums;
    }
  }
  if (task->group_count == CSD_ROWS_MAX_GROUPS) {
    (void)csd_fail(CSD_STATUS_NO_SPACE, "more than %u groups", CSD_ROWS_MAX_GROUPS);
    return NULL;
  }
  task->groups[task->group_count] = (struct csd_rows_group){.key = key};
  return task->groups[task->group_count++].sums;
}

struct rows_bucket *csd_rows_bucket(struct csd_rows_task *task, uint32_t key,
                                    struct csd_rows_counts *counts) {
  uint32_t at = (key * golden >> HASH_SHIFT) & task->mask;
  while (true) {
    struct rows_bucket *const bucket = &task->buckets[at];
    counts->values++;
    if (bucket->key == key || bucket->key == 0) {
      return bucket;
    }
    at = (at + 1) & task->mask;
  }
}

static int open_page(const uint8_t *bytes, struct csd_rows_counts *counts, struct rows_page *page) {
  *page = (struct rows_page){bytes, rows_u32(bytes), counts};
  const uint32_t valid = rows_u32(bytes + 4);
  if (valid > CSD_ROWS_PAGE_BYTES || valid < CSD_ROWS_HEAD_BYTES ||
      page->rows > (valid - CSD_ROWS_HEAD_BYTES) / 2u) {
    return csd_rows_corrupt("rows:", page->rows);
  }
  return 0;
}

static int run(struct csd_rows_task *task, enum csd_rows_program program, const uint8_t *bytes,
               struct rows_output *out, struct csd_rows_counts *counts) {
  struct rows_page page;
  const int status = open_page(bytes, counts, &page);
  if (status < 0) {
    return status;
  }
  switch (program) {
    case CSD_ROWS_QUERY_1:
    case CSD_ROWS_QUERY_6:
    case CSD_ROWS_QUERY_14: return csd_rows_items(task, program, &page, out);
    case CSD_ROWS_JOIN: return csd_rows_join(task, false, &page, out);
    case CSD_ROWS_JOIN_EXACT: return csd_rows_join(task, true, &page, out);
    case CSD_ROWS_BUILD:
      if (out == NULL) {
        return csd_rows_build(task, &page);
      }
      break;
  }
  return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "program %u", (unsigned)program);
}

int csd_rows_process(struct csd_rows_task *task, enum csd_rows_program program, const uint8_t *page,
                     struct csd_rows_counts *counts) {
  return run(task, program, page, NULL, counts);
}

int csd_rows_filter(struct csd_rows_task *task, enum csd_rows_program program, const uint8_t *page,
                    uint8_t *out, uint32_t room, struct csd_rows_counts *counts) {
  struct rows_output output = {.bytes = out, .room = room};
  const int status = run(task, program, page, &output, counts);
  if (status < 0) {
    return status;
  }
  return output.overflow ? csd_fail(CSD_STATUS_NO_SPACE, "filtered rows: %u bytes", (unsigned)room)
                         : (int)output.used;
}

int csd_rows_rest(struct csd_rows_task *task, enum csd_rows_program program, const uint8_t *rows,
                  uint32_t bytes, struct csd_rows_counts *counts) {
  switch (program) {
    case CSD_ROWS_QUERY_1:
    case CSD_ROWS_QUERY_6:
    case CSD_ROWS_QUERY_14: return csd_rows_items_rest(task, program, rows, bytes, counts);
    case CSD_ROWS_JOIN: return csd_rows_join_rest(task, false, rows, bytes, counts);
    case CSD_ROWS_JOIN_EXACT: return csd_rows_join_rest(task, true, rows, bytes, counts);
    default: return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "program %u", (unsigned)program);
  }
}

uint32_t csd_rows_result(const struct csd_rows_task *task, struct csd_rows_group *groups) {
  memcpy(groups, task->groups, task->group_count * sizeof *groups);
  return task->group_count;
}
