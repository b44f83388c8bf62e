/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Docs that all places of a phrase have, before positions are looked at. */
#ifndef CSD_EVAL_PHRASE_DOCS_H
#define CSD_EVAL_PHRASE_DOCS_H

#include "core/eval/eval.h"
#include "core/phrase/multi_phrase.h"
#include "core/phrase/phrase_match.h"

/** Candidates that are looked at together: a posting block of the shortest list. */
#define CSD_PHRASE_CANDIDATES CSD_BLOCK_POSTINGS

/** Matches from which on a batch is complete: the next candidates might not fit. */
#define CSD_PHRASE_ENOUGH 128u
#define CSD_PHRASE_ROOM (CSD_PHRASE_ENOUGH + CSD_PHRASE_CANDIDATES)

/** Docs that may match, and what the lists say of them, in rows: see csd_phrase_docs. */
struct csd_phrase_candidates {
  uint32_t docs[CSD_PHRASE_CANDIDATES];
  uint16_t origin[CSD_PHRASE_CANDIDATES]; /* index in what was asked for, or in a posting block */
  uint8_t norms[CSD_PHRASE_CANDIDATES];
  uint32_t *freqs;  /* [term][CSD_PHRASE_CANDIDATES] */
  uint32_t *ranks;  /* likewise */
  uint16_t *index;  /* likewise, of alternatives */
  uint16_t *counts; /* [term], of alternatives */
};

/** Docs that match. */
struct csd_phrase_matches {
  uint32_t docs[CSD_PHRASE_ROOM];
  uint16_t origin[CSD_PHRASE_ROOM];
  uint32_t freqs[CSD_PHRASE_ROOM];
  float sums[CSD_PHRASE_ROOM]; /* of MULTI_PHRASE: their frequencies */
  uint8_t norms[CSD_PHRASE_ROOM];
  float scores[CSD_PHRASE_ROOM];
};

struct csd_phrase_lead;

/** Working memory that the phrases of a plan share. */
struct csd_phrase_scratch {
  struct csd_phrase_candidates candidates;
  struct csd_phrase_matches matches;
  uint16_t index[CSD_PHRASE_CANDIDATES + CSD_INTERSECT_ROOM];
  uint8_t places[CSD_PHRASE_CANDIDATES + CSD_INTERSECT_ROOM]; /* in their posting block */
  uint8_t norms[CSD_PHRASE_CANDIDATES];                       /* of those that a term has */
  bool found[CSD_PHRASE_CANDIDATES];   /* whether any term of a place has them */
  uint16_t now[CSD_PHRASE_CANDIDATES]; /* where those that are kept are now */
  float bounds[CSD_PHRASE_CANDIDATES];
  uint32_t most_freqs[CSD_PHRASE_CANDIDATES];
  uint32_t counts[CSD_PHRASE_CANDIDATES]; /* of occurrences */
  float sums[CSD_PHRASE_CANDIDATES];      /* frequencies of MULTI_PHRASE */
  struct csd_phrase_positions positions;
  struct csd_multi_phrase multi;
  struct csd_phrase_lead *lead; /* of a first place with several terms */
};

/**
 * Notes what the current block of term `t` says of `n` candidates.
 *
 * @param places  where they are in the block
 * @param norms   receives their norms; NULL: they are not wanted
 */
int csd_phrase_take_postings(struct csd_phrase_scratch *scratch, const struct csd_phrase *phrase,
                             uint32_t t, const uint8_t *places, uint32_t n, uint8_t *norms);

/** Where what a list says of docs is noted. */
struct csd_phrase_row {
  uint32_t *freqs;
  uint32_t *ranks;
  uint8_t *norms; /* NULL: they are not wanted */
};

/**
 * Finds which of `n` ascending docs a list has, and notes what it says of them.
 *
 * @param index  receives their indices in `docs`; room for n + CSD_INTERSECT_ROOM
 * @return how many, or a negated status
 */
int csd_phrase_find(struct csd_eval *eval, struct csd_list_cursor *list, const uint32_t *docs,
                    uint32_t n, uint16_t *index, const struct csd_phrase_row *row);

/**
 * Keeps `n` candidates, which scratch->index names, and what the places in [from_place, to_place)
 * say of them.
 */
void csd_phrase_keep(struct csd_phrase_scratch *scratch, const struct csd_phrase *phrase,
                     uint32_t from_place, uint32_t to_place, uint32_t n);

/**
 * Keeps those of `n` candidates that the places from `from_place` on have.
 *
 * @param told  what the places from this one to `from_place` say is known, and kept, too
 * @return how many, or a negated status
 */
int csd_phrase_conjoin(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t told,
                       uint32_t from_place, uint32_t n, bool scored);
#endif
