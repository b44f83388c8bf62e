/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/plan/near_naive.h"

#include "csd/csd_wire.h"

enum { ANY_GAPS = UINT16_MAX };

/* How many positions of a place are below `bound`. */
static uint32_t count_below(const struct naive_place *place, int64_t bound) {
  uint32_t from = 0;
  uint32_t to = place->count;
  while (from < to) {
    const uint32_t middle = from + (to - from) / 2;
    if (place->positions[middle] < bound) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

/* The first position of a place that is at least `from`; -1: there is none. */
static int64_t first_from(const struct naive_place *place, int64_t from) {
  const uint32_t below = count_below(place, from);
  return below < place->count ? (int64_t)place->positions[below] : -1;
}

/* The last position of a place that is at most `to`; -1: there is none. */
static int64_t last_to(const struct naive_place *place, int64_t to) {
  const uint32_t up_to = count_below(place, to + 1);
  return up_to > 0 ? (int64_t)place->positions[up_to - 1] : -1;
}

static void add(float *freq, double weight) { *freq = (float)((double)*freq + weight); }

static float ordered_spans(const struct naive_place *places, uint32_t n, uint32_t slop) {
  float freq = 0.0f;
  for (uint32_t i = 0; i < places[0].count; i++) {
    const int64_t start = places[0].positions[i];
    int64_t last = start;
    for (uint32_t p = 1; p < n && last >= 0; p++) {
      last = first_from(&places[p], last + 1);
    }
    const int64_t width = last - start + 1 - (int64_t)n;
    if (last >= 0 && width <= (int64_t)slop) {
      add(&freq, 1.0 / (1.0 + (double)width));
    }
  }
  return freq;
}

/* The place of the queue that is to move, as a sorted binary heap has it: it is kept as one. */
static void sift_down(uint32_t *heap, uint32_t n, uint32_t i, const int64_t *at) {
  const uint32_t moved = heap[i];
  while (2 * i <= n) {
    uint32_t child = 2 * i;
    if (child < n && at[heap[child + 1]] < at[heap[child]]) {
      child++;
    }
    if (at[heap[child]] >= at[moved]) {
      break;
    }
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = moved;
}

static float unordered_spans(const struct naive_place *places, uint32_t n, uint32_t slop) {
  uint32_t heap[NAIVE_MAX_PLACES + 1];
  uint32_t next[NAIVE_MAX_PLACES];
  int64_t at[NAIVE_MAX_PLACES];
  int64_t last = 0;
  float freq = 0.0f;
  for (uint32_t p = 0; p < n; p++) {
    at[p] = places[p].positions[0];
    next[p] = 1;
    last = at[p] > last ? at[p] : last;
    uint32_t i = p + 1;
    for (; i > 1 && at[p] < at[heap[i / 2]]; i /= 2) {
      heap[i] = heap[i / 2];
    }
    heap[i] = p;
  }
  for (;;) {
    const uint32_t first = heap[1];
    const int64_t width = last - at[first] + 1;
    if (width <= (int64_t)slop + (int64_t)n) {
      add(&freq, 1.0 / (1.0 + (double)width));
    }
    if (next[first] == places[first].count) {
      return freq;
    }
    at[first] = places[first].positions[next[first]++];
    last = at[first] > last ? at[first] : last;
    sift_down(heap, n, 1, at);
  }
}

/* Adds an interval's weight. */
static void add_interval(float *freq, int64_t start, int64_t end, uint32_t n, uint32_t limit) {
  const int64_t gaps = end - start + 1 - (int64_t)n;
  if (limit == ANY_GAPS || gaps <= (int64_t)limit) {
    add(freq, 1.0 / (double)(gaps + 1 > 1 ? gaps + 1 : 1));
  }
}

/* Of the intervals that begin at a position, the shortest, if none begins later and ends there. */
static float ordered_intervals(const struct naive_place *places, uint32_t n, uint32_t limit) {
  float freq = 0.0f;
  int64_t before = -1; /* start */
  for (uint32_t i = 0; i < places[0].count; i++) {
    const int64_t start = places[0].positions[i];
    int64_t end = start;
    for (uint32_t p = 1; p < n && end >= 0; p++) {
      end = first_from(&places[p], end + 1);
    }
    int64_t latest = end;
    for (uint32_t p = n - 1; end >= 0 && p-- > 0;) {
      latest = last_to(&places[p], latest - 1);
    }
    if (end >= 0 && latest == start && start != before) {
      add_interval(&freq, start, end, n, limit);
      before = start;
    }
  }
  return freq;
}

/* The least position of any place that is at least `from`; -1: there is none. */
static int64_t least_from(const struct naive_place *places, uint32_t n, int64_t from) {
  int64_t least = -1;
  for (uint32_t p = 0; p < n; p++) {
    const int64_t found = first_from(&places[p], from);
    least = found >= 0 && (least < 0 || found < least) ? found : least;
  }
  return least;
}

static float unordered_intervals(const struct naive_place *places, uint32_t n, uint32_t limit) {
  float freq = 0.0f;
  for (int64_t start = least_from(places, n, 0); start >= 0;
       start = least_from(places, n, start + 1)) {
    int64_t end = start;
    int64_t latest = INT64_MAX;
    for (uint32_t p = 0; p < n && end >= 0; p++) {
      const int64_t found = first_from(&places[p], start);
      end = found < 0 ? -1 : found > end ? found : end;
    }
    for (uint32_t p = 0; p < n && end >= 0; p++) {
      const int64_t found = last_to(&places[p], end);
      latest = found < latest ? found : latest;
    }
    if (end >= 0 && latest == start) {
      add_interval(&freq, start, end, n, limit);
    }
  }
  return freq;
}

float naive_near(unsigned op, const struct naive_place *places, uint32_t n, uint32_t limit) {
  switch (op) {
    case CSD_OP_ORDERED_SPANS: return ordered_spans(places, n, limit);
    case CSD_OP_UNORDERED_SPANS: return unordered_spans(places, n, limit);
    case CSD_OP_ORDERED_INTERVALS: return ordered_intervals(places, n, limit);
    default: return unordered_intervals(places, n, limit);
  }
}
