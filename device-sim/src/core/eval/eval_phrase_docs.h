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

/** Docs that may match, and what the lists say of them. */
struct csd_phrase_candidates {
  uint32_t docs[CSD_PHRASE_CANDIDATES];
  uint16_t origin[CSD_PHRASE_CANDIDATES]; /* index in what was asked for, or in a posting block */
  uint8_t norms[CSD_PHRASE_CANDIDATES];
  uint32_t *freqs; /* [term][CSD_PHRASE_CANDIDATES]; 0: the doc has not got the term */
  uint32_t *ranks; /* likewise */
  bool *has;       /* whether any of them may have the term: else its freqs are 0 */
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

/** Working memory that the phrases of a plan share. */
struct csd_phrase_scratch {
  struct csd_phrase_candidates candidates;
  struct csd_phrase_matches matches;
  uint16_t index[CSD_PHRASE_CANDIDATES + CSD_INTERSECT_ROOM];
  uint8_t places[CSD_PHRASE_CANDIDATES + CSD_INTERSECT_ROOM]; /* in their posting block */
  uint8_t norms[CSD_PHRASE_CANDIDATES];                       /* of those that a term has */
  bool found[CSD_PHRASE_CANDIDATES]; /* whether any term of a place has them */
  float bounds[CSD_PHRASE_CANDIDATES];
  uint32_t most_freqs[CSD_PHRASE_CANDIDATES];
  uint32_t counts[CSD_PHRASE_CANDIDATES]; /* of occurrences */
  float sums[CSD_PHRASE_CANDIDATES];      /* frequencies of MULTI_PHRASE */
  struct csd_phrase_positions positions;
  struct csd_multi_phrase multi;
  uint32_t *lead_docs; /* of the terms of one place; see csd_phrase_lead_docs */
  uint32_t *more_docs;
};

/**
 * Notes what the current block of term `t` says of `n` candidates from `at` on.
 *
 * @param places  where they are in the block
 * @param norms   receives their norms; NULL: they are not wanted
 */
int csd_phrase_take_postings(struct csd_phrase_scratch *scratch, const struct csd_phrase *phrase,
                             uint32_t t, const uint8_t *places, uint32_t n, uint32_t at,
                             uint8_t *norms);

/** Keeps `n` candidates, which scratch->index names, and what the terms below `terms` say. */
void csd_phrase_keep(struct csd_phrase_scratch *scratch, uint32_t from_term, uint32_t terms,
                     uint32_t n);

/**
 * Keeps those of `n` candidates that the places from `from_place` on have.
 *
 * @return how many, or a negated status
 */
int csd_phrase_conjoin(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t from_place,
                       uint32_t n, bool scored);

/** Docs that csd_phrase_lead_docs gives at most, of a place of so many terms. */
uint32_t csd_phrase_lead_room(uint32_t terms);

/**
 * Lists docs that the first place has, from `from` on, into scratch->lead_docs.
 *
 * @param limit  docs are below it
 * @param upto   set to where they end: to `limit` behind the last one
 * @return how many, or a negated status
 */
int csd_phrase_lead_docs(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t from,
                         uint32_t limit, uint32_t *upto);

#endif
