/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * A BOOL with the matches of one scored term, less those of its prohibited children. A match has
 * the term's score: there is nothing to add, and docs are moved only if some are dropped.
 */
#include "core/eval/bool/eval_single.h"

#include <string.h>

#include "core/eval/bool/eval_bool.h"
#include "core/eval/eval.h"
#include "core/eval/eval_term.h"

/* Indices of a block's postings, to be compressed like docs. */
#define EIGHT(N) (N), (N) + 1, (N) + 2, (N) + 3, (N) + 4, (N) + 5, (N) + 6, (N) + 7
#define SIXTY_FOUR(N)                                                                           \
  EIGHT(N), EIGHT((N) + 8), EIGHT((N) + 16), EIGHT((N) + 24), EIGHT((N) + 32), EIGHT((N) + 40), \
      EIGHT((N) + 48), EIGHT((N) + 56)
static const uint32_t POSITIONS[CSD_BLOCK_POSTINGS] = {SIXTY_FOUR(0), SIXTY_FOUR(64)};

bool csd_is_single_term(const struct csd_node *node) {
  return node->op->is_bool && node->required_count == 1 && node->optional_count == 0 &&
         node->min_should == 0 && node->required[0]->op->is_term && node->required[0]->scored;
}

void csd_make_single(struct csd_node *node, struct csd_node **children, struct csd_node *term) {
  *node = (struct csd_node){.op = &csd_op_bool,
                            .occur = CSD_OCCUR_MUST,
                            .scored = true,
                            .produce_scored = csd_single_produce,
                            .required = children,
                            .required_count = 1,
                            .cost = term->cost,
                            .bound = term->bound * (term->exact_bound ? 1.0 : CSD_BOUND_SLACK),
                            .exact_bound = term->exact_bound,
                            .exact_sums = term->exact_bound,
                            .unit = term->unit};
  children[0] = term;
}

/* Moves the batch's docs without the hits, and their scores, to the frame. */
static void leave_out(const struct csd_kernels *kernels, const struct csd_hits *hits,
                      struct csd_frame *frame, struct csd_batch *batch) {
  const uint32_t words = (batch->n + 63u) / 64u;
  uint64_t bits[CSD_WINDOW_WORDS];
  uint32_t *left = frame->other_docs;
  memset(bits, 0xFF, words * sizeof bits[0]);
  if ((batch->n & 63u) != 0) {
    bits[words - 1] >>= 64u - (batch->n & 63u);
  }
  for (uint32_t j = 0; j < hits->n; j++) {
    bits[hits->index[j] >> 6] &= ~(UINT64_C(1) << (hits->index[j] & 63u));
  }
  const uint32_t n = kernels->list_bits(bits, words, 0, left);
  for (uint32_t j = 0; j < n; j++) {
    frame->docs[j] = batch->docs[left[j]];
    frame->scores[j] = batch->scores[left[j]];
  }
  batch->n = n;
  batch->docs = frame->docs;
  batch->scores = frame->scores;
}

int csd_exclude_scored(struct csd_eval *eval, struct csd_node *node, struct csd_batch *batch) {
  struct csd_frame *frame = node->frame;
  for (uint32_t i = 0; i < node->prohibited_count && batch->n > 0; i++) {
    struct csd_hits hits = {.n = 0, .index = frame->hit_index, .scores = frame->hit_scores};
    const int status =
        csd_eval_probe(eval, node->prohibited[i], batch->docs, batch->n, false, &hits);
    if (status < 0) {
      return status;
    }
    if (hits.n > 0) {
      leave_out(eval->kernels, &hits, frame, batch);
    }
  }
  return 0;
}

int csd_single_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                       struct csd_batch *batch) {
  const int status = csd_term_produce(eval, node->required[0], from, limit, true, batch);
  return status < 0 ? status : csd_exclude_scored(eval, node, batch);
}

void csd_sieve_make(struct csd_sieve *sieve, const struct csd_node *term, float above) {
  if (term->tables > 0 || term->is_flat) {
    return;
  }
  const float least = csd_term_min_impact(term, above);
  sieve->made = true;
  sieve->above = above;
  for (unsigned norm = 0; norm < CSD_NORM_TABLE_ENTRIES; norm++) {
    /* No more than is needed, however the product of frequency and entry is rounded. */
    const float freq = least / term->table[norm] * (1.0f - 1e-6f);
    const float most = freq >= 255.0f ? 255.0f : freq;
    const float from = most > 0.0f ? most : 0.0f; /* also for NaN */
    const uint32_t floor = (uint32_t)from;
    sieve->needed[norm] = (uint8_t)(floor + ((float)floor < from));
  }
}

/* Whether a posting of the current block may get through a sieve; 0, 1 or a negated status. */
static int passes(struct csd_eval *eval, struct csd_node *term, const struct csd_sieve *sieve,
                  float above) {
  if (sieve == NULL || !sieve->made || !(sieve->above <= above)) {
    return 1;
  }
  const struct csd_list_cursor *cursor = term->cursor;
  const int status = csd_term_load(term);
  return status < 0 ? status
                    : eval->kernels->any_needed(sieve->needed, cursor->freqs, cursor->norms,
                                                cursor->count);
}

/*
 * A block has been scored in vain: makes the sieve if it is not of this score. Not for each score
 * that there is on the way: making it takes longer than scoring a block.
 */
static void sharpen(struct csd_sieve *sieve, const struct csd_node *term, float above) {
  if (sieve != NULL && !(sieve->made && sieve->above == above)) {
    csd_sieve_make(sieve, term, above);
  }
}

int csd_single_produce_above(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                             uint32_t limit, float above, struct csd_sieve *sieve,
                             struct csd_batch *batch) {
  struct csd_node *term = node->required[0];
  struct csd_list_cursor *cursor = term->cursor;
  struct csd_frame *frame = node->frame;
  batch->n = 0;
  batch->upto = limit;
  batch->scoring = CSD_SCORING_NONE;
  int status = csd_list_cursor_seek(cursor, from);
  if (status < 0 || csd_list_cursor_block_start(cursor) >= limit) {
    return status;
  }
  if (cursor->block_end < limit) {
    batch->upto = cursor->block_end;
  }
  const int may = passes(eval, term, sieve, above);
  if (may < 0) {
    return may;
  }
  if (may == 0) {
    eval->work.docs_scored += cursor->count; /* all that matters of their scores is known */
    eval->ranking.has_skipped = true;
    csd_list_cursor_count_block(cursor);
    return 0;
  }
  status = csd_term_score_block(eval, term);
  if (status < 0) {
    return status;
  }
  /* The docs themselves are decoded only if one of them is wanted. */
  uint32_t n = eval->kernels->copy_above(POSITIONS, eval->term_scores, cursor->count, above,
                                         eval->kept_docs, frame->scores);
  eval->ranking.has_skipped |= n < cursor->count;
  if (n == 0) {
    sharpen(sieve, term, above);
    csd_list_cursor_count_block(cursor);
    return 0;
  }
  status = csd_list_cursor_load_docs(cursor);
  if (status < 0) {
    return status;
  }
  uint32_t kept = 0;
  for (uint32_t j = 0; j < n; j++) {
    const uint32_t doc = cursor->docs[eval->kept_docs[j]];
    frame->docs[kept] = doc;
    frame->scores[kept] = frame->scores[j];
    kept += doc >= from && doc < limit;
  }
  batch->n = kept;
  batch->docs = frame->docs;
  batch->scores = frame->scores;
  batch->scoring = CSD_SCORING_ARRAY;
  return csd_exclude_scored(eval, node, batch);
}
