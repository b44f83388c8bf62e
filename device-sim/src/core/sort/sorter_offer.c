/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_sort.c, which compares programs with a plain evaluation.
 */
/* The keys of a doc, compared with the bound. */
#include "core/sort/sorter_offer.h"

#include "base/status.h"
#include "core/sort/sort_key.h"

/* The key of the doc of that rank in the page: of its least or greatest value, or nearest point. */
static uint64_t key_of_rank(const struct csd_sorter_key *key, uint32_t rank) {
  const struct csd_column_page *page = &key->column.page;
  uint32_t value = rank;
  uint32_t last = rank;
  if ((page->header.flags & CSD_COLUMN_FLAG_MULTI) != 0) {
    const uint32_t end = csd_column_first_value(page, rank + 1u);
    value = key->max ? end - 1u : csd_column_first_value(page, rank);
    last = key->transform == CSD_SORT_TRANSFORM_DISTANCE ? end - 1u : value;
  }
  uint64_t least = csd_sorter_key_of(key, csd_column_value(page, value));
  while (value < last) {
    const uint64_t other = csd_sorter_key_of(key, csd_column_value(page, ++value));
    least = other < least ? other : least;
  }
  return least;
}

/* The key of a doc by its value in a column. */
static int key_of_column(struct csd_sorter_key *key, uint32_t doc, uint64_t *out) {
  struct csd_column_cursor *column = &key->column;
  int status = csd_column_cursor_seek(column, doc);
  *out = key->missing;
  if (status < 0 || doc < column->start) {
    return status;
  }
  status = csd_column_cursor_pin(column);
  if (status < 0 || doc < column->start) {
    return status;
  }
  if (doc >= column->end) {
    return -CSD_STATUS_LIST_CORRUPT; /* it is not the page that the index knows */
  }
  uint32_t rank;
  if (csd_column_find(&column->page, doc, &rank)) {
    *out = key_of_rank(key, rank);
  }
  return 0;
}

static int key_of(struct csd_sorter_key *key, uint32_t doc, float score, uint64_t *out) {
  switch (key->kind) {
    case CSD_SORT_KIND_COLUMN: return key_of_column(key, doc, out);
    case CSD_SORT_KIND_DOC: *out = csd_sort_key_of_doc(doc); return 0;
    case CSD_SORT_KIND_SCORE: *out = csd_sort_key_of_score(score); return 0;
    default: *out = key->missing; return 0;
  }
}

/* Compares keys up to number `n`: below, at or above 0. */
static int compare(const uint64_t *a, const uint64_t *b, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (a[i] != b[i]) {
      return a[i] < b[i] ? -1 : 1;
    }
  }
  return 0;
}

static void raise_bound(struct csd_sorter *sorter) {
  struct csd_sort_entry worst;
  csd_sort_heap_worst(&sorter->heap, &worst);
  for (uint32_t i = 0; i < sorter->key_count; i++) {
    sorter->bound[i] = worst.keys[i];
  }
  sorter->bound_doc = worst.doc;
  sorter->has_bound = true;
  sorter->stale = true;
}

/* Offers a doc. `lead` is its value in the lead's column; NULL: it has to be looked up. */
static inline int offer(struct csd_sorter *sorter, uint32_t doc, float score, const int64_t *lead) {
  struct csd_sort_entry entry = {.doc = doc, .score = sorter->scores ? score : 0.0f};
  bool below = !sorter->has_bound; /* the keys so far are better than the bound's */
  sorter->compared++;
  for (uint32_t i = 0; i < sorter->key_count; i++) {
    if (lead != NULL && i == sorter->lead) {
      entry.keys[i] = csd_sorter_key_of(&sorter->keys[i], *lead);
    } else {
      const int status = key_of(&sorter->keys[i], doc, score, &entry.keys[i]);
      if (status < 0) {
        return status;
      }
    }
    entry.keys[i] ^= sorter->flips[i];
    if (!below) {
      if (entry.keys[i] > sorter->bound[i]) {
        return 0;
      }
      below = entry.keys[i] < sorter->bound[i];
    }
  }
  if (!below && doc >= sorter->bound_doc) {
    return 0;
  }
  if (sorter->has_after) {
    const int side = compare(entry.keys, sorter->after, sorter->key_count);
    if (side < 0 || (side == 0 && (int64_t)doc <= (int64_t)sorter->after_doc)) {
      return 0;
    }
  }
  sorter->taken++;
  csd_sort_heap_add(&sorter->heap, &entry);
  if (csd_sort_heap_is_full(&sorter->heap)) {
    raise_bound(sorter);
  }
  return 0;
}

int csd_sorter_offer(struct csd_sorter *sorter, uint32_t doc, float score) {
  return offer(sorter, doc, score, NULL);
}

int csd_sorter_offer_value(struct csd_sorter *sorter, uint32_t doc, float score, int64_t value) {
  return offer(sorter, doc, score, &value);
}
