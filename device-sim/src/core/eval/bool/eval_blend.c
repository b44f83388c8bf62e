/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Scored disjunctions of rare terms of which a sum does not tell the score: a DIS_MAX needs the
 * greatest score, too, a SYNONYM the norm. As in eval_merge, the terms' postings are merged, term
 * after term, since a window would cost as much as ever, but hold few docs. What a posting adds is
 * its score or its weighted frequency; of what it brings along, score or norm, the greatest is kept
 * (all postings of a doc have the same norm).
 */
#include "core/eval/bool/eval_blend.h"

#include <string.h>

#include "core/eval/bool/eval_bool.h"
#include "core/eval/bool/eval_or.h"
#include "core/eval/eval_term.h"

/* Expected docs per window up to which a blend costs less than the window. */
#define BLEND_PAYS_TO 96u

bool csd_blend_pays(const struct csd_node *node, uint32_t max_doc) {
  const bool alone = node->optional_count == 1 && node->required_count == 0 &&
                     node->min_should <= 1 && node->optional[0]->op->is_term;
  return alone || csd_or_is_sparse(node, BLEND_PAYS_TO, max_doc);
}

/* Merges postings with the docs of `left` from *i on, up to the last posting, into `to`. */
static void merge_postings(const struct csd_blend *left, uint32_t *i,
                           const struct csd_postings *next, struct csd_blend *to) {
  uint32_t a = *i;
  uint32_t b = 0;
  uint32_t n = to->n;
  while (b < next->n) {
    const uint32_t y = next->docs[b];
    const uint32_t x = a < left->n ? left->docs[a] : UINT32_MAX;
    if (x < y) {
      to->docs[n] = x;
      to->sum[n] = left->sum[a];
      to->most[n++] = left->most[a++];
      continue;
    }
    double sum = 0.0;
    float most = next->most[b];
    if (x == y) {
      sum = left->sum[a];
      most = left->most[a] > most ? left->most[a] : most;
      a++;
    }
    to->docs[n] = y;
    to->sum[n] = sum + (double)next->added[b++];
    to->most[n++] = most;
  }
  to->n = n;
  *i = a;
}

/* Merges a term's postings in [from, *end) with `left` into `to`; lowers *end where room ends. */
static int merge_term(struct csd_eval *eval, const struct csd_node *node, struct csd_node *term,
                      uint32_t from, uint32_t *end, const struct csd_blend *left,
                      struct csd_blend *to) {
  uint32_t taken = 0; /* of left */
  to->n = 0;
  for (uint32_t at = from; at < *end;) {
    if (node->optional_count == 1 && to->n + CSD_BLOCK_POSTINGS > CSD_WINDOW_DOCS) {
      *end = at;
      break;
    }
    struct csd_postings next;
    const int status = node->op->scores->next_postings(eval, term, at, *end, &next);
    if (status < 0) {
      return status;
    }
    /* A list may be longer than its list_ref says where the cursor cannot tell. */
    if (to->n + (left->n - taken) + next.n > CSD_WINDOW_DOCS) {
      return -CSD_STATUS_LIST_CORRUPT;
    }
    merge_postings(left, &taken, &next, to);
    at = next.upto;
  }
  const uint32_t rest = left->n - taken;
  memcpy(to->docs + to->n, left->docs + taken, rest * sizeof to->docs[0]);
  memcpy(to->sum + to->n, left->sum + taken, rest * sizeof to->sum[0]);
  memcpy(to->most + to->n, left->most + taken, rest * sizeof to->most[0]);
  to->n += rest;
  return 0;
}

int csd_blend_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                      struct csd_batch *batch) {
  struct csd_frame *frame = node->frame;
  const uint32_t count = node->optional_count;
  uint32_t end = limit;
  int status = 0;
  if (count > 1 && node->cost > CSD_WINDOW_DOCS) {
    status = csd_or_block_end(node, from, &end);
  }
  /* Sums are added up in the order of the terms; the last term is merged into the frame's docs. */
  struct csd_blend lists[2] = {{frame->docs, frame->must, frame->scores, 0},
                               {frame->other_docs, frame->should, frame->hit_scores, 0}};
  for (uint32_t i = 0; i < count && status == 0; i++) {
    const uint32_t to = (count - 1u - i) % 2u;
    status = merge_term(eval, node, node->optional[i], from, &end, &lists[1u - to], &lists[to]);
  }
  if (status < 0) {
    return status;
  }
  node->op->scores->finish_blended(eval, node, &lists[0]);
  batch->upto = end;
  eval->work.units += 8u;
  return csd_or_finish(eval, node, (int)lists[0].n, true, batch);
}
