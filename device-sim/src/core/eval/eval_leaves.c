/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/test_eval.c. */
#include "core/eval/eval_leaves.h"

#include "core/eval/eval_bits.h"

/* ---- CONST ---- */

static int produce_const(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                         uint32_t limit, bool scored, struct csd_batch *batch) {
  (void)scored;
  return csd_eval_produce(eval, node->required[0], from, limit, false, batch);
}

static int probe_const(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs,
                       uint32_t n, bool scored, struct csd_hits *hits) {
  (void)scored;
  return csd_eval_probe(eval, node->required[0], docs, n, false, hits);
}

static int next_const(const struct csd_node *node, uint32_t from, uint32_t limit, uint32_t *next) {
  return csd_eval_next(node->required[0], from, limit, next);
}

static uint64_t min_count_const(const struct csd_node *node, bool *exact) {
  return csd_min_count(node->required[0], exact);
}

const struct csd_operator csd_op_const = {.name = "CONST",
                                          .one_score = true,
                                          .produce = produce_const,
                                          .probe = probe_const,
                                          .next = next_const,
                                          .min_count = min_count_const};

/* ---- ALL ---- */

static int produce_all(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                       bool scored, struct csd_batch *batch) {
  (void)node;
  (void)scored;
  batch->n = limit - from < CSD_WINDOW_DOCS ? limit - from : CSD_WINDOW_DOCS;
  for (uint32_t i = 0; i < batch->n; i++) {
    eval->all_docs[i] = from + i;
  }
  eval->work.units += batch->n;
  batch->docs = eval->all_docs;
  batch->upto = from + batch->n;
  return 0;
}

static int probe_all(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                     bool scored, struct csd_hits *hits) {
  (void)eval;
  (void)node;
  (void)docs;
  (void)scored;
  for (uint32_t i = 0; i < n; i++) {
    hits->index[i] = (uint16_t)i;
  }
  hits->n = n;
  return 0;
}

/* Bits of docs outside [from, end) may be set, too. */
static int add_bits_of_all(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                           uint32_t end, uint32_t base, uint64_t *bits) {
  (void)eval;
  (void)node;
  for (uint32_t w = (from - base) / 64u; w < (end - base + 63u) / 64u; w++) {
    bits[w] = UINT64_MAX;
  }
  return 0;
}

static uint64_t count_all(const struct csd_node *node, bool *exact) {
  *exact = true;
  return node->cost;
}

const struct csd_operator csd_op_all = {.name = "ALL",
                                        .matches_all = true,
                                        .one_score = true,
                                        .produce = produce_all,
                                        .probe = probe_all,
                                        .add_bits = add_bits_of_all,
                                        .min_count = count_all};

/* ---- NONE ---- */

static int produce_none(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                        bool scored, struct csd_batch *batch) {
  (void)eval;
  (void)node;
  (void)from;
  (void)scored;
  batch->n = 0;
  batch->upto = limit;
  batch->scoring = CSD_SCORING_NONE;
  return 0;
}

static int probe_none(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs,
                      uint32_t n, bool scored, struct csd_hits *hits) {
  (void)eval;
  (void)node;
  (void)docs;
  (void)n;
  (void)scored;
  hits->n = 0;
  return 0;
}

static int next_none(const struct csd_node *node, uint32_t from, uint32_t limit, uint32_t *next) {
  (void)node;
  (void)from;
  *next = limit;
  return 0;
}

const struct csd_operator csd_op_none = {
    .name = "NONE", .produce = produce_none, .probe = probe_none, .next = next_none};

/* ---- columns ---- */

static int probe_column(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs,
                        uint32_t n, bool scored, struct csd_hits *hits) {
  (void)eval;
  (void)scored;
  return csd_column_cursor_probe(node->column, docs, n, hits->index, &hits->n);
}

static int next_in_column(const struct csd_node *node, uint32_t from, uint32_t limit,
                          uint32_t *next) {
  return csd_column_cursor_next(node->column, from, limit, next);
}

static int add_bits_of_column(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                              uint32_t end, uint32_t base, uint64_t *bits) {
  (void)eval;
  return csd_column_cursor_set_bits(node->column, from, end, base, bits);
}

static void rewind_column(struct csd_node *node) { csd_column_cursor_rewind(node->column); }

static void close_column(struct csd_node *node) { csd_column_cursor_close(node->column); }

static void add_reads_of_column(const struct csd_node *node, struct csd_reads *reads) {
  const struct csd_column_cursor *column = node->column;
  reads->pages_skipped +=
      column->ref.page_count > column->read ? column->ref.page_count - column->read : 0;
}

const struct csd_operator csd_op_column = {.name = "COLUMN",
                                           .is_leaf = true,
                                           .one_score = true,
                                           .produce = csd_bits_window_produce,
                                           .probe = probe_column,
                                           .next = next_in_column,
                                           .add_bits = add_bits_of_column,
                                           .rewind = rewind_column,
                                           .close = close_column,
                                           .add_reads = add_reads_of_column};
