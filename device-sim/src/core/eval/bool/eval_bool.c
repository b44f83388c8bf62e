/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * BOOL nodes. Docs come from the cheapest required child, or from the node above. The other
 * children drop some of them and add to the scores of the others. Of the root, docs are dropped as
 * soon as bounds show that they are non-competitive.
 */
#include "core/eval/bool/eval_bool.h"

#include <string.h>

#include "core/eval/eval.h"
#include "core/eval/eval_term.h"

/* Keeps the docs that were hit; adds their scores to `must` if the child counts. */
static uint32_t keep_hits(struct csd_frame *frame, const struct csd_hits *hits, bool scored,
                          bool child_scored) {
  const uint16_t *index = hits->index;
  for (uint32_t j = 0; j < hits->n; j++) {
    frame->docs[j] = frame->docs[index[j]];
    frame->origin[j] = frame->origin[index[j]];
  }
  if (scored) {
    for (uint32_t j = 0; j < hits->n; j++) {
      frame->must[j] = frame->must[index[j]] + (child_scored ? (double)hits->scores[j] : 0.0);
    }
  }
  return hits->n;
}

/* Drops the docs that were hit. */
static uint32_t drop_hits(struct csd_frame *frame, const struct csd_hits *hits, uint32_t n,
                          bool scored) {
  uint32_t kept = 0;
  uint32_t next = 0; /* hit */
  for (uint32_t i = 0; i < n; i++) {
    if (next < hits->n && hits->index[next] == i) {
      next++;
      continue;
    }
    frame->docs[kept] = frame->docs[i];
    frame->origin[kept] = frame->origin[i];
    if (scored) {
      frame->must[kept] = frame->must[i];
    }
    kept++;
  }
  return kept;
}

int csd_bool_exclude(struct csd_eval *eval, struct csd_node *node, uint32_t n, bool scored) {
  struct csd_frame *frame = node->frame;
  for (uint32_t i = 0; i < node->prohibited_count && n > 0; i++) {
    struct csd_hits hits = csd_frame_hits(frame);
    const int status = csd_eval_probe(eval, node->prohibited[i], frame->docs, n, false, &hits);
    if (status < 0) {
      return status;
    }
    if (hits.n > 0) {
      n = drop_hits(frame, &hits, n, scored);
    }
  }
  return (int)n;
}

/* Takes the frame's docs through the required children from `first` on. Returns those left. */
int csd_bool_require(struct csd_eval *eval, struct csd_node *node, uint32_t n, uint32_t first,
                     bool scored) {
  struct csd_frame *frame = node->frame;
  for (uint32_t i = first; i < node->required_count && n > 0; i++) {
    struct csd_node *child = node->required[i];
    struct csd_hits hits = csd_frame_hits(frame);
    const bool child_scored = scored && child->scored;
    const int status = csd_eval_probe(eval, child, frame->docs, n, child_scored, &hits);
    if (status < 0) {
      return status;
    }
    n = keep_hits(frame, &hits, scored, child_scored);
  }
  return (int)n;
}

/* Keeps the docs that `min_should` optional children match. */
static uint32_t keep_counted(const struct csd_node *node, uint32_t n, bool scored) {
  struct csd_frame *frame = node->frame;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (frame->should_count[i] < node->min_should) {
      continue;
    }
    frame->docs[kept] = frame->docs[i];
    frame->origin[kept] = frame->origin[i];
    frame->should_count[kept] = frame->should_count[i];
    if (scored) {
      frame->must[kept] = frame->must[i];
      frame->should[kept] = frame->should[i];
    }
    kept++;
  }
  return kept;
}

