/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The docs of any of many lists: the lists of a prefix or a set of words. The bits of all of them
 * are made for one window of docs after the other. Long lists are read by one cursor for all, short
 * ones as series, and a doc that is a list of its own is just set. Or the bits are there already,
 * in a resource: those of a DOC_SET. Of a JOIN each list has a score, and so has each doc of the
 * window, that of the last one of its lists that was added: the one cursor reads all of them.
 */
#ifndef CSD_EVAL_TERM_SET_H
#define CSD_EVAL_TERM_SET_H

#include "core/eval/eval.h"
#include "core/lists/list_series.h"
#include "core/plan/arena.h"
#include "csd/csd_wire.h"

/** Lists from which on a disjunction without scores is a set: fewer are merged. */
#define CSD_TERM_SET_FROM 16u

/** The same if all of them have no more than such a part of the docs: docs of other clauses are
    looked up in the bits of a set once, and in each of several lists else. */
#define CSD_SPARSE_TERM_SET_FROM 4u
#define CSD_SPARSE_PART 16u

struct csd_term_set {
  struct csd_eval *eval;
  const struct csd_page_source *source;
  const struct csd_extent *extents; /* of the plan */
  uint32_t max_doc;
  uint64_t longest; /* docs of the longest list: no fewer match */

  struct csd_list_ref *refs; /* of long lists; of all lists if they have scores */
  float *list_scores;        /* of each; NULL: they have none */
  uint32_t *next;            /* of each: no doc of it in later windows is before */
  uint32_t count;
  struct csd_list_series *series;
  uint32_t series_count;
  uint32_t *lone_docs;
  uint32_t lone_count;

  uint32_t docs;        /* of the next window */
  uint32_t most;        /* of any window */
  uint32_t base;        /* the window's first doc, a multiple of 64 */
  uint32_t end;         /* behind its last doc; 0: there is no window yet */
  const uint64_t *bits; /* of the window */
  uint64_t *own_bits;   /* the same if they are made here; else NULL */
  float *scores;        /* of the window's docs, void where no bit is set; if lists have scores */
  float *found_scores;  /* likewise, of the docs of a batch */

  struct csd_node *term; /* the long list that is being added */
  struct csd_series_reader reader;
};

/** The docs of node->terms, which have no scores. */
extern const struct csd_operator csd_op_term_set;

/** The same, which have scores. */
extern const struct csd_operator csd_op_join;

/** Whether the list of a reference that is not INLINE is one block. */
static inline bool csd_is_short_list(const struct csd_list_ref *ref) {
  return ref->posting_count <= CSD_BLOCK_POSTINGS;
}

/** What a set will have, at most. */
struct csd_term_set_sizes {
  bool scored; /* lists have scores: all count as long ones */
  uint32_t long_lists;
  uint32_t series;
  uint32_t lone_docs;
};

/**
 * Makes an empty set.
 *
 * @param whole  whether all docs are going to be asked for: the first window has them all, if
 *               there is memory for it
 * @return NULL if the grant is used up
 */
struct csd_term_set *csd_term_set_make(struct csd_arena *arena, struct csd_eval *eval,
                                       const struct csd_page_source *source,
                                       const struct csd_extent *extents,
                                       const struct csd_term_set_sizes *sizes, uint32_t max_doc,
                                       bool whole);

/**
 * Makes a set whose one window has all docs: the bits of a resource, which stay as they are. Bits
 * from max_doc on may be set.
 *
 * @return NULL if the grant is used up
 */
struct csd_term_set *csd_term_set_of_bits(struct csd_arena *arena, struct csd_eval *eval,
                                          const uint64_t *bits, uint32_t max_doc);

/** Adds a list by its checked reference; counts as a long list, a series or a lone doc. */
void csd_term_set_add(struct csd_term_set *set, const struct csd_list_ref *ref);

/** The same if lists have scores; counts as a long list. */
void csd_term_set_add_scored(struct csd_term_set *set, const struct csd_list_ref *ref, float score);

/** Puts the set back before its first doc. */
void csd_term_set_rewind(struct csd_term_set *set);

/** Sets *next to the first doc from `from` on that matches; `limit` if none is before it. */
int csd_term_set_next(struct csd_term_set *set, uint32_t from, uint32_t limit, uint32_t *next);

/** Sets the bits of the matches in [from, end), as csd_term_set_bits. */
int csd_term_set_add_bits(struct csd_term_set *set, uint32_t from, uint32_t end, uint32_t base,
                          uint64_t *bits);

/** Finds which of `n` ascending docs match; scores them too unless scores is NULL. */
int csd_term_set_probe(struct csd_term_set *set, const uint32_t *docs, uint32_t n, uint16_t *index,
                       float *scores, uint32_t *hits);

#endif
