/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/root/test_root_trees.c. */
/*
 * As root_maxscore, window by window, with children that are trees: a child's bound in a window is
 * made of its terms' bounds there. Children whose bounds together are non-competitive are
 * non-essential: they are asked about the docs of the others. So are as many as match too few by
 * themselves, where a minimum of children must match. A window ends where the first block of an
 * essential child ends; where none is essential, nothing is decoded. Where window after window is
 * competitive they grow: small ones would cost more than they spare.
 *
 * A root that is no disjunction, and so is scored as a whole, is the one child.
 */
#include "core/root/root_trees.h"

#include <string.h>

#include "core/eval/bool/eval_merge.h"
#include "core/eval/bool/eval_or.h"
#include "core/root/root_frame.h"
#include "core/root/root_tree.h"

/* Windows without a competitive doc that one call passes over. */
#define WINDOWS_AT_ONCE 64u

/* Lists from which on windows that end with blocks get too short. */
#define MANY_LISTS 14u

/* Postings that a window has at least, about: one of fewer costs more than they do. */
#define FEW_POSTINGS 256u

struct csd_trees {
  struct csd_node **by_list_bound; /* all children, least bound first */
  uint32_t *starts;                /* of these: no match from the last seek on is before it */
  uint32_t *ends;                  /* of these: where the first block ends */
  struct csd_node **order;         /* children with docs in the window, least bound there first */
  double *bounds;                  /* bounds[i]: sum of the window bounds of order[0 .. i] */
  uint32_t count;                  /* children */
  uint32_t min_should;             /* of them must match */
  uint32_t least_docs;             /* of a window */
  uint32_t docs;                   /* likewise, as windows before were competitive */
};

static uint32_t count_lists(const struct csd_node *node) {
  uint32_t lists = node->op->is_term;
  for (uint32_t i = 0; i < node->optional_count; i++) {
    lists += count_lists(node->optional[i]);
  }
  return lists;
}

/* Docs of the segment; 0: there is no list. */
static uint32_t max_doc_of(const struct csd_node *node) {
  uint32_t max_doc = node->op->is_term ? node->cursor->max_doc : 0;
  for (uint32_t i = 0; i < node->optional_count && max_doc == 0; i++) {
    max_doc = max_doc_of(node->optional[i]);
  }
  return max_doc;
}

/* How many docs a window has at least. */
static uint32_t least_docs(const struct csd_node *root) {
  const uint32_t max_doc = max_doc_of(root);
  const uint64_t few = (uint64_t)FEW_POSTINGS * max_doc / (root->cost + 1u);
  const uint32_t docs = few < max_doc ? (uint32_t)few : max_doc;
  return docs < CSD_WINDOW_DOCS && count_lists(root) >= MANY_LISTS ? CSD_WINDOW_DOCS : docs;
}

/* Whether the root's children are looked at one by one, and not the root as a whole. */
static bool is_split(const struct csd_node *root) {
  return csd_is_plain_bool(root) && root->optional_count > 1;
}

/* Whether the root is a tree but for how many of its children must match. */
static bool is_tree_of(const struct csd_node *root, bool some) {
  bool good = root->op->is_bool && root->scored && root->required_count == 0 &&
              root->doc_norms == NULL && root->optional_count > 0 && (root->min_should > 1) == some;
  for (uint32_t i = 0; i < root->optional_count && good; i++) {
    good = csd_is_tree(root->optional[i]);
  }
  return good;
}

static bool applies(const struct csd_node *root, const struct csd_wanted *wanted) {
  return wanted->k > 0 && is_tree_of(root, false);
}

/* Terms alone have eval_follow. */
static bool applies_to_some(const struct csd_node *root, const struct csd_wanted *wanted) {
  return wanted->k > 0 && is_split(root) && is_tree_of(root, true) &&
         !csd_all_terms(root->optional, root->optional_count);
}

