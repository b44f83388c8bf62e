/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_sort.c, which compares programs with a plain evaluation.
 */
/* Which docs the lead and the bound leave. */
#include "core/sort/sorter_filter.h"

#include "core/sort/sort_key.h"

static void want(struct csd_sorter *sorter, int64_t lo, int64_t hi) {
  const struct csd_value_range range = {.lo = lo, .hi = hi};
  if (sorter->wanted.lo != lo || sorter->wanted.hi != hi) {
    sorter->wanted = range;
    csd_column_cursor_want(&sorter->keys[sorter->lead].column, &range);
  }
}

/* The filter for leads from `first` to `last`, not flipped. */
static enum csd_sorter_filter filter_column(struct csd_sorter *sorter, uint64_t first,
                                            uint64_t last) {
  const struct csd_sorter_key *lead = &sorter->keys[sorter->lead];
  int64_t lo, hi;
  const struct csd_column_ref *ref = &lead->column.ref;
  sorter->missing_wanted =
      ref->doc_count < lead->column.max_doc && lead->missing >= first && lead->missing <= last;
  const bool may_be =
      lead->transform == CSD_SORT_TRANSFORM_DISTANCE
          ? csd_sort_points(&lead->centre, last, &lo, &hi)
          : csd_sort_values(lead->transform, ref->min, ref->max, first, last, &lo, &hi);
  const bool some = may_be && lo <= ref->max && hi >= ref->min;
  if (!some) {
    lo = INT64_MAX; /* no range is empty: of this one there is hardly a value */
    hi = INT64_MAX;
  }
  want(sorter, lo, hi);
  return some || sorter->missing_wanted ? CSD_SORTER_VALUES : CSD_SORTER_NOTHING;
}

static enum csd_sorter_filter filter_docs(struct csd_sorter *sorter, uint64_t first,
                                          uint64_t last) {
  const uint64_t least = csd_sort_key_of_doc(0);
  const uint64_t most = csd_sort_key_of_doc(UINT32_MAX);
  if (last < least || first > most) {
    return CSD_SORTER_NOTHING;
  }
  sorter->first_doc = (uint32_t)(first > least ? first - least : 0);
  sorter->last_doc = (uint32_t)((last < most ? last : most) - least);
  return CSD_SORTER_DOCS;
}

static enum csd_sorter_filter make_filter(struct csd_sorter *sorter) {
  if (sorter->non_competitive) {
    return CSD_SORTER_NOTHING;
  }
  if (sorter->lead == sorter->key_count) {
    return sorter->strict ? CSD_SORTER_NOTHING : CSD_SORTER_EVERY;
  }
  const struct csd_sorter_key *lead = &sorter->keys[sorter->lead];
  uint64_t first = sorter->has_after ? sorter->after[sorter->lead] : 0;
  uint64_t last = sorter->has_bound ? sorter->bound[sorter->lead] : UINT64_MAX;
  if (sorter->strict && last == 0) {
    return CSD_SORTER_NOTHING;
  }
  last -= sorter->strict;
  if (first > last) {
    return CSD_SORTER_NOTHING;
  }
  if (lead->flip != 0) {
    const uint64_t flipped = ~first;
    first = ~last;
    last = flipped;
  }
  switch (lead->kind) {
    case CSD_SORT_KIND_COLUMN: return filter_column(sorter, first, last);
    case CSD_SORT_KIND_DOC: return filter_docs(sorter, first, last);
    default: return CSD_SORTER_EVERY; /* SCORE: csd_sorter_take compares scores */
  }
}

void csd_sorter_refresh(struct csd_sorter *sorter, uint32_t doc) {
  const bool last_key = sorter->lead + 1u >= sorter->key_count;
  const bool strict = sorter->has_bound && last_key && doc >= sorter->bound_doc;
  if (sorter->stale || strict != sorter->strict) {
    sorter->strict = strict;
    sorter->stale = false;
    sorter->filter = make_filter(sorter);
  }
}
