/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_phrases.c. */
#include "core/phrase/phrase_near.h"

#include "core/phrase/place_queue.h"
#include "csd/csd_wire.h"

/* The position of a place that is at its end. */
#define END INT32_MAX

/* As max_gaps of intervals: there may be any number of them. */
#define ANY_GAPS UINT16_MAX

/* Moves a place on. Returns 1, 0 if it is at its end, or a negated status. */
static inline int advance(struct csd_slop_place *place) {
  const int status = csd_place_reader_next(&place->reader, &place->position);
  if (status == 0) {
    place->position = END;
  }
  return status;
}

/* ---- spans ---- */

/* Adds the weight of spans that are so wide. */
static inline void add_span(float *freq, int32_t width) {
  *freq = (float)((double)*freq + 1.0 / (1.0 + (double)width));
}

/* From each position of the first term on, the others' next ones, which never move back. */
static int ordered_spans(struct csd_slop *slop, bool all, float *freq) {
  struct csd_slop_place *places = slop->places;
  int status;
  for (uint32_t p = 1; p < slop->place_count; p++) {
    places[p].position = -1;
  }
  while ((status = advance(&places[0])) > 0) {
    int64_t end = (int64_t)places[0].position + 1;
    int64_t width = 0;
    for (uint32_t p = 1; p < slop->place_count; p++) {
      while (places[p].position < end) {
        status = advance(&places[p]);
        if (status <= 0) {
          return status;
        }
      }
      width += places[p].position - end;
      end = (int64_t)places[p].position + 1;
    }
    if (width <= slop->slop) {
      add_span(freq, (int32_t)width);
      if (!all) {
        return 0;
      }
    }
  }
  return status;
}

static bool starts_before(const struct csd_slop_place *a, const struct csd_slop_place *b) {
  return a->position < b->position;
}

/* The place that is behind all others moves on, one position at a time. */
static int unordered_spans(struct csd_slop *slop, bool all, float *freq) {
  const uint32_t n = slop->place_count;
  int32_t last = -1;
  for (uint32_t p = 0; p < n; p++) {
    const int status = advance(&slop->places[p]);
    if (status <= 0) {
      return status;
    }
    last = slop->places[p].position > last ? slop->places[p].position : last;
    csd_place_queue_push(slop->queue, p, &slop->places[p], starts_before);
  }
  for (;;) {
    struct csd_slop_place *first = slop->queue[1];
    const int32_t width = last - first->position + 1;
    if (width - (int32_t)n <= slop->slop) {
      add_span(freq, width);
      if (!all) {
        return 0;
      }
    }
    const int status = advance(first);
    if (status <= 0) {
      return status;
    }
    last = first->position > last ? first->position : last;
    csd_place_queue_replace(slop->queue, n, first, starts_before);
  }
}

/* ---- intervals ---- */

/* Adds the weight of an interval, unless its gaps are too many. Returns whether it counts. */
static inline bool add_interval(const struct csd_slop *slop, int32_t gaps, float *freq) {
  const bool counts = slop->slop == ANY_GAPS || gaps <= slop->slop;
  if (counts) {
    const int32_t extent = gaps + 1 > 1 ? gaps + 1 : 1;
    *freq = (float)((double)*freq + 1.0 / (double)extent);
  }
  return counts;
}

/*
 * Finds the next interval in which the terms stand in their order, and no shorter one: of the one
 * found first, its start moves up as long as its end can stay. *next is the term that is to move
 * behind the one before it, at first the second one. Returns 1 and sets *gaps, 0 if there is none,
 * or a negated status.
 */
