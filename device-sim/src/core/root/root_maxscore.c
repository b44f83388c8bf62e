/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Works window by window. Impacts bound each term's scores in the window: those of blocks, and of
 * pages that have not been read those of the page index. Terms whose bounds
 * together are non-competitive are non-essential there. Candidates are the docs of the other terms.
 * Those that stay competitive are looked up in the non-essential lists, greatest bound first.
 */
#include "core/root/root_maxscore.h"

#include <string.h>

#include "core/eval/bool/eval_merge.h"
#include "core/eval/bool/eval_or.h"
#include "core/eval/eval.h"
#include "core/eval/eval_term.h"
#include "core/plan/arena.h"
#include "core/root/root_frame.h"

struct csd_maxscore {
  struct csd_node **by_list_bound; /* all terms, least list bound first */
  struct csd_node **terms;         /* terms with docs in the window, least window bound first */
  double *bounds;                  /* bounds[i]: sum of the window bounds of terms[0 .. i] */
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
  struct csd_node **by_list_bound = csd_arena_take(arena, count * sizeof *by_list_bound);
  struct csd_node **terms = csd_arena_take(arena, count * sizeof *terms);
  double *bounds = csd_arena_take(arena, count * sizeof *bounds);
  if (maxscore == NULL || by_list_bound == NULL || terms == NULL || bounds == NULL) {
    return NULL;
  }
  memcpy(by_list_bound, root->optional, count * sizeof *by_list_bound);
  csd_sort_nodes(by_list_bound, count, csd_root_is_lesser);
  maxscore->by_list_bound = by_list_bound;
  maxscore->terms = terms;
  maxscore->bounds = bounds;
  maxscore->term_count = count;
  maxscore->pages_judged_to = 0;
  return maxscore;
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

/* Sorts the terms by their bounds in [.., end). Returns how many have docs there. */
static uint32_t bound_terms(struct csd_maxscore *maxscore, uint32_t end) {
  struct csd_node **terms = maxscore->terms;
  double *bounds = maxscore->bounds;
  uint32_t count = 0;
  for (uint32_t i = 0; i < maxscore->term_count; i++) {
    struct csd_node *term = maxscore->by_list_bound[i];
    if (csd_list_cursor_block_start(term->cursor) >= end) {
      continue;
    }
    const double bound = (double)csd_term_range_bound(term, end);
    uint32_t at = count++;
    for (; at > 0 && bounds[at - 1] > bound; at--) {
      terms[at] = terms[at - 1];
      bounds[at] = bounds[at - 1];
    }
    terms[at] = term;
    bounds[at] = bound;
  }
  for (uint32_t i = 1; i < count; i++) {
    bounds[i] += bounds[i - 1];
  }
  return count;
}

/* ---- candidates ---- */

/*
 * csd_root_min_score of the `which`-th term of the window. A competitive doc scores above it in all
 * its terms, so that its sum is complete. The sum of another doc may lack something, and is too low
 * anyway.
 */
static float min_score_of(const struct csd_eval *eval, uint32_t which, uint32_t term_count) {
  const double *bounds = maxscore_of(eval)->bounds;
  const double before = which > 0 ? bounds[which - 1] : 0.0;
  /* The greatest goes first: beside it the others may be less than the last bit of the sum. */
  return csd_root_min_score(eval, before + (bounds[term_count - 1] - bounds[which]));
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
  struct csd_window *window = eval->root->window;
  const uint32_t base = from & ~63u;
  for (uint32_t at = from; at < end;) {
    struct csd_batch batch;
    const int status = csd_term_produce(eval, term, at, end, true, &batch);
    if (status < 0) {
      return status;
    }
    csd_term_keep_above(eval, &batch, above);
    eval->kernels->set_bits(window->bits, base, batch.docs, batch.n);
    for (uint32_t i = 0; i < batch.n; i++) {
      window->sum[batch.docs[i] - base] += (double)batch.scores[i];
    }
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
 * Loads the frame with the competitive docs in [from, *end) of all terms of the window but the
 * first `skipped`. May lower *end.
 */
static int load_several(struct csd_eval *eval, uint32_t skipped, uint32_t term_count, uint32_t from,
                        uint32_t *end, double rest) {
  struct csd_node **terms = maxscore_of(eval)->terms;
  struct csd_window *window = eval->root->window;
  struct csd_frame *frame = eval->root->frame;
  if (can_merge(terms + skipped, term_count - skipped, *end)) {
    float above[CSD_MAX_MERGE_TERMS];
    for (uint32_t i = skipped; i < term_count; i++) {
      above[i - skipped] = min_score_of(eval, i, term_count);
    }
    const int merged =
        csd_merge_terms(eval, frame, terms + skipped, term_count - skipped, from, *end, above);
    return merged < 0 ? merged : (int)csd_root_keep_competitive(eval, (uint32_t)merged, rest);
  }
  const uint32_t base = from & ~63u;
  if (*end - base > CSD_WINDOW_DOCS) {
    *end = base + CSD_WINDOW_DOCS;
  }
  const uint32_t words = (*end - base + 63u) / 64u;
  memset(window->bits, 0, words * sizeof window->bits[0]);
  csd_window_clear(window, *end - base);
  for (uint32_t i = skipped; i < term_count; i++) {
    const int status = add_term(eval, terms[i], from, *end, min_score_of(eval, i, term_count));
    if (status < 0) {
      return status;
    }
  }
  return (int)csd_root_keep_competitive(eval, csd_root_list_window(eval, words, base), rest);
}

/* Index of the first of the window's terms that is essential there. */
static uint32_t first_essential(const struct csd_eval *eval, uint32_t term_count) {
  uint32_t essential = 0;
  while (essential + 1 < term_count &&
         csd_non_competitive(&eval->ranking, maxscore_of(eval)->bounds[essential])) {
    essential++;
  }
  return essential;
}

/*
 * Reads the page of an essential term: of those whose pages have not been read, the one with the
 * greatest bound. The window may then end earlier, and others need not be read. Returns 1 if there
 * was one, 0, or a negated status.
 */
static int read_essential(struct csd_eval *eval, uint32_t essential, uint32_t term_count,
                          uint32_t from) {
  for (uint32_t i = term_count; i-- > essential;) {
    struct csd_list_cursor *cursor = maxscore_of(eval)->terms[i]->cursor;
    if (cursor->unread) {
      const int status = csd_list_cursor_seek(cursor, from);
      return status < 0 ? status : 1;
    }
  }
  return 0;
}

/* Fills the frame with the competitive docs in [from, *end) of the terms from the first essential
   one on, and looks them up in the others. May lower *end. */
static int find_candidates(struct csd_eval *eval, uint32_t essential, uint32_t term_count,
                           uint32_t from, uint32_t *end) {
  const struct csd_maxscore *maxscore = maxscore_of(eval);
  const double *bounds = maxscore->bounds;
  const double rest = essential > 0 ? bounds[essential - 1] : 0.0;
  int n = essential + 1 == term_count ? load_one(eval, maxscore->terms[essential], from, end, rest)
                                      : load_several(eval, essential, term_count, from, end, rest);
  for (uint32_t i = essential; i-- > 0 && n > 0;) {
    const int status = csd_root_look_up(eval, maxscore->terms[i], (uint32_t)n);
    if (status < 0) {
      return status;
    }
    n = (int)csd_root_keep_competitive(eval, (uint32_t)n, i > 0 ? bounds[i - 1] : 0.0);
  }
  return n;
}

static int produce_window(struct csd_eval *eval, uint32_t essential, uint32_t term_count,
                          uint32_t from, uint32_t end, struct csd_batch *batch) {
  const int n = find_candidates(eval, essential, term_count, from, &end);
  batch->upto = end;
  return csd_or_finish(eval, eval->root, n, true, batch);
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  batch->n = 0;
  batch->upto = limit;
  batch->scoring = CSD_SCORING_NONE;
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
    const uint32_t term_count = bound_terms(maxscore_of(eval), end);
    eval->work.units += 1u + maxscore_of(eval)->term_count / 4u;
    eval->ranking.has_skipped = true;
    if (term_count == 0 ||
        csd_non_competitive(&eval->ranking, maxscore_of(eval)->bounds[term_count - 1])) {
      batch->upto = end;
      return 0;
    }
    const uint32_t essential = first_essential(eval, term_count);
    const int read = unread ? read_essential(eval, essential, term_count, start) : 0;
    if (read < 0) {
      return read;
    }
    if (read > 0) {
      maxscore_of(eval)->pages_judged_to = 0; /* the page says more than the index did */
      continue;
    }
    return produce_window(eval, essential, term_count, start, end, batch);
  }
}

const struct csd_root_way csd_way_maxscore = {.number = CSD_WAY_MAXSCORE,
                                              .needs_skip = true,
                                              .ranks_alone = true,
                                              .applies = applies,
                                              .make = make,
                                              .produce = produce};
