/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/bool/test_eval_bool.c. */
/*
 * The lead is the required child with the least cost. It produces batches; the other clauses drop
 * docs from them and add scores. Of the root, whole posting blocks of the lead and single docs are
 * dropped as soon as bounds show that they are non-competitive.
 */
#include "core/eval/bool/eval_bool_produce.h"

#include <string.h>

#include "core/eval/bool/eval_bool.h"
#include "core/eval/bool/eval_or.h"
#include "core/eval/bool/eval_single.h"
#include "core/eval/eval.h"
#include "core/eval/eval_term.h"
#include "core/eval/phrase/eval_phrase.h"
#include "core/phrase/phrase.h"

/* Docs of a lead that are looked up together if they are not scored. */
#define LEAD_DOCS 512u

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
    if (!child->op->is_term || !child->scored) {
      *sum += child->bound;
      continue;
    }
    const int status = csd_list_cursor_approach(child->cursor, start);
    if (status < 0) {
      return status;
    }
    *sum += (double)csd_term_range_bound(child, lead->block_end);
  }
  return 0;
}

/* Whether no doc is competitive whose required children add up to one bound, and the optional ones
   to the other. */
static bool is_excluded(const struct csd_eval *eval, const struct csd_node *node, double required,
                        double optional) {
  if (node->exact_sums) { /* added as scores are */
    return csd_exactly_non_competitive(&eval->ranking, (double)((float)required + (float)optional));
  }
  return csd_non_competitive(&eval->ranking, required + optional);
}

/* Whether the lead's current block, or its next page, is non-competitive by the bounds of the other
   children's whole lists. */
static bool lists_exclude(const struct csd_eval *eval, const struct csd_node *node) {
  return is_excluded(eval, node,
                     (double)csd_term_block_bound(node->required[0]) +
                         sum_of_bounds(node->required + 1, node->required_count - 1),
                     sum_of_bounds(node->optional, node->optional_count));
}

/* Takes those children that are terms to `from`, without reading pages of which the page index
   tells, and lowers *end to where the first one's block or page ends. */
static int approach_all(struct csd_node *const *children, uint32_t count, uint32_t from,
                        uint32_t *end) {
  for (uint32_t i = 0; i < count; i++) {
    if (children[i]->op->is_term && children[i]->scored) {
      struct csd_list_cursor *cursor = children[i]->cursor;
      const int status = csd_list_cursor_approach(cursor, from);
      if (status < 0) {
        return status;
      }
      *end = cursor->block_end < *end ? cursor->block_end : *end;
    }
  }
  return 0;
}

/* Sum of the children's bounds from their current blocks on to `end`. */
static double sum_to(struct csd_node *const *children, uint32_t count, uint32_t end) {
  double sum = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    struct csd_node *child = children[i];
    sum += child->op->is_term && child->scored ? (double)csd_term_range_bound(child, end)
                                               : child->bound;
  }
  return sum;
}

/*
 * Judges the lead's next page, which has not been read, up to where the first of the terms' pages
 * ends. Sets *excluded to whether nothing is competitive before *end.
 */
static int judge_pages(struct csd_eval *eval, struct csd_node *node, uint32_t from, bool *excluded,
                       uint32_t *end) {
  const uint32_t start = csd_list_cursor_block_start(node->required[0]->cursor);
  const uint32_t first = start > from ? start : from;
  *end = CSD_CURSOR_END;
  int status = approach_all(node->required, node->required_count, first, end);
  if (status == 0) {
    status = approach_all(node->optional, node->optional_count, first, end);
  }
  *excluded =
      status == 0 && is_excluded(eval, node, sum_to(node->required, node->required_count, *end),
                                 sum_to(node->optional, node->optional_count, *end));
  return status;
}

/* Sets *excluded to whether the lead's current block is non-competitive; if not, the eval's bounds.
 */
static int judge_bound(struct csd_eval *eval, struct csd_node *node, bool *excluded) {
  struct csd_node *lead = node->required[0];
  const uint32_t others = node->required_count - 1;
  const double lead_bound = (double)csd_term_block_bound(lead);
  /* The bounds of whole lists come first: they need no look at the other lists. */
  *excluded = lists_exclude(eval, node);
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
  *excluded = is_excluded(eval, node, required, optional);
  return status;
}

