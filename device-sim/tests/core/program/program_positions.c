/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <stdlib.h>
#include <string.h>

#include "csd/csd_ops.h"
#include "tests/core/program/program_world.h"
#include "tests/support/page/position_builder.h"
#include "tests/support/plan/near_naive.h"
#include "tests/support/plan/phrase_naive.h"

/* Lists of more positions have none, so that a world stays small. */
enum { MAX_POSITIONS = 400000, MAX_PHRASE_TERMS = 16 };

/* The lists of program_plan that phrases refer to: which of the world they are. */
static uint8_t list_of_plan[CSD_MAX_PLAN_LISTS];

/* What the positions of a doc come from. */
struct origin {
  uint64_t seed;
  uint32_t list;
};

/* Positions close to each other, so that phrases are found; far ones, and in every other list equal
   ones, too. */
static void make_positions(const void *context, uint32_t doc, uint32_t freq, uint32_t *positions) {
  const struct origin *origin = context;
  uint64_t random = origin->seed * 31 + origin->list * UINT64_C(0x9E3779B97F4A7C15) + doc;
  uint32_t position = check_random_below(&random, 6);
  for (uint32_t i = 0; i < freq; i++) {
    positions[i] = position;
    const uint32_t far = check_random_below(&random, 60) == 0 ? 20000 : 0;
    position += (origin->list % 2) + check_random_below(&random, 4) +
                (far > 0 ? check_random_below(&random, far) : 0);
  }
}

static uint32_t *positions_of(const struct program_world *world, uint32_t list, uint32_t doc) {
  const uint32_t freq = world->freq[list][doc];
  uint32_t *positions = malloc((freq + 1u) * sizeof *positions);
  if (positions == NULL) {
    abort();
  }
  make_positions(&(struct origin){world->seed, list}, doc, freq, positions);
  return positions;
}

static void add_list(struct program_world *world, struct position_builder *builder, uint32_t list) {
  uint32_t *docs = malloc(world->count[list] * sizeof *docs);
  uint32_t *freqs = malloc(world->count[list] * sizeof *freqs);
  uint32_t n = 0;
  uint64_t sum = 0;
  if (docs == NULL || freqs == NULL) {
    abort();
  }
  for (uint32_t doc = 0; doc < world->max_doc; doc++) {
    if (world->freq[list][doc] > 0) {
      docs[n] = doc;
      freqs[n++] = world->freq[list][doc];
      sum += world->freq[list][doc];
    }
  }
  if (sum <= MAX_POSITIONS) {
    position_builder_add(builder, docs, freqs, n, make_positions,
                         &(struct origin){world->seed, list}, &world->position_ref[list]);
    world->positioned[world->positioned_count++] = (uint8_t)list;
  }
  free(docs);
  free(freqs);
}

void program_positions_make(struct program_world *world) {
  struct page_builder *pages = &world->builder;
  static struct position_builder builder;
  position_builder_init(&builder, world->seed, pages->stamp,
                        pages->first_file_page + pages->page_count);
  for (uint32_t list = 0; list < PROGRAM_LISTS; list++) {
    add_list(world, &builder, list);
  }
  position_builder_finish(&builder);
  const size_t before = (size_t)pages->page_count * CSD_PAGE_BYTES;
  const size_t more = (size_t)builder.page_count * CSD_PAGE_BYTES;
  if (more > 0) {
    pages->pages = realloc(pages->pages, before + more);
    if (pages->pages == NULL) {
      abort();
    }
    memcpy(pages->pages + before, builder.pages, more);
  }
  pages->page_count += builder.page_count;
  position_builder_free(&builder);
}

static uint32_t random_list(struct program_world *world) {
  return world->positioned[below(world, world->positioned_count)];
}

static void add_term(struct program_world *world, uint32_t list, uint32_t place, unsigned uses) {
  struct csd_list_ref at = world->position_ref[list];
  at.inline_doc = place;
  at.inline_norm |= (uint8_t)uses;
  list_of_plan[test_plan_list(&program_plan, &world->ref[list])] = (uint8_t)list;
  test_plan_list(&program_plan, &at);
}

/* The terms of a MULTI_PHRASE. */
static void add_multi_terms(struct program_world *world, struct csd_plan_node *node) {
  node->op = CSD_OP_MULTI_PHRASE;
  node->min_should = (uint16_t)(below(world, 3) > 0 ? 1 + below(world, 5) * below(world, 5) : 0);
  const bool repeats = node->min_should > 0 && below(world, 4) == 0;
  const uint32_t places = repeats ? 2 : 2 + below(world, 2) * below(world, 3);
  const unsigned uses = repeats ? CSD_POSITION_USE_REPEAT : 0;
  uint32_t place = below(world, 3);
  uint32_t list = random_list(world);
  node->range_count = 0;
  for (uint32_t p = 0; p < places; p++) {
    add_term(world, list, place, uses);
    node->range_count++;
    const bool alone = repeats || below(world, 2) == 0;
    for (uint32_t more = alone ? 0 : 1 + below(world, 3); more > 0; more--) {
      add_term(world, random_list(world), place, CSD_POSITION_USE_ALTERNATIVE);
      node->range_count++;
    }
    place += repeats ? 1 + below(world, 3) : below(world, 3);
    list = repeats ? list : random_list(world);
  }
}

