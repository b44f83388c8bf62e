/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * MaxScore, window by window, of terms, phrases and Booleans, whose bounds are the same in all
 * windows. Children whose bounds in the window are
 * together non-competitive do not produce there: they are asked about the docs of the others. A
 * phrase that does produce drops, before positions are read, what is non-competitive even if all
 * the others add their bounds.
 */
#include "core/eval/bool/eval_or.h"
#include "core/eval/eval_term.h"
#include "core/eval/phrase/eval_phrase.h"
#include "core/root/root_tree.h"
#include "core/root/root_ways.h"
#include "core/root/root_window.h"

struct csd_mixed {
  struct csd_root_order order; /* children that may have docs in the window */
  double most;                 /* in the window: greatest sum of what has been added up so far */
};

static bool applies(const struct csd_node *root, const struct csd_wanted *wanted) {
  if (wanted->k == 0 || !csd_is_plain_bool(root) || !root->scored || root->required_count > 0 ||
      root->min_should > 1 || root->optional_count < 2) {
    return false;
  }
  for (uint32_t i = 0; i < root->optional_count; i++) {
    const struct csd_node *child = root->optional[i];
    if (!child->scored || (!child->op->is_term && child->phrase == NULL && !child->op->is_bool)) {
      return false;
    }
  }
  return !csd_is_tree(root); /* terms alone are one, too */
}

static void *make(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted) {
  (void)wanted;
  struct csd_mixed *mixed = csd_arena_take(arena, sizeof *mixed);
  const bool made =
      mixed != NULL && csd_root_order_make(&mixed->order, arena, root->optional_count);
  return made ? mixed : NULL;
}

static struct csd_mixed *mixed_of(const struct csd_eval *eval) { return eval->way_state; }

/* Takes all children to `from`, and lowers *start to the first doc that may match. */
static int approach_all(const struct csd_node *root, uint32_t from, uint32_t *start) {
  for (uint32_t i = 0; i < root->optional_count; i++) {
    struct csd_node *child = root->optional[i];
    uint32_t first = from;
    int status = 0;
    if (child->phrase != NULL) {
      status = csd_phrase_approach(child, from, &first);
    } else if (child->op->is_term) {
      status = csd_list_cursor_seek(child->cursor, from);
      first = csd_list_cursor_block_start(child->cursor);
    }
    if (status < 0) {
      return status;
    }
    *start = first < *start ? first : *start;
  }
  return 0;
}

/* Orders the children that may have docs up to `end`. */
static void order_children(const struct csd_node *root, struct csd_root_order *order,
                           uint32_t end) {
  order->count = 0;
  for (uint32_t i = root->optional_count; i-- > 0;) {
    struct csd_node *child = root->optional[i];
    double bound = child->bound;
    bool has_docs = true;
    if (child->phrase != NULL) {
      has_docs = csd_phrase_range_bound(child, end, &bound);
    } else if (child->op->is_term) {
      has_docs = csd_list_cursor_block_start(child->cursor) < end;
      bound = has_docs ? (double)csd_term_range_bound(child, end) : 0.0;
    }
    if (has_docs) {
      csd_root_order_add(order, child, bound);
    }
  }
  csd_root_order_sum(order);
}

/* Adds a batch to the window. */
static void add_batch(struct csd_eval *eval, uint32_t base, const struct csd_batch *batch) {
  struct csd_window *window = eval->root->window;
  double most = mixed_of(eval)->most;
  eval->kernels->set_bits(window->bits, base, batch->docs, batch->n);
  for (uint32_t i = 0; i < batch->n; i++) {
    double *sum = &window->sum[batch->docs[i] - base];
    *sum += (double)(batch->scoring == CSD_SCORING_ARRAY ? batch->scores[i] : batch->constant);
    most = *sum > most ? *sum : most;
  }
  mixed_of(eval)->most = most;
}

/* Adds the matches of a phrase or Boolean to the window; others add at most `rest`. */
static int add_other(struct csd_eval *eval, struct csd_node *child, uint32_t from, uint32_t end,
                     double rest) {
  if (child->phrase != NULL) {
    child->phrase->is_part = true;
    child->phrase->rest = rest;
  }
  for (uint32_t at = from; at < end;) {
    struct csd_batch batch;
    const int status = csd_eval_produce(eval, child, at, end, true, &batch);
    if (status < 0) {
      return status;
    }
    add_batch(eval, from & ~63u, &batch);
    at = batch.upto;
  }
  return 0;
}

