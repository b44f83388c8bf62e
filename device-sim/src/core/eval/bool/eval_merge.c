/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Scored disjunctions of terms that match few docs. A window would cost as much as ever, but hold
 * few docs. So the terms' postings are merged, term after term, into one list of docs with their
 * sums.
 */
#include "core/eval/bool/eval_merge.h"

#include <string.h>

#include "core/eval/bool/eval_or.h"
#include "core/eval/eval.h"
#include "core/eval/eval_term.h"

/* Expected docs per window up to which a merge costs less than the window. */
#define MERGE_PAYS_TO 96u

/* Docs, ascending, and what their scores add up to. */
struct sums {
  uint32_t *docs;
  double *sum;
  uint32_t n;
};

bool csd_merge_pays(const struct csd_node *node, uint32_t max_doc) {
  return csd_or_is_sparse(node, MERGE_PAYS_TO, max_doc);
}

/* Sets *end to `limit` if all postings fit, else to the first block end of a term. */
static int find_end(const struct csd_node *node, uint32_t from, uint32_t limit, uint32_t *end) {
  *end = limit;
  return node->cost <= CSD_WINDOW_DOCS ? 0 : csd_or_block_end(node, from, end);
}

static uint32_t append(struct sums *to, uint32_t at, const struct csd_batch *batch, uint32_t j) {
  for (; j < batch->n; j++, at++) {
    to->docs[at] = batch->docs[j];
    to->sum[at] = (double)batch->scores[j];
  }
  return at;
}

/* `value` if `taken`, else 0.0; as a mask, or the compiler makes it a branch. */
static inline double if_taken(bool taken, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits &= 0u - (uint64_t)taken;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/*
 * Merges the batch with the docs of `left` from *i on, up to the batch's last one, into `to`. No
 * branch depends on which of the two comes first, since that cannot be predicted.
 */
static void merge_batch(const struct sums *left, uint32_t *i, const struct csd_batch *batch,
                        struct sums *to) {
  const uint32_t *left_docs = left->docs;
  const double *left_sums = left->sum;
  const uint32_t *docs = batch->docs;
  const float *scores = batch->scores;
  uint32_t *to_docs = to->docs;
  double *to_sums = to->sum;
  const uint32_t left_count = left->n;
  const uint32_t count = batch->n;
  uint32_t a = *i;
  uint32_t b = 0;
  uint32_t n = to->n;
  while (a < left_count && b < count) {
    const uint32_t x = left_docs[a];
    const uint32_t y = docs[b];
    const bool first = x <= y;
    const bool second = y <= x;
    to_docs[n] = first ? x : y;
    to_sums[n++] = if_taken(first, left_sums[a]) + if_taken(second, (double)scores[b]);
    a += first;
    b += second;
  }
  to->n = append(to, n, batch, b);
  *i = a;
}

/*
 * Produces the next matches of a term in [at, end): those above *above, if given; or those of
 * another node, all of them. Fails if they do not fit beside the `held` docs before them.
 */
static inline int next_batch(struct csd_eval *eval, struct csd_node *term, uint32_t at,
                             uint32_t end, const float *above, uint32_t held,
                             struct csd_batch *batch) {
  const bool is_term = term->op->is_term;
  const int status = is_term ? csd_term_produce(eval, term, at, end, true, batch)
                             : csd_eval_produce(eval, term, at, end, true, batch);
  if (status < 0) {
    return status;
  }
  if (is_term && above != NULL) {
    csd_term_keep_above(eval, batch, *above);
  }
  /* A list may be longer than its list_ref says where the cursor cannot tell. */
  return held + batch->n > CSD_WINDOW_DOCS ? -CSD_STATUS_LIST_CORRUPT : 0;
}

/* Merges a term's postings in [from, end), those above *above if given, with `left` into `to`. */
static int merge_term(struct csd_eval *eval, struct csd_node *term, uint32_t from, uint32_t end,
                      const float *above, const struct sums *left, struct sums *to) {
  uint32_t taken = 0; /* of left */
  to->n = 0;
  for (uint32_t at = from; at < end;) {
    struct csd_batch batch;
    const int status = next_batch(eval, term, at, end, above, to->n + (left->n - taken), &batch);
    if (status < 0) {
      return status;
    }
    merge_batch(left, &taken, &batch, to);
    at = batch.upto;
  }
  const uint32_t rest = left->n - taken;
  memcpy(to->docs + to->n, left->docs + taken, rest * sizeof to->docs[0]);
  memcpy(to->sum + to->n, left->sum + taken, rest * sizeof to->sum[0]);
  to->n += rest;
  return 0;
}

/* Copies a term's postings in [from, end), those above *above if given. Returns how many. */
static int gather(struct csd_eval *eval, struct csd_node *term, uint32_t from, uint32_t end,
                  const float *above, uint32_t *docs, float *scores) {
  uint32_t n = 0;
  for (uint32_t at = from; at < end;) {
    struct csd_batch batch;
    const int status = next_batch(eval, term, at, end, above, n, &batch);
    if (status < 0) {
      return status;
    }
    if (batch.n > 0) {
      memcpy(docs + n, batch.docs, batch.n * sizeof docs[0]);
      memcpy(scores + n, batch.scores, batch.n * sizeof scores[0]);
    }
    n += batch.n;
    at = batch.upto;
  }
  return (int)n;
}

/* csd_merge_terms for two. */
static int merge_two(struct csd_eval *eval, struct csd_frame *frame, struct csd_node *const *terms,
                     uint32_t from, uint32_t end, const float *above) {
  const int a = gather(eval, terms[0], from, end, above, frame->merge_docs, frame->hit_scores);
  if (a < 0) {
    return a;
  }
  const int b = gather(eval, terms[1], from, end, above != NULL ? above + 1 : NULL,
                       frame->other_docs, frame->scores);
  if (b < 0) {
    return b;
  }
  if ((uint32_t)(a + b) > CSD_WINDOW_DOCS) {
    return -CSD_STATUS_LIST_CORRUPT;
  }
  return (int)eval->kernels->merge_scores(frame->merge_docs, frame->hit_scores, (unsigned)a,
                                          frame->other_docs, frame->scores, (unsigned)b,
                                          frame->docs, frame->must);
}

int csd_merge_terms(struct csd_eval *eval, struct csd_frame *frame, struct csd_node *const *terms,
                    uint32_t count, uint32_t from, uint32_t end, const float *above) {
  if (count == 2) {
    return merge_two(eval, frame, terms, from, end, above);
  }
  /* The two lists alternate, so that the last term is merged into the frame's own docs. */
  struct sums lists[2] = {{frame->docs, frame->must, 0}, {frame->other_docs, frame->should, 0}};
  for (uint32_t left = count; left-- > 0;) {
    const int status = merge_term(eval, terms[left], from, end, above != NULL ? &above[left] : NULL,
                                  &lists[(left + 1) % 2], &lists[left % 2]);
    if (status < 0) {
      return status;
    }
  }
  return (int)lists[0].n;
}

int csd_merge_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                      struct csd_batch *batch) {
  uint32_t end;
  const int status = find_end(node, from, limit, &end);
  if (status < 0) {
    return status;
  }
  const int n =
      csd_merge_terms(eval, node->frame, node->optional, node->optional_count, from, end, NULL);
  batch->upto = end;
  eval->work.units += 8u;
  return csd_or_finish(eval, node, n, true, batch);
}
