/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The clauses of a BOOL node, applied to the docs of its frame: `docs`, with `must` and `should`
 * sums if they are scored. Each step drops docs and returns how many are left, or a negated status.
 */
#ifndef CSD_EVAL_BOOL_H
#define CSD_EVAL_BOOL_H

#include "core/eval/eval.h"

/** The docs of its clauses: also of a DIS_MAX, SYNONYM or COMBINED. */
extern const struct csd_operator csd_op_bool;

/** Finds which of `n` docs the node matches; see csd_eval_probe. */
int csd_bool_probe(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                   bool scored, struct csd_hits *hits);

/** Keeps the docs that the required children from number `first` on match; adds their scores. */
int csd_bool_require(struct csd_eval *eval, struct csd_node *node, uint32_t n, uint32_t first,
                     bool scored);

/** Drops the docs that a prohibited child matches. */
int csd_bool_exclude(struct csd_eval *eval, struct csd_node *node, uint32_t n, bool scored);

/**
 * Counts and scores the optional children, the one with the greatest bound first; keeps the docs
 * that `min_should` of them match. Of the root, docs that are no longer competitive are dropped as
 * well, where eval->ranking allows it.
 */
int csd_bool_add_optional(struct csd_eval *eval, struct csd_node *node, uint32_t n, bool scored);

/** csd_bool_exclude, then csd_bool_add_optional: the former is cheaper and may spare scores. */
int csd_bool_exclude_and_add(struct csd_eval *eval, struct csd_node *node, uint32_t n, bool scored);

/** Writes the scores of `n` docs: one cast for each kind of clause, then an addition in float. */
void csd_bool_finish_scores(const struct csd_node *node, uint32_t n, float *scores);

/** The frame's arrays for the hits of one child. */
static inline struct csd_hits csd_frame_hits(struct csd_frame *frame) {
  return (struct csd_hits){.n = 0, .index = frame->hit_index, .scores = frame->hit_scores};
}

#endif
