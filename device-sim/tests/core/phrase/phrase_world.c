/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/core/phrase/phrase_world.h"

#include <stdlib.h>
#include <string.h>

static uint32_t below(struct phrase_world *world, uint32_t bound) {
  return check_random_below(&world->random, bound);
}

static void *take(size_t bytes) {
  void *memory = calloc(1, bytes + 1);
  if (memory == NULL) {
    abort();
  }
  return memory;
}

/* The positions of a term in a doc, as position_builder asks for them. */
static void positions_of(const void *context, uint32_t doc, uint32_t freq, uint32_t *positions) {
  const struct phrase_world_term *term = context;
  memcpy(positions, term->positions[doc], freq * sizeof *positions);
}

/* Most docs have few positions, so that they are looked at together; some have very many. */
static void make_positions(struct phrase_world *world, struct phrase_world_term *term, uint32_t doc,
                           uint32_t freq) {
  const bool equal = below(world, 4) == 0;
  uint32_t position = below(world, 8);
  term->freqs[doc] = freq;
  term->positions[doc] = take(freq * sizeof(uint32_t));
  for (uint32_t i = 0; i < freq; i++) {
    term->positions[doc][i] = position;
    position += (equal ? 0 : 1) + below(world, 4) + (below(world, 50) == 0 ? 5000 : 0);
  }
}

static void make_term(struct phrase_world *world, struct phrase_world_term *term, bool everywhere) {
  for (uint32_t doc = 0; doc < PHRASE_DOCS; doc++) {
    const uint32_t kind = below(world, 60);
    const uint32_t most = kind == 0 ? 3000 : kind < 4 ? 300 : 6;
    const bool absent = !everywhere && below(world, 2) == 0;
    make_positions(world, term, doc, absent ? 0 : 1 + below(world, most));
  }
}

static void repeat_term(struct phrase_world_term *term, const struct phrase_world_term *other) {
  for (uint32_t doc = 0; doc < PHRASE_DOCS; doc++) {
    const size_t bytes = other->freqs[doc] * sizeof(uint32_t);
    term->freqs[doc] = other->freqs[doc];
    term->positions[doc] = take(bytes);
    memcpy(term->positions[doc], other->positions[doc], bytes);
  }
}

/* Writes the positions of a term. */
static void write_term(struct phrase_world *world, uint32_t t) {
  struct phrase_world_term *term = &world->terms[t];
  uint32_t docs[PHRASE_DOCS];
  uint32_t freqs[PHRASE_DOCS];
  uint32_t n = 0;
  for (uint32_t doc = 0; doc < PHRASE_DOCS; doc++) {
    if (term->freqs[doc] > 0) {
      docs[n] = doc;
      freqs[n++] = term->freqs[doc];
    }
  }
  position_builder_add(&world->builder, docs, freqs, n, positions_of, term, &term->ref);
}

/* Divides the terms among places, which stand in another order than that of the plan. */
static void make_places(struct phrase_world *world, bool multi, uint32_t slop) {
  struct csd_phrase *phrase = &world->phrase;
  const bool repeats = slop > 0 && below(world, 4) == 0;
  const uint32_t count = repeats ? 2 : 2 + below(world, 4) * below(world, 2);
  const uint32_t turned = below(world, count);
  *phrase = (struct csd_phrase){.terms = world->of_phrase,
                                .places = world->places,
                                .place_count = count,
                                .slop = slop,
                                .multi = multi};
  for (uint32_t p = 0; p < count; p++) {
    struct csd_phrase_place *place = &world->places[p];
    const uint32_t at = p * (repeats ? 2 : 1) + below(world, 3);
    place->number = (p + turned) % count;
    phrase->first = place->number == 0 ? p : phrase->first;
    place->from = phrase->count;
    place->repeats = repeats;
    place->count = multi && !repeats && below(world, 2) == 0 ? 1 + below(world, 2) : 1;
    for (uint32_t t = place->from; t < place->from + place->count; t++) {
      world->of_phrase[t].positions = &world->terms[t].cursor;
      world->of_phrase[t].place = repeats && p == 1 ? world->of_phrase[0].place + 1 + at : at;
      if (repeats && p == 1) {
        repeat_term(&world->terms[1], &world->terms[0]);
      } else {
        make_term(world, &world->terms[t], t == place->from);
      }
    }
    phrase->count += place->count;
  }
}

