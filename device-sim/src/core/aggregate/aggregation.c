/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_aggregate.c. */
#include "core/aggregate/aggregation.h"

#include <string.h>

#include "base/status.h"
#include "core/aggregate/aggregator.h"
#include "core/eval/live_docs.h"
#include "core/plan/plan_aggregate.h"

/** A column that is aggregated. */
struct aggregated_column {
  struct csd_column_cursor cursor;
  uint32_t number;              /* in the plan */
  uint64_t docs;                /* matches that have a value */
  struct csd_aggregator *first; /* of its aggregates */
};

struct csd_aggregation {
  const struct csd_kernels *kernels;
  const uint64_t *live_docs;
  struct csd_work *work;
  uint32_t capacity;
  uint32_t count;
  struct csd_aggregator *aggregators; /* in the plan's order */
  uint32_t column_count;
  struct aggregated_column *columns;
  uint32_t docs[CSD_DOC_LIST];
  uint32_t ranks[CSD_WINDOW_DOCS];
  int64_t values[CSD_VALUE_BLOCK_VALUES];
  uint32_t ends[CSD_VALUE_BLOCK_DOCS];
  uint64_t live[CSD_WINDOW_WORDS];
};

/* ---- make ---- */

static struct aggregated_column *column_of(struct csd_aggregation *aggregation, uint32_t number) {
  for (uint32_t i = 0; i < aggregation->column_count; i++) {
    if (aggregation->columns[i].number == number) {
      return &aggregation->columns[i];
    }
  }
  return NULL;
}

static void open_column(struct csd_aggregation *aggregation, uint32_t number,
                        const struct csd_plan *plan, const struct csd_extent *extents,
                        const struct csd_page_source *source, struct csd_eval *eval) {
  static const struct csd_value_range ANY = {.lo = INT64_MIN, .hi = INT64_MAX};
  const struct csd_column_ref ref = csd_plan_column_at(plan, number);
  struct aggregated_column *column = &aggregation->columns[aggregation->column_count++];
  column->number = number;
  column->docs = 0;
  column->first = NULL;
  csd_column_cursor_open(&column->cursor, &ref, &ANY, extents + ref.first_extent,
                         plan->header.max_doc, source, eval->kernels, &eval->work);
  column->cursor.lazy = true;
}

/* Makes those aggregators whose data may be given in parts, or the others. */
static bool make_aggregators(struct csd_aggregation *aggregation, struct csd_arena *arena,
                             const struct csd_plan *plan, bool paged) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < aggregation->count; i++) {
    const struct csd_aggregate aggregate = csd_plan_aggregate_at(plan, i);
    left += csd_aggregate_is_paged(&aggregate);
  }
  for (uint32_t i = 0; i < aggregation->count; i++) {
    const struct csd_aggregate aggregate = csd_plan_aggregate_at(plan, i);
    if (csd_aggregate_is_paged(&aggregate) == paged) {
      struct csd_aggregator *aggregator = &aggregation->aggregators[i];
      struct aggregated_column *column = column_of(aggregation, aggregate.column);
      const size_t bytes = paged ? arena->left / left-- : 0;
      if (!csd_aggregator_make(aggregator, arena, aggregation->kernels->values, plan, &aggregate,
                               aggregation->capacity, bytes)) {
        return false;
      }
      aggregator->next = column->first;
      column->first = aggregator;
    }
  }
  return true;
}