/* Adds those postings of a term to the window that are competitive if others add `rest`. */
static int add_term(struct csd_eval *eval, struct csd_node *term, uint32_t from, uint32_t end,
                    double rest) {
  const double least = (double)eval->ranking.min_score / csd_bound_slack(&eval->ranking) - rest;
  const float above = csd_just_below((float)least);
  for (uint32_t at = from; at < end;) {
    struct csd_list_cursor *cursor = term->cursor;
    struct csd_batch batch;
    int status = csd_list_cursor_seek(cursor, at);
    if (status < 0 || csd_list_cursor_block_start(cursor) >= end) {
      return status;
    }
    const uint32_t block_end = cursor->block_end < end ? cursor->block_end : end;
    if (csd_non_competitive(&eval->ranking, (double)csd_term_block_bound(term) + rest)) {
      at = block_end;
      continue;
    }
    status = csd_term_produce(eval, term, at, block_end, true, &batch);
    if (status < 0) {
      return status;
    }
    csd_term_keep_above(eval, &batch, above);
    add_batch(eval, from & ~63u, &batch);
    at = block_end;
  }
  return 0;
}

/* Adds the essential ones of the children to the window but for terms, and drops them from the
   order. */
static int add_essential_others(struct csd_eval *eval, uint32_t essential, uint32_t from,
                                uint32_t end) {
  struct csd_root_order *order = &mixed_of(eval)->order;
  uint32_t left = 0;
  for (uint32_t i = order->count; i-- > essential;) {
    struct csd_node *child = order->nodes[i];
    const int status =
        child->op->is_term ? 0 : add_other(eval, child, from, end, csd_root_order_others(order, i));
    if (status < 0) {
      return status;
    }
  }
  for (uint32_t i = 0; i < order->count; i++) {
    if (i < essential || order->nodes[i]->op->is_term) {
      order->nodes[left] = order->nodes[i];
      order->bounds[left++] = order->bounds[i];
    }
  }
  order->count = left;
  csd_root_order_sum(order);
  return 0;
}

/*
 * Phrases and Booleans come first: what they score is known then, and where they match nothing they
 * are no reason to look at all postings of the terms.
 */
static int produce_window(struct csd_eval *eval, uint32_t essential, uint32_t from, uint32_t end,
                          struct csd_batch *batch) {
  struct csd_mixed *mixed = mixed_of(eval);
  const struct csd_root_order *order = &mixed->order;
  const uint32_t words = csd_root_window_begin(eval, from, end);
  mixed->most = 0.0;
  int status = add_essential_others(eval, essential, from, end);
  if (status < 0) {
    return status;
  }
  const uint32_t terms = csd_root_first_essential(eval, order, 0); /* nothing but terms from it */
  for (uint32_t i = order->count; i-- > terms;) {
    const double others = mixed->most + csd_root_order_others(order, i);
    status = add_term(eval, order->nodes[i], from, end, others);
    if (status < 0) {
      return status;
    }
  }
  const int n = (int)csd_root_window_take(eval, words, from, csd_root_order_before(order, terms));
  return csd_or_finish(eval, eval->root, csd_root_look_up(eval, order, terms, from, n), true,
                       batch);
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  struct csd_root_order *order = &mixed_of(eval)->order;
  uint32_t start = CSD_CURSOR_END;
  const int status = approach_all(eval->root, from, &start);
  if (status < 0 || start >= limit) {
    return status;
  }
  start = start > from ? start : from;
  const uint32_t end = csd_root_window_end(start, limit);
  order_children(eval->root, order, end);
  const uint32_t essential = csd_root_first_essential(eval, order, 0);
  eval->work.units += 1u + order->count;
  eval->ranking.has_skipped = true;
  batch->upto = end;
  return essential < order->count ? produce_window(eval, essential, start, end, batch) : 0;
}

/* It does not rank alone: counting reads the positions of phrases anyway, and of Booleans that are
   asked about docs most blocks are decoded, so that two passes would read nearly all twice. */
const struct csd_root_way csd_way_mixed = {.number = CSD_WAY_MIXED,
                                           .needs_skip = true,
                                           .applies = applies,
                                           .make = make,
                                           .produce = produce};
