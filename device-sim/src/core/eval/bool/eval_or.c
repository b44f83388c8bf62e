/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Disjunctions that produce, window by window: a window holds bits, sums and counts of its docs. */
#include "core/eval/bool/eval_or.h"

#include <string.h>

#include "core/eval/bool/eval_bool.h"
#include "core/eval/bool/eval_follow.h"
#include "core/eval/eval.h"
#include "core/eval/eval_bits.h"
#include "core/eval/eval_term.h"

/* Prohibited children list their docs, and look up no matches, if they have at most so many times
 * more. */
#define PROHIBITED_BITS_PAY_TO 8u

/* No match of the children is before *start, which is at most `limit`. */
static int find_start(struct csd_node *node, uint32_t from, uint32_t limit, uint32_t *start) {
  *start = limit;
  for (uint32_t i = 0; i < node->optional_count; i++) {
    const struct csd_node *child = node->optional[i];
    uint32_t first;
    if (child->follows) {
      continue;
    }
    const int status = csd_eval_next(child, from, limit, &first);
    if (status < 0) {
      return status;
    }
    *start = first < *start ? first : *start;
  }
  return 0;
}

void csd_or_add_scores(struct csd_node *node, uint32_t base, const struct csd_batch *batch) {
  double *sum = node->window->sum;
  if (batch->scoring == CSD_SCORING_ARRAY) {
    for (uint32_t i = 0; i < batch->n; i++) {
      sum[batch->docs[i] - base] += (double)batch->scores[i];
    }
  } else {
    for (uint32_t i = 0; i < batch->n; i++) {
      sum[batch->docs[i] - base] += (double)batch->constant;
    }
  }
}

int csd_or_gather(struct csd_eval *eval, struct csd_node *node, struct csd_node *child,
                  uint32_t start, uint32_t end, csd_add_fn *add) {
  struct csd_window *window = node->window;
  const uint32_t base = start & ~63u;
  for (uint32_t at = start; at < end;) {
    struct csd_batch batch;
    const int status = csd_eval_produce(eval, child, at, end, add != NULL, &batch);
    if (status < 0) {
      return status;
    }
    eval->kernels->set_bits(window->bits, base, batch.docs, batch.n);
    if (add != NULL) {
      add(node, base, &batch);
    }
    for (uint32_t i = 0; node->min_should > 1 && i < batch.n; i++) {
      window->count[batch.docs[i] - base]++;
    }
    at = batch.upto;
  }
  return 0;
}

/* Adds a child's matches in [start, end) to the window. */
static int add_child(struct csd_eval *eval, struct csd_node *node, struct csd_node *child,
                     uint32_t start, uint32_t end, bool scored) {
  if (scored) {
    return node->op->scores->gather(eval, node, child, start, end);
  }
  return node->min_should > 1
             ? csd_or_gather(eval, node, child, start, end, NULL)
             : csd_bits_add(eval, child, start, end, start & ~63u, node->window->bits);
}

/* Clears the bits of the prohibited children's matches. */
static int exclude_bits(struct csd_eval *eval, struct csd_node *node, uint32_t start,
                        uint32_t end) {
  struct csd_window *window = node->window;
  for (uint32_t i = 0; i < node->prohibited_count; i++) {
    memset(window->prohibited, 0, sizeof window->prohibited);
    const int status =
        csd_bits_add(eval, node->prohibited[i], start, end, start & ~63u, window->prohibited);
    if (status < 0) {
      return status;
    }
    for (uint32_t w = 0; w < CSD_WINDOW_WORDS; w++) {
      window->bits[w] &= ~window->prohibited[w];
    }
  }
  return 0;
}

/* Turns the window into the frame's docs, `must` sums and counts, and zeroes it. */
static uint32_t list_window(struct csd_eval *eval, struct csd_node *node, uint32_t base,
                            bool scored) {
  struct csd_window *window = node->window;
  struct csd_frame *frame = node->frame;
  const uint32_t n = eval->kernels->list_bits(window->bits, CSD_WINDOW_WORDS, base, frame->docs);
  if (scored) {
    for (uint32_t i = 0; i < n; i++) {
      double *sum = &window->sum[frame->docs[i] - base];
      frame->must[i] = *sum;
      *sum = 0.0;
    }
  }
  if (node->min_should > 1) {
    for (uint32_t i = 0; i < n; i++) {
      uint16_t *count = &window->count[frame->docs[i] - base];
      frame->should_count[i] = *count;
      *count = 0;
    }
  }
  return n;
}