static void *make(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted) {
  const bool split = is_split(root);
  const uint32_t count = split ? root->optional_count : 1u;
  struct csd_trees *trees = csd_arena_take(arena, sizeof *trees);
  struct csd_node **by_list_bound = csd_arena_take(arena, count * sizeof *by_list_bound);
  uint32_t *starts = csd_arena_take(arena, count * sizeof *starts);
  uint32_t *ends = csd_arena_take(arena, count * sizeof *ends);
  struct csd_node **order = csd_arena_take(arena, count * sizeof *order);
  double *bounds = csd_arena_take(arena, count * sizeof *bounds);
  (void)wanted;
  if (trees == NULL || by_list_bound == NULL || starts == NULL || ends == NULL || order == NULL ||
      bounds == NULL) {
    return NULL;
  }
  memcpy(by_list_bound, split ? root->optional : &root, count * sizeof *by_list_bound);
  csd_sort_nodes(by_list_bound, count, csd_root_is_lesser);
  *trees = (struct csd_trees){.by_list_bound = by_list_bound,
                              .starts = starts,
                              .ends = ends,
                              .order = order,
                              .bounds = bounds,
                              .count = count,
                              .min_should = root->min_should > 1 ? root->min_should : 1,
                              .least_docs = split ? least_docs(root) : 0};
  return trees;
}

static struct csd_trees *trees_of(const struct csd_eval *eval) { return eval->way_state; }

/* ---- windows ---- */

/* Takes all children to `from`; sets *start to the first doc that may match. */
static int seek_all(struct csd_trees *trees, uint32_t from, uint32_t limit, uint32_t *start) {
  uint32_t first = CSD_CURSOR_END;
  for (uint32_t i = 0; i < trees->count; i++) {
    trees->starts[i] = CSD_CURSOR_END;
    trees->ends[i] = limit;
    const int status =
        csd_tree_seek(trees->by_list_bound[i], from, &trees->starts[i], &trees->ends[i]);
    if (status < 0) {
      return status;
    }
    first = trees->starts[i] < first ? trees->starts[i] : first;
  }
  *start = first > from ? first : from;
  return 0;
}

/* Returns where the window ends: at the first block end of a child that is essential by what its
   whole lists bound, but not before it has the docs that it is to have. */
static uint32_t window_end(const struct csd_eval *eval, uint32_t start, uint32_t limit) {
  const struct csd_trees *trees = trees_of(eval);
  double sum = 0.0;
  uint32_t end = limit;
  for (uint32_t i = 0; i < trees->count; i++) {
    sum += trees->by_list_bound[i]->bound;
    if (i + 1u >= trees->min_should && !csd_non_competitive(&eval->ranking, sum) &&
        trees->ends[i] < end) {
      end = trees->ends[i];
    }
  }
  const uint32_t docs = trees->least_docs > trees->docs ? trees->least_docs : trees->docs;
  return csd_tree_docs_end(docs, start, end, limit);
}

/* Sorts the children by their bounds up to `end`. Returns how many have docs there. */
static uint32_t bound_children(struct csd_trees *trees, uint32_t end) {
  double *bounds = trees->bounds;
  uint32_t count = 0;
  for (uint32_t i = 0; i < trees->count; i++) {
    if (trees->starts[i] >= end) {
      continue;
    }
    const double bound = csd_tree_bound(trees->by_list_bound[i], end);
    uint32_t at = count++;
    for (; at > 0 && bounds[at - 1u] > bound; at--) {
      trees->order[at] = trees->order[at - 1u];
      bounds[at] = bounds[at - 1u];
    }
    trees->order[at] = trees->by_list_bound[i];
    bounds[at] = bound;
  }
  for (uint32_t i = 1; i < count; i++) {
    bounds[i] += bounds[i - 1u];
  }
  return count;
}

/* ---- candidates ---- */

/* Sum of the window's bounds but for child `which`. */
static double others_bound(const struct csd_trees *trees, uint32_t which, uint32_t count) {
  const double before = which > 0 ? trees->bounds[which - 1u] : 0.0;
  /* The greatest goes first: beside it the others may be less than the last bit of the sum. */
  return before + (trees->bounds[count - 1u] - trees->bounds[which]);
}

