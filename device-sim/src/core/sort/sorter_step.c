/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_sort.c, which compares programs with a plain evaluation.
 */
/* Produces and takes, step by step, and passes docs over that cannot be among the best. */
#include "core/sort/sorter_step.h"

#include "core/filters/filters.h"
#include "core/sort/sorter.h"
#include "core/sort/sorter_filter.h"

/* Passes over pages of the lead's column without a wanted value. */
static int next_page(struct csd_sorter *sorter, uint32_t *from, uint32_t limit, uint32_t *end) {
  struct csd_column_cursor *column = &sorter->keys[sorter->lead].column;
  const int status = csd_column_cursor_seek(column, *from);
  if (status < 0) {
    return status;
  }
  if (*from < column->start && sorter->missing_wanted) {
    *end = column->start < *end ? column->start : *end;
    return 0;
  }
  if (csd_sorter_passes_by(sorter, column)) {
    *from = column->end < limit ? column->end : limit;
    *end = *from; /* look again */
    return 0;
  }
  *from = column->start > *from ? column->start : *from;
  *end = column->end < *end ? column->end : *end;
  return 0;
}

/*
 * Finds docs that are worth a look: none in [from, *start) can be among the best, and those in
 * [*start, *end) may be.
 */
static int find_next(struct csd_sorter *sorter, uint32_t from, uint32_t limit, uint32_t *start,
                     uint32_t *end) {
  int status = 0;
  do {
    if (csd_sorter_is_done(sorter, from)) {
      from = sorter->seed_limit;
    }
    *end = from < sorter->seed_from && sorter->seed_from < limit ? sorter->seed_from : limit;
    if (from < limit) {
      csd_sorter_refresh(sorter, from);
      switch (sorter->filter) {
        case CSD_SORTER_NOTHING: from = limit; break;
        case CSD_SORTER_VALUES: status = next_page(sorter, &from, limit, end); break;
        case CSD_SORTER_DOCS:
          from = from > sorter->last_doc    ? limit
                 : from < sorter->first_doc ? sorter->first_doc
                                            : from;
          *end = sorter->last_doc < *end ? sorter->last_doc + 1u : *end;
          break;
        default: break;
      }
    }
  } while (status == 0 && from >= *end && from < limit);
  *start = from < limit ? from : limit;
  return status;
}

int csd_sorter_step(struct csd_sorter *sorter, struct csd_eval *eval, uint32_t limit,
                    uint32_t *next) {
  struct csd_work *work = &eval->work;
  uint32_t from = *next;
  uint32_t end = sorter->seeding ? sorter->seed_limit : limit;
  int status = 0;
  if (eval->ranking.may_skip || sorter->seeding) {
    status = find_next(sorter, *next, end, &from, &end);
    eval->ranking.has_skipped |= from > *next && !sorter->seeding;
    *next = from;
    work->units += 16u;
  }
  if (status < 0 || from >= end) {
    return status;
  }
  struct csd_batch batch;
  status = csd_filters_produce(eval->filters, eval, from, end, sorter->scores, &batch);
  if (status < 0) {
    return status;
  }
  *next = batch.upto;
  status = csd_sorter_take(sorter, &batch);
  work->units += 4u;
  work->keys_compared = sorter->compared;
  work->results_taken = sorter->taken;
  if (sorter->count > sorter->count_threshold) {
    eval->ranking.may_skip = true;
  }
  return status;
}
