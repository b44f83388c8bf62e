/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Works window by window. Impacts bound each term's scores in the window: those of blocks, and of
 * pages that have not been read those of the page index. Terms whose bounds
 * together are non-competitive are non-essential there. Candidates are the docs of the other terms.
 * Those that stay competitive are looked up in the non-essential lists, greatest bound first.
 */
#include "core/eval/bool/eval_merge.h"
#include "core/eval/bool/eval_or.h"
#include "core/eval/eval_term.h"
#include "core/root/root_ways.h"
#include "core/root/root_window.h"

struct csd_maxscore {
  struct csd_node **by_list_bound; /* all terms, least list bound first */
  struct csd_root_order order;     /* terms with docs in the window */
  uint32_t term_count;
  uint32_t pages_judged_to; /* below this doc, the bounds of whole posting pages are competitive */
};

static bool applies(const struct csd_node *root, const struct csd_wanted *wanted) {
  return wanted->k > 0 && csd_is_plain_bool(root) && root->required_count == 0 &&
         root->min_should <= 1 && root->optional_count > 0 &&
         csd_all_terms(root->optional, root->optional_count);
}

static void *make(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted) {
  (void)wanted;
  const uint32_t count = root->optional_count;
  struct csd_maxscore *maxscore = csd_arena_take(arena, sizeof *maxscore);
  if (maxscore == NULL || !csd_root_order_make(&maxscore->order, arena, count)) {
    return NULL;
  }
  maxscore->by_list_bound = csd_root_sorted(arena, root->optional, count, csd_root_is_lesser);
  maxscore->term_count = count;
  maxscore->pages_judged_to = 0;
  return maxscore->by_list_bound == NULL ? NULL : maxscore;
}

static struct csd_maxscore *maxscore_of(const struct csd_eval *eval) { return eval->way_state; }

/* ---- windows ---- */

/*
 * Takes every term to `from`; if something may be non-competitive by then, without reading pages
 * that the index knows. Sets *start to the first doc that may match; `limit` or more: none. Returns
 * whether there is such a page, or a negated status.
 */
static int approach_all(const struct csd_eval *eval, uint32_t from, uint32_t *start) {
  const struct csd_maxscore *maxscore = maxscore_of(eval);
  const bool may_wait = csd_non_competitive(&eval->ranking, 0.0);
  bool unread = false;
  uint32_t first = CSD_CURSOR_END;
  for (uint32_t i = 0; i < maxscore->term_count; i++) {
    struct csd_list_cursor *cursor = maxscore->by_list_bound[i]->cursor;
    const int status =
        may_wait ? csd_list_cursor_approach(cursor, from) : csd_list_cursor_seek(cursor, from);
    if (status < 0) {
      return status;
    }
    unread |= cursor->unread;
    const uint32_t block_start = csd_list_cursor_block_start(cursor);
    first = block_start < first ? block_start : first;
  }
  *start = first > from ? first : from;
  return unread;
}

/*
 * Skips to the end of the posting page that ends first, if the bounds of the terms' pages are
 * non-competitive together. Returns the doc to continue with: `from` if they are competitive.
 */
static uint32_t skip_pages(struct csd_eval *eval, uint32_t from) {
  struct csd_maxscore *maxscore = maxscore_of(eval);
  if (from < maxscore->pages_judged_to) {
    return from;
  }
  double bound = 0.0;
  uint32_t end = CSD_CURSOR_END;
  for (uint32_t i = 0; i < maxscore->term_count; i++) {
    const struct csd_node *term = maxscore->by_list_bound[i];
    const struct csd_list_cursor *cursor = term->cursor;
    if (cursor->block_end == CSD_CURSOR_END) {
      continue;
    }
    const bool has_page = cursor->run.page_count > 0 && !cursor->unread;
    const uint32_t page_end = has_page ? cursor->page_last + 1u : cursor->block_end;
    end = page_end < end ? page_end : end;
    bound += (double)csd_term_bound(term, has_page ? cursor->page_impacts : cursor->block_impacts);
  }
  if (!csd_non_competitive(&eval->ranking, bound)) {
    maxscore->pages_judged_to = end;
    return from;
  }
  eval->ranking.has_skipped = true;
  return end;
}

/* Returns where the window ends: at the first block end of a term that is essential in its list. */
static uint32_t window_end(const struct csd_eval *eval, uint32_t limit) {
  const struct csd_maxscore *maxscore = maxscore_of(eval);
  double sum = 0.0;
  uint32_t end = limit;
  for (uint32_t i = 0; i < maxscore->term_count; i++) {
    const struct csd_node *term = maxscore->by_list_bound[i];
    sum += term->bound;
    if (!csd_non_competitive(&eval->ranking, sum) && term->cursor->block_end < end) {
      end = term->cursor->block_end;
    }
  }
  return end;
}

/* Orders the terms that have docs up to `end`. */
static void bound_terms(struct csd_maxscore *maxscore, uint32_t end) {
  maxscore->order.count = 0;
  for (uint32_t i = 0; i < maxscore->term_count; i++) {
    struct csd_node *term = maxscore->by_list_bound[i];
    if (csd_list_cursor_block_start(term->cursor) < end) {
      csd_root_order_add(&maxscore->order, term, (double)csd_term_range_bound(term, end));
    }
  }
  csd_root_order_sum(&maxscore->order);
}

/* ---- candidates ---- */

/*
 * csd_root_min_score of the `which`-th term of the window. A competitive doc scores above it in all
 * its terms, so that its sum is complete. The sum of another doc may lack something, and is too low
 * anyway.
 */
static float min_score_of(const struct csd_eval *eval, uint32_t which) {
  return csd_root_min_score(eval, csd_root_order_others(&maxscore_of(eval)->order, which));
}

