/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/phrase/test_multi_phrase.c. */
/*
 * The place that is farthest behind moves on, past the next one; the shortest length on its way is
 * that of a match. Places with the same term must not stand on one position: of two that do, the
 * one behind moves on. The queue is a binary heap with Lucene's steps: while repeats are sorted out
 * places in it move, so that what comes out first depends on how it is kept.
 */
#include "core/phrase/phrase_slop.h"

#include "core/phrase/place_queue.h"

bool csd_slop_take(struct csd_slop *slop, struct csd_arena *arena, uint32_t places) {
  slop->places = csd_arena_take(arena, places * sizeof *slop->places);
  slop->queue = csd_arena_take(arena, (places + 1u) * sizeof *slop->queue);
  slop->group = csd_arena_take(arena, places * sizeof *slop->group);
  slop->taken = csd_arena_take(arena, places * sizeof *slop->taken);
  return slop->places != NULL && slop->queue != NULL && slop->group != NULL && slop->taken != NULL;
}

void csd_slop_begin(struct csd_slop *slop, const struct csd_phrase *phrase) {
  slop->place_count = phrase->place_count;
  slop->slop = (int32_t)phrase->slop;
  slop->group_count = 0;
  for (uint32_t p = 0; p < phrase->place_count; p++) {
    const struct csd_phrase_place *of = &phrase->places[p];
    struct csd_slop_place *place = &slop->places[of->number];
    place->place = phrase->terms[of->from].place;
    place->number = of->number;
    place->repeats = of->repeats;
    place->moved = false;
    if (of->repeats) {
      uint32_t to = slop->group_count++;
      for (; to > 0 && slop->group[to - 1u]->place > place->place; to--) {
        slop->group[to] = slop->group[to - 1u];
      }
      slop->group[to] = place;
    }
  }
  for (uint32_t g = 0; g < slop->group_count; g++) {
    slop->group[g]->in_group = g;
  }
}

/* ---- the queue ---- */

static inline bool is_before(const struct csd_slop_place *a, const struct csd_slop_place *b) {
  if (a->position != b->position) {
    return a->position < b->position;
  }
  return a->place != b->place ? a->place < b->place : a->number < b->number;
}

static void push(struct csd_slop *slop, struct csd_slop_place *place) {
  csd_place_queue_push(slop->queue, slop->queued++, place, is_before);
}

/* Takes the first place out; there is one. */
static struct csd_slop_place *pop(struct csd_slop *slop) {
  return csd_place_queue_pop(slop->queue, slop->queued--, is_before);
}

/* ---- places ---- */

/* How far the greatest position is from the place; modulo 2^32, as Lucene's ints. */
static inline int32_t length_from(const struct csd_slop *slop, const struct csd_slop_place *place) {
  return (int32_t)((uint32_t)slop->end - (uint32_t)place->position);
}

/* Moves a place on. Returns 1, 0 if it is at its end, or a negated status. */
static inline int advance(struct csd_slop *slop, struct csd_slop_place *place) {
  const int status = csd_place_reader_next(&place->reader, &place->position);
  if (status > 0 && place->position > slop->end) {
    slop->end = place->position;
  }
  return status;
}

/* The position in the doc. */
static inline uint32_t position_in_doc(const struct csd_slop_place *place) {
  return (uint32_t)place->position + place->place;
}

/* Another place of the group that stands on the same position; NULL if there is none. */
static struct csd_slop_place *collision(const struct csd_slop *slop,
                                        const struct csd_slop_place *place) {
  for (uint32_t g = 0; g < slop->group_count; g++) {
    if (slop->group[g] != place && position_in_doc(slop->group[g]) == position_in_doc(place)) {
      return slop->group[g];
    }
  }
  return NULL;
}

/* Which of two places is behind, by position and place alone. */
static struct csd_slop_place *lesser(struct csd_slop_place *a, struct csd_slop_place *b) {
  return a->position < b->position || (a->position == b->position && a->place < b->place) ? a : b;
}

