/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/test_eval.c, and tests/core/root for each way. */
#include "core/root/root.h"

#include "core/eval/eval_bits.h"
#include "core/root/root_and.h"
#include "core/root/root_base.h"
#include "core/root/root_best.h"
#include "core/root/root_maxscore.h"
#include "core/root/root_mixed.h"
#include "core/root/root_synonym.h"
#include "core/root/root_trees.h"
#include "core/root/root_union_tree.h"

/* Whether no doc from here on is competitive. Where all docs score the same, the bound is the score
   of the worst hit; stock Lucene ends there, too. */
static bool is_done(const struct csd_node *root, const struct csd_ranking *ranking) {
  return root->exact_bound ? csd_exactly_non_competitive(ranking, root->bound)
                           : csd_non_competitive(ranking, root->bound);
}

int csd_root_produce(struct csd_eval *eval, uint32_t from, uint32_t limit, bool scored,
                     struct csd_batch *batch) {
  struct csd_node *root = eval->root;
  struct csd_ranking *ranking = &eval->ranking;
  batch->bits = NULL;
  if (scored && ranking->may_skip && eval->best != NULL) {
    return csd_best_produce(eval, from, limit, batch);
  }
  if (ranking->may_skip && is_done(root, ranking)) {
    ranking->has_skipped = true;
    batch->n = 0;
    batch->upto = limit;
    batch->scoring = CSD_SCORING_NONE;
    return 0;
  }
  if (scored && !ranking->may_skip && eval->conjunction != NULL) {
    return csd_and_produce(eval, from, limit, batch);
  }
  if (scored && ranking->may_skip && eval->base != NULL) {
    return csd_base_produce(eval, from, limit, batch);
  }
  if (scored && ranking->may_skip && eval->mixed != NULL) {
    return csd_mixed_produce(eval, from, limit, batch);
  }
  if (scored && ranking->may_skip && eval->many != NULL) {
    return csd_many_produce(eval, from, limit, batch);
  }
  if (scored && ranking->may_skip && eval->maxscore != NULL) {
    return csd_maxscore_produce(eval, from, limit, batch);
  }
  if (scored && ranking->may_skip && eval->trees != NULL) {
    return csd_trees_produce(eval, from, limit, batch);
  }
  if (scored && ranking->may_skip && eval->synonym != NULL) {
    return csd_synonym_produce(eval, from, limit, batch);
  }
  if (scored && ranking->may_skip && csd_is_union_tree(root)) {
    return csd_union_tree_produce(eval, from, limit, batch);
  }
  if (!scored && eval->wide != NULL) {
    return csd_bits_produce(eval, from, limit, batch);
  }
  return csd_eval_produce(eval, root, from, limit, scored, batch);
}