/* Loads the frame with the docs of one term in [from, *end). May lower *end. */
static int load_one(struct csd_eval *eval, struct csd_node *term, uint32_t from, uint32_t *end,
                    double rest) {
  struct csd_frame *frame = eval->root->frame;
  struct csd_batch batch;
  const int status = csd_term_produce(eval, term, from, *end, true, &batch);
  if (status < 0) {
    return status;
  }
  *end = batch.upto;
  if (batch.n == 0) {
    return 0;
  }
  const unsigned n =
      eval->kernels->copy_above(batch.docs, batch.scores, batch.n, csd_root_min_score(eval, rest),
                                frame->docs, eval->kept_scores);
  for (uint32_t i = 0; i < n; i++) {
    frame->must[i] = (double)eval->kept_scores[i];
  }
  return (int)n;
}

/* Adds the scores above `above` of one term in [from, end) to the window. */
static int add_term(struct csd_eval *eval, struct csd_node *term, uint32_t from, uint32_t end,
                    float above) {
  const uint32_t base = from & ~63u;
  for (uint32_t at = from; at < end;) {
    struct csd_batch batch;
    const int status = csd_term_produce(eval, term, at, end, true, &batch);
    if (status < 0) {
      return status;
    }
    csd_term_keep_above(eval, &batch, above);
    eval->kernels->set_bits(eval->root->window->bits, base, batch.docs, batch.n);
    csd_root_window_add(eval->root->window, base, &batch);
    at = batch.upto;
  }
  return 0;
}

/* Whether the terms' docs can be merged: they are in one block of each term. */
static bool can_merge(struct csd_node *const *terms, uint32_t count, uint32_t end) {
  if (count > CSD_MAX_MERGE_TERMS) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (terms[i]->cursor->block_end < end) {
      return false;
    }
  }
  return true;
}

/*
 * Loads the frame with the competitive docs in [from, *end) of the window's terms from the first
 * essential one on. May lower *end.
 */
static int load_several(struct csd_eval *eval, uint32_t essential, uint32_t from, uint32_t *end,
                        double rest) {
  const struct csd_root_order *order = &maxscore_of(eval)->order;
  struct csd_node **terms = order->nodes + essential;
  const uint32_t count = order->count - essential;
  if (can_merge(terms, count, *end)) {
    float above[CSD_MAX_MERGE_TERMS];
    for (uint32_t i = 0; i < count; i++) {
      above[i] = min_score_of(eval, essential + i);
    }
    const int merged = csd_merge_terms(eval, eval->root->frame, terms, count, from, *end, above);
    return merged < 0 ? merged : (int)csd_root_keep_competitive(eval, (uint32_t)merged, rest);
  }
  *end = csd_root_window_end(from, *end);
  const uint32_t words = csd_root_window_begin(eval, from, *end);
  for (uint32_t i = 0; i < count; i++) {
    const int status = add_term(eval, terms[i], from, *end, min_score_of(eval, essential + i));
    if (status < 0) {
      return status;
    }
  }
  return (int)csd_root_window_take(eval, words, from, rest);
}

/*
 * Reads the page of an essential term: of those whose pages have not been read, the one with the
 * greatest bound. The window may then end earlier, and others need not be read. Returns 1 if there
 * was one, 0, or a negated status.
 */
static int read_essential(struct csd_eval *eval, uint32_t essential, uint32_t from) {
  const struct csd_root_order *order = &maxscore_of(eval)->order;
  for (uint32_t i = order->count; i-- > essential;) {
    struct csd_list_cursor *cursor = order->nodes[i]->cursor;
    if (cursor->unread) {
      const int status = csd_list_cursor_seek(cursor, from);
      return status < 0 ? status : 1;
    }
  }
  return 0;
}

/* Produces the competitive docs from `from` on, up to `end` or less. */
static int produce_window(struct csd_eval *eval, uint32_t essential, uint32_t from, uint32_t end,
                          struct csd_batch *batch) {
  const struct csd_root_order *order = &maxscore_of(eval)->order;
  const double rest = csd_root_order_before(order, essential);
  const int n = essential + 1u == order->count
                    ? load_one(eval, order->nodes[essential], from, &end, rest)
                    : load_several(eval, essential, from, &end, rest);
  batch->upto = end;
  return csd_or_finish(eval, eval->root, csd_root_look_up(eval, order, essential, from, n), true,
                       batch);
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  struct csd_maxscore *maxscore = maxscore_of(eval);
  for (;;) {
    uint32_t start;
    const int unread = approach_all(eval, from, &start);
    if (unread < 0 || start >= limit) {
      return unread < 0 ? unread : 0;
    }
    const uint32_t next = skip_pages(eval, start);
    if (next != start) {
      batch->upto = next < limit ? next : limit;
      return 0;
    }
    uint32_t end = window_end(eval, limit);
    bound_terms(maxscore, end);
    const uint32_t essential = csd_root_first_essential(eval, &maxscore->order, 0);
    eval->work.units += 1u + maxscore->term_count / 4u;
    eval->ranking.has_skipped = true;
    if (essential == maxscore->order.count) {
      batch->upto = end;
      return 0;
    }
    const int read = unread ? read_essential(eval, essential, start) : 0;
    if (read < 0) {
      return read;
    }
    if (read > 0) {
      maxscore->pages_judged_to = 0; /* the page says more than the index did */
      continue;
    }
    return produce_window(eval, essential, start, end, batch);
  }
}

const struct csd_root_way csd_way_maxscore = {.number = CSD_WAY_MAXSCORE,
                                              .needs_skip = true,
                                              .ranks_alone = true,
                                              .applies = applies,
                                              .make = make,
                                              .produce = produce};
