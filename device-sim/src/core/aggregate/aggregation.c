/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_aggregate.c. */
#include "core/aggregate/aggregation.h"

#include <string.h>

#include "base/status.h"
#include "core/aggregate/aggregator.h"
#include "core/columns/column_ahead.h"
#include "core/columns/column_walk.h"
#include "core/columns/page/column_values.h"
#include "core/filters/live_docs.h"
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

  uint32_t pending; /* matches in `docs` that no column has seen */
  uint32_t docs[CSD_DOC_LIST];

  /* Values of docs that have one each, not yet added. */
  uint32_t value_count;
  int64_t value_min, value_max; /* none of them is outside */

  uint32_t ranks[CSD_DOC_LIST];
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
}

/* Makes those aggregators whose data may be given in parts, or the others. */
static bool make_aggregators(struct csd_aggregation *aggregation, struct csd_arena *arena,
                             const struct csd_plan *plan, uint64_t matches, bool paged) {
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
                               matches, aggregation->capacity, bytes)) {
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
  made->pending = 0;
  made->value_count = 0;
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
  if (!make_aggregators(made, arena, plan, eval->root->cost, false) ||
      !make_aggregators(made, arena, plan, eval->root->cost, true)) {
    return -CSD_STATUS_INSUFFICIENT_GRANT;
  }
  *aggregation = made;
  return 0;
}

/* ---- values ---- */

static void add_block(struct csd_aggregation *aggregation, struct aggregated_column *column,
                      const struct csd_value_block *block) {
  aggregation->work->units += block->value_count;
  aggregation->work->column_values += block->value_count;
  for (struct csd_aggregator *a = column->first; a != NULL; a = a->next) {
    csd_aggregator_add(a, block);
    aggregation->work->aggregate_values += block->value_count;
  }
}

/* Adds the values that are kept. */
static void add_values(struct csd_aggregation *aggregation, struct aggregated_column *column) {
  const struct csd_value_block block = {
      .doc_count = aggregation->value_count,
      .value_count = aggregation->value_count,
      .values = aggregation->values,
      .min = aggregation->value_min,
      .max = aggregation->value_max,
  };
  if (block.value_count > 0) {
    add_block(aggregation, column, &block);
    aggregation->value_count = 0;
  }
}

/* Makes room for values of a page; returns how many of `n` it is for. */
static uint32_t make_room(struct csd_aggregation *aggregation, struct aggregated_column *column,
                          const struct csd_column_facts *facts, uint32_t n) {
  if (aggregation->value_count == CSD_VALUE_BLOCK_DOCS) {
    add_values(aggregation, column);
  }
  const bool first = aggregation->value_count == 0;
  const uint32_t room = CSD_VALUE_BLOCK_DOCS - aggregation->value_count;
  aggregation->value_min =
      first || facts->min < aggregation->value_min ? facts->min : aggregation->value_min;
  aggregation->value_max =
      first || facts->max > aggregation->value_max ? facts->max : aggregation->value_max;
  return n < room ? n : room;
}

/* Keeps the values of docs of a plain page. */
static void keep_plain(struct csd_aggregation *aggregation, struct aggregated_column *column,
                       const struct csd_column_facts *facts, const uint32_t *docs, uint32_t count) {
  const bool is_run = docs[count - 1u] - docs[0] + 1u == count;
  for (uint32_t from = 0; from < count;) {
    const uint32_t n = make_room(aggregation, column, facts, count - from);
    csd_column_plain_values(aggregation->kernels->values, facts, docs + from, n, is_run,
                            aggregation->values + aggregation->value_count);
    aggregation->value_count += n;
    from += n;
  }
}

/* Keeps the values of docs that have one each. */
static void keep_values(struct csd_aggregation *aggregation, struct aggregated_column *column,
                        const struct csd_column_facts *facts,
                        const struct csd_value_choice *choice) {
  for (uint32_t from = 0; from < choice->count;) {
    const uint32_t n = make_room(aggregation, column, facts, choice->count - from);
    csd_values_of_one(aggregation->kernels->values, choice, from, n,
                      aggregation->values + aggregation->value_count);
    aggregation->value_count += n;
    from += n;
  }
}

