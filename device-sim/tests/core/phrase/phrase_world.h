/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A random phrase whose terms are in all docs of a block, with their positions in pages. */
#ifndef CSD_PHRASE_WORLD_H
#define CSD_PHRASE_WORLD_H

#include "core/phrase/phrase.h"
#include "tests/support/check.h"
#include "tests/support/page/position_builder.h"
#include "tests/support/plan/phrase_naive.h"
#include "tests/support/plan/plan_support.h"

enum { PHRASE_DOCS = 100, PHRASE_MAX_TERMS = 12 };

/** A term: its positions in each doc. */
struct phrase_world_term {
  uint32_t freqs[PHRASE_DOCS]; /* 0: the doc has not got it */
  uint32_t *positions[PHRASE_DOCS];
  struct csd_list_ref ref;
  struct csd_position_cursor cursor;
};

struct phrase_world {
  uint64_t random;
  struct phrase_world_term terms[PHRASE_MAX_TERMS];
  struct csd_phrase_term of_phrase[PHRASE_MAX_TERMS];
  struct csd_phrase_place places[PHRASE_MAX_TERMS];
  struct csd_phrase phrase;
  uint32_t doc[PHRASE_DOCS];
  uint32_t freqs[PHRASE_MAX_TERMS * PHRASE_DOCS];
  uint32_t ranks[PHRASE_MAX_TERMS * PHRASE_DOCS];
  uint16_t index[PHRASE_MAX_TERMS * PHRASE_DOCS];
  uint16_t counts[PHRASE_MAX_TERMS];
  struct csd_phrase_docs docs;          /* those that phrase_world_ask named last; at first all */
  uint32_t *at_place[PHRASE_MAX_TERMS]; /* of the doc that was asked for last */
  struct position_builder builder;
  struct page_builder pages;
  struct array_source source;
  struct csd_extent extents[64];
  struct csd_work work;
};

/** Makes one. `multi`: places may have several terms; with slop, two may have the same one. */
struct phrase_world *phrase_world_make(uint64_t seed, bool multi, uint32_t slop);
void phrase_world_free(struct phrase_world *world);

/** Puts all cursors back. */
void phrase_world_rewind(struct phrase_world *world);

/** Makes `docs` those from `from` on, as many as `n`. */
void phrase_world_ask(struct phrase_world *world, uint32_t from, uint32_t n);

/** Tells what doc `i` has at each place, in the order of the plan; returns how many places. */
uint32_t phrase_world_places(struct phrase_world *world, uint32_t i, struct naive_place *places);

/** Docs that match. */
uint32_t phrase_world_matches(struct phrase_world *world);

#endif
