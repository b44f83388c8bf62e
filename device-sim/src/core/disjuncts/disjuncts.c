/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * A doc is found by the disjunct in which it scores most. With s for that score, and b for the
 * bound of another disjunct, the doc scores at most s + weight * (the sum of min(s, b)); this rises
 * with s, so that a minimum competitive score of the whole gives one of the disjunct.
 *
 * Where the other disjuncts add something, they are probed for the docs that are found. Where only
 * the greatest score counts, nothing need be probed: the collector keeps the greater score of a doc
 * that comes twice.
 */
#include "core/disjuncts/disjuncts.h"

#include <string.h>

#include "core/eval/bool/eval_bool.h"
#include "core/eval/bool/eval_dis_max.h"
#include "core/eval/bool/eval_single.h"
#include "core/plan/topk.h"
#include "core/root/root.h"
#include "core/root/root_ways.h"

/* To find a doc among the best hits takes a look at all of them. */
#define MAX_HITS 1024u

/* Limit of batches without a hit in one call, so that a step of a program stays short. */
#define BATCHES_AT_ONCE 64u

struct csd_disjuncts {
  const struct csd_node *dis_max;
  /* In the order of dis_max->optional: greatest bound first. A term is the only child of a BOOL. */
  struct csd_root_part *disjuncts;
  bool complete;
  bool begun;
  uint32_t at;   /* the disjunct that is being produced */
  uint32_t next; /* the doc to continue with */
  uint32_t docs[CSD_WINDOW_DOCS + CSD_ABOVE_SLACK];
  float scores[CSD_WINDOW_DOCS + CSD_ABOVE_SLACK];
  double greatest[CSD_WINDOW_DOCS];
  double sum[CSD_WINDOW_DOCS];
  uint16_t hit_index[CSD_WINDOW_DOCS + 64];
  float hit_scores[CSD_WINDOW_DOCS];
};

/* ---- making ---- */

/* The DIS_MAX that is all of the root but for docs that this excludes; NULL: there is none. */
static const struct csd_node *dis_max_of(const struct csd_node *root) {
  const bool around = csd_is_plain_bool(root) && root->required_count == 1 &&
                      root->optional_count == 0 && root->min_should == 0;
  const struct csd_node *node = around ? root->required[0] : root;
  return node->op == &csd_op_dis_max ? node : NULL;
}

static bool applies(const struct csd_node *root, const struct csd_wanted *wanted) {
  return wanted->k > 0 && wanted->k <= MAX_HITS && dis_max_of(root) != NULL;
}

/* A BOOL around a term, which can be produced in faster ways. */
static struct csd_node *wrap_term(struct csd_arena *arena, struct csd_node *term,
                                  struct csd_frame *frame) {
  struct csd_node *node = csd_arena_take(arena, sizeof *node);
  struct csd_node **children = csd_arena_take(arena, sizeof *children);
  if (node == NULL || children == NULL) {
    return NULL;
  }
  csd_make_single(node, children, term);
  node->frame = frame;
  return node;
}

static int make_disjunct(struct csd_arena *arena, const struct csd_node *dis_max,
                         struct csd_node *child, const struct csd_wanted *wanted,
                         struct csd_root_part *disjunct) {
  static const struct csd_root_way *const ways[] = {&csd_way_maxscore, &csd_way_best,
                                                    &csd_way_trees};
  disjunct->node = child->op->is_term ? wrap_term(arena, child, dis_max->frame) : child;
  return disjunct->node == NULL
             ? -CSD_STATUS_INSUFFICIENT_GRANT
             : csd_root_part_make(disjunct, ways, sizeof ways / sizeof ways[0], arena, wanted);
}

static void *make(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted) {
  const struct csd_node *dis_max = dis_max_of(root);
  const uint32_t count = dis_max->optional_count;
  struct csd_disjuncts *made = csd_arena_take(arena, sizeof *made);
  struct csd_root_part *disjuncts = csd_arena_take(arena, count * sizeof *disjuncts);
  if (made == NULL || disjuncts == NULL) {
    return NULL;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (make_disjunct(arena, dis_max, dis_max->optional[i], wanted, &disjuncts[i]) < 0) {
      return NULL;
    }
  }
  made->dis_max = dis_max;
  made->disjuncts = disjuncts;
  made->complete = wanted->complete || dis_max->weight > 0.0f;
  made->begun = false;
  made->at = 0;
  return made;
}

static struct csd_disjuncts *disjuncts_of(const struct csd_eval *eval) { return eval->way_state; }

/* ---- bounds ---- */

/*
 * Returns a score below that of every competitive doc in its disjunct `at`: g(s) is at most the
 * minimum competitive score, g(s) being s + weight * (the sum of min(s, b)).
 */
static float least_score(const struct csd_disjuncts *disjuncts, float min_score) {
  const struct csd_node *dis_max = disjuncts->dis_max;
  const double weight = (double)dis_max->weight;
  if (weight == 0.0 || !(min_score > 0.0f)) {
    return csd_just_below(min_score); /* docs do not ascend: one of the same score may be better */
  }
  /* The other disjuncts' bounds ascend from the last one on. Those below s are added as they are.
   */
  double least = (double)min_score / CSD_BOUND_SLACK;
  uint32_t above = dis_max->optional_count - 1u; /* disjuncts taken for those with b above s */
  double s = least / (1.0 + weight * above);
  for (uint32_t i = dis_max->optional_count; i-- > 0 && above > 0;) {
    const double bound = dis_max->optional[i]->bound;
    if (i == disjuncts->at) {
      continue;
    }
    if (bound >= s) {
      break;
    }
    least -= weight * bound;
    above--;
    s = least / (1.0 + weight * above);
  }
  return csd_just_below((float)(s / CSD_BOUND_SLACK));
}

