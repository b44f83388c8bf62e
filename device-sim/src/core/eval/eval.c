/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Dispatch by operator, and the operators that need only a line or two. */
#include "core/eval/eval.h"

#include <string.h>

#include "core/eval/eval_bits.h"
#include "core/eval/eval_bool.h"
#include "core/eval/eval_bool_produce.h"
#include "core/eval/eval_or.h"
#include "core/eval/eval_phrase.h"
#include "core/eval/eval_term.h"
#include "core/eval/eval_term_set.h"

/* A shell sort: plans may have a thousand children, and it needs neither memory nor recursion. Of a
   few nodes those that are equal stay in their order. */
void csd_sort_nodes(struct csd_node **nodes, uint32_t count, csd_node_order is_before) {
  uint32_t gap = 1;
  while (gap < count / 3) {
    gap = 3 * gap + 1;
  }
  for (; gap > 0; gap /= 3) {
    for (uint32_t i = gap; i < count; i++) {
      struct csd_node *node = nodes[i];
      uint32_t at = i;
      for (; at >= gap && is_before(node, nodes[at - gap]); at -= gap) {
        nodes[at] = nodes[at - gap];
      }
      nodes[at] = node;
    }
  }
}

void csd_eval_rewind(struct csd_eval *eval) {
  for (uint32_t i = 0; i < eval->cursor_count; i++) {
    csd_list_cursor_rewind(&eval->cursors[i]);
  }
  for (uint32_t i = 0; i < eval->position_count; i++) {
    csd_position_cursor_rewind(&eval->positions[i]);
  }
  for (uint32_t i = 0; i < eval->column_count; i++) {
    csd_column_cursor_rewind(&eval->columns[i]);
  }
  for (struct csd_node *set = eval->sets; set != NULL; set = set->next_set) {
    csd_term_set_rewind(set->terms);
  }
}

static void produce_nothing(uint32_t limit, struct csd_batch *batch) {
  batch->n = 0;
  batch->upto = limit;
  batch->scoring = CSD_SCORING_NONE;
}

static void produce_all(struct csd_eval *eval, const struct csd_node *node, uint32_t from,
                        uint32_t limit, bool scored, struct csd_batch *batch) {
  batch->n = limit - from < CSD_WINDOW_DOCS ? limit - from : CSD_WINDOW_DOCS;
  for (uint32_t i = 0; i < batch->n; i++) {
    eval->all_docs[i] = from + i;
  }
  eval->work.units += batch->n;
  batch->docs = eval->all_docs;
  batch->upto = from + batch->n;
  batch->scoring = scored ? CSD_SCORING_CONSTANT : CSD_SCORING_NONE;
  batch->constant = node->weight;
}

/* Produces a COLUMN_RANGE or TERM_SET. */
static int produce_window(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                          uint32_t limit, bool scored, struct csd_batch *batch) {
  struct csd_column_window *window = eval->column_window;
  uint32_t start;
  produce_nothing(limit, batch);
  int status = csd_leaf_next(node, from, limit, &start);
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
  batch->scoring = scored ? CSD_SCORING_CONSTANT : CSD_SCORING_NONE;
  batch->constant = node->weight;
  return status;
}

int csd_eval_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                     bool scored, struct csd_batch *batch) {
  batch->bits = NULL;
  switch (node->op) {
    case CSD_OP_TERM: return csd_term_produce(eval, node, from, limit, scored, batch);
    case CSD_OP_BOOL:
      return node->required_count > 0 ? csd_bool_produce(eval, node, from, limit, scored, batch)
                                      : csd_or_produce(eval, node, from, limit, scored, batch);
    case CSD_OP_CONST: {
      const int status = csd_eval_produce(eval, node->required[0], from, limit, false, batch);
      batch->scoring = scored ? CSD_SCORING_CONSTANT : CSD_SCORING_NONE;
      batch->constant = node->weight;
      return status;
    }
    case CSD_OP_ALL: produce_all(eval, node, from, limit, scored, batch); return 0;
    case CSD_OP_COLUMN_RANGE:
    case CSD_OP_TERM_SET: return produce_window(eval, node, from, limit, scored, batch);
    case CSD_OP_PHRASE: return csd_phrase_produce(eval, node, from, limit, scored, batch);
    default: produce_nothing(limit, batch); return 0;
  }
}

static void fill(float *scores, float value, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    scores[i] = value;
  }
}

int csd_eval_probe(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                   bool scored, struct csd_hits *hits) {
  int status = 0;
  eval->work.units++;
  switch (node->op) {
    case CSD_OP_TERM: return csd_term_probe(eval, node, docs, n, scored, hits);
    case CSD_OP_BOOL: return csd_bool_probe(eval, node, docs, n, scored, hits);
    case CSD_OP_PHRASE: return csd_phrase_probe(eval, node, docs, n, scored, hits);
    case CSD_OP_CONST:
      status = csd_eval_probe(eval, node->required[0], docs, n, false, hits);
      break;
    case CSD_OP_ALL:
      for (uint32_t i = 0; i < n; i++) {
        hits->index[i] = (uint16_t)i;
      }
      hits->n = n;
      break;
    case CSD_OP_COLUMN_RANGE:
      status = csd_column_cursor_probe(node->column, docs, n, hits->index, &hits->n);
      break;
    case CSD_OP_TERM_SET:
      status = csd_term_set_probe(node->terms, docs, n, hits->index, &hits->n);
      break;
    default: hits->n = 0; break;
  }
  if (scored && status == 0) {
    fill(hits->scores, node->weight, hits->n);
  }
  return status;
}
