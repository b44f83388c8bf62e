/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Dispatch by operator, and the operators that need only a line or two. */
#include "core/eval/eval.h"

#include <string.h>

#include "core/eval/eval_and.h"
#include "core/eval/eval_best.h"
#include "core/eval/eval_bits.h"
#include "core/eval/eval_bool.h"
#include "core/eval/eval_bool_produce.h"
#include "core/eval/eval_maxscore.h"
#include "core/eval/eval_or.h"
#include "core/eval/eval_term.h"

void csd_eval_rewind(struct csd_eval *eval) {
  for (uint32_t i = 0; i < eval->cursor_count; i++) {
    csd_list_cursor_rewind(&eval->cursors[i]);
  }
  for (uint32_t i = 0; i < eval->column_count; i++) {
    csd_column_cursor_rewind(&eval->columns[i]);
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

static int produce_column(struct csd_eval *eval, const struct csd_node *node, uint32_t from,
                          uint32_t limit, bool scored, struct csd_batch *batch) {
  struct csd_column_window *window = eval->column_window;
  uint32_t start;
  produce_nothing(limit, batch);
  int status = csd_column_cursor_next(node->column, from, limit, &start);
  if (status < 0 || start >= limit) {
    return status;
  }
  const uint32_t base = start & ~63u;
  const uint32_t end = limit - base < CSD_WINDOW_DOCS ? limit : base + CSD_WINDOW_DOCS;
  const uint32_t words = (end - base + 63u) / 64u;
  memset(window->bits, 0, words * sizeof window->bits[0]);
  status = csd_column_cursor_set_bits(node->column, start, end, base, window->bits);
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
    case CSD_OP_COLUMN_RANGE: return produce_column(eval, node, from, limit, scored, batch);
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
    default: hits->n = 0; break;
  }
  if (scored && status == 0) {
    fill(hits->scores, node->weight, hits->n);
  }
  return status;
}

int csd_eval_produce_root(struct csd_eval *eval, uint32_t from, uint32_t limit, bool scored,
                          struct csd_batch *batch) {
  struct csd_node *root = eval->root;
  struct csd_ranking *ranking = &eval->ranking;
  batch->bits = NULL;
  if (scored && ranking->may_skip && eval->best != NULL) {
    return csd_best_produce(eval, from, limit, batch);
  }
  if (ranking->may_skip && csd_non_competitive(ranking, root->bound)) {
    ranking->has_skipped = true;
    produce_nothing(limit, batch);
    return 0;
  }
  if (scored && !ranking->may_skip && eval->conjunction != NULL) {
    return csd_and_produce(eval, from, limit, batch);
  }
  if (scored && ranking->may_skip && eval->maxscore != NULL) {
    return csd_maxscore_produce(eval, from, limit, batch);
  }
  if (!scored && eval->wide != NULL) {
    return csd_bits_produce(eval, from, limit, batch);
  }
  return csd_eval_produce(eval, root, from, limit, scored, batch);
}