/* ---- producing ---- */

/* Takes the docs of a batch that score above `above`. Returns how many. */
static uint32_t take(struct csd_eval *eval, const struct csd_batch *batch, float above) {
  struct csd_disjuncts *disjuncts = disjuncts_of(eval);
  if (batch->scoring == CSD_SCORING_ARRAY) {
    return eval->kernels->copy_above(batch->docs, batch->scores, batch->n, above, disjuncts->docs,
                                     disjuncts->scores);
  }
  if (batch->scoring == CSD_SCORING_NONE || batch->constant <= above) {
    return 0;
  }
  memcpy(disjuncts->docs, batch->docs, batch->n * sizeof disjuncts->docs[0]);
  for (uint32_t i = 0; i < batch->n; i++) {
    disjuncts->scores[i] = batch->constant;
  }
  return batch->n;
}

/* Makes the docs' scores those of the whole DIS_MAX. */
static int complete_scores(struct csd_eval *eval, uint32_t n) {
  struct csd_disjuncts *disjuncts = disjuncts_of(eval);
  const struct csd_node *dis_max = disjuncts->dis_max;
  double *greatest = disjuncts->greatest;
  double *sum = disjuncts->sum;
  for (uint32_t i = 0; i < n; i++) {
    greatest[i] = sum[i] = (double)disjuncts->scores[i];
  }
  for (uint32_t d = 0; d < dis_max->optional_count; d++) {
    struct csd_hits hits = {.n = 0, .index = disjuncts->hit_index, .scores = disjuncts->hit_scores};
    if (d == disjuncts->at) {
      continue;
    }
    const int status = csd_eval_probe(eval, dis_max->optional[d], disjuncts->docs, n, true, &hits);
    if (status < 0) {
      return status;
    }
    for (uint32_t j = 0; j < hits.n; j++) {
      const double score = (double)hits.scores[j];
      double *most = &greatest[hits.index[j]];
      sum[hits.index[j]] += score;
      *most = score > *most ? score : *most;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    disjuncts->scores[i] = csd_dis_max_score(dis_max, greatest[i], sum[i]);
  }
  return 0;
}

/* Drops the docs that the root's prohibited children match. Returns how many are left. */
static int exclude(struct csd_eval *eval, uint32_t n) {
  struct csd_disjuncts *disjuncts = disjuncts_of(eval);
  struct csd_frame *frame = eval->root->frame;
  if (eval->root->prohibited_count == 0) {
    return (int)n;
  }
  memcpy(frame->docs, disjuncts->docs, n * sizeof frame->docs[0]);
  for (uint32_t i = 0; i < n; i++) {
    frame->origin[i] = (uint16_t)i;
  }
  const int left = csd_bool_exclude(eval, eval->root, n, false);
  for (int i = 0; i < left; i++) {
    disjuncts->docs[i] = frame->docs[i];
    disjuncts->scores[i] = disjuncts->scores[frame->origin[i]];
  }
  return left;
}

/* Makes the docs that were found in a disjunct the batch of the root. */
static int hand_out(struct csd_eval *eval, uint32_t n, struct csd_batch *batch) {
  struct csd_disjuncts *disjuncts = disjuncts_of(eval);
  const int left = exclude(eval, n);
  if (left <= 0) {
    return left;
  }
  batch->n = (uint32_t)left;
  batch->docs = disjuncts->docs;
  batch->scores = disjuncts->scores;
  batch->scoring = CSD_SCORING_ARRAY;
  batch->repeats = true;
  return disjuncts->complete ? complete_scores(eval, batch->n) : 0;
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  struct csd_disjuncts *disjuncts = disjuncts_of(eval);
  const uint32_t count = disjuncts->dis_max->optional_count;
  batch->upto = from;
  eval->ranking.has_skipped = true;
  for (uint32_t calls = 0; calls < BATCHES_AT_ONCE && disjuncts->at < count && batch->n == 0;
       calls++) {
    const struct csd_root_part *disjunct = &disjuncts->disjuncts[disjuncts->at];
    if (!disjuncts->begun) {
      disjuncts->begun = true;
      disjuncts->next = from;
      csd_eval_rewind(eval);
    }
    const float above = least_score(disjuncts, eval->ranking.min_score);
    struct csd_batch found = {.upto = limit, .scoring = CSD_SCORING_NONE};
    if (disjunct->node->bound * CSD_BOUND_SLACK > (double)above) {
      /* `above` is below every tie. */
      const int status =
          csd_root_part_produce(eval, disjunct, above, disjuncts->next, limit, &found);
      if (status < 0) {
        return status;
      }
    }
    const uint32_t n = found.n > 0 ? take(eval, &found, above) : 0;
    const int status = n > 0 ? hand_out(eval, n, batch) : 0;
    if (status < 0) {
      return status;
    }
    disjuncts->next = found.upto;
    if (disjuncts->next >= limit) {
      disjuncts->at++;
      disjuncts->begun = false;
    }
  }
  if (disjuncts->at == count) {
    batch->upto = limit;
  }
  return 0;
}

const struct csd_root_way csd_way_disjuncts = {.number = CSD_WAY_DISJUNCTS,
                                               .needs_skip = true,
                                               .ranks_alone = true,
                                               .any_order = true,
                                               .repeats = true,
                                               .applies = applies,
                                               .make = make,
                                               .produce = produce};