/* Whether the prohibited children should list their docs. A run uses each node in one way only. */
static bool excludes_by_bits(const struct csd_eval *eval, const struct csd_node *node) {
  const uint64_t cost = csd_sum_of_costs(node->prohibited, node->prohibited_count);
  return eval->bits_wanted && node == eval->root && node->min_should == 1 &&
         cost / PROHIBITED_BITS_PAY_TO <= node->cost;
}

void csd_window_clear(struct csd_window *window, uint32_t docs) {
  const uint32_t from = window->clear_to;
  if (docs > from) {
    memset(window->sum + from, 0, (docs - from) * sizeof window->sum[0]);
    memset(window->count + from, 0, (docs - from) * sizeof window->count[0]);
    window->clear_to = docs;
  }
}

bool csd_or_is_sparse(const struct csd_node *node, uint32_t docs_per_window, uint32_t max_doc) {
  return node->required_count == 0 && node->min_should <= 1 && node->optional_count >= 2 &&
         node->optional_count <= CSD_MAX_MERGE_TERMS &&
         node->cost / docs_per_window <= max_doc / CSD_WINDOW_DOCS &&
         csd_all_terms(node->optional, node->optional_count);
}

int csd_or_block_end(const struct csd_node *node, uint32_t from, uint32_t *end) {
  for (uint32_t i = 0; i < node->optional_count; i++) {
    struct csd_list_cursor *cursor = node->optional[i]->cursor;
    const int status = csd_list_cursor_seek(cursor, from);
    if (status < 0) {
      return status;
    }
    *end = cursor->block_end < *end ? cursor->block_end : *end;
  }
  return 0;
}

int csd_or_finish(struct csd_eval *eval, struct csd_node *node, int n, bool scored,
                  struct csd_batch *batch) {
  struct csd_frame *frame = node->frame;
  const int left = n > 0 ? csd_bool_exclude(eval, node, (uint32_t)n, scored) : n;
  if (left < 0) {
    return left;
  }
  batch->n = (uint32_t)left;
  batch->docs = frame->docs;
  if (scored) {
    for (uint32_t i = 0; i < batch->n; i++) {
      frame->scores[i] = (float)frame->must[i];
    }
    batch->scores = frame->scores;
    batch->scoring = CSD_SCORING_ARRAY;
  }
  return 0;
}

int csd_or_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                   bool scored, struct csd_batch *batch) {
  batch->n = 0;
  batch->upto = limit;
  batch->scoring = CSD_SCORING_NONE;
  csd_produce_fn *special = scored ? node->produce_scored : node->produce_unscored;
  if (special != NULL) {
    return special(eval, node, from, limit, batch);
  }
  const bool drops = csd_follow_may_drop(eval, node, scored);
  if (drops) {
    csd_follow_by_scores(eval, node);
  }
  uint32_t start;
  int status = find_start(node, from, limit, &start);
  if (status < 0 || start == limit) {
    return status;
  }
  struct csd_window *window = node->window;
  const uint32_t base = start & ~63u;
  const uint32_t end = limit - base < CSD_WINDOW_DOCS ? limit : base + CSD_WINDOW_DOCS;
  memset(window->bits, 0, sizeof window->bits);
  if (scored || node->min_should > 1) {
    csd_window_clear(window, end - base);
  }
  for (uint32_t i = 0; i < node->optional_count; i++) {
    if (node->optional[i]->follows) {
      continue;
    }
    status = add_child(eval, node, node->optional[i], start, end, scored);
    if (status < 0) {
      return status;
    }
  }
  csd_bits_trim(window->bits, base, start, end);
  eval->work.units += CSD_WINDOW_WORDS;
  batch->upto = end;
  if (!scored && excludes_by_bits(eval, node)) {
    batch->bits = window->bits;
    batch->bits_base = base;
    return exclude_bits(eval, node, start, end);
  }
  uint32_t n = list_window(eval, node, base, scored);
  if (node->min_should > 1) {
    status = csd_follow_add(eval, node, n, scored, drops);
    if (status < 0) {
      return status;
    }
    n = (uint32_t)status;
  }
  if (scored && node->op->scores->finish_gathered != NULL) {
    node->op->scores->finish_gathered(eval, node, base, n);
  }
  return csd_or_finish(eval, node, (int)n, scored, batch);
}
