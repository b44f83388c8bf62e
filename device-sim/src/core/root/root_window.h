/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * What the ways share that work window by window and leave out what is non-competitive: children in
 * the order of their bounds, the sums of the window's docs, and the docs in the root's frame, to
 * which children add scores, one after the other.
 */
#ifndef CSD_ROOT_WINDOW_H
#define CSD_ROOT_WINDOW_H

#include "core/eval/eval.h"
#include "core/plan/arena.h"
#include "core/plan/topk.h"

/* ---- children ---- */

/** Children with what bounds their scores in a window. */
struct csd_root_order {
  struct csd_node **nodes; /* the first ones are the first to be non-essential */
  double *bounds;          /* of each */
  double *sums;            /* [i]: of bounds[0 .. i] */
  uint32_t count;
};

/** Makes room for `most` children, of which there are none. Returns whether the grant has it. */
bool csd_root_order_make(struct csd_root_order *order, struct csd_arena *arena, uint32_t most);

/** Adds a child behind those of lesser bounds. */
static inline void csd_root_order_add(struct csd_root_order *order, struct csd_node *node,
                                      double bound) {
  uint32_t at = order->count++;
  for (; at > 0 && order->bounds[at - 1u] > bound; at--) {
    order->nodes[at] = order->nodes[at - 1u];
    order->bounds[at] = order->bounds[at - 1u];
  }
  order->nodes[at] = node;
  order->bounds[at] = bound;
}

/** Makes the sums, when all children are there. */
static inline void csd_root_order_sum(struct csd_root_order *order) {
  double sum = 0.0;
  for (uint32_t i = 0; i < order->count; i++) {
    sum += order->bounds[i];
    order->sums[i] = sum;
  }
}

/** Sum of the bounds of the children before number `at`. */
static inline double csd_root_order_before(const struct csd_root_order *order, uint32_t at) {
  return at > 0 ? order->sums[at - 1u] : 0.0;
}

/** Sum of the bounds but for that of child `which`. The greatest ones go first: beside them the
 *  others may be less than the last bit of the sum. */
static inline double csd_root_order_others(const struct csd_root_order *order, uint32_t which) {
  return csd_root_order_before(order, which) +
         (order->sums[order->count - 1u] - order->sums[which]);
}

/** Number of the first child from number `at` on that is essential: those before it are together
 *  non-competitive, and it is not with them. `count`: there is none. */
static inline uint32_t csd_root_first_essential(const struct csd_eval *eval,
                                                const struct csd_root_order *order, uint32_t at) {
  const uint32_t count = order->count;
  if (at >= count || csd_non_competitive(&eval->ranking, order->sums[count - 1u])) {
    return count;
  }
  while (csd_non_competitive(&eval->ranking, order->sums[at])) {
    at++;
  }
  return at;
}

/** Returns a copy of `count` nodes, sorted; NULL if the grant is used up. */
struct csd_node **csd_root_sorted(struct csd_arena *arena, struct csd_node *const *nodes,
                                  uint32_t count, csd_node_order is_before);

/**
 * Makes a disjunction of some of the root's optional terms, less what the root prohibits. Batches
 * of the two are not in use at the same time, so they share frame and window.
 *
 * @param terms  kept
 * @return NULL if the grant is used up
 */
struct csd_node *csd_root_of_terms(struct csd_arena *arena, const struct csd_node *root,
                                   struct csd_node **terms, uint32_t count);

/** A csd_node_order: `a` scores less by its lists, or as much with more docs. */
static inline bool csd_root_is_lesser(const struct csd_node *a, const struct csd_node *b) {
  return a->bound < b->bound || (a->bound == b->bound && a->cost > b->cost);
}

/** The score up to which a match of a child is non-competitive if its doc gains at most `rest`. */
static inline float csd_root_min_score(const struct csd_eval *eval, double rest) {
  const double exact = (double)eval->ranking.min_score / csd_bound_slack(&eval->ranking) - rest;
  const float score = (float)exact;
  return (double)score > exact ? csd_just_below(score) : score; /* without slack it counts */
}

/* ---- windows ---- */

/** `limit`, or where the root's window that begins at `from` ends. */
static inline uint32_t csd_root_window_end(uint32_t from, uint32_t limit) {
  const uint32_t base = from & ~63u;
  return limit - base < CSD_WINDOW_DOCS ? limit : base + CSD_WINDOW_DOCS;
}

/** Empties the root's window for the docs in [from, end). Returns how many words of bits it has. */
uint32_t csd_root_window_begin(struct csd_eval *eval, uint32_t from, uint32_t end);

/** Adds the scores of a batch to the sums of the window of doc `base`. */
static inline void csd_root_window_add(struct csd_window *window, uint32_t base,
                                       const struct csd_batch *batch) {
  for (uint32_t i = 0; i < batch->n; i++) {
    window->sum[batch->docs[i] - base] += (double)batch->scores[i];
  }
}

/** Turns `words` words of the window of `from` into the frame's docs and `must` sums; zeroes the
 *  sums. Keeps the docs that are competitive if they may still gain `rest`. */
uint32_t csd_root_window_take(struct csd_eval *eval, uint32_t words, uint32_t from, double rest);

/** Keeps the frame's docs that are competitive if they may still gain `rest`. */
static inline uint32_t csd_root_keep_competitive(const struct csd_eval *eval, uint32_t n,
                                                 double rest) {
  struct csd_frame *frame = eval->root->frame;
  return eval->kernels->keep_above(frame->docs, frame->must, n, rest,
                                   csd_bound_slack(&eval->ranking),
                                   csd_most_non_competitive(&eval->ranking));
}

/**
 * Looks the frame's docs up in the children before number `at`, the last one first, as long as they
 * are competitive. Where several children must match, counts the matches in the window of `from`.
 *
 * @param n  docs; a negated status is passed on
 * @return docs that are left, or a negated status
 */
int csd_root_look_up(struct csd_eval *eval, const struct csd_root_order *order, uint32_t at,
                     uint32_t from, int n);

#endif
