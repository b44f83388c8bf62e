/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_sort.c, which compares programs with a plain evaluation.
 */
/* Finds, among docs that match, those that the filter leaves, and offers them. */
#include "core/sort/sorter_take.h"

#include <string.h>

#include "core/columns/column_ahead.h"
#include "core/eval/eval_bits.h"
#include "core/plan/topk.h"
#include "core/sort/sort_key.h"
#include "core/sort/sorter_few.h"
#include "core/sort/sorter_filter.h"
#include "core/sort/sorter_offer.h"
#include "core/sort/sorter_values.h"

/* The values of a page are compared all at once if one doc in so many matches. */
#define VALUES_PAY_TO_GAP 16u

/* Docs whose scores are compared at once. */
#define SCORES_AT_ONCE 256u

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/*
 * Makes the filter for docs from `from` on and tells what to look at next.
 *
 * @param from  moved to the first doc that can be among the best, or to *end
 * @param end   no more than a look; all docs from *from to here go through the same filter
 * @return 1 if they are worth offering, 0 if the docs before *from are to be passed by, or a
 *         negated status
 */
static int look_at(struct csd_sorter *sorter, uint32_t *from, uint32_t *end) {
  const uint32_t at = *from;
  if (csd_sorter_is_done(sorter, at)) {
    *from = least(sorter->seed_limit, *end);
    return 0;
  }
  if (at < sorter->seed_from) {
    *end = least(*end, sorter->seed_from);
  }
  csd_sorter_refresh(sorter, at);
  if (sorter->filter == CSD_SORTER_VALUES) {
    struct csd_column_cursor *column = &sorter->keys[sorter->lead].column;
    const int status = csd_column_cursor_seek(column, at);
    if (status < 0) {
      return status;
    }
    if (at < column->start && sorter->missing_wanted) {
      *end = least(*end, column->start);
    } else {
      const uint32_t next = csd_sorter_passes_by(sorter, column) ? column->end : column->start;
      if (next > at) {
        *from = least(next, *end);
        return 0;
      }
      *end = least(*end, column->end);
    }
  } else if (sorter->filter == CSD_SORTER_DOCS) {
    const uint32_t next = at > sorter->last_doc ? UINT32_MAX : sorter->first_doc;
    if (next > at) {
      *from = least(next, *end);
      return 0;
    }
  } else if (sorter->filter == CSD_SORTER_NOTHING) {
    *from = *end;
    return 0;
  }
  if (*end - at > sorter->chunk) {
    *end = at + sorter->chunk;
  }
  sorter->chunk = least(2u * sorter->chunk, CSD_SORTER_CHUNK / 2u);
  return 1;
}

/* Sets sorter->found to the docs of the current page in [from, end) that have a wanted value. */
static int find_values(struct csd_sorter *sorter, uint32_t from, uint32_t end, uint32_t base) {
  struct csd_column_cursor *column = &sorter->keys[sorter->lead].column;
  memset(sorter->found, 0, ((end - base + 63u) / 64u + 1u) * sizeof sorter->found[0]);
  const int status = csd_column_cursor_pin(column);
  return status < 0 ? status : csd_column_cursor_set_bits(column, from, end, base, sorter->found);
}

/* ---- bits ---- */

/* The first doc from `at` on whose bit is set; `upto` if there is none. */
static uint32_t next_bit(const uint64_t *words, uint32_t base, uint32_t at, uint32_t upto) {
  while (at < upto) {
    const uint64_t rest = words[(at - base) / 64u] >> (at & 63u);
    if (rest != 0) {
      return least(at + (uint32_t)__builtin_ctzll(rest), upto);
    }
    at = (at | 63u) + 1u;
  }
  return upto;
}

/* Offers the docs in [from, end) whose bits are set. */
static int offer_bits(struct csd_sorter *sorter, const uint64_t *words, uint32_t base,
                      uint32_t from, uint32_t end) {
  const uint32_t first = from & ~63u;
  const uint32_t n = (end - first + 63u) / 64u;
  uint64_t *bits = sorter->bits;
  memcpy(bits, words + (first - base) / 64u, n * sizeof bits[0]);
  csd_bits_trim(bits, first, from, end);
  if (csd_sorter_finds_values(sorter, from)) {
    uint32_t matches = 0;
    for (uint32_t w = 0; w < n; w++) {
      matches += csd_popcount(bits[w]);
    }
    if (matches * VALUES_PAY_TO_GAP >= end - from) {
      const int status = find_values(sorter, from, end, first);
      if (status < 0) {
        return status;
      }
      for (uint32_t w = 0; w < n; w++) {
        bits[w] &= sorter->found[w];
      }
    }
  }
  sorter->work->units += n;
  const uint32_t count = sorter->kernels->list_bits(bits, n, first, sorter->docs);
  sorter->work->units += count;
  return count > 0 ? csd_sorter_offer_wanted(sorter, sorter->docs, count, NULL, 0) : 0;
}

