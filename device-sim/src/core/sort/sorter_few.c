/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_sort.c, which compares programs with a plain evaluation.
 */
/*
 * Few docs, as those of rare terms: mostly no two of them are on one page of the lead's column, and
 * none of the pages is in any cache. They are found and prefetched together.
 */
#include "core/sort/sorter_few.h"

#include "core/columns/column_walk.h"
#include "core/columns/page/column_values.h"
#include "core/sort/sorter_filter.h"
#include "core/sort/sorter_offer.h"

/* Most docs that are taken in this way. If there are more, or several on each page, the bound that
   the first ones make soon rules most of them out. */
#define FEW_DOCS CSD_SORTER_SEED_PAYS_FROM
#define FEW_OF_A_PAGE 4u

bool csd_sorter_takes_few(const struct csd_sorter *sorter, const struct csd_batch *batch) {
  if (batch->n < 2 || sorter->compared + batch->n > FEW_DOCS || sorter->seed_limit > 0 ||
      sorter->lead == sorter->key_count ||
      sorter->keys[sorter->lead].kind != CSD_SORT_KIND_COLUMN) {
    return false;
  }
  const struct csd_column_cursor *column = &sorter->keys[sorter->lead].column;
  return column->ref.doc_count == column->max_doc &&
         column->ref.value_count == column->ref.doc_count &&
         batch->n <= FEW_OF_A_PAGE * column->ref.page_count;
}

/* Whether the bound rules out all docs of a page from `doc` on. */
static bool passes_by(struct csd_sorter *sorter, uint32_t doc,
                      const struct csd_column_facts *facts) {
  csd_sorter_refresh(sorter, doc);
  return sorter->filter == CSD_SORTER_NOTHING ||
         (sorter->filter == CSD_SORTER_VALUES &&
          (facts->max < sorter->wanted.lo || facts->min > sorter->wanted.hi));
}

/* Offers the docs of a stop. Returns 1, 0 if their page is of another form, or a negated status. */
static int offer_stop(struct csd_sorter *sorter, const struct csd_batch *batch,
                      struct csd_column_walk *walk, struct csd_column_stop *stop) {
  const uint32_t *docs = batch->docs + stop->first;
  const uint32_t n = stop->end - stop->first;
  if (passes_by(sorter, docs[0], &stop->facts)) {
    return 1;
  }
  int status = csd_column_walk_read(walk, stop);
  if (status < 0) {
    return status;
  }
  const bool plain = stop->facts.plain;
  int64_t values[FEW_DOCS];
  if (plain) {
    csd_column_plain_values(sorter->kernels->values, &stop->facts, docs, n, false, values);
  }
  csd_column_walk_release(walk, stop);
  for (uint32_t i = 0; plain && i < n && status == 0; i++) {
    status =
        csd_sorter_offer_value(sorter, docs[i], csd_batch_score(batch, stop->first + i), values[i]);
  }
  return status < 0 ? status : plain;
}

int csd_sorter_take_few(struct csd_sorter *sorter, const struct csd_batch *batch) {
  struct csd_column_cursor *column = &sorter->keys[sorter->lead].column;
  struct csd_column_walk walk;
  struct csd_column_stop *stops;
  uint32_t done = 0;
  int count;
  csd_column_cursor_rewind(column);
  csd_column_walk_begin(&walk, column, batch->docs, batch->n);
  while ((count = csd_column_walk_next(&walk, &stops)) > 0) {
    /* Docs that are left out, or on a page of another form, are taken like others. */
    int status = 1;
    for (int i = 0; i < count && status > 0; i++) {
      status = stops[i].first == done ? offer_stop(sorter, batch, &walk, &stops[i]) : 0;
      done = status > 0 ? stops[i].end : done;
    }
    if (status <= 0) {
      count = status;
      break;
    }
  }
  csd_column_cursor_rewind(column); /* a walk leaves it in another way than a search */
  return count < 0 ? count : (int)done;
}
