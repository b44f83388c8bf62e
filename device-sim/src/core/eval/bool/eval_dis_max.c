/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/test_eval.c and tests/core/eval/bool/test_eval_blend.c. */
#include "core/eval/bool/eval_dis_max.h"

#include "core/eval/bool/eval_blend.h"
#include "core/eval/bool/eval_bool.h"
#include "core/eval/bool/eval_or.h"
#include "core/eval/eval_term.h"

static int look_up(struct csd_eval *eval, struct csd_node *node, struct csd_node *child,
                   uint32_t n) {
  struct csd_frame *frame = node->frame;
  struct csd_hits hits;
  const int status = csd_bool_add_hits(eval, child, frame, n, true, &hits);
  for (uint32_t j = 0; j < hits.n && status == 0; j++) {
    double *most = &frame->must[hits.index[j]]; /* the greatest of the children's scores */
    const double score = (double)hits.scores[j];
    *most = score > *most ? score : *most;
  }
  return status;
}

static void finish_looked_up(const struct csd_node *node, uint32_t n, float *scores) {
  const struct csd_frame *frame = node->frame;
  for (uint32_t i = 0; i < n; i++) {
    scores[i] = csd_dis_max_score(node, frame->must[i], frame->should[i]);
  }
}

/* Adds up scores, and raises the greatest ones. */
static void add_batch(struct csd_node *node, uint32_t base, const struct csd_batch *batch) {
  csd_or_add_scores(node, base, batch);
  for (uint32_t i = 0; i < batch->n; i++) {
    const float score = batch->scoring == CSD_SCORING_ARRAY ? batch->scores[i] : batch->constant;
    float *most = &node->greatest[batch->docs[i] - base];
    *most = score > *most ? score : *most;
  }
}

static int gather(struct csd_eval *eval, struct csd_node *node, struct csd_node *child,
                  uint32_t start, uint32_t end) {
  return csd_or_gather(eval, node, child, start, end, add_batch);
}

static void finish_gathered(struct csd_eval *eval, struct csd_node *node, uint32_t base,
                            uint32_t n) {
  (void)eval;
  struct csd_frame *frame = node->frame;
  for (uint32_t i = 0; i < n; i++) {
    float *greatest = &node->greatest[frame->docs[i] - base];
    frame->must[i] = (double)csd_dis_max_score(node, (double)*greatest, frame->must[i]);
    *greatest = 0.0f;
  }
}

static int next_postings(struct csd_eval *eval, struct csd_node *term, uint32_t at, uint32_t end,
                         struct csd_postings *next) {
  struct csd_batch batch;
  const int status = csd_term_produce(eval, term, at, end, true, &batch);
  if (status < 0) {
    return status;
  }
  *next = (struct csd_postings){.n = batch.n,
                                .upto = batch.upto,
                                .docs = batch.docs,
                                .added = eval->term_scores,
                                .most = eval->term_scores};
  return 0;
}

static void finish_blended(struct csd_eval *eval, const struct csd_node *node,
                           struct csd_blend *blend) {
  (void)eval;
  for (uint32_t i = 0; i < blend->n; i++) {
    blend->sum[i] = (double)csd_dis_max_score(node, (double)blend->most[i], blend->sum[i]);
  }
}

static const struct csd_bool_scores SCORES = {look_up,         finish_looked_up, gather,
                                              finish_gathered, next_postings,    finish_blended};

const struct csd_operator csd_op_dis_max = {CSD_BOOL_ROW("DIS_MAX", SCORES)};