/*
 * Judges the next block of the root's lead. Returns 1 and sets the batch if the block can be left
 * out, 0 if not, or a negated status. Clears *scored if no score in the block matters.
 */
static int judge_block(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                       bool *scored, struct csd_batch *batch) {
  struct csd_list_cursor *cursor = node->required[0]->cursor;
  bool excluded = false;
  int status = csd_list_cursor_approach(cursor, from);
  uint32_t end = cursor->block_end;
  if (status == 0 && cursor->unread) {
    excluded = eval->ranking.may_skip && lists_exclude(eval, node);
    if (!excluded && eval->ranking.may_skip) {
      status = judge_pages(eval, node, from, &excluded, &end);
    }
    if (status == 0 && !excluded) {
      status = csd_list_cursor_seek(cursor, from);
      end = cursor->block_end;
    }
  }
  if (status < 0 || cursor->block_end == CSD_CURSOR_END) {
    return status;
  }
  if (!excluded) {
    status = judge_bound(eval, node, &excluded);
  }
  if (status < 0 || !excluded) {
    return status;
  }
  *scored = false;
  if (!eval->ranking.may_skip) {
    return 0;
  }
  eval->ranking.has_skipped = true;
  batch->n = 0;
  batch->upto = end < limit ? end : limit;
  batch->scoring = CSD_SCORING_NONE;
  return 1;
}

/*
 * Judges docs from `from` on that a phrase leads, up to where the first of the other terms' blocks
 * or pages ends, or *end. Sets *excluded to whether none is competitive before *end, and tells the
 * phrase what the others add at most. While docs are excluded, those between are looked at alone.
 */
static int judge_phrase(struct csd_eval *eval, struct csd_node *node, uint32_t from, bool *excluded,
                        uint32_t *end) {
  struct csd_phrase *phrase = node->required[0]->phrase;
  struct csd_node *const *others = node->required + 1;
  const uint32_t count = node->required_count - 1;
  uint32_t start = from;
  uint32_t to = *end;
  double bound;
  *excluded = false;
  phrase->is_part = true;
  phrase->rest = sum_of_bounds(others, count) + sum_of_bounds(node->optional, node->optional_count);
  int status = csd_phrase_approach(node->required[0], from, &start);
  if (status == 0 && start < to) {
    status = approach_all(others, count, start, &to);
  }
  if (status == 0 && start < to) {
    status = approach_all(node->optional, node->optional_count, start, &to);
  }
  if (status < 0 || start >= to || !csd_phrase_range_bound(node->required[0], to, &bound)) {
    return status;
  }
  const double required = sum_to(others, count, to);
  const double optional = sum_to(node->optional, node->optional_count, to);
  *excluded = is_excluded(eval, node, bound + required, optional);
  if (*excluded || phrase->skips) {
    *end = to;
    phrase->rest = required + optional;
  }
  phrase->skips = *excluded;
  return 0;
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
  struct csd_hits hits = csd_frame_hits(frame);
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

/* Adds a TERM lead's scores of the docs that are left. */
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
  node->op->scores->finish_looked_up(node, n, frame->scores);
  batch->n = n;
  batch->docs = frame->docs;
  batch->scores = frame->scores;
  batch->scoring = CSD_SCORING_ARRAY;
}

/*
 * Produces the root's competitive matches, when others need not be counted. It scores all docs of
 * the lead's posting block, which costs less than to look them up in other lists; most of them then
 * need no look-up.
 */
static int produce_competitive(struct csd_eval *eval, struct csd_node *node, uint32_t from,
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
                                               csd_bound_slack(&eval->ranking),
                                               csd_most_non_competitive(&eval->ranking));
  eval->ranking.has_skipped |= n < batch->n;
  int left = csd_bool_require(eval, node, n, 1, true);
  if (left > 0) {
    left = csd_bool_exclude_and_add(eval, node, (uint32_t)left, true);
  }
  if (left < 0) {
    return left;
  }
  hand_out(node, (uint32_t)left, batch);
  return 0;
}

