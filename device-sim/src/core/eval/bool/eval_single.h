/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * BOOL nodes with one scored term and nothing else but prohibited children: a match has the term's
 * own score.
 */
#ifndef CSD_EVAL_SINGLE_H
#define CSD_EVAL_SINGLE_H

#include "core/eval/eval.h"

/** Whether the node's matches are those of one scored TERM less those of prohibited children. */
bool csd_is_single_term(const struct csd_node *node);

/** Makes a node whose matches are those of one scored term; it has no frame. */
void csd_make_single(struct csd_node *node, struct csd_node **children, struct csd_node *term);

/** As csd_eval_produce, scored, for such a node. */
int csd_single_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                       struct csd_batch *batch);

/**
 * The frequencies that postings need, by norm, to score above a score; of a greater one, too. A
 * block none of whose postings has it need not be scored.
 */
struct csd_sieve {
  bool made;
  float above;
  uint8_t needed[CSD_NORM_TABLE_ENTRIES]; /* 255: so much or more */
};

/** Makes the sieve of a term, if its scores are of frequencies and norms. */
void csd_sieve_make(struct csd_sieve *sieve, const struct csd_node *term, float above);

/**
 * Likewise, but for the matches that score above `above` alone, and up to the end of a block of the
 * term; sets eval->ranking.has_skipped when it leaves matches out.
 *
 * @param sieve  of the calls with this node, whose `above` does not fall; made as it pays. NULL:
 * every block is scored
 */
int csd_single_produce_above(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                             uint32_t limit, float above, struct csd_sieve *sieve,
                             struct csd_batch *batch);

/**
 * Takes a scored batch through the node's prohibited children.
 *
 * @param batch  at most CSD_WINDOW_DOCS - CSD_LIST_BITS_SLACK docs, in the frame or elsewhere
 */
int csd_exclude_scored(struct csd_eval *eval, struct csd_node *node, struct csd_batch *batch);

#endif
