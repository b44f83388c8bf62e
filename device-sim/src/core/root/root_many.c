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
#include "core/eval/eval.h"
#include "core/eval/eval_term.h"
#include "core/plan/arena.h"
#include "core/root/root_maxscore.h"

/* Docs of a list for each doc that is looked for, from which on looking up pays. */
#define LOOK_UP_FROM 3u

struct csd_many {
  struct csd_node **terms;
  double *bounds; /* bounds[i]: sum of the window bounds of terms[0 .. i] */
  uint32_t count;
};

static bool applies(const struct csd_node *root, const struct csd_wanted *wanted) {
  return csd_way_maxscore.applies(root, wanted) && root->optional_count >= CSD_MANY_TERMS;
}

/* Whether `a` is to be essential before `b`: for what it scores it has fewer docs. */
static bool is_before(const struct csd_node *a, const struct csd_node *b) {
  return a->bound * (double)b->cost < b->bound * (double)a->cost;
}

static void *make(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted) {
  (void)wanted;
  const uint32_t count = root->optional_count;
  struct csd_many *many = csd_arena_take(arena, sizeof *many);
  struct csd_node **terms = csd_arena_take(arena, count * sizeof *terms);
  double *bounds = csd_arena_take(arena, count * sizeof *bounds);
  if (many == NULL || terms == NULL || bounds == NULL) {
    return NULL;
  }
  memcpy(terms, root->optional, count * sizeof *terms);
  csd_sort_nodes(terms, count, is_before);
  *many = (struct csd_many){.terms = terms, .bounds = bounds, .count = count};
  return many;
}

static struct csd_many *many_of(const struct csd_eval *eval) { return eval->way_state; }

/* Seeks every term to `from`. Returns the first doc that may match, or a negated status. */
static int seek_all(const struct csd_many *many, uint32_t from, uint32_t *start) {
  uint32_t first = CSD_CURSOR_END;
  for (uint32_t i = 0; i < many->count; i++) {
    struct csd_list_cursor *cursor = many->terms[i]->cursor;
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

/* Bounds the terms' scores up to `end`. Returns how many of the first ones are non-essential. */
static uint32_t bound_terms(const struct csd_eval *eval, uint32_t end) {
  struct csd_many *many = many_of(eval);
  double sum = 0.0;
  uint32_t skipped = 0;
  for (uint32_t i = 0; i < many->count; i++) {
    struct csd_node *term = many->terms[i];
    if (csd_list_cursor_block_start(term->cursor) < end) {
      sum += (double)csd_term_range_bound(term, end);
    }
    many->bounds[i] = sum;
    skipped += csd_non_competitive(&eval->ranking, sum);
  }
  return skipped;
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
    for (uint32_t i = 0; i < batch.n; i++) {
      window->sum[batch.docs[i] - base] += (double)batch.scores[i];
    }
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

/* Keeps the frame's docs that are competitive if they may still gain `rest`. */
static uint32_t keep_competitive(struct csd_eval *eval, uint32_t n, double rest) {
  struct csd_frame *frame = eval->root->frame;
  return eval->kernels->keep_above(frame->docs, frame->must, n, rest, CSD_BOUND_SLACK,
                                   (double)eval->ranking.min_score);
}

/* Fills the frame with the competitive docs in [from, end), of which the first `skipped` terms are
   non-essential. Leaves the sums of the window behind. Returns how many, or a negated status. */
static int find_docs(struct csd_eval *eval, uint32_t skipped, uint32_t from, uint32_t end) {
  const struct csd_many *many = many_of(eval);
  struct csd_window *window = eval->root->window;
  struct csd_frame *frame = eval->root->frame;
  const uint32_t base = from & ~63u;
  const uint32_t words = (end - base + 63u) / 64u;
  memset(window->bits, 0, words * sizeof window->bits[0]);
  csd_window_clear(window, end - base);
  for (uint32_t i = skipped; i < many->count; i++) {
    if (csd_list_cursor_block_start(many->terms[i]->cursor) < end) {
      const int status = add_term(eval, many->terms[i], from, end, true);
      if (status < 0) {
        return status;
      }
    }
  }
  uint32_t n = eval->kernels->list_bits(window->bits, words, base, frame->docs);
  for (uint32_t i = 0; i < n; i++) {
    frame->must[i] = window->sum[frame->docs[i] - base];
  }
  n = keep_competitive(eval, n, skipped > 0 ? many->bounds[skipped - 1] : 0.0);
  for (uint32_t i = skipped; i-- > 0 && n > 0;) {
    if (csd_list_cursor_block_start(many->terms[i]->cursor) >= end) {
      continue;
    }
    const int status = add_to_docs(eval, many->terms[i], from, end, n);
    if (status < 0) {
      return status;
    }
    n = keep_competitive(eval, n, i > 0 ? many->bounds[i - 1] : 0.0);
  }
  return (int)n;
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  const struct csd_many *many = many_of(eval);
  batch->n = 0;
  batch->upto = limit;
  batch->scoring = CSD_SCORING_NONE;
  uint32_t start;
  const int status = seek_all(many, from, &start);
  if (status < 0 || start >= limit) {
    return status;
  }
  const uint32_t base = start & ~63u;
  const uint32_t end = limit - base < CSD_WINDOW_DOCS ? limit : base + CSD_WINDOW_DOCS;
  const uint32_t skipped = bound_terms(eval, end);
  batch->upto = end;
  eval->work.units += 1u + many->count / 4u;
  eval->ranking.has_skipped = true;
  if (skipped == many->count) {
    return 0;
  }
  const int n = find_docs(eval, skipped, start, end);
  memset(eval->root->window->sum, 0, (end - base) * sizeof(double));
  return csd_or_finish(eval, eval->root, n, true, batch);
}

const struct csd_root_way csd_way_many = {.number = CSD_WAY_MANY,
                                          .needs_skip = true,
                                          .ranks_alone = true,
                                          .applies = applies,
                                          .make = make,
                                          .produce = produce};