/* Appends the next blocks of a TERM lead to its batch, which is one block. */
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
  const bool term_lead = lead->op->is_term;
  /* A posting block of the root that is non-competitive, and so not scored, makes a batch alone. */
  const bool many = term_lead && !scored && (node != eval->root || eval->bits_wanted);
  if (node == eval->root) {
    eval->optional_bound = sum_of_bounds(node->optional, node->optional_count);
  }
  if (node == eval->root && eval->ranking.active && scored && term_lead) {
    const int verdict = judge_block(eval, node, from, limit, &scored, batch);
    if (verdict != 0) {
      return verdict < 0 ? verdict : 0;
    }
    if (eval->ranking.may_skip && scored && lead->scored) {
      return csd_is_single_term(node)
                 ? csd_single_produce_above(eval, node, from, limit, eval->ranking.min_score, NULL,
                                            batch)
                 : produce_competitive(eval, node, from, limit, batch);
    }
  }
  if (scored && node->produce_scored != NULL) {
    return node->produce_scored(eval, node, from, limit, batch);
  }
  /* A TERM lead is scored later, when it is known which of its docs are left. */
  const bool lead_scored = scored && lead->scored;
  int status = 0;
  if (node == eval->root && lead_scored && lead->phrase != NULL && eval->ranking.active &&
      eval->ranking.may_skip) {
    bool excluded;
    status = judge_phrase(eval, node, from, &excluded, &limit);
    if (status < 0 || excluded) {
      eval->ranking.has_skipped |= excluded;
      batch->n = 0;
      batch->upto = limit;
      batch->scoring = CSD_SCORING_NONE;
      return status;
    }
  }
  status = csd_eval_produce(eval, lead, from, limit, lead_scored && !term_lead, batch);
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
      left = csd_bool_require(eval, node, (uint32_t)left, 2, scored);
    }
  } else {
    take_batch(frame, batch, scored);
    left = csd_bool_require(eval, node, batch->n, 1, scored);
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
    left = csd_bool_add_optional(eval, node, (uint32_t)left, scored);
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

int csd_bool_any_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                         uint32_t limit, bool scored, struct csd_batch *batch) {
  return node->required_count > 0 ? csd_bool_produce(eval, node, from, limit, scored, batch)
                                  : csd_or_produce(eval, node, from, limit, scored, batch);
}

/* The most that any one optional child has, or that the required one has. *exact: every doc matches
   but for those of one list at most, or what the only child has is known. */
uint64_t csd_bool_min_count(const struct csd_node *node, bool *exact) {
  if (node->required_count > 1 || node->min_should > 1 ||
      !csd_all_terms(node->prohibited, node->prohibited_count)) {
    return 0;
  }
  uint64_t most = 0;
  bool all = false;
  bool known = false;
  if (node->required_count == 1 && node->min_should == 0) {
    most = csd_min_count(node->required[0], &known);
    all = node->required[0]->op->matches_all;
  }
  for (uint32_t i = 0; i < node->optional_count && node->required_count == 0; i++) {
    bool one_known;
    const uint64_t count = csd_min_count(node->optional[i], &one_known);
    most = count > most ? count : most;
    all |= node->optional[i]->op->matches_all;
  }
  for (uint32_t i = 0; i < node->prohibited_count; i++) {
    const uint64_t cost = node->prohibited[i]->cost;
    most -= cost < most ? cost : most;
  }
  *exact = all ? node->prohibited_count <= 1 : known && node->prohibited_count == 0;
  return most;
}

/* One cast for each kind of clause, then an addition in float. */
static void finish_looked_up(const struct csd_node *node, uint32_t n, float *scores) {
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

static int look_up(struct csd_eval *eval, struct csd_node *node, struct csd_node *child,
                   uint32_t n) {
  struct csd_hits hits;
  return csd_bool_add_hits(eval, child, node->frame, n, true, &hits);
}

static int gather(struct csd_eval *eval, struct csd_node *node, struct csd_node *child,
                  uint32_t start, uint32_t end) {
  return csd_or_gather(eval, node, child, start, end, csd_or_add_scores);
}

static const struct csd_bool_scores SCORES = {
    .look_up = look_up, .finish_looked_up = finish_looked_up, .gather = gather};

const struct csd_operator csd_op_bool = {CSD_BOOL_ROW("BOOL", SCORES), .is_sum = true};