int csd_sorter_take_bits(struct csd_sorter *sorter, const uint64_t *words, uint32_t base,
                         uint32_t upto) {
  uint32_t at = next_bit(words, base, base, upto);
  while (at < upto) {
    uint32_t end = upto;
    int status = look_at(sorter, &at, &end);
    if (status > 0) {
      status = offer_bits(sorter, words, base, at, end);
      at = end;
    }
    if (status < 0) {
      return status;
    }
    at = next_bit(words, base, at, upto);
  }
  return 0;
}

/* ---- docs ---- */

/* Index of the first doc from number `i` on that is not below `doc`. */
static uint32_t index_of(const uint32_t *docs, uint32_t i, uint32_t n, uint32_t doc) {
  while (i < n) {
    const uint32_t middle = i + (n - i) / 2u;
    if (docs[middle] < doc) {
      i = middle + 1u;
    } else {
      n = middle;
    }
  }
  return i;
}

/* Offers the docs number `i` to `j` - 1 of a page that have a wanted value. */
static int offer_values(struct csd_sorter *sorter, const struct csd_batch *batch, uint32_t i,
                        uint32_t j) {
  const uint32_t base = batch->docs[i] & ~63u;
  int status = find_values(sorter, batch->docs[i], batch->docs[j - 1u] + 1u, base);
  uint32_t count = 0; /* of docs whose scores do not matter */
  for (; i < j && status == 0; i++) {
    const uint32_t bit = batch->docs[i] - base;
    if (((sorter->found[bit / 64u] >> (bit & 63u)) & 1u) == 0) {
      continue;
    }
    if (sorter->scores) {
      status = csd_sorter_offer(sorter, batch->docs[i], csd_batch_score(batch, i));
    } else {
      sorter->docs[count++] = batch->docs[i];
    }
  }
  return status == 0 && count > 0 ? csd_sorter_offer_wanted(sorter, sorter->docs, count, NULL, 0)
                                  : status;
}

/* Offers the docs whose scores are high enough: the lead is the score. */
static int offer_scores(struct csd_sorter *sorter, const struct csd_batch *batch, uint32_t i,
                        uint32_t j) {
  uint32_t docs[SCORES_AT_ONCE + CSD_ABOVE_SLACK];
  float scores[SCORES_AT_ONCE + CSD_ABOVE_SLACK];
  const float above =
      csd_just_below(csd_sort_min_score(sorter->bound[sorter->lead] - sorter->strict));
  const uint32_t kept =
      sorter->kernels->copy_above(batch->docs + i, batch->scores + i, j - i, above, docs, scores);
  int status = 0;
  for (uint32_t at = 0; at < kept && status == 0; at++) {
    status = csd_sorter_offer(sorter, docs[at], scores[at]);
  }
  return status;
}

static bool lead_is_best_score(const struct csd_sorter *sorter) {
  return sorter->has_bound && sorter->lead < sorter->key_count &&
         sorter->keys[sorter->lead].kind == CSD_SORT_KIND_SCORE &&
         sorter->keys[sorter->lead].flip == 0;
}

/* Offers the docs number `i` to `j` - 1, for which the filter has been made. */
static int offer_docs(struct csd_sorter *sorter, const struct csd_batch *batch, uint32_t i,
                      uint32_t j) {
  sorter->work->units += j - i;
  if (lead_is_best_score(sorter) && batch->scoring == CSD_SCORING_ARRAY &&
      j - i <= SCORES_AT_ONCE) {
    return offer_scores(sorter, batch, i, j);
  }
  const uint32_t span = batch->docs[j - 1u] + 1u - batch->docs[i];
  if (csd_sorter_finds_values(sorter, batch->docs[i]) && (j - i) * VALUES_PAY_TO_GAP >= span) {
    return offer_values(sorter, batch, i, j);
  }
  return csd_sorter_offer_wanted(sorter, batch->docs + i, j - i, batch, i);
}

/* The lead's pages that docs are in, of those that the bound leaves, come together. */
static void ask_for_lead(struct csd_sorter *sorter, const uint32_t *docs, uint32_t n) {
  if (sorter->lead < sorter->key_count && sorter->keys[sorter->lead].kind == CSD_SORT_KIND_COLUMN) {
    csd_column_ask_for_docs(&sorter->keys[sorter->lead].column, docs, n, NULL, NULL);
  }
}

int csd_sorter_take_docs(struct csd_sorter *sorter, const struct csd_batch *batch) {
  const uint32_t n = batch->n;
  ask_for_lead(sorter, batch->docs, n);
  const int taken = csd_sorter_takes_few(sorter, batch) ? csd_sorter_take_few(sorter, batch) : 0;
  if (taken < 0) {
    return taken;
  }
  const uint32_t most = lead_is_best_score(sorter) ? SCORES_AT_ONCE : CSD_SORTER_CHUNK;
  for (uint32_t i = (uint32_t)taken; i < n;) {
    uint32_t at = batch->docs[i];
    uint32_t end = batch->docs[n - 1u] + 1u;
    int status = look_at(sorter, &at, &end);
    if (status > 0) {
      uint32_t j = index_of(batch->docs, i, n, end);
      j = least(j, i + most);
      status = offer_docs(sorter, batch, i, j);
      i = j;
    } else if (status == 0) {
      i = index_of(batch->docs, i, n, at);
    }
    if (status < 0) {
      return status;
    }
  }
  return 0;
}
