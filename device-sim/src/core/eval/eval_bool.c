/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * BOOL nodes. Docs come from the cheapest required child, or from the node above; the other
 * children thin them out and add to their scores. Of the root, docs that cannot enter the result
 * are dropped as early as their bound tells.
 */
#include <string.h>

#include "core/eval/eval.h"

/* Docs of a lead that are looked up together, if there are no scores. */
#define LEAD_DOCS 512u

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

static struct csd_hits frame_hits(struct csd_frame *frame) {
  return (struct csd_hits){.n = 0, .index = frame->hit_index, .scores = frame->hit_scores};
}

int csd_bool_exclude(struct csd_eval *eval, struct csd_node *node, uint32_t n, bool scored) {
  struct csd_frame *frame = node->frame;
  for (uint32_t i = 0; i < node->prohibited_count && n > 0; i++) {
    struct csd_hits hits = frame_hits(frame);
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
static int require(struct csd_eval *eval, struct csd_node *node, uint32_t n, uint32_t first,
                   bool scored) {
  struct csd_frame *frame = node->frame;
  for (uint32_t i = first; i < node->required_count && n > 0; i++) {
    struct csd_node *child = node->required[i];
    struct csd_hits hits = frame_hits(frame);
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

/* Drops docs of the root that cannot enter the result when `rest` is the most still to come. */
static uint32_t drop_hopeless(struct csd_eval *eval, const struct csd_node *node, uint32_t n,
                              double rest) {
  struct csd_frame *frame = node->frame;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (csd_floor_excludes(&eval->floor, frame->must[i] + frame->should[i] + rest)) {
      continue;
    }
    frame->docs[kept] = frame->docs[i];
    frame->origin[kept] = frame->origin[i];
    frame->must[kept] = frame->must[i];
    frame->should[kept] = frame->should[i];
    frame->should_count[kept] = frame->should_count[i];
    kept++;
  }
  eval->floor.has_skipped |= kept < n;
  return kept;
}

/* Counts and scores one optional child's matches. */
static int add_child(struct csd_eval *eval, struct csd_node *node, struct csd_node *child,
                     uint32_t n, bool scored) {
  struct csd_frame *frame = node->frame;
  struct csd_hits hits = frame_hits(frame);
  const int status = csd_eval_probe(eval, child, frame->docs, n, scored, &hits);
  if (status < 0) {
    return status;
  }
  for (uint32_t j = 0; j < hits.n; j++) {
    frame->should_count[hits.index[j]]++;
  }
  if (scored) {
    for (uint32_t j = 0; j < hits.n; j++) {
      frame->should[hits.index[j]] += (double)hits.scores[j];
    }
  }
  return 0;
}

/* Counts and scores optional children, best bound first. Returns the docs left. */
static int add_optional(struct csd_eval *eval, struct csd_node *node, uint32_t n, bool scored) {
  struct csd_frame *frame = node->frame;
  if (node->optional_count == 0 || n == 0) {
    return node->min_should == 0 ? (int)n : 0;
  }
  if (!scored && node->min_should == 0) {
    return (int)n;
  }
  const bool drops = scored && node == eval->root && eval->floor.may_skip;
  memset(frame->should_count, 0, n * sizeof frame->should_count[0]);
  if (scored) {
    memset(frame->should, 0, n * sizeof frame->should[0]);
  }
  if (drops) {
    n = drop_hopeless(eval, node, n, eval->optional_bound);
  }
  for (uint32_t i = 0; i < node->optional_count && n > 0; i++) {
    struct csd_node *child = node->optional[i];
    const int status = add_child(eval, node, child, n, scored);
    if (status < 0) {
      return status;
    }
    if (drops) {
      n = drop_hopeless(eval, node, n, node->optional_rest[i]);
    }
  }
  return (int)(node->min_should > 0 ? keep_counted(node, n, scored) : n);
}

/* The node's scores: one cast for each kind of clause, then an addition in float. */
static void finish_scores(const struct csd_node *node, uint32_t n, float *scores) {
  const struct csd_frame *frame = node->frame;
  if (node->required_count == 0) {
    for (uint32_t i = 0; i < n; i++) {
      scores[i] = (float)frame->should[i];
    }
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    scores[i] = (float)frame->must[i];
  }
  if (node->optional_count > 0) {
    for (uint32_t i = 0; i < n; i++) {
      if (frame->should_count[i] > 0) {
        scores[i] += (float)frame->should[i];
      }
    }
  }
}

/* Prohibited children before optional ones: they are cheaper and may spare scores. */
static int exclude_and_add(struct csd_eval *eval, struct csd_node *node, uint32_t n, bool scored) {
  const int left = csd_bool_exclude(eval, node, n, scored);
  return left <= 0 ? left : add_optional(eval, node, (uint32_t)left, scored);
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
  int left = require(eval, node, n, 0, scored);
  if (left > 0) {
    left = exclude_and_add(eval, node, (uint32_t)left, scored);
  }
  if (left < 0) {
    return left;
  }
  hits->n = (uint32_t)left;
  memcpy(hits->index, frame->origin, hits->n * sizeof frame->origin[0]);
  if (scored) {
    finish_scores(node, hits->n, hits->scores);
  }
  return 0;
}

/* ---- producing ---- */

static double sum_of_bounds(struct csd_node *const *children, uint32_t count) {
  double sum = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    sum += children[i]->bound;
  }
  return sum;
}

/* Adds the children's bounds over the lead's current block to *sum. */
static int add_block_bounds(struct csd_node *const *children, uint32_t count,
                            const struct csd_list_cursor *lead, double *sum) {
  const uint32_t start = csd_list_cursor_block_start(lead);
  for (uint32_t i = 0; i < count; i++) {
    struct csd_node *child = children[i];
    if (child->op != CSD_OP_TERM || !child->scored) {
      *sum += child->bound;
      continue;
    }
    const int status = csd_list_cursor_seek(child->cursor, start);
    if (status < 0) {
      return status;
    }
    *sum += (double)csd_term_range_bound(child, lead->block_end);
  }
  return 0;
}

/* Whether the lead's current block cannot give a hit. Sets eval->optional_bound if it may. */
static int judge_bound(struct csd_eval *eval, struct csd_node *node, bool *excluded) {
  struct csd_node *lead = node->required[0];
  const uint32_t others = node->required_count - 1;
  const double lead_bound = (double)csd_term_block_bound(lead);
  /* First with the bounds of whole lists, which need no look at the other lists. */
  *excluded =
      csd_floor_excludes(&eval->floor, lead_bound + sum_of_bounds(node->required + 1, others) +
                                           sum_of_bounds(node->optional, node->optional_count));
  if (*excluded) {
    return 0;
  }
  double required = lead_bound;
  double optional = 0.0;
  int status = add_block_bounds(node->required + 1, others, lead->cursor, &required);
  if (status == 0) {
    status = add_block_bounds(node->optional, node->optional_count, lead->cursor, &optional);
  }
  eval->optional_bound = optional;
  eval->rest_bound = required - lead_bound + optional;
  *excluded = csd_floor_excludes(&eval->floor, required + optional);
  return status;
}

/*
 * Looks at the next block of the root's lead. Returns 1 if it can be left out altogether (batch is
 * set then), 0 if not, or a negated status; clears *scored if no score in it matters.
 */
static int judge_block(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                       bool *scored, struct csd_batch *batch) {
  struct csd_list_cursor *cursor = node->required[0]->cursor;
  int status = csd_list_cursor_seek(cursor, from);
  if (status < 0 || cursor->block_end == CSD_CURSOR_END) {
    return status;
  }
  bool excluded;
  status = judge_bound(eval, node, &excluded);
  if (status < 0 || !excluded) {
    return status;
  }
  *scored = false;
  if (!eval->floor.may_skip) {
    return 0;
  }
  eval->floor.has_skipped = true;
  batch->n = 0;
  batch->upto = cursor->block_end < limit ? cursor->block_end : limit;
  batch->scoring = CSD_SCORING_NONE;
  return 1;
}

/* Loads the frame with a lead's batch. */
static void take_batch(struct csd_frame *frame, const struct csd_batch *batch, bool scored) {
  const uint32_t n = batch->n;
  memcpy(frame->docs, batch->docs, n * sizeof batch->docs[0]);
  for (uint32_t i = 0; i < n; i++) {
    frame->origin[i] = (uint16_t)i;
  }
  if (!scored) {
    return;
  }
  if (batch->scoring == CSD_SCORING_ARRAY) {
    for (uint32_t i = 0; i < n; i++) {
      frame->must[i] = (double)batch->scores[i];
    }
  } else {
    const double score = batch->scoring == CSD_SCORING_CONSTANT ? (double)batch->constant : 0.0;
    for (uint32_t i = 0; i < n; i++) {
      frame->must[i] = score;
    }
  }
}

/*
 * Loads the frame with those docs of a TERM lead's batch that the next required child matches: most
 * of the batch need never be copied. Returns how many.
 */
static int take_matching(struct csd_eval *eval, struct csd_node *node,
                         const struct csd_batch *batch, bool scored) {
  struct csd_frame *frame = node->frame;
  struct csd_node *child = node->required[1];
  struct csd_hits hits = frame_hits(frame);
  const bool child_scored = scored && child->scored;
  const int status = csd_eval_probe(eval, child, batch->docs, batch->n, child_scored, &hits);
  if (status < 0) {
    return status;
  }
  for (uint32_t j = 0; j < hits.n; j++) {
    frame->docs[j] = batch->docs[hits.index[j]];
    frame->origin[j] = hits.index[j];
  }
  for (uint32_t j = 0; scored && j < hits.n; j++) {
    frame->must[j] = child_scored ? (double)hits.scores[j] : 0.0;
  }
  return (int)hits.n;
}

/* Adds the scores that a TERM lead gives the docs that have survived. */
static int score_lead(struct csd_eval *eval, struct csd_node *node, struct csd_node *lead,
                      uint32_t first_position, uint32_t n) {
  struct csd_frame *frame = node->frame;
  for (uint32_t i = 0; i < n; i++) {
    eval->term_positions[i] = (uint8_t)(first_position + frame->origin[i]);
  }
  const int status = csd_term_score(eval, lead, eval->term_positions, n);
  for (uint32_t i = 0; i < n && status == 0; i++) {
    frame->must[i] += (double)eval->term_scores[i];
  }
  return status;
}

/* The frame's docs as a scored batch. */
static void hand_out(const struct csd_node *node, uint32_t n, struct csd_batch *batch) {
  struct csd_frame *frame = node->frame;
  finish_scores(node, n, frame->scores);
  batch->n = n;
  batch->docs = frame->docs;
  batch->scores = frame->scores;
  batch->scoring = CSD_SCORING_ARRAY;
}

/*
 * Matches of the root when those without hope need not be counted: all docs of the lead's block are
 * scored, which takes less than to look them up in other lists, and most need not be looked up.
 */
static int produce_hopeful(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                           uint32_t limit, struct csd_batch *batch) {
  struct csd_frame *frame = node->frame;
  int status = csd_term_produce(eval, node->required[0], from, limit, true, batch);
  if (status < 0 || batch->n == 0) {
    batch->scoring = CSD_SCORING_NONE;
    return status;
  }
  memcpy(frame->docs, batch->docs, batch->n * sizeof batch->docs[0]);
  for (uint32_t i = 0; i < batch->n; i++) {
    frame->must[i] = (double)batch->scores[i];
  }
  const uint32_t n = eval->kernels->keep_above(frame->docs, frame->must, batch->n, eval->rest_bound,
                                               CSD_BOUND_SLACK, (double)eval->floor.score);
  eval->floor.has_skipped |= n < batch->n;
  int left = require(eval, node, n, 1, true);
  if (left > 0) {
    left = exclude_and_add(eval, node, (uint32_t)left, true);
  }
  if (left < 0) {
    return left;
  }
  hand_out(node, (uint32_t)left, batch);
  return 0;
}

/* Makes a TERM lead's batch, which is a block of it, longer by the blocks behind. */
static void add_blocks(struct csd_node *node, uint32_t limit, struct csd_batch *batch) {
  struct csd_list_cursor *cursor = node->required[0]->cursor;
  if (batch->upto >= limit || cursor->page == NULL || cursor->slot + 1u == cursor->end_slot) {
    return;
  }
  uint32_t *docs = node->frame->other_docs;
  memcpy(docs, batch->docs, batch->n * sizeof docs[0]);
  const uint32_t n = csd_list_cursor_add_docs(cursor, limit, docs + batch->n, LEAD_DOCS - batch->n);
  if (n > 0) {
    batch->docs = docs;
    batch->n += n;
    batch->upto = cursor->block_end;
  }
}

int csd_bool_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                     bool scored, struct csd_batch *batch) {
  struct csd_frame *frame = node->frame;
  struct csd_node *lead = node->required[0];
  const bool term_lead = lead->op == CSD_OP_TERM;
  /* A block of the root's that is not scored because it is hopeless is looked at alone. */
  const bool many = term_lead && !scored && (node != eval->root || eval->bits_wanted);
  if (node == eval->root) {
    eval->optional_bound = sum_of_bounds(node->optional, node->optional_count);
  }
  if (node == eval->root && eval->floor.ranking && scored && term_lead) {
    const int verdict = judge_block(eval, node, from, limit, &scored, batch);
    if (verdict != 0) {
      return verdict < 0 ? verdict : 0;
    }
    if (eval->floor.may_skip && scored && lead->scored) {
      return node->lone ? csd_lone_produce_above(eval, node, from, limit, eval->floor.score, batch)
                        : produce_hopeful(eval, node, from, limit, batch);
    }
  }
  if (node->lone && scored) {
    return csd_lone_produce(eval, node, from, limit, batch);
  }
  /* A TERM is scored when it is known which of its docs survive. */
  const bool lead_scored = scored && lead->scored;
  int status = csd_eval_produce(eval, lead, from, limit, lead_scored && !term_lead, batch);
  if (status == 0 && many && batch->n > 0) {
    add_blocks(node, limit, batch);
  }
  if (status < 0 || batch->n == 0) {
    batch->scoring = CSD_SCORING_NONE;
    return status;
  }
  int left;
  if (term_lead && node->required_count > 1) {
    left = take_matching(eval, node, batch, scored);
    if (left > 0) {
      left = require(eval, node, (uint32_t)left, 2, scored);
    }
  } else {
    take_batch(frame, batch, scored);
    left = require(eval, node, batch->n, 1, scored);
  }
  if (left > 0) {
    left = csd_bool_exclude(eval, node, (uint32_t)left, scored);
  }
  if (left > 0 && lead_scored && term_lead) {
    /* Scored batches are a part of the lead's block: add_blocks makes others. */
    const uint32_t first_position = (uint32_t)(batch->docs - lead->cursor->docs);
    status = score_lead(eval, node, lead, first_position, (uint32_t)left);
    left = status < 0 ? status : left;
  }
  if (left > 0) {
    left = add_optional(eval, node, (uint32_t)left, scored);
  }
  if (left < 0) {
    return left;
  }
  if (scored) {
    hand_out(node, (uint32_t)left, batch);
    return 0;
  }
  batch->n = (uint32_t)left;
  batch->docs = frame->docs;
  batch->scoring = CSD_SCORING_NONE;
  return 0;
}
