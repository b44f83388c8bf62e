/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/session/series.h"

#include <math.h>
#include <string.h>

#include "csd/csd.h"

enum { ENTRY_BYTES = 8, SCORE_AT = 4 };

void csd_series_open(struct csd_series *series, void *bytes, uint32_t size) {
  *series = (struct csd_series){.scores = bytes, .room = size / (uint32_t)sizeof(float)};
}

static void begin_anew(struct csd_series *series, const struct csd_plan_header *header) {
  const bool fits = header->mode == CSD_MODE_TOP_K && header->k <= series->room;
  series->k = fits ? header->k : 0;
  series->count = 0;
  series->matches = 0;
}

void csd_series_begin_plan(struct csd_series *series, uint8_t *plan, uint32_t plan_bytes) {
  struct csd_plan_header header = {0};
  if (plan_bytes >= sizeof header) {
    memcpy(&header, plan, sizeof header);
  }
  const uint32_t flags = header.flags;
  if (header.mode != CSD_MODE_TOP_K || (flags & CSD_PLAN_FLAG_FOLLOWS) == 0) {
    begin_anew(series, &header);
    return;
  }
  if (series->k == 0) {
    return;
  }
  if (header.count_threshold != CSD_EXACT_COUNT) {
    const uint64_t threshold = header.count_threshold;
    header.count_threshold =
        threshold > series->matches ? (uint32_t)(threshold - series->matches) : 0;
  }
  /* Hits so far have lower docs: an equal score comes too late. A NaN is the check's to refuse. */
  if (series->count == series->k) {
    const float least = series->scores[series->k - 1];
    if ((flags & CSD_PLAN_FLAG_HAS_MIN_SCORE) == 0 || least >= header.min_score) {
      header.min_score = least;
      header.flags = (uint8_t)((flags | CSD_PLAN_FLAG_HAS_MIN_SCORE) &
                               ~(uint32_t)CSD_PLAN_FLAG_MIN_SCORE_TIES);
    }
  }
  memcpy(plan, &header, sizeof header);
}

static float score_at(const uint8_t *entries, uint32_t i) {
  float score;
  memcpy(&score, entries + (size_t)ENTRY_BYTES * i + SCORE_AT, sizeof score);
  return score;
}

void csd_series_end_plan(struct csd_series *series, const uint8_t *page) {
  struct csd_result_header found;
  if (series->k == 0) {
    return;
  }
  memcpy(&found, page, sizeof found);
  series->matches += found.match_count;
  const uint8_t *entries = page + sizeof found;
  /* How many of either are among the k best; both descend. */
  uint32_t old = 0, new = 0;
  while (old + new < series->k && (old < series->count || new < found.entry_count)) {
    if (new == found.entry_count ||
        (old < series->count && series->scores[old] >= score_at(entries, new))) {
      old++;
    } else {
      new ++;
    }
  }
  series->count = old + new;
  /* Merged from the end on, so that nothing is written over before it is read. */
  for (uint32_t to = series->count; new > 0; to--) {
    const float next = score_at(entries, new - 1);
    if (old > 0 && series->scores[old - 1] < next) {
      series->scores[to - 1] = series->scores[--old];
    } else {
      series->scores[to - 1] = next;
      new --;
    }
  }
}