/*
 * Resolves what it collides with, once a place that is not in the queue has moved on. Returns as
 * `advance`.
 */
static int resolve(struct csd_slop *slop, struct csd_slop_place *place) {
  const uint32_t outside = place->in_group;
  uint32_t moved = 0;
  int status = 1;
  for (struct csd_slop_place *other = collision(slop, place); other != NULL && status > 0;
       other = collision(slop, place)) {
    const uint32_t in_group = other->in_group;
    place = lesser(place, other);
    status = advance(slop, place);
    if (status > 0 && in_group != outside && !other->moved) {
      other->moved = true;
      moved++;
    }
  }
  uint32_t n = 0;
  while (moved > 0 && slop->queued > 0) {
    struct csd_slop_place *out = pop(slop);
    slop->taken[n++] = out;
    moved -= out->moved;
    out->moved = false;
  }
  while (n > 0) {
    push(slop, slop->taken[--n]);
  }
  return status;
}

/* ---- matches ---- */

/* Moves all places to where they begin in the doc. Returns as `advance`. */
static int begin(struct csd_slop *slop) {
  int status = 1;
  slop->end = INT32_MIN;
  slop->queued = 0;
  for (uint32_t p = 0; p < slop->place_count && status > 0; p++) {
    status = advance(slop, &slop->places[p]);
  }
  for (uint32_t g = 1; g < slop->group_count; g++) {
    for (uint32_t k = 0; k < g && status > 0; k++) {
      status = advance(slop, slop->group[g]);
    }
  }
  return status;
}

/* Adds the weight of a match of that length, unless it is too long. Returns whether it is one. */
static inline bool add_match(const struct csd_slop *slop, int32_t length, float *freq) {
  const bool matches = length <= slop->slop;
  if (matches) {
    *freq += 1.0f / (1.0f + (float)length);
  }
  return matches;
}

/* Finds the matches of two places of different terms. Returns 0, or a negated status. */
static int match_two(struct csd_slop *slop, bool all, float *freq) {
  struct csd_slop_place *behind = &slop->places[0];
  struct csd_slop_place *ahead = &slop->places[1];
  if (is_before(ahead, behind)) {
    behind = &slop->places[1];
    ahead = &slop->places[0];
  }
  for (;;) {
    int32_t length = length_from(slop, behind);
    int status;
    while ((status = advance(slop, behind)) > 0 && behind->position <= ahead->position) {
      const int32_t one = length_from(slop, behind);
      length = one < length ? one : length;
    }
    if (status < 0) {
      return status;
    }
    if ((add_match(slop, length, freq) && !all) || status == 0) {
      return 0;
    }
    struct csd_slop_place *passed = ahead;
    ahead = behind;
    behind = passed;
  }
}

/* Finds the matches of any places. Returns 0, or a negated status. */
static int match_queue(struct csd_slop *slop, bool all, float *freq) {
  for (uint32_t p = 0; p < slop->place_count; p++) {
    push(slop, &slop->places[p]);
  }
  for (;;) {
    struct csd_slop_place *place = pop(slop);
    const int32_t next = slop->queue[1]->position;
    int32_t length = length_from(slop, place);
    int status;
    for (;;) {
      status = advance(slop, place);
      if (status > 0 && place->repeats) {
        status = resolve(slop, place);
      }
      if (status <= 0 || place->position > next) {
        break;
      }
      const int32_t one = length_from(slop, place);
      length = one < length ? one : length;
    }
    if (status < 0) {
      return status;
    }
    if ((add_match(slop, length, freq) && !all) || status == 0) {
      return 0;
    }
    push(slop, place);
  }
}

int csd_slop_match(struct csd_slop *slop, bool all, float *freq) {
  *freq = 0.0f;
  const int status = begin(slop);
  if (status <= 0) {
    return status;
  }
  return slop->place_count == 2 && slop->group_count == 0 ? match_two(slop, all, freq)
                                                          : match_queue(slop, all, freq);
}
