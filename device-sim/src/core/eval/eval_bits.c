/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Matches as bits, window by window. Posting blocks that are bitmaps are ORed into the window, and
 * the windows of several lists are combined word by word. The root's windows are wide, because each
 * list has a fixed cost per window.
 */
#include "core/eval/eval_bits.h"

#include <string.h>

#include "core/eval/eval.h"
#include "core/plan/arena.h"

/* Docs of the segment per match of the cheapest child, up to which most of its blocks are bitmaps.
 */
#define BITS_PAY_TO_GAP 12u

/*
 * The same if matches are only counted and the other children have at most OTHERS_PAY_TO times as
 * many docs: no bits are listed as docs then, and every block of the others would be read anyway.
 */
#define COUNTED_BITS_PAY_TO_GAP 48u
#define OTHERS_PAY_TO 6u

/* Postings of a disjunction from which on it pays to scan all words of a window. */
#define UNION_PAYS_FROM 256u

/* Prohibited children list all their docs if these are at most so many times as many. */
#define PROHIBITED_PAY_TO 8u

int csd_bits_add(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t end,
                 uint32_t base, uint64_t *bits) {
  if (node->op->add_bits != NULL) {
    return node->op->add_bits(eval, node, from, end, base, bits);
  }
  for (uint32_t at = from; at < end;) {
    struct csd_batch batch;
    const int status = csd_eval_produce(eval, node, at, end, false, &batch);
    if (status < 0) {
      return status;
    }
    eval->kernels->set_bits(bits, base, batch.docs, batch.n);
    at = batch.upto;
  }
  return 0;
}

void csd_bits_trim(uint64_t *bits, uint32_t base, uint32_t from, uint32_t end) {
  const uint32_t first = (from - base) / 64u;
  memset(bits, 0, first * sizeof bits[0]);
  bits[first] &= UINT64_MAX << (from & 63u);
  const uint32_t behind = (end - base) / 64u;
  bits[behind] &= (UINT64_C(1) << (end & 63u)) - 1u;
  bits[behind + 1u] = 0;
}

int csd_bits_window_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                            uint32_t limit, bool scored, struct csd_batch *batch) {
  struct csd_column_window *window = eval->column_window;
  uint32_t start;
  (void)scored;
  batch->n = 0;
  batch->upto = limit;
  int status = csd_eval_next(node, from, limit, &start);
  if (status < 0 || start >= limit) {
    return status;
  }
  const uint32_t base = start & ~63u;
  const uint32_t end = limit - base < CSD_WINDOW_DOCS ? limit : base + CSD_WINDOW_DOCS;
  const uint32_t words = (end - base + 63u) / 64u;
  memset(window->bits, 0, words * sizeof window->bits[0]);
  status = csd_bits_add(eval, node, start, end, base, window->bits);
  batch->n = eval->kernels->list_bits(window->bits, words, base, window->docs);
  batch->docs = window->docs;
  batch->upto = end;
  return status;
}

/* Whether `count` nodes set bits. */
static bool all_set_bits(struct csd_node *const *nodes, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (nodes[i]->op->add_bits == NULL) {
      return false;
    }
  }
  return true;
}

/* Postings of the lists of `count` leaves; the bits of columns cost next to nothing. */
static uint64_t sum_of_postings(struct csd_node *const *nodes, uint32_t count) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    sum += nodes[i]->op->is_term ? nodes[i]->cost : 0;
  }
  return sum;
}

/* Whether bits are a good way for a conjunction of what sets bits. */
static bool conjunction_pays(const struct csd_node *node, bool counted, uint32_t max_doc) {
  if (node->min_should > 0 || node->required_count + node->prohibited_count < 2 ||
      !all_set_bits(node->required, node->required_count)) {
    return false;
  }
  const uint64_t others = sum_of_postings(node->required + 1, node->required_count - 1) +
                          sum_of_postings(node->prohibited, node->prohibited_count);
  return node->cost >= max_doc / BITS_PAY_TO_GAP ||
         (counted && node->cost >= max_doc / COUNTED_BITS_PAY_TO_GAP &&
          others / OTHERS_PAY_TO <= node->cost);
}