int csd_aggregation_make(struct csd_arena *arena, const struct csd_plan *plan, uint32_t capacity,
                         const uint64_t *live_docs, const struct csd_page_source *source,
                         struct csd_eval *eval, struct csd_aggregation **aggregation) {
  struct csd_aggregation *made = csd_arena_take(arena, sizeof *made);
  const size_t extent_bytes = plan->header.extent_count * sizeof(struct csd_extent);
  struct csd_extent *extents = csd_arena_take(arena, extent_bytes);
  if (made == NULL || extents == NULL) {
    return -CSD_STATUS_INSUFFICIENT_GRANT;
  }
  memcpy(extents, plan->extents, extent_bytes);
  made->kernels = eval->kernels;
  made->live_docs = live_docs;
  made->work = &eval->work;
  made->capacity = capacity;
  made->count = plan->aggregate_count;
  made->column_count = 0;
  made->aggregators = csd_arena_take(arena, made->count * sizeof *made->aggregators);
  made->columns = csd_arena_take(arena, made->count * sizeof *made->columns);
  if (made->aggregators == NULL || made->columns == NULL) {
    return -CSD_STATUS_INSUFFICIENT_GRANT;
  }
  for (uint32_t i = 0; i < made->count; i++) {
    const uint32_t number = csd_plan_aggregate_at(plan, i).column;
    if (column_of(made, number) == NULL) {
      open_column(made, number, plan, extents, source, eval);
    }
  }
  if (!make_aggregators(made, arena, plan, false) || !make_aggregators(made, arena, plan, true)) {
    return -CSD_STATUS_INSUFFICIENT_GRANT;
  }
  *aggregation = made;
  return 0;
}

void csd_aggregation_end(struct csd_aggregation *aggregation) {
  for (uint32_t i = 0; i < aggregation->column_count; i++) {
    csd_column_cursor_close(&aggregation->columns[i].cursor);
  }
}

/* ---- pages ---- */

/*
 * Adds docs of the page without a look at their values, if what the page index or the page's header
 * says is enough; returns whether it is.
 */
static bool add_alike(struct aggregated_column *column, uint32_t docs) {
  struct csd_column_cursor *cursor = &column->cursor;
  const struct csd_column_page_header *h = &cursor->page.header;
  struct csd_alike alike = {.docs = docs};
  if (cursor->pinned) {
    alike.min = h->min;
    alike.max = h->max;
  } else {
    /* Rounded outwards, beyond the column's own bounds, too. */
    alike.min = csd_column_rounded(cursor->entry.min);
    alike.max = csd_column_rounded(cursor->entry.max);
    alike.min = alike.min > cursor->ref.min ? alike.min : cursor->ref.min;
    alike.max = alike.max < cursor->ref.max ? alike.max : cursor->ref.max;
    if (!cursor->entry.all_docs || alike.min > alike.max) {
      return false;
    }
  }
  if (cursor->pinned && h->doc_count != h->doc_span) {
    return false;
  }
  for (const struct csd_aggregator *a = column->first; a != NULL; a = a->next) {
    if (!csd_aggregator_may_repeat(a, &alike)) {
      return false;
    }
  }
  for (struct csd_aggregator *a = column->first; a != NULL; a = a->next) {
    csd_aggregator_repeat(a, &alike);
    cursor->work->aggregate_values++;
  }
  column->docs += docs;
  return true;
}

/* Adds docs of the cursor's page, which are in its span. */
static int add_page(struct csd_aggregation *aggregation, struct aggregated_column *column,
                    const uint32_t *docs, uint32_t n) {
  aggregation->work->units += 1u + n / 64u;
  if (add_alike(column, n)) {
    return 0;
  }
  const int status = csd_column_cursor_pin(&column->cursor);
  if (status < 0) {
    return status;
  }
  if (docs[0] < column->cursor.start || docs[n - 1u] >= column->cursor.end) {
    /* The index was wrong about the page, which changes nothing of what the page says. */
    return csd_fail(CSD_STATUS_LIST_CORRUPT, "a column page is not where the page index has it");
  }
  struct csd_value_choice choice;
  csd_values_choose(&column->cursor.page, docs, n, docs[n - 1u] - docs[0] + 1u == n,
                    aggregation->ranks, &choice);
  column->docs += choice.count;
  struct csd_value_walk walk = {.values = aggregation->values, .ends = aggregation->ends};
  while (walk.docs < choice.count) {
    struct csd_value_block block;
    csd_values_next(aggregation->kernels->values, &choice, &walk, &block);
    aggregation->work->units += block.value_count;
    aggregation->work->column_values += block.value_count;
    for (struct csd_aggregator *a = column->first; a != NULL; a = a->next) {
      csd_aggregator_add(a, &block);
      aggregation->work->aggregate_values += block.value_count;
    }
  }
  return 0;
}

