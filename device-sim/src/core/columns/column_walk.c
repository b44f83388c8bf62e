/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/columns/test_column_walk.c. */
#include "core/columns/column_walk.h"

#include "base/status.h"

/* Docs that are compared at once, without a branch for each. */
#define DOCS_AT_ONCE 8u

/* So many docs of a page have their values prefetched one by one; of more, all that is between. */
#define FEW_DOCS 8u

#define LINE_BYTES 64u

/* Pages of which the kept facts are looked at for a doc. */
#define RECALLS 4u

void csd_column_walk_begin(struct csd_column_walk *walk, struct csd_column_cursor *cursor,
                           const uint32_t *docs, uint32_t n) {
  walk->cursor = cursor;
  walk->docs = docs;
  walk->n = n;
  walk->next = 0;
  walk->turn = 0;
  walk->counts[0] = 0;
  walk->counts[1] = 0;
}

/* Index of the first of the docs, from index `at` on, that is `doc` or behind it. */
static uint32_t first_from(const uint32_t *docs, uint32_t at, uint32_t n, uint32_t doc) {
  if (at == n || docs[n - 1u] < doc) {
    return n;
  }
  uint32_t step = DOCS_AT_ONCE;
  for (; n - at > step && docs[at + step - 1u] < doc; step *= 2u) {
    at += step;
  }
  uint32_t high = n - at > step ? at + step : n;
  while (high - at > DOCS_AT_ONCE) {
    const uint32_t middle = at + (high - at) / 2u;
    at = docs[middle] < doc ? middle + 1u : at;
    high = docs[middle] < doc ? high : middle;
  }
  uint32_t below = 0;
  for (uint32_t i = at; i < high; i++) {
    below += docs[i] < doc;
  }
  return at + below;
}

/* Pins a page of the column that has no doc before `least`. */
static int read_page(struct csd_column_walk *walk, uint32_t at, uint32_t least,
                     struct csd_column_facts *facts) {
  struct csd_column_cursor *cursor = walk->cursor;
  const struct csd_page_source *source = cursor->source;
  struct csd_column_page page;
  const int status = csd_column_cursor_read(cursor, at, least, &page);
  if (status < 0) {
    return status;
  }
  if (source->memo == NULL) {
    *facts = csd_column_facts_of_page(&page, 0);
  } else {
    *facts = csd_column_facts_of_page(&page, source->place_of(source->context, page.bytes));
    csd_column_memo_put(source->memo, facts);
  }
  return 0;
}

/* The facts of page `at`, if they are kept and go with what the plan says of the column. */
static inline const struct csd_column_facts *recall(const struct csd_column_walk *walk, uint32_t at,
                                                    uint32_t least) {
  const struct csd_column_cursor *cursor = walk->cursor;
  const struct csd_column_ref *ref = &cursor->ref;
  if (cursor->source->memo == NULL) {
    return NULL;
  }
  const struct csd_column_facts *facts =
      csd_column_memo_find(cursor->source->memo, ref->stamp, ref->first_page + at);
  return facts != NULL && facts->first_doc >= least && facts->last_doc < cursor->max_doc &&
                 facts->min >= ref->min && facts->max <= ref->max
             ? facts
             : NULL;
}

/* Looks page `at` up, which has no doc before `least`; reads it if nothing is known of it. */
static int look_up(struct csd_column_walk *walk, uint32_t at, uint32_t least,
                   struct csd_column_facts *facts) {
  struct csd_column_cursor *cursor = walk->cursor;
  cursor->work->units += 8u;
  struct csd_column_entry entry;
  if (csd_column_cursor_peek(cursor, at, &entry) && entry.first_doc >= least) {
    *facts = csd_column_facts_of_entry(&entry);
    /* Rounded outwards, beyond the column's own bounds, too. */
    facts->min = facts->min > cursor->ref.min ? facts->min : cursor->ref.min;
    facts->max = facts->max < cursor->ref.max ? facts->max : cursor->ref.max;
    return 0;
  }
  const int status = read_page(walk, at, least, facts);
  if (status == 0) {
    cursor->source->unpin(cursor->source->context, facts->page);
  }
  return status;
}

static inline int find(struct csd_column_walk *walk, uint32_t at, uint32_t least,
                       struct csd_column_facts *facts) {
  const struct csd_column_facts *known = recall(walk, at, least);
  if (known == NULL) {
    return look_up(walk, at, least, facts);
  }
  *facts = *known;
  return 0;
}

/*
 * The page behind number `at` that holds the doc, if facts that are kept say which: then the page
 * index, of which a search reads several entries, is not asked. 0: they do not.
 */
static uint32_t recall_page(const struct csd_column_walk *walk, uint32_t at, uint32_t least,
                            uint32_t doc, struct csd_column_facts *facts) {
  const struct csd_column_cursor *cursor = walk->cursor;
  uint64_t page = (uint64_t)doc * cursor->ref.page_count / cursor->max_doc;
  for (uint32_t i = 0; i < RECALLS && page > at && page < cursor->ref.page_count; i++) {
    const struct csd_column_facts *known = recall(walk, (uint32_t)page, least);
    if (known == NULL) {
      return 0;
    }
    const uint32_t span = known->last_doc - known->first_doc + 1u;
    if (doc < known->first_doc) {
      page -= 1u + (known->first_doc - doc - 1u) / span;
    } else if (doc > known->last_doc) {
      page += 1u + (doc - known->last_doc - 1u) / span;
    } else {
      *facts = *known;
      return (uint32_t)page;
    }
  }
  return 0;
}

