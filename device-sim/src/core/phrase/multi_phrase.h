/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * How often phrases occur in docs whose terms may move, or stand at one place with others, and
 * terms near each other.
 */
#ifndef CSD_MULTI_PHRASE_H
#define CSD_MULTI_PHRASE_H

#include "core/phrase/phrase_slop.h"

/** Most docs of few positions that are looked at together. */
#define CSD_MULTI_PHRASE_DOCS 128u

/** Where the positions are that a doc has of a term. */
struct csd_multi_phrase_posting {
  uint32_t term;
  uint16_t at; /* in csd_multi_phrase.positions */
  uint16_t freq;
};

/** Working memory for all phrases but PHRASE. */
struct csd_multi_phrase {
  uint32_t *positions;                       /* of docs that are looked at together, term by term */
  uint32_t *merged;                          /* of a doc, place by place */
  uint32_t *starts;                          /* where an exact phrase of a doc may begin */
  struct csd_multi_phrase_posting *postings; /* of these docs, doc by doc */
  uint32_t *next; /* [term], of alternatives: the first entry that is not of a doc before */
  uint64_t sums[CSD_MULTI_PHRASE_DOCS];              /* of each doc, its positions of all terms */
  uint32_t most[CSD_MULTI_PHRASE_DOCS];              /* of each doc, most positions of a term */
  uint32_t first_posting[CSD_MULTI_PHRASE_DOCS + 1]; /* of each doc; then how many there are */
  struct csd_position_stream *streams;               /* one for each term */
  struct csd_slop slop;
};

/** Takes the memory for phrases of up to so many terms; false if the grant is used up. */
bool csd_multi_phrase_take(struct csd_multi_phrase *memory, struct csd_arena *arena,
                           uint32_t terms);

/**
 * Finds the frequency of a phrase in docs that all its places have.
 *
 * @param n      how many docs
 * @param all    false: one match in each doc is enough
 * @param freqs  receives one for each doc: the sum of the weights of its matches; 0: none
 * @return 0, or a negated status
 */
int csd_multi_phrase_match(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                           uint32_t n, bool all, struct csd_multi_phrase *memory, float *freqs);

#endif