/* Adds the values of docs that may have several each. */
static void add_several(struct csd_aggregation *aggregation, struct aggregated_column *column,
                        const struct csd_value_choice *choice) {
  struct csd_value_walk walk = {.values = aggregation->values, .ends = aggregation->ends};
  add_values(aggregation, column);
  while (walk.docs < choice->count) {
    struct csd_value_block block;
    csd_values_of_several(aggregation->kernels->values, choice, &walk, &block);
    add_block(aggregation, column, &block);
  }
}

/* ---- pages ---- */

/*
 * Adds docs without a look at their values, if what they have in common is enough; returns whether
 * it is.
 */
static bool add_alike(struct csd_aggregation *aggregation, struct aggregated_column *column,
                      const struct csd_alike *alike) {
  for (const struct csd_aggregator *a = column->first; a != NULL; a = a->next) {
    if (!csd_aggregator_may_repeat(a, alike)) {
      return false;
    }
  }
  for (struct csd_aggregator *a = column->first; a != NULL; a = a->next) {
    csd_aggregator_repeat(a, alike);
    aggregation->work->aggregate_values++;
  }
  column->docs += alike->docs;
  return true;
}

/* Adds the docs of a stop, if what is known of their page is enough. */
static bool add_unread(struct csd_aggregation *aggregation, struct aggregated_column *column,
                       const struct csd_column_stop *stop) {
  const struct csd_column_facts *facts = &stop->facts;
  const struct csd_alike alike = {
      .min = facts->min, .max = facts->max, .docs = stop->end - stop->first};
  return facts->all_docs && facts->min <= facts->max && add_alike(aggregation, column, &alike);
}

/* Adds the docs of a stop whose page has been read. */
static void add_read(struct csd_aggregation *aggregation, struct aggregated_column *column,
                     const struct csd_column_stop *stop) {
  const uint32_t *docs = aggregation->docs + stop->first;
  const uint32_t n = stop->end - stop->first;
  if (stop->facts.plain) {
    column->docs += n;
    keep_plain(aggregation, column, &stop->facts, docs, n);
    return;
  }
  struct csd_column_page page;
  struct csd_value_choice choice;
  if (!csd_column_lay_out(stop->facts.page, &page)) {
    return; /* it is a page that has been checked */
  }
  csd_values_choose(&page, &stop->facts, docs, n, docs[n - 1u] - docs[0] + 1u == n,
                    aggregation->ranks, &choice);
  column->docs += choice.count;
  if (csd_values_are_several(&page)) {
    add_several(aggregation, column, &choice);
  } else {
    keep_values(aggregation, column, &stop->facts, &choice);
  }
}

/*
 * Adds the docs of some stops. As many of their pages as may be are pinned together: to pin one
 * waits until all before it has been read.
 */
static int add_stops(struct csd_aggregation *aggregation, struct aggregated_column *column,
                     struct csd_column_walk *walk, struct csd_column_stop *stops, uint32_t count) {
  const uint32_t most = 1u + column->cursor.source->spare_pins;
  struct csd_column_stop *read[CSD_WALK_STOPS];
  int status = 0;
  for (uint32_t i = 0; i < count && status == 0;) {
    uint32_t n = 0;
    for (; i < count && n < most && status == 0; i++) {
      struct csd_column_stop *stop = &stops[i];
      const bool exact = stop->facts.exact;
      aggregation->work->units += 1u + (stop->end - stop->first) / 64u;
      if (add_unread(aggregation, column, stop)) {
        continue;
      }
      status = csd_column_walk_read(walk, stop);
      if (status == -CSD_STATUS_NO_MEMORY && n > 0) {
        status = 0; /* every frame is pinned, by ourselves, too: first those that we have */
        break;
      }
      if (status == 0) {
        read[n++] = stop;
      }
      if (status == 0 && !exact && add_unread(aggregation, column, stop)) {
        csd_column_walk_release(walk, stop);
        n--;
      }
    }
    for (uint32_t j = 0; j < n; j++) {
      add_read(aggregation, column, read[j]);
    }
    for (uint32_t j = 0; j < n; j++) {
      csd_column_walk_release(walk, read[j]);
    }
  }
  return status;
}

