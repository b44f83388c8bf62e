/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Disjunctions that produce, and what their other ways (merge, union, MaxScore) share. */
#ifndef CSD_EVAL_OR_H
#define CSD_EVAL_OR_H

#include "core/eval/eval.h"

/**
 * Completes a disjunction's batch: drops those of the first `n` docs of the frame that a prohibited
 * child matches, and returns the others, with their `must` sums as scores. A negated status in `n`
 * is passed on.
 */
int csd_or_finish(struct csd_eval *eval, struct csd_node *node, int n, bool scored,
                  struct csd_batch *batch);

int csd_or_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                   bool scored, struct csd_batch *batch);

/** Adds what a scored batch says of docs of the node's window, which begins with doc `base`. */
typedef void csd_add_fn(struct csd_node *node, uint32_t base, const struct csd_batch *batch);

/** A csd_add_fn: adds up the scores. */
csd_add_fn csd_or_add_scores;

/** Adds the matches of a child in [start, end) to the window: bits, counts if several children have
    to match, and scores by `add`. NULL: they are not scored. */
int csd_or_gather(struct csd_eval *eval, struct csd_node *node, struct csd_node *child,
                  uint32_t start, uint32_t end, csd_add_fn *add);

/** Zeroes the first `docs` sums and counts of a window, unless an earlier call has done so. */
void csd_window_clear(struct csd_window *window, uint32_t docs);

/** Terms up to which postings are merged: every doc is copied for every term after its own. */
#define CSD_MAX_MERGE_TERMS 8u

/**
 * Whether a node is a disjunction of 2 to CSD_MAX_MERGE_TERMS terms, any of which may match alone,
 * with no more than about `docs_per_window` postings in CSD_WINDOW_DOCS docs.
 */
bool csd_or_is_sparse(const struct csd_node *node, uint32_t docs_per_window, uint32_t max_doc);

/** Lowers *end to the first end of the blocks that the optional terms are in at `from`. */
int csd_or_block_end(const struct csd_node *node, uint32_t from, uint32_t *end);

#endif
