/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/root/test_root_maxscore.c, and those of many, mixed and trees beside it. */
#include "core/root/root_window.h"

#include <string.h>

#include "core/eval/bool/eval_bool.h"
#include "core/eval/bool/eval_or.h"

/* ---- children ---- */

bool csd_root_order_make(struct csd_root_order *order, struct csd_arena *arena, uint32_t most) {
  order->nodes = csd_arena_take(arena, most * sizeof *order->nodes);
  order->bounds = csd_arena_take(arena, most * sizeof *order->bounds);
  order->sums = csd_arena_take(arena, most * sizeof *order->sums);
  order->count = 0;
  return order->nodes != NULL && order->bounds != NULL && order->sums != NULL;
}

struct csd_node **csd_root_sorted(struct csd_arena *arena, struct csd_node *const *nodes,
                                  uint32_t count, csd_node_order is_before) {
  struct csd_node **sorted = csd_arena_take(arena, count * sizeof *sorted);
  if (sorted != NULL) {
    memcpy(sorted, nodes, count * sizeof *sorted);
    csd_sort_nodes(sorted, count, is_before);
  }
  return sorted;
}

struct csd_node *csd_root_of_terms(struct csd_arena *arena, const struct csd_node *root,
                                   struct csd_node **terms, uint32_t count) {
  struct csd_node *node = csd_arena_take(arena, sizeof *node);
  struct csd_window *window = root->window;
  if (window == NULL) {
    window = csd_arena_take(arena, sizeof *window);
    if (window != NULL) {
      window->clear_to = 0;
    }
  }
  if (node == NULL || window == NULL) {
    return NULL;
  }
  *node = *root;
  node->window = window;
  node->required_count = 0;
  node->optional = terms;
  node->optional_count = count;
  node->optional_rest = NULL; /* MaxScore sums up bounds of its own */
  node->min_should = 1;
  node->produce_scored = NULL;
  node->cost = csd_sum_of_costs(terms, count);
  node->bound = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    node->bound += terms[i]->bound;
  }
  node->bound *= CSD_BOUND_SLACK;
  return node;
}

/* ---- windows ---- */

uint32_t csd_root_window_begin(struct csd_eval *eval, uint32_t from, uint32_t end) {
  struct csd_window *window = eval->root->window;
  const uint32_t docs = end - (from & ~63u);
  const uint32_t words = (docs + 63u) / 64u;
  memset(window->bits, 0, words * sizeof window->bits[0]);
  csd_window_clear(window, docs);
  return words;
}

uint32_t csd_root_window_take(struct csd_eval *eval, uint32_t words, uint32_t from, double rest) {
  struct csd_frame *frame = eval->root->frame;
  struct csd_window *window = eval->root->window;
  const uint32_t base = from & ~63u;
  const uint32_t n = eval->kernels->list_bits(window->bits, words, base, frame->docs);
  for (uint32_t i = 0; i < n; i++) {
    double *sum = &window->sum[frame->docs[i] - base];
    frame->must[i] = *sum;
    *sum = 0.0;
  }
  return csd_root_keep_competitive(eval, n, rest);
}

/* Adds what a child scores them to the frame's docs. */
static int look_up_one(struct csd_eval *eval, struct csd_node *child, uint32_t from, uint32_t n) {
  const struct csd_node *root = eval->root;
  struct csd_hits hits = csd_frame_hits(root->frame);
  const int status = csd_eval_probe(eval, child, root->frame->docs, n, true, &hits);
  for (uint32_t i = 0; i < hits.n && status == 0; i++) {
    root->frame->must[hits.index[i]] += (double)hits.scores[i];
  }
  for (uint32_t i = 0; i < hits.n && status == 0 && root->min_should > 1; i++) {
    root->window->count[root->frame->docs[hits.index[i]] - (from & ~63u)]++;
  }
  return status;
}

int csd_root_look_up(struct csd_eval *eval, const struct csd_root_order *order, uint32_t at,
                     uint32_t from, int n) {
  for (uint32_t i = at; i-- > 0 && n > 0;) {
    const int status = look_up_one(eval, order->nodes[i], from, (uint32_t)n);
    if (status < 0) {
      return status;
    }
    n = (int)csd_root_keep_competitive(eval, (uint32_t)n, csd_root_order_before(order, i));
  }
  return n;
}