/* Likewise for a disjunction, of which one must match. */
static bool disjunction_pays(const struct csd_node *node, bool counted) {
  const uint64_t prohibited = sum_of_postings(node->prohibited, node->prohibited_count);
  return node->min_should == 1 && node->optional_count > 0 &&
         all_set_bits(node->optional, node->optional_count) && node->cost >= UNION_PAYS_FROM &&
         prohibited / PROHIBITED_PAY_TO <= node->cost &&
         (counted || node->produce_unscored == NULL);
}

bool csd_bits_pay(const struct csd_node *root, bool counted, uint32_t max_doc) {
  if (root->op->add_bits != NULL) {
    return !root->op->is_term;
  }
  if (!root->op->is_bool || !all_set_bits(root->prohibited, root->prohibited_count)) {
    return false;
  }
  return root->required_count > 0 ? conjunction_pays(root, counted, max_doc)
                                  : disjunction_pays(root, counted);
}

struct csd_bits {
  uint32_t docs; /* of a window */
  uint64_t *words;
  uint64_t *other;
};

struct csd_bits *csd_bits_make(struct csd_arena *arena, uint32_t docs) {
  const size_t bytes = (docs / 64u + 2u) * sizeof(uint64_t);
  struct csd_bits *wide = csd_arena_take(arena, sizeof *wide);
  if (wide != NULL) {
    wide->docs = docs;
    wide->words = csd_arena_take(arena, bytes);
    wide->other = csd_arena_take(arena, bytes);
  }
  return wide != NULL && wide->words != NULL && wide->other != NULL ? wide : NULL;
}

/* Adds a child's matches to the window by AND, or by AND NOT. */
static int combine(struct csd_eval *eval, struct csd_node *child, uint32_t from, uint32_t end,
                   uint32_t base, bool prohibited) {
  const struct csd_bits *wide = eval->wide;
  const uint32_t words = (end - base + 63u) / 64u;
  memset(wide->other, 0, (words + 2u) * sizeof wide->other[0]);
  const int status = csd_bits_add(eval, child, from, end, base, wide->other);
  const uint64_t flip = prohibited ? UINT64_MAX : 0;
  for (uint32_t w = 0; w < words; w++) {
    wide->words[w] &= wide->other[w] ^ flip;
  }
  return status;
}

/* No match of the node is before *start. */
static int find_start(const struct csd_node *node, uint32_t from, uint32_t limit, uint32_t *start) {
  if (node->op->add_bits != NULL) {
    return csd_eval_next(node, from, limit, start);
  }
  if (node->required_count > 0) {
    return csd_eval_next(node->required[0], from, limit, start);
  }
  *start = limit;
  int status = 0;
  for (uint32_t i = 0; i < node->optional_count && *start > from && status == 0; i++) {
    uint32_t next = limit;
    status = csd_eval_next(node->optional[i], from, limit, &next);
    *start = next < *start ? next : *start;
  }
  return status;
}

int csd_bits_produce(struct csd_eval *eval, uint32_t from, uint32_t limit,
                     struct csd_batch *batch) {
  struct csd_node *node = eval->root;
  const struct csd_bits *wide = eval->wide;
  batch->n = 0;
  batch->upto = limit;
  batch->scoring = CSD_SCORING_NONE;
  batch->bits = NULL;
  uint32_t start;
  int status = find_start(node, from, limit, &start);
  if (status < 0 || start >= limit) {
    return status;
  }
  const uint32_t base = start & ~63u;
  const uint32_t end = limit - base < wide->docs ? limit : base + wide->docs;
  const uint32_t words = (end - base + 63u) / 64u;
  memset(wide->words, 0, (words + 2u) * sizeof wide->words[0]);
  if (node->op->add_bits != NULL) {
    status = csd_bits_add(eval, node, start, end, base, wide->words);
  }
  if (node->required_count > 0) {
    status = csd_bits_add(eval, node->required[0], start, end, base, wide->words);
  }
  for (uint32_t i = 0; i < node->optional_count && node->min_should > 0 && status == 0; i++) {
    status = csd_bits_add(eval, node->optional[i], start, end, base, wide->words);
  }
  for (uint32_t i = 1; i < node->required_count && status == 0; i++) {
    status = combine(eval, node->required[i], start, end, base, false);
  }
  for (uint32_t i = 0; i < node->prohibited_count && status == 0; i++) {
    status = combine(eval, node->prohibited[i], start, end, base, true);
  }
  csd_bits_trim(wide->words, base, start, end);
  eval->work.units += words;
  batch->upto = end;
  batch->bits = wide->words;
  batch->bits_base = base;
  return status;
}