/* ---- matches ---- */

/* Docs that are compared at once, without a branch for each. */
#define DOCS_AT_ONCE 8u

/* Index of the first of `n` ascending docs, from index `at` on, that is `doc` or behind it. */
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

static int add_to_column(struct csd_aggregation *aggregation, struct aggregated_column *column,
                         const uint32_t *docs, uint32_t n) {
  struct csd_column_cursor *cursor = &column->cursor;
  for (uint32_t i = 0; i < n;) {
    int status = csd_column_cursor_seek(cursor, docs[i]);
    if (status < 0) {
      return status;
    }
    i = docs[i] >= cursor->start ? i : first_from(docs, i, n, cursor->start);
    const uint32_t end = first_from(docs, i, n, cursor->end);
    if (i < end) {
      status = add_page(aggregation, column, docs + i, end - i);
    }
    if (status < 0) {
      return status;
    }
    i = end;
  }
  return 0;
}

/* Adds docs that are live; at most CSD_WINDOW_DOCS. */
static int add_docs(struct csd_aggregation *aggregation, const uint32_t *docs, uint32_t n) {
  for (uint32_t i = 0; i < aggregation->column_count && n > 0; i++) {
    const int status = add_to_column(aggregation, &aggregation->columns[i], docs, n);
    if (status < 0) {
      return status;
    }
  }
  return 0;
}

static int take_docs(struct csd_aggregation *aggregation, const struct csd_batch *batch,
                     uint64_t *count) {
  const struct csd_batch taken =
      csd_live_batch(aggregation->live_docs, batch, aggregation->docs, NULL);
  *count += taken.n;
  return add_docs(aggregation, taken.docs, taken.n);
}

static int take_bits(struct csd_aggregation *aggregation, const struct csd_batch *batch,
                     uint64_t *count) {
  const uint32_t words = (batch->upto - batch->bits_base + 63u) / 64u;
  for (uint32_t w = 0; w < words; w += CSD_WINDOW_WORDS) {
    const uint32_t n = words - w < CSD_WINDOW_WORDS ? words - w : CSD_WINDOW_WORDS;
    const uint32_t base = batch->bits_base + 64u * w;
    const uint64_t *bits = csd_live_words(aggregation->live_docs, batch, w, n, aggregation->live);
    const uint32_t found = aggregation->kernels->list_bits(bits, n, base, aggregation->docs);
    *count += found;
    const int status = add_docs(aggregation, aggregation->docs, found);
    if (status < 0) {
      return status;
    }
  }
  return 0;
}

int csd_aggregation_take(struct csd_aggregation *aggregation, const struct csd_batch *batch,
                         uint64_t *count) {
  return batch->bits != NULL ? take_bits(aggregation, batch, count)
                             : take_docs(aggregation, batch, count);
}

/* ---- results ---- */

void csd_aggregation_close(struct csd_aggregation *aggregation, uint8_t *result) {
  struct csd_result_header header;
  memcpy(&header, result, sizeof header);
  uint32_t at =
      (uint32_t)(sizeof header + aggregation->count * sizeof(struct csd_aggregate_result));
  uint32_t kept = 0; /* for the data behind */
  for (uint32_t i = 0; i < aggregation->count; i++) {
    kept += csd_aggregate_least_bytes(&aggregation->aggregators[i].aggregate);
  }
  for (uint32_t i = 0; i < aggregation->count; i++) {
    struct csd_aggregator *aggregator = &aggregation->aggregators[i];
    kept -= csd_aggregate_least_bytes(&aggregator->aggregate);
    const uint32_t room = (aggregation->capacity - kept - at) & ~7u;
    struct csd_aggregate_result made;
    at += csd_aggregator_close(aggregator, &made, result + at, room);
    made.doc_count = column_of(aggregation, aggregator->aggregate.column)->docs;
    memcpy(result + sizeof header + i * sizeof made, &made, sizeof made);
  }
  header.entry_count = aggregation->count;
  header.total_bytes = at;
  memcpy(result, &header, sizeof header);
}
