/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/plan/phrase_naive.h"

uint32_t naive_occurrences(const struct naive_place *places, uint32_t n) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < places[0].count; i++) {
    const int64_t start = (int64_t)places[0].positions[i] - places[0].place;
    bool all = true;
    for (uint32_t p = 1; p < n && all; p++) {
      uint32_t low = 0;
      uint32_t high = places[p].count;
      while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if ((int64_t)places[p].positions[middle] - places[p].place < start) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      all = low < places[p].count && (int64_t)places[p].positions[low] - places[p].place == start;
    }
    count += all;
  }
  return count;
}

/* Where each place of a doc is. */
struct walk {
  const struct naive_place *places;
  uint32_t n;
  uint32_t at[NAIVE_MAX_PLACES];
};

static int64_t start_of(const struct walk *walk, uint32_t p) {
  return (int64_t)walk->places[p].positions[walk->at[p]] - walk->places[p].place;
}

static bool is_before(const struct walk *walk, uint32_t a, uint32_t b) {
  if (start_of(walk, a) != start_of(walk, b)) {
    return start_of(walk, a) < start_of(walk, b);
  }
  return walk->places[a].place != walk->places[b].place
             ? walk->places[a].place < walk->places[b].place
             : a < b;
}

/* The place that is farthest behind, but for one. */
static uint32_t least_but(const struct walk *walk, uint32_t but) {
  uint32_t least = but == 0 ? 1 : 0;
  for (uint32_t p = least + 1; p < walk->n; p++) {
    least = p != but && is_before(walk, p, least) ? p : least;
  }
  return least;
}

static int64_t length_from(const struct walk *walk, uint32_t p) {
  int64_t end = start_of(walk, 0);
  for (uint32_t q = 1; q < walk->n; q++) {
    end = start_of(walk, q) > end ? start_of(walk, q) : end;
  }
  return end - start_of(walk, p);
}

static bool move(struct walk *walk, uint32_t p) { return ++walk->at[p] < walk->places[p].count; }

/* Of two places on one position, moves the one behind on, until they are on two. */
static bool part(struct walk *walk) {
  while (walk->places[0].positions[walk->at[0]] == walk->places[1].positions[walk->at[1]]) {
    const int64_t a = start_of(walk, 0);
    const int64_t b = start_of(walk, 1);
    const bool first = a < b || (a == b && walk->places[0].place < walk->places[1].place);
    if (!move(walk, first ? 0 : 1)) {
      return false;
    }
  }
  return true;
}

float naive_sloppy(const struct naive_place *places, uint32_t n, uint32_t slop, bool repeats) {
  struct walk walk = {.places = places, .n = n};
  volatile float freq = 0.0f;
  if (repeats && !move(&walk, places[0].place > places[1].place ? 0 : 1)) {
    return 0.0f;
  }
  for (bool going = true; going;) {
    const uint32_t p = least_but(&walk, n);
    const int64_t next = start_of(&walk, least_but(&walk, p));
    int64_t length = length_from(&walk, p);
    while ((going = move(&walk, p) && (!repeats || part(&walk))) && start_of(&walk, p) <= next) {
      length = length_from(&walk, p) < length ? length_from(&walk, p) : length;
    }
    if (length <= (int64_t)slop) {
      const volatile float divisor = 1.0f + (float)length;
      const volatile float weight = 1.0f / divisor;
      freq = freq + weight;
    }
  }
  return freq;
}