/*
 * Goes to the page whose span ends at or behind the doc.
 *
 * @return 1; 0 if there is none; or a negated status
 */
static int find_page(struct csd_column_walk *walk, uint32_t doc, struct csd_column_facts *facts) {
  struct csd_column_cursor *cursor = walk->cursor;
  if (doc < cursor->end) { /* as the docs before, which another walk has taken there */
    const int status = find(walk, cursor->at, 0, facts);
    return status < 0 ? status : 1;
  }
  for (uint32_t at = cursor->at + 1u; at < cursor->ref.page_count; at = cursor->at + 1u) {
    int status = find(walk, at, cursor->end, facts);
    if (status == 0 && facts->last_doc < doc) {
      const uint32_t least = facts->last_doc + 1u;
      uint32_t last = recall_page(walk, at, least, doc, facts);
      if (last == 0) {
        last = csd_column_cursor_last_by(cursor, at, doc);
        status = last > at ? find(walk, last, least, facts) : 0;
      }
      at = last;
    }
    if (status < 0) {
      return status;
    }
    cursor->at = at;
    cursor->end = facts->last_doc + 1u;
    if (doc < cursor->end) {
      return 1;
    }
  }
  return 0;
}

/*
 * Prefetches the values of some docs of a plain page where it was. Inlined, or GCC leaves it out as
 * a function without effect.
 */
static inline __attribute__((always_inline)) void prefetch(const struct csd_column_facts *facts,
                                                           const uint32_t *docs, uint32_t n) {
  const uint8_t *values = facts->page + facts->values_at;
  if (n <= FEW_DOCS) {
    for (uint32_t i = 0; i < n; i++) {
      __builtin_prefetch(values + (docs[i] - facts->first_doc) * facts->value_bits / 8u);
    }
    return;
  }
  const uint8_t *end = values + (docs[n - 1u] - facts->first_doc) * facts->value_bits / 8u;
  for (values += (docs[0] - facts->first_doc) * facts->value_bits / 8u; values <= end;
       values += LINE_BYTES) {
    __builtin_prefetch(values);
  }
}

/* Finds the next stops; returns how many, or a negated status. */
static int look_ahead(struct csd_column_walk *walk, struct csd_column_stop *stops) {
  const uint32_t *docs = walk->docs;
  const uint32_t n = walk->n;
  uint32_t count = 0;
  while (count < CSD_WALK_STOPS && walk->next < n) {
    struct csd_column_stop *stop = &stops[count];
    const struct csd_column_facts *facts = &stop->facts;
    const uint32_t next = walk->next;
    const int found = find_page(walk, docs[next], &stop->facts);
    if (found <= 0) {
      walk->next = n; /* behind the last page */
      return found < 0 ? found : (int)count;
    }
    stop->at = walk->cursor->at;
    stop->first =
        docs[next] < facts->first_doc ? first_from(docs, next, n, facts->first_doc) : next;
    stop->end = first_from(docs, stop->first, n, facts->last_doc + 1u);
    walk->next = stop->end;
    if (stop->first < stop->end) {
      if (facts->plain) {
        prefetch(facts, docs + stop->first, stop->end - stop->first);
      }
      count++;
    }
  }
  return (int)count;
}

int csd_column_walk_next(struct csd_column_walk *walk, struct csd_column_stop **stops) {
  const unsigned given = walk->turn ^ 1u;
  if (walk->counts[given] == 0) {
    const int found = look_ahead(walk, walk->stops[given]);
    if (found <= 0) {
      return found;
    }
    walk->counts[given] = (uint32_t)found;
  }
  const int ahead = look_ahead(walk, walk->stops[walk->turn]);
  if (ahead < 0) {
    return ahead;
  }
  walk->counts[walk->turn] = (uint32_t)ahead;
  walk->turn = given;
  *stops = walk->stops[given];
  const int count = (int)walk->counts[given];
  walk->counts[given] = 0;
  return count;
}

int csd_column_walk_read(struct csd_column_walk *walk, struct csd_column_stop *stop) {
  struct csd_column_cursor *cursor = walk->cursor;
  const struct csd_page_source *source = cursor->source;
  if (stop->facts.exact && source->memo != NULL &&
      source->pin_again(source->context, csd_column_cursor_lba(cursor, stop->at), stop->facts.page,
                        stop->facts.place)) {
    cursor->work->pages_read++;
    return 0;
  }
  const int status = read_page(walk, stop->at, stop->facts.first_doc, &stop->facts);
  if (status < 0) {
    return status;
  }
  if (walk->docs[stop->first] < stop->facts.first_doc ||
      walk->docs[stop->end - 1u] > stop->facts.last_doc) {
    csd_column_walk_release(walk, stop);
    return csd_fail(CSD_STATUS_LIST_CORRUPT, "a column page is not where the page index has it");
  }
  return 0;
}

void csd_column_walk_release(struct csd_column_walk *walk, const struct csd_column_stop *stop) {
  const struct csd_page_source *source = walk->cursor->source;
  source->unpin(source->context, stop->facts.page);
}
