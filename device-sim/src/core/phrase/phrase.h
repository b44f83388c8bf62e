/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A phrase: terms, and where each of them stands in it. */
#ifndef CSD_PHRASE_H
#define CSD_PHRASE_H

#include "core/lists/list_cursor.h"
#include "core/positions/position_cursor.h"

struct csd_near; /* phrase_near.h */

/** A term of a phrase. */
struct csd_phrase_term {
  struct csd_list_cursor *list;
  struct csd_position_cursor *positions;
  uint32_t place; /* in the phrase */
};

/** A place of a phrase, with the terms of which one has to stand there. */
struct csd_phrase_place {
  uint32_t from;   /* its first term in csd_phrase.terms; they stand together */
  uint32_t count;  /* of terms, at least 1 */
  uint32_t number; /* in the order of the plan */
  uint64_t cost;   /* postings of its terms */
  bool repeats;    /* its term is that of others: REPEAT */
};

struct csd_phrase {
  struct csd_phrase_term *terms;   /* in the order of their places */
  struct csd_phrase_place *places; /* fewest postings first; of a PHRASE one for each term */
  uint32_t count;                  /* of terms */
  uint32_t place_count;
  uint32_t first;              /* which place the plan names first: its positions are counted */
  uint32_t slop;               /* moves of terms; 0: exact */
  bool multi;                  /* not PHRASE */
  const struct csd_near *near; /* which spans or intervals, limited by `slop`; NULL: none */
  bool unequal; /* positions of `first` are all different in a doc, so that no place has fewer
                   than are counted */
  bool is_part; /* of a root of which non-competitive matches may be left out */
  bool skips;   /* leads a conjunction, and the docs before were left out as non-competitive */
  double rest;  /* most that other parts add to its scores; 0 if it is none */
};

/**
 * Docs that all places of a phrase have, and what the lists say of them: for each term a row of
 * `stride` entries, in the order of phrase->terms. The row of a place's only term has an entry for
 * each doc; that of an alternative has one for each doc that has it, and so few, mostly.
 */
struct csd_phrase_docs {
  const uint32_t *docs;   /* ascending */
  const uint32_t *freqs;  /* [term * stride + entry] */
  const uint32_t *ranks;  /* likewise */
  const uint16_t *index;  /* likewise, of alternatives: which doc the entry is of, ascending */
  const uint16_t *counts; /* [term], of alternatives: entries of the row */
  uint32_t stride;
};

/** Whether a place has several terms, of which a doc need have one only. */
static inline bool csd_phrase_has_alternatives(const struct csd_phrase_place *place) {
  return place->count > 1;
}

/** The posting of doc `i` in the list of term `t`, its place's only one. */
static inline struct csd_position_posting csd_phrase_posting(const struct csd_phrase_docs *docs,
                                                             uint32_t t, uint32_t i) {
  const uint32_t at = t * docs->stride + i;
  return (struct csd_position_posting){
      .doc = docs->docs[i], .rank = docs->ranks[at], .freq = docs->freqs[at]};
}

/** Whether entry `j` of the row of an alternative is there, and of a doc that is not behind `i`. */
static inline bool csd_phrase_has_entry(const struct csd_phrase_docs *docs, uint32_t t, uint32_t j,
                                        uint32_t i) {
  return j < docs->counts[t] && docs->index[t * docs->stride + j] <= i;
}

/** Entry `j` of the row of an alternative. */
static inline struct csd_position_posting csd_phrase_entry(const struct csd_phrase_docs *docs,
                                                           uint32_t t, uint32_t j) {
  const uint32_t at = t * docs->stride + j;
  return (struct csd_position_posting){
      .doc = docs->docs[docs->index[at]], .rank = docs->ranks[at], .freq = docs->freqs[at]};
}

#endif
