/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/test_eval.c and tests/core/eval/bool/test_eval_blend.c. */
#include "core/eval/bool/eval_synonym.h"

#include "core/eval/bool/eval_blend.h"
#include "core/eval/bool/eval_bool.h"
#include "core/eval/eval_term.h"

/* Adds up frequencies; norms go where a BOOL has the sums of its required children. */
static int look_up(struct csd_eval *eval, struct csd_node *node, struct csd_node *term,
                   uint32_t n) {
  struct csd_frame *frame = node->frame;
  uint32_t *freqs = frame->other_docs;
  const int hits = csd_term_find(eval, term, frame->docs, n, frame->hit_index, freqs, node->norms);
  for (int j = 0; j < hits; j++) {
    const uint32_t i = frame->hit_index[j];
    frame->should[i] += (double)((float)freqs[j] * term->weight);
    frame->must[i] = (double)node->norms[j];
    frame->should_count[i]++;
  }
  return hits < 0 ? hits : 0;
}

static void finish_looked_up(const struct csd_node *node, uint32_t n, float *scores) {
  const struct csd_frame *frame = node->frame;
  for (uint32_t i = 0; i < n; i++) {
    const uint8_t norm = csd_synonym_norm(node, frame->docs[i], (uint8_t)frame->must[i]);
    scores[i] = csd_term_freq_score(node, (float)frame->should[i], norm);
  }
}

static int gather(struct csd_eval *eval, struct csd_node *node, struct csd_node *term,
                  uint32_t start, uint32_t end) {
  struct csd_window *window = node->window;
  const uint32_t base = start & ~63u;
  for (uint32_t at = start; at < end;) {
    struct csd_batch batch;
    int status = csd_term_produce(eval, term, at, end, false, &batch);
    status = status == 0 && batch.n > 0 ? csd_term_load(term) : status;
    if (status < 0) {
      return status;
    }
    eval->kernels->set_bits(window->bits, base, batch.docs, batch.n);
    const size_t first = batch.n > 0 ? (size_t)(batch.docs - term->cursor->docs) : 0;
    for (uint32_t i = 0; i < batch.n; i++) {
      const uint32_t doc = batch.docs[i] - base;
      window->sum[doc] += (double)((float)term->cursor->freqs[first + i] * term->weight);
      node->norms[doc] = term->cursor->norms[first + i];
    }
    at = batch.upto;
  }
  return 0;
}

static void finish_gathered(struct csd_eval *eval, struct csd_node *node, uint32_t base,
                            uint32_t n) {
  struct csd_frame *frame = node->frame;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t doc = frame->docs[i];
    const uint8_t norm = csd_synonym_norm(node, doc, node->norms[doc - base]);
    frame->must[i] = (double)csd_term_freq_score(node, (float)frame->must[i], norm);
  }
  eval->work.docs_scored += n;
}

/* Of a posting, the greatest value is its norm, which all postings of a doc have. */
static int next_postings(struct csd_eval *eval, struct csd_node *term, uint32_t at, uint32_t end,
                         struct csd_postings *next) {
  struct csd_batch batch;
  int status = csd_term_produce(eval, term, at, end, false, &batch);
  status = status == 0 && batch.n > 0 ? csd_term_load(term) : status;
  if (status < 0) {
    return status;
  }
  *next = (struct csd_postings){.n = batch.n,
                                .upto = batch.upto,
                                .docs = batch.docs,
                                .added = eval->term_scores,
                                .most = eval->kept_scores};
  const size_t first = batch.n > 0 ? (size_t)(batch.docs - term->cursor->docs) : 0;
  for (uint32_t i = 0; i < batch.n; i++) {
    eval->term_scores[i] = (float)term->cursor->freqs[first + i] * term->weight;
    eval->kept_scores[i] = (float)term->cursor->norms[first + i];
  }
  return 0;
}

static void finish_blended(struct csd_eval *eval, const struct csd_node *node,
                           struct csd_blend *blend) {
  for (uint32_t i = 0; i < blend->n; i++) {
    const uint8_t norm = csd_synonym_norm(node, blend->docs[i], (uint8_t)blend->most[i]);
    blend->sum[i] = (double)csd_term_freq_score(node, (float)blend->sum[i], norm);
  }
  eval->work.docs_scored += blend->n;
}

static const struct csd_bool_scores SCORES = {look_up,         finish_looked_up, gather,
                                              finish_gathered, next_postings,    finish_blended};

const struct csd_operator csd_op_synonym = {CSD_BOOL_ROW("SYNONYM", SCORES)};
