/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/columns/test_column_ahead.c; how often plans wait: test_columns_ahead.c. */
#include "core/columns/column_ahead.h"

/* Pages that are asked for behind the second of two that are read one after the other. */
#define MIN_AHEAD 2u

/* The pages of docs lie close together if one in so many is read. */
#define CLOSE 2u

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static bool is_cold(const struct csd_column_cursor *cursor) {
  return cursor->source->cold && cursor->source->ask != NULL;
}

static bool reads(const struct csd_column_cursor *cursor, csd_column_reads *reads_page,
                  const void *context, const struct csd_column_entry *entry) {
  return reads_page != NULL ? reads_page(context, entry) : csd_column_cursor_takes(cursor, entry);
}

/* Asks for pages [from, to) of the column and, if they were not asked for, their index pages. */
static void ask(struct csd_column_cursor *cursor, uint32_t from, uint32_t to) {
  while (from < to) {
    uint32_t left;
    const uint32_t page = cursor->ref.first_page + from;
    const uint64_t lba =
        csd_extent_run(cursor->extents, cursor->extent_count, &cursor->extent, page, &left);
    const uint32_t count = least(to - from, left);
    cursor->source->ask(cursor->source->context, lba, count, count);
    from += count;
  }
}

/* Pages that are to be asked for and lie together. */
struct stretch {
  uint32_t from, to;
};

static void add(struct csd_column_cursor *cursor, struct stretch *stretch, uint32_t at) {
  if (at != stretch->to || stretch->from == stretch->to) {
    ask(cursor, stretch->from, stretch->to);
    stretch->from = at;
  }
  stretch->to = at + 1u;
}

void csd_column_ask_for_index(struct csd_column_cursor *cursor) {
  if (cursor->index_asked || !is_cold(cursor)) {
    return;
  }
  cursor->index_asked = true;
  for (uint32_t at = 0; at < cursor->ref.page_count;) {
    uint32_t left;
    const uint64_t lba = csd_extent_run(cursor->extents, cursor->extent_count, &cursor->extent,
                                        cursor->ref.first_page + at, &left);
    const uint32_t peeked = least(cursor->ref.page_count - at, left);
    cursor->source->ask(cursor->source->context, lba, 0, peeked);
    at += peeked;
  }
}

/* Asks for those of the pages behind `at`, and before `at` + cursor->ahead, that will be read. */
static void ask_behind(struct csd_column_cursor *cursor, uint32_t at, csd_column_reads *reads_page,
                       const void *context) {
  if (at + cursor->ahead / 2u < cursor->asked_to) {
    return; /* once half of them have been used */
  }
  const uint32_t end = least(at + 1u + cursor->ahead, cursor->ref.page_count);
  struct stretch stretch = {0};
  struct csd_column_entry entry;
  uint32_t page = at + 1u > cursor->asked_to ? at + 1u : cursor->asked_to;
  for (; page < end && csd_column_cursor_peek(cursor, page, &entry); page++) {
    if (reads(cursor, reads_page, context, &entry)) {
      add(cursor, &stretch, page);
    }
  }
  ask(cursor, stretch.from, stretch.to);
  cursor->asked_to = page > cursor->asked_to ? page : cursor->asked_to;
}

void csd_column_ask_for_docs(struct csd_column_cursor *cursor, const uint32_t *docs, uint32_t n,
                             csd_column_reads *reads_page, const void *context) {
  if (!is_cold(cursor) || n == 0) {
    return;
  }
  csd_column_ask_for_index(cursor);
  struct stretch stretch = {0};
  struct csd_column_entry entry;
  uint32_t at = cursor->at, end = cursor->end;
  uint32_t first = UINT32_MAX, read = 0;
  for (uint32_t i = 0; i < n && read < CSD_COLUMN_MAX_FOR_DOCS;) {
    if (docs[i] < end) {
      i++;
      continue;
    }
    if (at + 1u >= cursor->ref.page_count) {
      break;
    }
    at = csd_column_cursor_last_by(cursor, at + 1u, docs[i]);
    if (!csd_column_cursor_peek(cursor, at, &entry)) {
      break;
    }
    while (i < n && docs[i] < entry.first_doc) {
      i++; /* in no page */
    }
    end = entry.last_doc + 1u;
    if (i < n && docs[i] < end && reads(cursor, reads_page, context, &entry)) {
      if (at >= cursor->asked_to) {
        add(cursor, &stretch, at);
      }
      first = first < at ? first : at;
      read++;
    }
  }
  ask(cursor, stretch.from, stretch.to);
  if (read == 0) {
    return;
  }
  const bool close = CLOSE * read > at - first;
  cursor->ahead =
      close ? least(2u * (read > cursor->ahead ? read : cursor->ahead), CSD_COLUMN_MAX_AHEAD) : 0;
  ask_behind(cursor, at, reads_page, context);
}

void csd_column_ask_on(struct csd_column_cursor *cursor, uint32_t at) {
  if (!is_cold(cursor)) {
    return;
  }
  csd_column_ask_for_index(cursor);
  const bool expected = at == cursor->next;
  cursor->ahead = !expected            ? 0
                  : cursor->ahead == 0 ? MIN_AHEAD
                                       : least(2u * cursor->ahead, CSD_COLUMN_MAX_AHEAD);
  struct csd_column_entry entry;
  cursor->next = at + 1u;
  while (cursor->next < cursor->ref.page_count && cursor->next - at <= CSD_COLUMN_MAX_AHEAD &&
         csd_column_cursor_peek(cursor, cursor->next, &entry) &&
         !csd_column_cursor_takes(cursor, &entry)) {
    cursor->next++;
  }
  if (cursor->ahead > 0) {
    ask_behind(cursor, at, NULL, NULL);
  }
}
