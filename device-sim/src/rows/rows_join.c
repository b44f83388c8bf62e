/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * The similarity join of the paper (algorithms 4 and 5). Records are sets of tokens, rare ones
 * first. Similar are two whose overlap is at least a share of the shorter one. A prefix filter
 * comes first: two similar records share a token near their beginnings. As printed, both loops run
 * to their ends, and pairs are lost: the prefix is too short if the other record is shorter, and no
 * more tokens of the longer record are compared than the shorter one has.
 */
#include "base/status.h"
#include "rows/rows_task.h"

enum { THRESHOLD = 80, WHOLE = 100, ID_BITS = 32 };

struct record {
  uint32_t number;
  uint32_t count;
  const uint8_t *tokens;
};

static uint32_t needed(uint32_t length) { return (length * THRESHOLD + WHOLE - 1) / WHOLE; }

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Tokens that both have among their first ones. */
static uint32_t common(const struct record *q, uint32_t q_end, const struct record *x,
                       uint32_t x_end, struct csd_rows_counts *counts) {
  uint32_t found = 0;
  counts->tokens += (uint64_t)q_end * x_end;
  for (uint32_t i = 0; i < q_end; i++) {
    const uint32_t token = rows_u32(q->tokens + 4u * i);
    for (uint32_t j = 0; j < x_end; j++) {
      found += token == rows_u32(x->tokens + 4u * j);
    }
  }
  return found;
}

static bool shares(const struct record *q, const struct record *x, bool exact,
                   struct csd_rows_counts *counts) {
  const uint32_t shorter = least(q->count, x->count);
  const uint32_t q_prefix = q->count - needed(exact ? shorter : q->count) + 1;
  const uint32_t x_prefix = x->count - needed(exact ? shorter : x->count) + 1;
  return common(q, q_prefix, x, x_prefix, counts) > 0;
}

static bool similar(const struct record *q, const struct record *x, bool exact,
                    struct csd_rows_counts *counts) {
  const uint32_t shorter = least(q->count, x->count);
  const uint32_t found =
      common(q, exact ? q->count : shorter, x, exact ? x->count : shorter, counts);
  return found * WHOLE >= shorter * THRESHOLD;
}

static struct record query_of(const struct csd_rows_task *task, uint32_t number) {
  const uint8_t *const at = (const uint8_t *)(task->query_words + task->queries[number]);
  return (struct record){rows_u32(at), rows_u32(at + CSD_ROWS_RECORD_COUNT),
                         at + CSD_ROWS_RECORD_TOKENS};
}

static void found(int64_t *sums, const struct record *q, const struct record *x) {
  sums[0]++;
  sums[1] += (int64_t)((uint64_t)q->number << ID_BITS | x->number);
}

/* Puts out a record and the query records that it may be similar to. */
static void put(const struct csd_rows_task *task, const struct record *x, bool exact,
                struct rows_output *out, struct csd_rows_counts *counts) {
  const uint32_t start = out->used;
  uint32_t candidates = 0;
  rows_put(out, &candidates, sizeof candidates);
  for (uint32_t k = 0; k < task->query_count; k++) {
    const struct record q = query_of(task, k);
    if (shares(&q, x, exact, counts)) {
      rows_put(out, &k, sizeof k);
      candidates++;
    }
  }
  if (candidates == 0) {
    out->used = start;
    return;
  }
  rows_put(out, &x->number, sizeof x->number);
  rows_put(out, &x->count, sizeof x->count);
  rows_put(out, x->tokens, 4u * x->count);
  if (!out->overflow) {
    memcpy(out->bytes + start, &candidates, sizeof candidates);
  }
}

/* Record `at` of so many bytes; false if it is cut off. */
static bool read_record(const uint8_t *at, size_t bytes, struct record *x) {
  if (bytes < CSD_ROWS_RECORD_TOKENS) {
    return false;
  }
  *x = (struct record){rows_u32(at + CSD_ROWS_RECORD_NUMBER), rows_u32(at + CSD_ROWS_RECORD_COUNT),
                       at + CSD_ROWS_RECORD_TOKENS};
  return x->count > 0 && x->count <= (bytes - CSD_ROWS_RECORD_TOKENS) / 4u;
}

int csd_rows_join(struct csd_rows_task *task, bool exact, const struct rows_page *page,
                  struct rows_output *out) {
  int64_t *const sums = csd_rows_sums(task, 0);
  for (uint32_t i = 0; i < page->rows; i++) {
    const uint8_t *const row = rows_row(page, i, CSD_ROWS_RECORD_TOKENS);
    struct record x;
    if (row == NULL || !read_record(row, CSD_ROWS_PAGE_BYTES - (size_t)(row - page->bytes), &x)) {
      return csd_rows_corrupt("record", i);
    }
    if (out != NULL) {
      put(task, &x, exact, out, page->counts);
      continue;
    }
    for (uint32_t k = 0; k < task->query_count; k++) {
      const struct record q = query_of(task, k);
      if (shares(&q, &x, exact, page->counts) && similar(&q, &x, exact, page->counts)) {
        found(sums, &q, &x);
      }
    }
  }
  return 0;
}

int csd_rows_join_rest(struct csd_rows_task *task, bool exact, const uint8_t *rows, uint32_t bytes,
                       struct csd_rows_counts *counts) {
  int64_t *const sums = csd_rows_sums(task, 0);
  for (uint32_t at = 0; at < bytes;) {
    const uint32_t candidates = bytes - at < 4 ? UINT32_MAX : rows_u32(rows + at);
    struct record x;
    if (candidates > (bytes - at) / 4u - 1 ||
        !read_record(rows + at + 4u + 4u * candidates, bytes - at - 4u - 4u * candidates, &x)) {
      return csd_rows_corrupt("filtered bytes at", at);
    }
    for (uint32_t i = 0; i < candidates; i++) {
      const uint32_t number = rows_u32(rows + at + 4u + 4u * i);
      if (number >= task->query_count) {
        return csd_rows_corrupt("query record", number);
      }
      const struct record q = query_of(task, number);
      if (similar(&q, &x, exact, counts)) {
        found(sums, &q, &x);
      }
    }
    at += 4u + 4u * candidates + CSD_ROWS_RECORD_TOKENS + 4u * x.count;
  }
  return 0;
}
