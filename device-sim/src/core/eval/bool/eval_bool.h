/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The clauses of a BOOL node, applied to the docs of its frame: `docs`, with `must` and `should`
 * sums if they are scored. Each step drops docs and returns how many are left, or a negated status.
 */
#ifndef CSD_EVAL_BOOL_H
#define CSD_EVAL_BOOL_H

#include "core/eval/eval.h"

struct csd_postings; /* eval_blend.h */
struct csd_blend;    /* likewise */

/**
 * How the optional children of a scored BOOL make its score. They are either looked up in the docs
 * of the frame, or produce and are gathered in the window, or blended: see eval_blend.h.
 */
struct csd_bool_scores {
  /** Counts and scores the matches of an optional child among the first `n` docs of the frame. */
  int (*look_up)(struct csd_eval *eval, struct csd_node *node, struct csd_node *child, uint32_t n);

  /** Writes the scores of `n` docs of the frame whose children have been looked up. */
  void (*finish_looked_up)(const struct csd_node *node, uint32_t n, float *scores);

  /** Adds the matches of an optional child in [start, end) to the window. */
  int (*gather)(struct csd_eval *eval, struct csd_node *node, struct csd_node *child,
                uint32_t start, uint32_t end);

  /** Makes scores of the sums that `n` docs of the frame have in `must`, and zeroes what else the
      window, which is that of doc `base`, has of them. NULL: the sums are the scores. */
  void (*finish_gathered)(struct csd_eval *eval, struct csd_node *node, uint32_t base, uint32_t n);

  /** Finds the next postings of a term in [at, end). NULL: there is no blending. */
  int (*next_postings)(struct csd_eval *eval, struct csd_node *term, uint32_t at, uint32_t end,
                       struct csd_postings *next);

  /** Makes scores of the sums of blended docs. */
  void (*finish_blended)(struct csd_eval *eval, const struct csd_node *node,
                         struct csd_blend *blend);
};

/** The docs of its clauses, whose scores are added up. */
extern const struct csd_operator csd_op_bool;

/** What the row of every BOOL has: they differ in how their scores are made. */
#define CSD_BOOL_ROW(its_name, its_scores)                                                       \
  .name = (its_name), .is_bool = true, .scores = &(its_scores), .produce = csd_bool_any_produce, \
  .probe = csd_bool_probe, .min_count = csd_bool_min_count

int csd_bool_any_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                         uint32_t limit, bool scored, struct csd_batch *batch);
uint64_t csd_bool_min_count(const struct csd_node *node, bool *exact);

/** Counts the matches of an optional child among `n` docs of the frame, and adds up their scores if
    `scored`; sets *hits to them. */
int csd_bool_add_hits(struct csd_eval *eval, struct csd_node *child, struct csd_frame *frame,
                      uint32_t n, bool scored, struct csd_hits *hits);

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

/** The frame's arrays for the hits of one child. */
static inline struct csd_hits csd_frame_hits(struct csd_frame *frame) {
  return (struct csd_hits){.n = 0, .index = frame->hit_index, .scores = frame->hit_scores};
}

#endif