/* `end`, or where the root's window from `base` on ends. */
static uint32_t window_limit(uint32_t base, uint32_t end) {
  return end - base > CSD_WINDOW_DOCS ? base + CSD_WINDOW_DOCS : end;
}

/* Loads the frame with the competitive docs of one child in [from, *end). May lower *end. */
static int load_one(struct csd_eval *eval, struct csd_node *child, uint32_t from, uint32_t *end,
                    double rest) {
  struct csd_frame *frame = eval->root->frame;
  struct csd_batch batch;
  const int status = csd_eval_produce(eval, child, from, *end, true, &batch);
  if (status < 0) {
    return status;
  }
  const float above = csd_root_min_score(eval, rest);
  uint32_t n = 0;
  for (uint32_t i = 0; i < batch.n; i++) {
    frame->docs[n] = batch.docs[i];
    frame->must[n] = (double)batch.scores[i];
    n += batch.scores[i] > above;
  }
  *end = batch.upto;
  for (uint32_t i = 0; i < n && trees_of(eval)->min_should > 1; i++) {
    eval->root->window->count[frame->docs[i] - (from & ~63u)] = 1;
  }
  return (int)n;
}

/* Adds the scores above `above` of a child in [from, end) to the window. A competitive doc scores
   above it in all its children, so that its sum is complete. */
static int add_child(struct csd_eval *eval, struct csd_node *child, uint32_t from, uint32_t end,
                     float above) {
  struct csd_window *window = eval->root->window;
  const bool counted = trees_of(eval)->min_should > 1;
  const uint32_t base = from & ~63u;
  for (uint32_t at = from; at < end;) {
    struct csd_batch batch;
    const int status = csd_eval_produce(eval, child, at, end, true, &batch);
    if (status < 0) {
      return status;
    }
    for (uint32_t i = 0; i < batch.n; i++) {
      const uint32_t doc = batch.docs[i] - base;
      const bool keeps = batch.scores[i] > above;
      window->bits[doc / 64u] |= (uint64_t)keeps << (doc & 63u);
      window->sum[doc] += keeps ? (double)batch.scores[i] : 0.0;
      window->count[doc] = (uint16_t)(window->count[doc] + (keeps && counted));
    }
    at = batch.upto;
  }
  return 0;
}

/* As load_one, of several: all of the window's `count` from the first essential one on. */
static int load_several(struct csd_eval *eval, uint32_t essential, uint32_t count, uint32_t from,
                        uint32_t *end, double rest) {
  const struct csd_trees *trees = trees_of(eval);
  struct csd_window *window = eval->root->window;
  if (trees->min_should == 1 && count - essential <= CSD_MAX_MERGE_TERMS &&
      csd_sum_of_costs(trees->order + essential, count - essential) <= CSD_WINDOW_DOCS) {
    const int merged = csd_merge_terms(eval, eval->root->frame, trees->order + essential,
                                       count - essential, from, *end, NULL);
    return merged < 0 ? merged : (int)csd_root_keep_competitive(eval, (uint32_t)merged, rest);
  }
  const uint32_t base = from & ~63u;
  *end = window_limit(base, *end);
  csd_window_clear(window, *end - base);
  const uint32_t words = (*end - base + 63u) / 64u;
  memset(window->bits, 0, words * sizeof window->bits[0]);
  for (uint32_t i = essential; i < count; i++) {
    const float above = csd_root_min_score(eval, others_bound(trees, i, count));
    const int status = add_child(eval, trees->order[i], from, *end, above);
    if (status < 0) {
      return status;
    }
  }
  return (int)csd_root_keep_competitive(eval, csd_root_list_window(eval, words, base), rest);
}

/* Index of the first of the window's children that is essential there; `count`: none is. */
static uint32_t first_essential(const struct csd_eval *eval, uint32_t count) {
  if (count < trees_of(eval)->min_should) {
    return count;
  }
  uint32_t essential = trees_of(eval)->min_should - 1u;
  while (essential < count &&
         csd_non_competitive(&eval->ranking, trees_of(eval)->bounds[essential])) {
    essential++;
  }
  return essential;
}