static int next_ordered(struct csd_slop *slop, uint32_t *next, int32_t *gaps) {
  struct csd_slop_place *places = slop->places;
  const uint32_t n = slop->place_count;
  int32_t last_start = END;
  int found = 0;
  for (;;) {
    for (;; ++*next) {
      const uint32_t i = *next;
      if (places[i - 1u].position >= last_start) {
        return found;
      }
      if (i == n || (found > 0 && places[i].position > places[i - 1u].position)) {
        break;
      }
      do {
        const int status = places[i].position >= last_start ? 0 : advance(&places[i]);
        if (status <= 0) {
          return status < 0 ? status : found;
        }
      } while (places[i].position <= places[i - 1u].position);
    }
    last_start = places[n - 1u].position;
    *next = 1;
    *gaps = last_start - places[0].position + 1 - (int32_t)n;
    found = 1;
    const int status = advance(&places[0]);
    if (status <= 0) {
      return status < 0 ? status : found;
    }
  }
}

static int ordered_intervals(struct csd_slop *slop, bool all, float *freq) {
  for (uint32_t p = 0; p < slop->place_count; p++) {
    slop->places[p].position = -1;
  }
  int status = advance(&slop->places[0]);
  uint32_t next = 1;
  int32_t gaps;
  while (status > 0 && (status = next_ordered(slop, &next, &gaps)) > 0) {
    if (add_interval(slop, gaps, freq) && !all) {
      return 0;
    }
  }
  return status;
}

/* Of equal places each comes before the other, as Lucene has it. */
static bool starts_not_after(const struct csd_slop_place *a, const struct csd_slop_place *b) {
  return a->position <= b->position;
}

/* Moves the place that is first on. Returns 1, 0 if it is at its end and out, or a negated status.
 */
static int advance_first(struct csd_slop *slop, int32_t *last) {
  struct csd_slop_place *place = csd_place_queue_pop(slop->queue, slop->queued--, starts_not_after);
  const int status = advance(place);
  if (status > 0) {
    csd_place_queue_push(slop->queue, slop->queued++, place, starts_not_after);
    *last = place->position > *last ? place->position : *last;
  }
  return status;
}

/* The next shortest interval with all terms in any order: its start moves up, its end stays. */
static int unordered_intervals(struct csd_slop *slop, bool all, float *freq) {
  const uint32_t n = slop->place_count;
  int32_t last = -1;
  int32_t start = -1;
  int status = 1;
  slop->queued = 0;
  for (uint32_t p = 0; p < n; p++) {
    status = advance(&slop->places[p]);
    if (status <= 0) {
      return status;
    }
    csd_place_queue_push(slop->queue, slop->queued++, &slop->places[p], starts_not_after);
    last = slop->places[p].position > last ? slop->places[p].position : last;
  }
  for (;;) {
    while (slop->queued == n && slop->queue[1]->position == start) {
      status = advance_first(slop, &last);
      if (status < 0) {
        return status;
      }
    }
    if (slop->queued < n) {
      return 0;
    }
    int32_t end;
    do {
      start = slop->queue[1]->position;
      end = last;
      status = start == end ? 0 : advance_first(slop, &last);
    } while (status > 0 && end == last);
    if (status < 0) {
      return status;
    }
    if (add_interval(slop, end - start + 1 - (int32_t)n, freq) && !all) {
      return 0;
    }
  }
}

static const struct csd_near ORDERED_SPANS = {.ordered = true, .match = ordered_spans};
static const struct csd_near UNORDERED_SPANS = {.match = unordered_spans};
static const struct csd_near ORDERED_INTERVALS = {
    .ordered = true, .is_interval = true, .match = ordered_intervals};
static const struct csd_near UNORDERED_INTERVALS = {.is_interval = true,
                                                    .match = unordered_intervals};

const struct csd_near *csd_near_of(unsigned op) {
  switch (op) {
    case CSD_OP_ORDERED_SPANS: return &ORDERED_SPANS;
    case CSD_OP_UNORDERED_SPANS: return &UNORDERED_SPANS;
    case CSD_OP_ORDERED_INTERVALS: return &ORDERED_INTERVALS;
    case CSD_OP_UNORDERED_INTERVALS: return &UNORDERED_INTERVALS;
    default: return NULL;
  }
}
