/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * MaxScore, window by window, of terms, phrases and Booleans, whose bounds are the same in all
 * windows. Children whose bounds in the window are
 * together non-competitive do not produce there: they are asked about the docs of the others. A
 * phrase that does produce drops, before positions are read, what is non-competitive even if all
 * the others add their bounds.
 */
#include "core/root/root_mixed.h"

#include <string.h>

#include "core/eval/bool/eval_or.h"
#include "core/eval/eval_term.h"
#include "core/eval/phrase/eval_phrase.h"
#include "core/root/root_frame.h"
#include "core/root/root_tree.h"

struct csd_mixed {
  struct csd_node **order; /* children with docs in the window, greatest bound first */
  double *bounds;          /* in the window */
  double *rest;            /* [i]: sum of bounds[i ..] */
  double most;             /* in the window: greatest sum of what has been added up so far */
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
  const uint32_t count = root->optional_count;
  struct csd_mixed *mixed = csd_arena_take(arena, sizeof *mixed);
  struct csd_node **order = csd_arena_take(arena, count * sizeof *order);
  double *bounds = csd_arena_take(arena, count * sizeof *bounds);
  double *rest = csd_arena_take(arena, (count + 1u) * sizeof *rest);
  if (mixed == NULL || order == NULL || bounds == NULL || rest == NULL) {
    return NULL;
  }
  *mixed = (struct csd_mixed){.order = order, .bounds = bounds, .rest = rest};
  return mixed;
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

/* Orders the children that may have docs up to `end` by their bounds. Returns how many. */
static uint32_t order_children(const struct csd_node *root, struct csd_mixed *mixed, uint32_t end) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < root->optional_count; i++) {
    struct csd_node *child = root->optional[i];
    double bound = 0.0;
    if (child->phrase != NULL) {
      if (!csd_phrase_range_bound(child, end, &bound)) {
        continue;
      }
    } else if (!child->op->is_term) {
      bound = child->bound;
    } else if (csd_list_cursor_block_start(child->cursor) < end) {
      bound = (double)csd_term_range_bound(child, end);
    } else {
      continue;
    }
    uint32_t at = count++;
    for (; at > 0 && mixed->bounds[at - 1u] < bound; at--) {
      mixed->order[at] = mixed->order[at - 1u];
      mixed->bounds[at] = mixed->bounds[at - 1u];
    }
    mixed->order[at] = child;
    mixed->bounds[at] = bound;
  }
  return count;
}

/* Sums up the bounds of `count` children. Returns how many of them are essential: without a match
   of one of these, no doc is competitive. */
static uint32_t count_essential(const struct csd_eval *eval, uint32_t count) {
  struct csd_mixed *mixed = mixed_of(eval);
  uint32_t essential = 0;
  mixed->rest[count] = 0.0;
  for (uint32_t i = count; i-- > 0;) {
    mixed->rest[i] = mixed->rest[i + 1u] + mixed->bounds[i];
    if (essential == 0 && !csd_non_competitive(&eval->ranking, mixed->rest[i])) {
      essential = i + 1u;
    }
  }
  return essential;
}

/* Sum of the bounds but for child `which`. The greatest ones are not in what is left of a
   difference: beside them the others may be less than the last bit of the sum. */
static double others_bound(const struct csd_mixed *mixed, uint32_t which) {
  return (mixed->rest[0] - mixed->rest[which]) + mixed->rest[which + 1u];
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

/*
 * Adds the essential ones of `count` children to the window. Phrases and Booleans come first: what
 * they score is known then, and where they match nothing they are no reason to look at all postings
 * of the terms. Returns how many children are left to be asked about the docs of the window.
 */
static int add_essential(struct csd_eval *eval, uint32_t count, uint32_t from, uint32_t end) {
  struct csd_mixed *mixed = mixed_of(eval);
  const uint32_t essential = count_essential(eval, count);
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct csd_node *child = mixed->order[i];
    const double bound = mixed->bounds[i];
    if (i < essential && !child->op->is_term) {
      const int status = add_other(eval, child, from, end, others_bound(mixed, i));
      if (status < 0) {
        return status;
      }
    } else {
      mixed->order[left] = child;
      mixed->bounds[left++] = bound;
    }
  }
  const uint32_t terms = count_essential(eval, left); /* nothing but terms: the rest is as before */
  for (uint32_t i = 0; i < terms; i++) {
    const double others = mixed->most + others_bound(mixed, i);
    const int status = add_term(eval, mixed->order[i], from, end, others);
    if (status < 0) {
      return status;
    }
  }
  memmove(mixed->order, mixed->order + terms, (left - terms) * sizeof mixed->order[0]);
  memmove(mixed->rest, mixed->rest + terms, (left - terms + 1u) * sizeof mixed->rest[0]);
  return (int)(left - terms);
}

static int produce_window(struct csd_eval *eval, uint32_t count, uint32_t from, uint32_t end,
                          struct csd_batch *batch) {
  struct csd_mixed *mixed = mixed_of(eval);
  struct csd_window *window = eval->root->window;
  const uint32_t base = from & ~63u;
  const uint32_t words = (end - base + 63u) / 64u;
  memset(window->bits, 0, words * sizeof window->bits[0]);
  csd_window_clear(window, end - base);
  mixed->most = 0.0;
  const int left = add_essential(eval, count, from, end);
  if (left < 0) {
    return left;
  }
  uint32_t n =
      csd_root_keep_competitive(eval, csd_root_list_window(eval, words, base), mixed->rest[0]);
  for (uint32_t i = 0; i < (uint32_t)left && n > 0; i++) {
    const int status = csd_root_look_up(eval, mixed->order[i], n);
    if (status < 0) {
      return status;
    }
    n = csd_root_keep_competitive(eval, n, mixed->rest[i + 1u]);
  }
  return csd_or_finish(eval, eval->root, (int)n, true, batch);
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  uint32_t start = CSD_CURSOR_END;
  batch->n = 0;
  batch->upto = limit;
  batch->scoring = CSD_SCORING_NONE;
  const int status = approach_all(eval->root, from, &start);
  if (status < 0 || start >= limit) {
    return status;
  }
  start = start > from ? start : from;
  const uint32_t base = start & ~63u;
  const uint32_t end = limit - base < CSD_WINDOW_DOCS ? limit : base + CSD_WINDOW_DOCS;
  const uint32_t count = order_children(eval->root, mixed_of(eval), end);
  eval->work.units += 1u + count;
  eval->ranking.has_skipped = true;
  batch->upto = end;
  return count_essential(eval, count) > 0 ? produce_window(eval, count, start, end, batch) : 0;
}

/* It does not rank alone: counting reads the positions of phrases anyway, and of Booleans that are
   asked about docs most blocks are decoded, so that two passes would read nearly all twice. */
const struct csd_root_way csd_way_mixed = {.number = CSD_WAY_MIXED,
                                           .needs_skip = true,
                                           .applies = applies,
                                           .make = make,
                                           .produce = produce};