/* Terms near each other. */
static void add_near_terms(struct program_world *world, struct csd_plan_node *node) {
  static const uint8_t ops[] = {CSD_OP_ORDERED_SPANS, CSD_OP_UNORDERED_SPANS,
                                CSD_OP_ORDERED_INTERVALS, CSD_OP_UNORDERED_INTERVALS};
  node->op = ops[below(world, 4)];
  const uint32_t limit = below(world, 6) * below(world, 6);
  node->min_should = below(world, 6) == 0 ? UINT16_MAX : (uint16_t)limit;
  for (uint32_t t = 0; t < node->range_count; t++) {
    add_term(world, random_list(world), 0, 0);
  }
}

bool program_phrase_node(struct program_world *world, unsigned occur, float weight) {
  const uint32_t terms = 2 + below(world, 2) * below(world, 4);
  const uint32_t most = MAX_PHRASE_TERMS;
  if (world->positioned_count == 0 ||
      program_plan.header.list_count + 2 * most > CSD_MAX_PLAN_LISTS) {
    return false;
  }
  struct csd_plan_node *node = test_plan_node(&program_plan, CSD_OP_PHRASE, occur, 0);
  node->list = program_plan.header.list_count;
  node->range_count = terms;
  node->weight = weight;
  const uint32_t kind = below(world, 4);
  if (kind < 2) {
    add_multi_terms(world, node);
    return true;
  }
  if (kind == 2) {
    add_near_terms(world, node);
    return true;
  }
  uint32_t place = below(world, 3);
  for (uint32_t t = 0; t < terms; t++) {
    add_term(world, random_list(world), place, 0);
    place = below(world, 5) == 0 ? below(world, 6) : place + below(world, 3);
  }
  return true;
}

/* What a doc has at a place. */
struct place_positions {
  uint32_t *positions;
  uint32_t count;
};

static int by_number(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a;
  const uint32_t y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Adds the positions of a list in a doc, in order. */
static void add_positions(const struct program_world *world, uint32_t list, uint32_t doc,
                          struct place_positions *to) {
  const uint32_t freq = world->freq[list][doc];
  uint32_t *positions = positions_of(world, list, doc);
  to->positions = realloc(to->positions, (to->count + freq + 1u) * sizeof *to->positions);
  if (to->positions == NULL) {
    abort();
  }
  memcpy(to->positions + to->count, positions, freq * sizeof *positions);
  to->count += freq;
  if (to->count > freq) {
    qsort(to->positions, to->count, sizeof *to->positions, by_number);
  }
  free(positions);
}

float program_phrase_frequency(const struct program_world *world, const struct csd_plan_node *node,
                               uint32_t doc) {
  struct place_positions found[NAIVE_MAX_PLACES] = {{NULL, 0}};
  struct naive_place places[NAIVE_MAX_PLACES];
  uint32_t n = 0;
  bool repeats = false;
  for (uint32_t t = 0; t < node->range_count; t++) {
    const struct csd_list_ref *at = &program_plan.lists[node->list + 2 * t + 1];
    const uint32_t list = list_of_plan[node->list + 2 * t];
    n += (at->inline_norm & CSD_POSITION_USE_ALTERNATIVE) == 0;
    repeats |= (at->inline_norm & CSD_POSITION_USE_REPEAT) != 0;
    places[n - 1].place = at->inline_doc;
    if (world->freq[list][doc] > 0) {
      add_positions(world, list, doc, &found[n - 1]);
    }
  }
  bool everywhere = true;
  for (uint32_t p = 0; p < n; p++) {
    places[p].positions = found[p].positions;
    places[p].count = found[p].count;
    everywhere &= found[p].count > 0;
  }
  float freq = 0.0f;
  if (everywhere && !csd_op_rules[node->op].places) {
    freq = naive_near(node->op, places, n, node->min_should);
  } else if (everywhere && node->min_should > 0) {
    freq = naive_sloppy(places, n, node->min_should, repeats);
  } else if (everywhere) {
    freq = (float)naive_occurrences(places, n);
  }
  for (uint32_t p = 0; p < n; p++) {
    free(found[p].positions);
  }
  return freq;
}
