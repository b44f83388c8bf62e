/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <string.h>

#include "core/eval/bool/eval_bool_produce.h"
#include "core/eval/bool/eval_single.h"
#include "core/eval/eval.h"
#include "core/eval/eval_term.h"
#include "core/plan/arena.h"
#include "core/root/root_ways.h"

/* Limit of the required terms. */
#define MAX_TERMS 8u

/* Matches from which on a batch is complete: the next block of the lead might not fit. */
#define ENOUGH 128u
#define ROOM (ENOUGH + CSD_BLOCK_POSTINGS)

/* Limit of the lead's posting blocks in one batch, so that a step of a program stays short. */
#define BLOCKS_AT_ONCE 64u

/* Freqs and norms of the matches in one term. */
struct postings {
  uint32_t freqs[ROOM];
  uint8_t norms[ROOM];
};

struct csd_and {
  struct postings of[MAX_TERMS];     /* in the order of the root's required children */
  uint8_t place[CSD_BLOCK_POSTINGS]; /* of each match in the lead's current block */
  uint16_t index[CSD_BLOCK_POSTINGS + CSD_INTERSECT_ROOM];
  float scores[ROOM];
};

static bool applies(const struct csd_node *root, const struct csd_wanted *wanted) {
  (void)wanted;
  return root->op->is_bool && root->required_count >= 2 && root->required_count <= MAX_TERMS &&
         root->optional_count == 0 && root->min_should == 0 &&
         csd_all_terms(root->required, root->required_count);
}

static void *make(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted) {
  (void)root;
  (void)wanted;
  return csd_arena_take(arena, sizeof(struct csd_and));
}

static struct csd_and *conjunction_of(const struct csd_eval *eval) { return eval->way_state; }

/* ---- matching ---- */

/*
 * Finds which of `n` docs term `which` matches. Writes their indices to conjunction->index, and
 * appends their postings to the term's first `at`. Returns how many there are, or a negated status.
 */
static int find(struct csd_eval *eval, uint32_t which, const uint32_t *docs, uint32_t n,
                uint32_t at) {
  struct csd_and *conjunction = conjunction_of(eval);
  struct csd_node *term = eval->root->required[which];
  struct postings *postings = &conjunction->of[which];
  return csd_term_find(eval, term, docs, n, conjunction->index,
                       term->scored ? postings->freqs + at : NULL, postings->norms + at);
}

/* Keeps the matches from `at` on that conjunction->index names: their docs and `terms` postings. */
static void keep(struct csd_eval *eval, uint32_t terms, uint32_t at, uint32_t n) {
  struct csd_and *conjunction = conjunction_of(eval);
  uint32_t *docs = eval->root->frame->docs + at;
  for (uint32_t j = 0; j < n; j++) {
    docs[j] = docs[conjunction->index[j]];
    conjunction->place[j] = conjunction->place[conjunction->index[j]];
  }
  for (uint32_t t = 1; t < terms; t++) {
    uint32_t *freqs = conjunction->of[t].freqs + at;
    uint8_t *norms = conjunction->of[t].norms + at;
    for (uint32_t j = 0; j < n; j++) {
      freqs[j] = freqs[conjunction->index[j]];
      norms[j] = norms[conjunction->index[j]];
    }
  }
}

/*
 * Appends the matches among docs [first, end) of the lead's current block to the first `at`.
 * Returns the new number of matches, or a negated status.
 */
static int add_block(struct csd_eval *eval, uint32_t first, uint32_t end, uint32_t at) {
  struct csd_and *conjunction = conjunction_of(eval);
  const struct csd_node *root = eval->root;
  struct csd_node *lead = root->required[0];
  const uint32_t *docs = lead->cursor->docs + first;
  uint32_t *to = root->frame->docs + at;
  int n = find(eval, 1, docs, end - first, at);
  for (int j = 0; j < n; j++) {
    to[j] = docs[conjunction->index[j]];
    conjunction->place[j] = (uint8_t)(first + conjunction->index[j]);
  }
  for (uint32_t t = 2; t < root->required_count && n > 0; t++) {
    n = find(eval, t, to, (uint32_t)n, at);
    if (n > 0) {
      keep(eval, t, at, (uint32_t)n);
    }
  }
  if (n > 0 && lead->scored) {
    const int status =
        csd_list_cursor_gather(lead->cursor, conjunction->place, (unsigned)n,
                               conjunction->of[0].freqs + at, conjunction->of[0].norms + at);
    if (status < 0) {
      return status;
    }
  }
  return n < 0 ? n : (int)at + n;
}

/* ---- scoring ---- */

/* Scores `n` matches. Adds the scores of the other terms first, in order, then the lead's. */
static void score(struct csd_eval *eval, uint32_t n, float *scores) {
  struct csd_and *conjunction = conjunction_of(eval);
  const struct csd_node *root = eval->root;
  double *sums = root->frame->must;
  memset(sums, 0, n * sizeof sums[0]);
  for (uint32_t i = 1; i <= root->required_count; i++) {
    const uint32_t t = i % root->required_count;
    const struct csd_node *term = root->required[t];
    if (!term->scored) {
      continue;
    }
    csd_term_scores(eval, term, conjunction->of[t].freqs, conjunction->of[t].norms, n,
                    conjunction->scores);
    eval->work.docs_scored += n;
    for (uint32_t j = 0; j < n; j++) {
      sums[j] += (double)conjunction->scores[j];
    }
  }
  for (uint32_t j = 0; j < n; j++) {
    scores[j] = (float)sums[j];
  }
}

/* Whether the bounds of the lists show that the lead's current block is non-competitive. */
static bool is_non_competitive(const struct csd_eval *eval) {
  if (!eval->ranking.full) {
    return false;
  }
  const struct csd_node *root = eval->root;
  double bound = (double)csd_term_block_bound(root->required[0]);
  for (uint32_t i = 1; i < root->required_count; i++) {
    bound += root->required[i]->bound;
  }
  return csd_non_competitive(&eval->ranking, bound);
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  struct csd_node *root = eval->root;
  struct csd_list_cursor *lead = root->required[0]->cursor;
  int n = 0;
  for (uint32_t blocks = 0; blocks < BLOCKS_AT_ONCE && n < (int)ENOUGH && from < limit; blocks++) {
    int status = csd_list_cursor_seek(lead, from);
    if (status < 0) {
      return status;
    }
    if (csd_list_cursor_block_start(lead) >= limit) {
      from = limit; /* at the end, too */
      break;
    }
    if (is_non_competitive(eval)) {
      if (n > 0) {
        break;
      }
      return csd_bool_produce(eval, root, from, limit, false, batch);
    }
    status = csd_list_cursor_load_docs(lead);
    if (status < 0) {
      return status;
    }
    n = add_block(eval, csd_term_position(lead, from), csd_term_position(lead, limit), (uint32_t)n);
    if (n < 0) {
      return n;
    }
    from = lead->block_end < limit ? lead->block_end : limit;
  }
  struct csd_frame *frame = root->frame;
  batch->upto = from;
  batch->n = (uint32_t)n;
  batch->docs = frame->docs;
  batch->scores = frame->scores;
  batch->scoring = CSD_SCORING_ARRAY;
  score(eval, batch->n, frame->scores);
  return csd_exclude_scored(eval, root, batch);
}

const struct csd_root_way csd_way_and = {
    .number = CSD_WAY_AND, .applies = applies, .make = make, .produce = produce};