struct phrase_world *phrase_world_make(uint64_t seed, bool multi, uint32_t slop) {
  struct phrase_world *world = take(sizeof *world);
  world->random = seed;
  page_builder_init(&world->pages, seed, 1);
  position_builder_init(&world->builder, seed, seed, 1);
  make_places(world, multi, slop);
  for (uint32_t t = 0; t < world->phrase.count; t++) {
    write_term(world, t);
  }
  position_builder_finish(&world->builder);
  world->pages.pages = world->builder.pages;
  world->pages.page_count = world->builder.page_count;
  array_source_init(&world->source, &world->pages, 1 + (uint32_t)seed % 5);
  const uint32_t extents = array_source_extents(&world->source, world->extents, 64);
  for (uint32_t t = 0; t < world->phrase.count; t++) {
    world->terms[t].ref.extent_count = (uint16_t)extents;
    csd_position_cursor_open(&world->terms[t].cursor, &world->terms[t].ref, world->extents,
                             &world->source.source, csd_kernels_choose(), &world->work);
  }
  phrase_world_ask(world, 0, PHRASE_DOCS);
  return world;
}

/* Writes the row of term `t` for docs [from, from + n); that of an alternative lacks some. */
static void fill_row(struct phrase_world *world, uint32_t t, bool alternative, uint32_t from,
                     uint32_t n) {
  const struct phrase_world_term *term = &world->terms[t];
  uint32_t at = t * PHRASE_DOCS;
  uint32_t rank = 0;
  for (uint32_t doc = 0; doc < from + n; doc++) {
    if (doc >= from && (!alternative || term->freqs[doc] > 0)) {
      world->index[at] = (uint16_t)(doc - from);
      world->freqs[at] = term->freqs[doc];
      world->ranks[at++] = rank;
    }
    rank += term->freqs[doc];
  }
  world->counts[t] = (uint16_t)(at - t * PHRASE_DOCS);
}

void phrase_world_ask(struct phrase_world *world, uint32_t from, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    world->doc[i] = from + i;
  }
  for (uint32_t p = 0; p < world->phrase.place_count; p++) {
    const struct csd_phrase_place *place = &world->places[p];
    for (uint32_t t = place->from; t < place->from + place->count; t++) {
      fill_row(world, t, place->count > 1, from, n);
    }
  }
  world->docs = (struct csd_phrase_docs){.docs = world->doc,
                                         .freqs = world->freqs,
                                         .ranks = world->ranks,
                                         .index = world->index,
                                         .counts = world->counts,
                                         .stride = PHRASE_DOCS};
}

void phrase_world_free(struct phrase_world *world) {
  phrase_world_rewind(world);
  CHECK_EQ(0, world->source.pins_held);
  for (uint32_t t = 0; t < PHRASE_MAX_TERMS; t++) {
    for (uint32_t doc = 0; doc < PHRASE_DOCS; doc++) {
      free(world->terms[t].positions[doc]);
    }
    free(world->at_place[t]);
  }
  array_source_free(&world->source);
  page_builder_free(&world->pages);
  free(world);
}

void phrase_world_rewind(struct phrase_world *world) {
  for (uint32_t t = 0; t < world->phrase.count; t++) {
    csd_position_cursor_rewind(&world->terms[t].cursor);
  }
}

static int by_number(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a;
  const uint32_t y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

uint32_t phrase_world_places(struct phrase_world *world, uint32_t i, struct naive_place *places) {
  for (uint32_t p = 0; p < world->phrase.place_count; p++) {
    const struct csd_phrase_place *place = &world->places[p];
    struct naive_place *to = &places[place->number];
    size_t sum = 0;
    for (uint32_t t = place->from; t < place->from + place->count; t++) {
      sum += world->terms[t].freqs[i];
    }
    uint32_t *positions = take(sum * sizeof *positions);
    free(world->at_place[p]);
    world->at_place[p] = positions;
    *to =
        (struct naive_place){.positions = positions, .place = world->of_phrase[place->from].place};
    for (uint32_t t = place->from; t < place->from + place->count; t++) {
      const struct phrase_world_term *term = &world->terms[t];
      memcpy(positions + to->count, term->positions[i], term->freqs[i] * sizeof *positions);
      to->count += term->freqs[i];
    }
    qsort(positions, to->count, sizeof *positions, by_number);
  }
  return world->phrase.place_count;
}

uint32_t phrase_world_matches(struct phrase_world *world) {
  uint32_t matches = 0;
  for (uint32_t i = 0; i < PHRASE_DOCS; i++) {
    struct naive_place places[PHRASE_MAX_TERMS];
    const uint32_t n = phrase_world_places(world, i, places);
    const bool repeats = world->places[0].repeats;
    matches += world->phrase.slop > 0 ? naive_sloppy(places, n, world->phrase.slop, repeats) > 0.0f
                                      : naive_occurrences(places, n) > 0;
  }
  return matches;
}
