/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/columns/test_column_walk.c, and tests/core/program/test_program_columns.c. */
#include "core/columns/column_index.h"

#include "core/columns/page/column_parts.h"

bool csd_column_cursor_peek(struct csd_column_cursor *cursor, uint32_t at,
                            struct csd_column_entry *entry) {
  struct csd_page_range range;
  const bool known =
      cursor->source->peek(cursor->source->context, csd_column_cursor_lba(cursor, at),
                           cursor->ref.stamp, cursor->ref.first_page + at, &range);
  if (!known || (range.lead_first_doc & CSD_PAGE_RANGE_COLUMN) == 0) {
    return false;
  }
  *entry = csd_column_entry_of(&range);
  return entry->first_doc <= entry->last_doc && entry->last_doc < cursor->max_doc;
}

/* The part of csd_column_cursor_judge that asks what is wanted. */
static bool judge_entry_by_wants(struct csd_column_cursor *cursor,
                                 const struct csd_column_entry *entry) {
  switch (cursor->wants->ask(cursor->wanted, entry)) {
    case CSD_SET_NONE: cursor->verdict = CSD_COLUMN_NO_DOC; return true;
    case CSD_SET_ALL: cursor->verdict = CSD_COLUMN_ALL_DOCS; return entry->all_docs;
    default: return false;
  }
}

bool csd_column_cursor_excludes(const struct csd_column_cursor *cursor,
                                const struct csd_column_entry *entry) {
  return entry->min > cursor->hi_down || entry->max < cursor->lo_up ||
         !csd_parts_may_match(entry, cursor->lo_down, cursor->hi_down);
}

bool csd_column_cursor_judge(struct csd_column_cursor *cursor,
                             const struct csd_column_entry *entry) {
  if (csd_column_cursor_excludes(cursor, entry)) {
    cursor->verdict = CSD_COLUMN_NO_DOC;
    return true;
  }
  if (cursor->wants != NULL) {
    return judge_entry_by_wants(cursor, entry);
  }
  cursor->verdict = CSD_COLUMN_ALL_DOCS;
  return entry->all_docs && cursor->lo_up <= entry->min && entry->max <= cursor->hi_down;
}

bool csd_column_cursor_takes(const struct csd_column_cursor *cursor,
                             const struct csd_column_entry *entry) {
  if (csd_column_cursor_excludes(cursor, entry)) {
    return false;
  }
  if (cursor->lazy) {
    return true;
  }
  if (cursor->wants != NULL) {
    const enum csd_set_verdict verdict = cursor->wants->ask(cursor->wanted, entry);
    return verdict == CSD_SET_SOME || (verdict == CSD_SET_ALL && !entry->all_docs);
  }
  return !entry->all_docs || cursor->lo_up > entry->min || entry->max > cursor->hi_down;
}

/* Whether the index knows that a page begins at or before the target. */
static bool begins_by(struct csd_column_cursor *cursor, uint32_t at, uint32_t target) {
  struct csd_column_entry entry;
  return csd_column_cursor_peek(cursor, at, &entry) && entry.first_doc <= target;
}

/* The last of the pages [low, high) that begins by the target, if the first one does. */
static uint32_t last_of(struct csd_column_cursor *cursor, uint32_t low, uint32_t high,
                        uint32_t target) {
  while (high - low > 1u) {
    const uint32_t middle = low + (high - low) / 2u;
    if (begins_by(cursor, middle, target)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

uint32_t csd_column_cursor_last_by(struct csd_column_cursor *cursor, uint32_t low,
                                   uint32_t target) {
  const uint32_t count = cursor->ref.page_count;
  if (low + 1u >= count || !begins_by(cursor, low + 1u, target)) {
    return low;
  }
  low++;
  uint32_t step = 1;
  /* Most pages have about as many docs. */
  const uint32_t guess = (uint32_t)((uint64_t)target * count / cursor->max_doc);
  if (guess > low && guess < count) {
    if (!begins_by(cursor, guess, target)) {
      uint32_t high = guess;
      for (; step < high - low && !begins_by(cursor, high - step, target); step *= 2u) {
        high -= step;
      }
      return last_of(cursor, step < high - low ? high - step : low, high, target);
    }
    low = guess;
  }
  uint32_t high = low + 1u;
  while (high < count && begins_by(cursor, high, target)) {
    low = high;
    step *= 2u;
    high = step < count - low ? low + step : count;
  }
  return last_of(cursor, low, high, target);
}
