/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_sort.c, which compares programs with a plain evaluation.
 */
/* Looks values of the lead's column up many at once, and offers the docs that are left. */
#include "core/sort/sorter_values.h"

#include "core/sort/sort_key.h"
#include "core/sort/sorter_offer.h"

/* Docs whose values are looked up and compared at once; fewer than FEW are offered one by one. */
#define VALUES_AT_ONCE 256u
#define FEW 4u

/* The best of each of so many parts tell a value that k docs reach: see guess. */
#define PARTS 16u

/* Values of a page as they are packed: the wanted ones are no fewer than `least` and no more than
   `most`. */
struct packed_range {
  uint64_t least;
  uint64_t most;
};

/*
 * Reads the current page. Returns 1 if each of its docs has one value, of which the lead's cursor
 * wants some, and these docs are in it; else 0, or a negated status.
 */
static int has_plain_values(struct csd_sorter *sorter, uint32_t first, uint32_t last) {
  struct csd_column_cursor *column = &sorter->keys[sorter->lead].column;
  const int status = csd_column_cursor_pin(column);
  if (status < 0) {
    return status;
  }
  const struct csd_column_page_header *h = &column->page.header;
  return column->verdict != CSD_COLUMN_NO_DOC && h->presence == CSD_COLUMN_PRESENCE_ALL &&
         (h->flags & CSD_COLUMN_FLAG_MULTI) == 0 && first >= column->start && last < column->end;
}

static int64_t value_of(const struct csd_column_page *page, int64_t number) {
  return (page->header.flags & CSD_COLUMN_FLAG_TABLE) != 0
             ? csd_column_table(page, (uint64_t)number)
             : (int64_t)((uint64_t)page->header.min + page->header.unit * (uint64_t)number);
}

/*
 * Narrows the range by a number that k of these docs reach, so that most others need not be
 * offered: it takes the best of each of PARTS parts, and of these the k-th. Packed values ascend
 * with the values, and these with the keys, no two of which are alike.
 */
static void guess(const struct csd_sorter *sorter, const int64_t *numbers, uint32_t n,
                  struct packed_range *wanted) {
  const uint32_t k = sorter->heap.k;
  if (!sorter->lead_ascends || k > PARTS || n < 2u * PARTS || sorter->has_after) {
    return;
  }
  const uint64_t flip = sorter->flips[sorter->lead]; /* lower ones are better */
  uint64_t best[PARTS];
  for (uint32_t j = 0; j < PARTS; j++) {
    best[j] = (uint64_t)numbers[j] ^ flip;
  }
  for (uint32_t i = PARTS; i + PARTS <= n; i += PARTS) {
    for (uint32_t j = 0; j < PARTS; j++) {
      const uint64_t number = (uint64_t)numbers[i + j] ^ flip;
      best[j] = number < best[j] ? number : best[j];
    }
  }
  for (uint32_t i = 1; i < PARTS; i++) {
    const uint64_t number = best[i];
    uint32_t j = i;
    for (; j > 0 && best[j - 1u] > number; j--) {
      best[j] = best[j - 1u];
    }
    best[j] = number;
  }
  const uint64_t limit = best[k - 1u] ^ flip;
  if (flip != 0) {
    wanted->least = limit > wanted->least ? limit : wanted->least;
  } else {
    wanted->most = limit < wanted->most ? limit : wanted->most;
  }
}

/* Offers those of up to VALUES_AT_ONCE docs of a page whose values are wanted. */
static int offer_plain(struct csd_sorter *sorter, const uint32_t *docs, uint32_t n,
                       const struct csd_batch *batch, uint32_t first) {
  const struct csd_column_cursor *column = &sorter->keys[sorter->lead].column;
  const struct csd_column_page *page = &column->page;
  const struct csd_packed_values packed = {
      .column = page->bytes + page->values_at, .bits = page->header.value_bits, .unit = 1};
  /* Of the bound as it is now: a doc that is offered may raise it. */
  struct packed_range wanted = {.least = column->first, .most = column->last};
  int64_t numbers[VALUES_AT_ONCE];
  sorter->kernels->values->gather(&packed, docs, page->header.first_doc, n, numbers);
  guess(sorter, numbers, n, &wanted);
  for (uint32_t i = 0; i < n; i++) {
    if ((uint64_t)numbers[i] >= wanted.least && (uint64_t)numbers[i] <= wanted.most) {
      const float score = batch != NULL ? csd_batch_score(batch, first + i) : 0.0f;
      const int status = csd_sorter_offer_value(sorter, docs[i], score, value_of(page, numbers[i]));
      if (status < 0) {
        return status;
      }
    }
  }
  return 0;
}

int csd_sorter_offer_wanted(struct csd_sorter *sorter, const uint32_t *docs, uint32_t n,
                            const struct csd_batch *batch, uint32_t first) {
  int status = n >= FEW && csd_sorter_finds_values(sorter, docs[0])
                   ? has_plain_values(sorter, docs[0], docs[n - 1u])
                   : 0;
  const uint32_t step = status > 0 ? VALUES_AT_ONCE : 1u;
  for (uint32_t i = 0; i < n && status >= 0; i += step) {
    if (step > 1u) {
      const uint32_t m = n - i < step ? n - i : step;
      status = offer_plain(sorter, docs + i, m, batch, first + i);
    } else {
      status = csd_sorter_offer(sorter, docs[i],
                                batch != NULL ? csd_batch_score(batch, first + i) : 0.0f);
    }
  }
  return status < 0 ? status : 0;
}
