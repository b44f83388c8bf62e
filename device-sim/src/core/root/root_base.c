/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_base.c. */
/*
 * As long as the base is competitive, docs come as they always do, a few more with each call. From
 * then on the terms are ranked as a disjunction of their own, whose scores lack the base.
 */
#include "core/plan/topk.h"
#include "core/root/root.h"
#include "core/root/root_ways.h"
#include "core/root/root_window.h"

/* Docs of the first call: so many may do to find hits that the base alone does not beat. */
#define FIRST_DOCS 512u

struct csd_base {
  struct csd_root_part terms; /* the root's optional terms, and what it prohibits */
  double sum;                 /* the base */
  bool apart;                 /* the base is MUST: it is cast before scores are added */
  uint32_t docs;
};

static uint32_t count_all(struct csd_node *const *nodes, uint32_t count, double *sum) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (nodes[i]->op->matches_all) {
      all++;
      *sum += nodes[i]->scored ? (double)nodes[i]->weight : 0.0;
    }
  }
  return all;
}

static uint32_t count_terms(const struct csd_node *root) {
  uint32_t terms = 0;
  for (uint32_t i = 0; i < root->optional_count; i++) {
    terms += root->optional[i]->op->is_term;
  }
  return terms;
}

static bool applies(const struct csd_node *root, const struct csd_wanted *wanted) {
  if (wanted->k == 0 || !csd_is_plain_bool(root) || !root->scored || count_terms(root) == 0) {
    return false;
  }
  double sum = 0.0;
  if (root->required_count > 0) {
    return root->min_should == 0 && count_terms(root) == root->optional_count &&
           count_all(root->required, root->required_count, &sum) == root->required_count;
  }
  const uint32_t all = count_all(root->optional, root->optional_count, &sum);
  return root->min_should <= 1 && all > 0 && all + count_terms(root) == root->optional_count;
}

/* Makes the node of the terms alone. */
static struct csd_node *make_terms(struct csd_arena *arena, struct csd_node *root) {
  struct csd_node **terms = csd_arena_take(arena, root->optional_count * sizeof *terms);
  uint32_t count = 0;
  for (uint32_t i = 0; i < root->optional_count && terms != NULL; i++) {
    if (root->optional[i]->op->is_term) {
      terms[count++] = root->optional[i];
    }
  }
  return terms != NULL ? csd_root_of_terms(arena, root, terms, count) : NULL;
}

static void *make(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted) {
  static const struct csd_root_way *const ways[] = {&csd_way_many, &csd_way_maxscore};
  struct csd_base *base = csd_arena_take(arena, sizeof *base);
  struct csd_node *terms = make_terms(arena, root);
  if (base == NULL || terms == NULL) {
    return NULL;
  }
  *base = (struct csd_base){
      .terms = {.node = terms}, .sum = 0.0, .apart = root->required_count > 0, .docs = FIRST_DOCS};
  count_all(root->required, root->required_count, &base->sum);
  if (!base->apart) {
    count_all(root->optional, root->optional_count, &base->sum);
  }
  const size_t count = sizeof ways / sizeof ways[0];
  return csd_root_part_make(&base->terms, ways, count, arena, wanted) == 0 ? base : NULL;
}

static struct csd_base *base_of(const struct csd_eval *eval) { return eval->way_state; }

/* Produces all docs, terms or not. */
static int produce_all(struct csd_eval *eval, uint32_t from, uint32_t limit,
                       struct csd_batch *batch) {
  struct csd_base *base = base_of(eval);
  const uint32_t docs = base->docs;
  base->docs = docs < CSD_WINDOW_DOCS ? 2u * docs : docs;
  return csd_eval_produce(eval, eval->root, from, limit - from < docs ? limit : from + docs, true,
                          batch);
}

/* Returns a score below that of every competitive doc without the base. */
static float min_score(const struct csd_eval *eval) {
  return csd_just_below(
      (float)((double)eval->ranking.min_score / CSD_BOUND_SLACK - base_of(eval)->sum));
}

/* Adds the base. MaxScore leaves the sums of the docs in the frame. */
static void add_base(const struct csd_base *base, struct csd_batch *batch) {
  struct csd_frame *frame = base->terms.node->frame;
  for (uint32_t i = 0; i < batch->n; i++) {
    frame->scores[i] = base->apart ? (float)base->sum + (float)frame->must[i]
                                   : (float)(base->sum + frame->must[i]);
  }
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  struct csd_base *base = base_of(eval);
  const struct csd_ranking *ranking = &eval->ranking;
  /* Docs ascend: one that scores as much as the worst hit is no better. */
  if (!((float)base->sum <= ranking->min_score)) {
    return produce_all(eval, from, limit, batch);
  }
  const int status = csd_root_part_produce(eval, &base->terms, min_score(eval), from, limit, batch);
  if (status == 0) {
    add_base(base, batch);
  }
  return status;
}

const struct csd_root_way csd_way_base = {.number = CSD_WAY_BASE,
                                          .needs_skip = true,
                                          .ranks_alone = true,
                                          .applies = applies,
                                          .make = make,
                                          .produce = produce};
