/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Works window by window, of CSD_WINDOW_DOCS docs each, so that the work for bounds grows with the
 * number of terms alone. The terms stand in one order for all windows: those that have many docs
 * for what they score first. Of a window as many of the first terms are non-essential as are
 * non-competitive together. The others add their scores to the window's sums. Docs that stay
 * competitive get the scores of the non-essential terms, the last one's first: they are looked up
 * if they are few, else the whole list is added.
 */
#include <string.h>

#include "core/eval/bool/eval_or.h"
#include "core/eval/eval_term.h"
#include "core/root/root_ways.h"
#include "core/root/root_window.h"

/* Docs of a list for each doc that is looked for, from which on looking up pays. */
#define LOOK_UP_FROM 3u

/* Whether all terms are of features: blocks say nothing of these. */
static bool are_features(const struct csd_node *root) {
  uint32_t features = 0;
  for (uint32_t i = 0; i < root->optional_count; i++) {
    features += root->optional[i]->is_feature || root->optional[i]->is_linear;
  }
  return features > 1 && features == root->optional_count;
}

static bool applies(const struct csd_node *root, const struct csd_wanted *wanted) {
  return csd_way_maxscore.applies(root, wanted) &&
         (root->optional_count >= CSD_MANY_TERMS || are_features(root));
}

/* Whether `a` is to be essential before `b`: for what it scores it has fewer docs. */
static bool is_before(const struct csd_node *a, const struct csd_node *b) {
  return a->bound * (double)b->cost < b->bound * (double)a->cost;
}

/* What it keeps: all terms, in the order of a csd_root_order. */
static void *make(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted) {
  (void)wanted;
  struct csd_root_order *order = csd_arena_take(arena, sizeof *order);
  if (order == NULL || !csd_root_order_make(order, arena, root->optional_count)) {
    return NULL;
  }
  order->count = root->optional_count;
  memcpy(order->nodes, root->optional, order->count * sizeof *order->nodes);
  csd_sort_nodes(order->nodes, order->count, is_before);
  return order;
}

/* Seeks every term to `from`. Sets *start to the first doc that may match. */
static int seek_all(const struct csd_root_order *order, uint32_t from, uint32_t *start) {
  uint32_t first = CSD_CURSOR_END;
  for (uint32_t i = 0; i < order->count; i++) {
    struct csd_list_cursor *cursor = order->nodes[i]->cursor;
    const int status = csd_list_cursor_seek(cursor, from);
    if (status < 0) {
      return status;
    }
    const uint32_t block_start = csd_list_cursor_block_start(cursor);
    first = block_start < first ? block_start : first;
  }
  *start = first > from ? first : from;
  return 0;
}

/* Whether a term may have docs from where it is up to `end`. */
static bool has_docs(const struct csd_node *term, uint32_t end) {
  return csd_list_cursor_block_start(term->cursor) < end;
}

/* Bounds the terms' scores up to `end`. */
static void bound_terms(struct csd_root_order *order, uint32_t end) {
  for (uint32_t i = 0; i < order->count; i++) {
    struct csd_node *term = order->nodes[i];
    order->bounds[i] = has_docs(term, end) ? (double)csd_term_range_bound(term, end) : 0.0;
  }
  csd_root_order_sum(order);
}

/* Adds a term's scores in [from, end) to the window's sums; sets the docs' bits if `marks`. */
static int add_term(struct csd_eval *eval, struct csd_node *term, uint32_t from, uint32_t end,
                    bool marks) {
  struct csd_window *window = eval->root->window;
  const uint32_t base = from & ~63u;
  for (uint32_t at = from; at < end;) {
    struct csd_batch batch;
    const int status = csd_term_produce(eval, term, at, end, true, &batch);
    if (status < 0) {
      return status;
    }
    if (marks) {
      eval->kernels->set_bits(window->bits, base, batch.docs, batch.n);
    }
    csd_root_window_add(window, base, &batch);
    at = batch.upto;
  }
  return 0;
}

/* Adds a term's scores to the sums of the frame's docs. */
static int add_to_docs(struct csd_eval *eval, struct csd_node *term, uint32_t from, uint32_t end,
                       uint32_t n) {
  struct csd_frame *frame = eval->root->frame;
  double *sum = eval->root->window->sum;
  const uint32_t base = from & ~63u;
  const uint64_t postings = term->cost * (end - from) / term->cursor->max_doc;
  if (postings >= (uint64_t)LOOK_UP_FROM * n) {
    struct csd_hits hits = {.n = 0, .index = frame->hit_index, .scores = frame->hit_scores};
    const int status = csd_term_probe(eval, term, frame->docs, n, true, &hits);
    for (uint32_t i = 0; i < hits.n && status == 0; i++) {
      const uint32_t at = hits.index[i];
      frame->must[at] = sum[frame->docs[at] - base] += (double)hits.scores[i];
    }
    return status;
  }
  const int status = add_term(eval, term, from, end, false);
  for (uint32_t i = 0; i < n && status == 0; i++) {
    frame->must[i] = sum[frame->docs[i] - base];
  }
  return status;
}

/* Fills the frame with the competitive docs in [from, end), of which the first `skipped` terms are
   non-essential. Leaves the sums of the window behind. Returns how many, or a negated status. */
static int find_docs(struct csd_eval *eval, uint32_t skipped, uint32_t from, uint32_t end) {
  const struct csd_root_order *order = eval->way_state;
  struct csd_window *window = eval->root->window;
  struct csd_frame *frame = eval->root->frame;
  const uint32_t base = from & ~63u;
  const uint32_t words = csd_root_window_begin(eval, from, end);
  for (uint32_t i = skipped; i < order->count; i++) {
    if (has_docs(order->nodes[i], end)) {
      const int status = add_term(eval, order->nodes[i], from, end, true);
      if (status < 0) {
        return status;
      }
    }
  }
  uint32_t n = eval->kernels->list_bits(window->bits, words, base, frame->docs);
  for (uint32_t i = 0; i < n; i++) {
    frame->must[i] = window->sum[frame->docs[i] - base];
  }
  n = csd_root_keep_competitive(eval, n, csd_root_order_before(order, skipped));
  for (uint32_t i = skipped; i-- > 0 && n > 0;) {
    if (!has_docs(order->nodes[i], end)) {
      continue;
    }
    const int status = add_to_docs(eval, order->nodes[i], from, end, n);
    if (status < 0) {
      return status;
    }
    n = csd_root_keep_competitive(eval, n, csd_root_order_before(order, i));
  }
  return (int)n;
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  struct csd_root_order *order = eval->way_state;
  uint32_t start;
  const int status = seek_all(order, from, &start);
  if (status < 0 || start >= limit) {
    return status;
  }
  const uint32_t end = csd_root_window_end(start, limit);
  bound_terms(order, end);
  const uint32_t skipped = csd_root_first_essential(eval, order, 0);
  batch->upto = end;
  eval->work.units += 1u + order->count / 4u;
  eval->ranking.has_skipped = true;
  if (skipped == order->count) {
    return 0;
  }
  const int n = find_docs(eval, skipped, start, end);
  memset(eval->root->window->sum, 0, (end - (start & ~63u)) * sizeof(double));
  return csd_or_finish(eval, eval->root, n, true, batch);
}

const struct csd_root_way csd_way_many = {.number = CSD_WAY_MANY,
                                          .needs_skip = true,
                                          .ranks_alone = true,
                                          .applies = applies,
                                          .make = make,
                                          .produce = produce};