/* ---- matches ---- */

/* Whether docs of a page cannot be added without a look at their values. */
static bool reads_page(const void *context, const struct csd_column_entry *entry) {
  const struct aggregated_column *column = context;
  const struct csd_alike alike = {
      .min = csd_column_rounded(entry->min), .max = csd_column_rounded(entry->max), .docs = 1};
  bool alike_enough = entry->all_docs && alike.min <= alike.max;
  for (const struct csd_aggregator *a = column->first; a != NULL && alike_enough; a = a->next) {
    alike_enough = csd_aggregator_may_repeat(a, &alike);
  }
  return !alike_enough;
}

static int add_to_column(struct csd_aggregation *aggregation, struct aggregated_column *column) {
  struct csd_column_walk walk;
  csd_column_walk_begin(&walk, &column->cursor, aggregation->docs, aggregation->pending);
  struct csd_column_stop *stops;
  int count;
  while ((count = csd_column_walk_next(&walk, &stops)) > 0) {
    const int status = add_stops(aggregation, column, &walk, stops, (uint32_t)count);
    if (status < 0) {
      return status;
    }
  }
  add_values(aggregation, column);
  return count;
}

int csd_aggregation_flush(struct csd_aggregation *aggregation) {
  for (uint32_t i = 0; i < aggregation->column_count; i++) {
    struct aggregated_column *column = &aggregation->columns[i];
    csd_column_ask_for_docs(&column->cursor, aggregation->docs, aggregation->pending, reads_page,
                            column);
  }
  for (uint32_t i = 0; i < aggregation->column_count && aggregation->pending > 0; i++) {
    const int status = add_to_column(aggregation, &aggregation->columns[i]);
    if (status < 0) {
      return status;
    }
  }
  aggregation->pending = 0;
  return 0;
}

/*
 * Makes room for `n` further matches: they are kept until there are many, so that the columns are
 * told of them page by page.
 */
static int make_room_for(struct csd_aggregation *aggregation, uint32_t n) {
  return aggregation->pending + n > CSD_WINDOW_DOCS ? csd_aggregation_flush(aggregation) : 0;
}

static int take_docs(struct csd_aggregation *aggregation, const struct csd_batch *batch,
                     uint64_t *count) {
  const int status = make_room_for(aggregation, batch->n);
  if (status < 0) {
    return status;
  }
  uint32_t *docs = aggregation->docs + aggregation->pending;
  const struct csd_batch taken = csd_live_batch(aggregation->live_docs, batch, docs, NULL);
  if (taken.docs != docs && taken.n > 0) {
    memcpy(docs, taken.docs, taken.n * sizeof docs[0]);
  }
  aggregation->pending += taken.n;
  *count += taken.n;
  return 0;
}

static int take_bits(struct csd_aggregation *aggregation, const struct csd_batch *batch,
                     uint64_t *count) {
  const struct csd_kernels *kernels = aggregation->kernels;
  const uint32_t words = (batch->upto - batch->bits_base + 63u) / 64u;
  for (uint32_t w = 0; w < words; w += CSD_WINDOW_WORDS) {
    const uint32_t n = words - w < CSD_WINDOW_WORDS ? words - w : CSD_WINDOW_WORDS;
    const uint64_t *bits = csd_live_words(aggregation->live_docs, batch, w, n, aggregation->live);
    const uint32_t found = (uint32_t)kernels->count_bits(bits, n);
    const int status = make_room_for(aggregation, found);
    if (status < 0) {
      return status;
    }
    kernels->list_bits(bits, n, batch->bits_base + 64u * w,
                       aggregation->docs + aggregation->pending);
    aggregation->pending += found;
    *count += found;
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