/* Looks the frame's docs up in a non-essential child. */
static int look_up(struct csd_eval *eval, struct csd_node *child, uint32_t base, uint32_t n) {
  const struct csd_frame *frame = eval->root->frame;
  const int hits = csd_root_look_up(eval, child, n);
  for (int j = 0; j < hits && trees_of(eval)->min_should > 1; j++) {
    eval->root->window->count[frame->docs[frame->hit_index[j]] - base]++;
  }
  return hits < 0 ? hits : 0;
}

/* Keeps the docs that enough children match; zeroes the counts of the window. */
static uint32_t keep_counted(struct csd_eval *eval, uint32_t base, uint32_t end, uint32_t n) {
  struct csd_frame *frame = eval->root->frame;
  uint16_t *counts = eval->root->window->count;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t doc = frame->docs[i];
    frame->docs[kept] = doc;
    frame->must[kept] = frame->must[i];
    kept += counts[doc - base] >= trees_of(eval)->min_should;
  }
  memset(counts, 0, (end - base) * sizeof counts[0]);
  return kept;
}

static int produce_window(struct csd_eval *eval, uint32_t essential, uint32_t count, uint32_t from,
                          uint32_t end, struct csd_batch *batch) {
  const struct csd_trees *trees = trees_of(eval);
  const bool counted = trees->min_should > 1;
  const uint32_t base = from & ~63u;
  if (counted) {
    end = window_limit(base, end);
    csd_window_clear(eval->root->window, end - base);
  }
  const uint32_t counted_to = end;
  const double rest = essential > 0 ? trees->bounds[essential - 1u] : 0.0;
  int n = essential + 1u == count ? load_one(eval, trees->order[essential], from, &end, rest)
                                  : load_several(eval, essential, count, from, &end, rest);
  for (uint32_t i = essential; i-- > 0 && n > 0;) {
    const int status = look_up(eval, trees->order[i], base, (uint32_t)n);
    if (status < 0) {
      return status;
    }
    n = (int)csd_root_keep_competitive(eval, (uint32_t)n, i > 0 ? trees->bounds[i - 1u] : 0.0);
  }
  if (counted && n >= 0) {
    n = (int)keep_counted(eval, base, counted_to, (uint32_t)n);
  }
  batch->upto = end;
  return csd_or_finish(eval, eval->root, n, true, batch);
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  struct csd_trees *trees = trees_of(eval);
  const bool whole = trees->by_list_bound[0] == eval->root;
  batch->n = 0;
  batch->scoring = CSD_SCORING_NONE;
  for (uint32_t windows = 0; windows < WINDOWS_AT_ONCE && from < limit; windows++) {
    uint32_t start;
    const int status = seek_all(trees, from, limit, &start);
    if (status < 0) {
      return status;
    }
    if (start >= limit) {
      from = limit;
      break;
    }
    const uint32_t end = window_end(eval, start, limit);
    const uint32_t count = bound_children(trees, end);
    const uint32_t essential = first_essential(eval, count);
    eval->work.units += 1u + trees->count / 4u;
    if (essential < count) {
      csd_tree_docs_grow(&trees->docs);
      if (whole) {
        return csd_or_produce(eval, eval->root, start, end, true, batch);
      }
      eval->ranking.has_skipped = true;
      return produce_window(eval, essential, count, start, end, batch);
    }
    eval->ranking.has_skipped = true;
    trees->docs = 0;
    from = end;
  }
  batch->upto = from;
  return 0;
}

const struct csd_root_way csd_way_trees = {.number = CSD_WAY_TREES,
                                           .needs_skip = true,
                                           .ranks_alone = true,
                                           .applies = applies,
                                           .make = make,
                                           .produce = produce};

/* It does not rank alone: as many children as must match but one are asked about docs, and decode
   most of their blocks, so that counting first would read nearly all twice. */
const struct csd_root_way csd_way_some_trees = {.number = CSD_WAY_SOME_TREES,
                                                .needs_skip = true,
                                                .applies = applies_to_some,
                                                .make = make,
                                                .produce = produce};
