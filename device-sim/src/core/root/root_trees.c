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
#include <string.h>

#include "core/eval/bool/eval_merge.h"
#include "core/eval/bool/eval_or.h"
#include "core/root/root_tree.h"
#include "core/root/root_ways.h"
#include "core/root/root_window.h"

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
  struct csd_root_order order;     /* children with docs in the window */
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
  uint32_t *starts = csd_arena_take(arena, count * sizeof *starts);
  uint32_t *ends = csd_arena_take(arena, count * sizeof *ends);
  (void)wanted;
  if (trees == NULL || starts == NULL || ends == NULL) {
    return NULL;
  }
  *trees = (struct csd_trees){.by_list_bound = csd_root_sorted(
                                  arena, split ? root->optional : &root, count, csd_root_is_lesser),
                              .starts = starts,
                              .ends = ends,
                              .count = count,
                              .min_should = root->min_should > 1 ? root->min_should : 1,
                              .least_docs = split ? least_docs(root) : 0};
  const bool made =
      trees->by_list_bound != NULL && csd_root_order_make(&trees->order, arena, count);
  return made ? trees : NULL;
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

/* Orders the children that have docs up to `end`. */
static void bound_children(struct csd_trees *trees, uint32_t end) {
  trees->order.count = 0;
  for (uint32_t i = 0; i < trees->count; i++) {
    if (trees->starts[i] < end) {
      struct csd_node *child = trees->by_list_bound[i];
      csd_root_order_add(&trees->order, child, csd_tree_bound(child, end));
    }
  }
  csd_root_order_sum(&trees->order);
}

/* ---- candidates ---- */

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

/* As load_one, of several: all of the window's from the first essential one on. */
static int load_several(struct csd_eval *eval, uint32_t essential, uint32_t from, uint32_t *end,
                        double rest) {
  const struct csd_trees *trees = trees_of(eval);
  const struct csd_root_order *order = &trees->order;
  struct csd_node **children = order->nodes + essential;
  const uint32_t count = order->count - essential;
  if (trees->min_should == 1 && count <= CSD_MAX_MERGE_TERMS &&
      csd_sum_of_costs(children, count) <= CSD_WINDOW_DOCS) {
    const int merged = csd_merge_terms(eval, eval->root->frame, children, count, from, *end, NULL);
    return merged < 0 ? merged : (int)csd_root_keep_competitive(eval, (uint32_t)merged, rest);
  }
  *end = csd_root_window_end(from, *end);
  const uint32_t words = csd_root_window_begin(eval, from, *end);
  for (uint32_t i = 0; i < count; i++) {
    const float above = csd_root_min_score(eval, csd_root_order_others(order, essential + i));
    const int status = add_child(eval, children[i], from, *end, above);
    if (status < 0) {
      return status;
    }
  }
  return (int)csd_root_window_take(eval, words, from, rest);
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

static int produce_window(struct csd_eval *eval, uint32_t essential, uint32_t from, uint32_t end,
                          struct csd_batch *batch) {
  const struct csd_trees *trees = trees_of(eval);
  const struct csd_root_order *order = &trees->order;
  const bool counted = trees->min_should > 1;
  const uint32_t base = from & ~63u;
  if (counted) {
    end = csd_root_window_end(from, end);
    csd_window_clear(eval->root->window, end - base);
  }
  const uint32_t counted_to = end;
  const double rest = csd_root_order_before(order, essential);
  int n = essential + 1u == order->count ? load_one(eval, order->nodes[essential], from, &end, rest)
                                         : load_several(eval, essential, from, &end, rest);
  n = csd_root_look_up(eval, order, essential, from, n);
  if (counted && n >= 0) {
    n = (int)keep_counted(eval, base, counted_to, (uint32_t)n);
  }
  batch->upto = end;
  return csd_or_finish(eval, eval->root, n, true, batch);
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  struct csd_trees *trees = trees_of(eval);
  const struct csd_root_order *order = &trees->order;
  const bool whole = trees->by_list_bound[0] == eval->root;
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
    bound_children(trees, end);
    const uint32_t essential = csd_root_first_essential(eval, order, trees->min_should - 1u);
    eval->work.units += 1u + trees->count / 4u;
    if (essential < order->count) {
      csd_tree_docs_grow(&trees->docs);
      if (whole) {
        return csd_or_produce(eval, eval->root, start, end, true, batch);
      }
      eval->ranking.has_skipped = true;
      return produce_window(eval, essential, start, end, batch);
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