/* Drops docs of the root that are non-competitive if they gain at most `rest` more. */
static uint32_t drop_non_competitive(struct csd_eval *eval, const struct csd_node *node, uint32_t n,
                                     double rest) {
  struct csd_frame *frame = node->frame;
  if (!eval->ranking.active) {
    return n;
  }
  const double slack = csd_bound_slack(&eval->ranking);
  const double most = csd_most_non_competitive(&eval->ranking);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    /* Without a branch: which docs are kept can hardly be predicted. */
    const bool keeps = !((frame->must[i] + frame->should[i] + rest) * slack <= most);
    frame->docs[kept] = frame->docs[i];
    frame->origin[kept] = frame->origin[i];
    frame->must[kept] = frame->must[i];
    frame->should[kept] = frame->should[i];
    frame->should_count[kept] = frame->should_count[i];
    kept += keeps;
  }
  eval->ranking.has_skipped |= kept < n;
  return kept;
}

int csd_bool_add_hits(struct csd_eval *eval, struct csd_node *child, struct csd_frame *frame,
                      uint32_t n, bool scored, struct csd_hits *hits) {
  *hits = csd_frame_hits(frame);
  const int status = csd_eval_probe(eval, child, frame->docs, n, scored, hits);
  if (status < 0) {
    return status;
  }
  for (uint32_t j = 0; j < hits->n; j++) {
    frame->should_count[hits->index[j]]++;
  }
  for (uint32_t j = 0; scored && j < hits->n; j++) {
    frame->should[hits->index[j]] += (double)hits->scores[j];
  }
  return 0;
}

/* Counts and scores one optional child's matches. */
static int add_child(struct csd_eval *eval, struct csd_node *node, struct csd_node *child,
                     uint32_t n, bool scored) {
  struct csd_hits hits;
  return scored ? node->op->scores->look_up(eval, node, child, n)
                : csd_bool_add_hits(eval, child, node->frame, n, false, &hits);
}

/* Counts and scores optional children, best bound first. Returns the docs left. */
int csd_bool_add_optional(struct csd_eval *eval, struct csd_node *node, uint32_t n, bool scored) {
  struct csd_frame *frame = node->frame;
  if (node->optional_count == 0 || n == 0) {
    return node->min_should == 0 ? (int)n : 0;
  }
  if (!scored && node->min_should == 0) {
    return (int)n;
  }
  const bool drops = scored && node == eval->root && eval->ranking.may_skip;
  memset(frame->should_count, 0, n * sizeof frame->should_count[0]);
  if (scored) {
    memset(frame->should, 0, n * sizeof frame->should[0]);
  }
  if (drops) {
    n = drop_non_competitive(eval, node, n, eval->optional_bound);
  }
  for (uint32_t i = 0; i < node->optional_count && n > 0; i++) {
    struct csd_node *child = node->optional[i];
    const int status = add_child(eval, node, child, n, scored);
    if (status < 0) {
      return status;
    }
    if (drops) {
      n = drop_non_competitive(eval, node, n, node->optional_rest[i]);
    }
  }
  return (int)(node->min_should > 0 ? keep_counted(node, n, scored) : n);
}

/* Prohibited children before optional ones: they are cheaper and may spare scores. */
int csd_bool_exclude_and_add(struct csd_eval *eval, struct csd_node *node, uint32_t n,
                             bool scored) {
  const int left = csd_bool_exclude(eval, node, n, scored);
  return left <= 0 ? left : csd_bool_add_optional(eval, node, (uint32_t)left, scored);
}

int csd_bool_probe(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                   bool scored, struct csd_hits *hits) {
  struct csd_frame *frame = node->frame;
  memcpy(frame->docs, docs, n * sizeof docs[0]);
  for (uint32_t i = 0; i < n; i++) {
    frame->origin[i] = (uint16_t)i;
  }
  if (scored) {
    memset(frame->must, 0, n * sizeof frame->must[0]);
  }
  int left = csd_bool_require(eval, node, n, 0, scored);
  if (left > 0) {
    left = csd_bool_exclude_and_add(eval, node, (uint32_t)left, scored);
  }
  if (left < 0) {
    return left;
  }
  hits->n = (uint32_t)left;
  memcpy(hits->index, frame->origin, hits->n * sizeof frame->origin[0]);
  if (scored) {
    node->op->scores->finish_looked_up(node, hits->n, hits->scores);
  }
  return 0;
}
