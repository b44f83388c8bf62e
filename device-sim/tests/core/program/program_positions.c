/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <stdlib.h>
#include <string.h>

#include "tests/core/program/program_world.h"
#include "tests/support/position_builder.h"

/* Lists of more positions have none, so that a world stays small. */
enum { MOST_POSITIONS = 400000 };

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
  if (sum <= MOST_POSITIONS) {
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

bool program_phrase_node(struct program_world *world, unsigned occur, float weight) {
  const uint32_t terms = 2 + below(world, 2) * below(world, 4);
  if (world->positioned_count == 0 ||
      program_plan.header.list_count + 2 * terms > CSD_MAX_PLAN_LISTS) {
    return false;
  }
  struct csd_plan_node *node = test_plan_node(&program_plan, CSD_OP_PHRASE, occur, 0);
  node->list = program_plan.header.list_count;
  node->range_count = terms;
  node->weight = weight;
  uint32_t place = below(world, 3);
  for (uint32_t t = 0; t < terms; t++) {
    const uint32_t list = world->positioned[below(world, world->positioned_count)];
    struct csd_list_ref at = world->position_ref[list];
    at.inline_doc = place;
    list_of_plan[test_plan_list(&program_plan, &world->ref[list])] = (uint8_t)list;
    test_plan_list(&program_plan, &at);
    place = below(world, 5) == 0 ? below(world, 6) : place + below(world, 3);
  }
  return true;
}

/* Whether a list has a position in a doc. */
static bool has_position(const uint32_t *positions, uint32_t n, int64_t position) {
  uint32_t low = 0;
  uint32_t high = n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (positions[middle] < position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < n && positions[low] == position;
}

uint32_t program_occurrences(const struct program_world *world, const struct csd_plan_node *node,
                             uint32_t doc, uint32_t *first_list) {
  uint32_t *positions[8];
  uint32_t count = 0;
  for (uint32_t t = 0; t < node->range_count; t++) {
    if (world->freq[list_of_plan[node->list + 2 * t]][doc] == 0) {
      return 0;
    }
  }
  *first_list = list_of_plan[node->list];
  for (uint32_t t = 0; t < node->range_count; t++) {
    positions[t] = positions_of(world, list_of_plan[node->list + 2 * t], doc);
  }
  for (uint32_t i = 0; i < world->freq[*first_list][doc]; i++) {
    const int64_t start = (int64_t)positions[0][i] - program_plan.lists[node->list + 1].inline_doc;
    bool all = true;
    for (uint32_t t = 1; t < node->range_count && all; t++) {
      const uint32_t list = list_of_plan[node->list + 2 * t];
      all = has_position(positions[t], world->freq[list][doc],
                         start + program_plan.lists[node->list + 2 * t + 1].inline_doc);
    }
    count += all;
  }
  for (uint32_t t = 0; t < node->range_count; t++) {
    free(positions[t]);
  }
  return count;
}
