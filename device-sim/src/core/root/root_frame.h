/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The docs in the root's frame while children add scores to them, child after child, for the ways
 * that leave out what is non-competitive.
 */
#ifndef CSD_ROOT_FRAME_H
#define CSD_ROOT_FRAME_H

#include "core/eval/bool/eval_bool.h"
#include "core/eval/eval.h"
#include "core/plan/topk.h"

/** Keeps the frame's docs that are competitive if they may still gain `rest`. */
static inline uint32_t csd_root_keep_competitive(const struct csd_eval *eval, uint32_t n,
                                                 double rest) {
  struct csd_frame *frame = eval->root->frame;
  return eval->kernels->keep_above(frame->docs, frame->must, n, rest,
                                   csd_bound_slack(&eval->ranking),
                                   csd_most_non_competitive(&eval->ranking));
}

/** The score up to which a match of a child is non-competitive if its doc gains at most `rest`. */
static inline float csd_root_min_score(const struct csd_eval *eval, double rest) {
  const double exact = (double)eval->ranking.min_score / csd_bound_slack(&eval->ranking) - rest;
  const float score = (float)exact;
  return (double)score > exact ? csd_just_below(score) : score; /* without slack it counts */
}

/** Whether child `a` is to be non-essential before `b`: by its lists it scores less, or as much
 * with more docs. */
static inline bool csd_root_is_lesser(const struct csd_node *a, const struct csd_node *b) {
  return a->bound < b->bound || (a->bound == b->bound && a->cost > b->cost);
}

/** Turns `words` words of the root's window into the frame's docs and `must` sums; zeroes the sums.
 */
static inline uint32_t csd_root_list_window(struct csd_eval *eval, uint32_t words, uint32_t base) {
  struct csd_frame *frame = eval->root->frame;
  struct csd_window *window = eval->root->window;
  const uint32_t n = eval->kernels->list_bits(window->bits, words, base, frame->docs);
  for (uint32_t i = 0; i < n; i++) {
    double *sum = &window->sum[frame->docs[i] - base];
    frame->must[i] = *sum;
    *sum = 0.0;
  }
  return n;
}

/** Adds what a child scores them to the frame's docs. Returns how many it matches, their indices
 *  being in the frame's hit_index; or a negated status. */
static inline int csd_root_look_up(struct csd_eval *eval, struct csd_node *child, uint32_t n) {
  struct csd_frame *frame = eval->root->frame;
  struct csd_hits hits = csd_frame_hits(frame);
  const int status = csd_eval_probe(eval, child, frame->docs, n, true, &hits);
  for (uint32_t i = 0; i < hits.n && status == 0; i++) {
    frame->must[hits.index[i]] += (double)hits.scores[i];
  }
  return status < 0 ? status : (int)hits.n;
}

#endif
