/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program: programs of mode TOP_K. */
#include "core/program/rank_ways.h"

#include "core/disjuncts/disjuncts.h"
#include "core/root/root_base.h"
#include "core/root/root_best.h"
#include "core/root/root_maxscore.h"
#include "core/root/root_mixed.h"
#include "core/root/root_synonym.h"
#include "core/root/root_trees.h"
#include "core/root/root_union_tree.h"

int csd_rank_ways_make(struct csd_arena *arena, struct csd_eval *eval, uint32_t k, bool complete) {
  const bool many = csd_many_applies(eval->root);
  const bool maxscore = !many && csd_maxscore_applies(eval->root);
  const bool disjuncts = csd_disjuncts_apply(eval->root, k);
  const bool best = csd_best_applies(eval->root, k);
  const bool base = csd_base_applies(eval->root);
  const bool mixed = csd_mixed_applies(eval->root);
  const bool trees = csd_trees_apply(eval->root);
  const bool synonym = csd_synonym_applies(eval->root);
  if (many) {
    eval->many = csd_many_make(arena, eval->root);
  }
  if (maxscore) {
    eval->maxscore = csd_maxscore_make(arena, eval->root);
  }
  if (disjuncts) {
    eval->disjuncts = csd_disjuncts_make(arena, eval->root, k, complete);
  }
  if (best) {
    eval->best = csd_best_make(arena, k);
  }
  if (base) {
    eval->base = csd_base_make(arena, eval->root);
  }
  if (mixed) {
    eval->mixed = csd_mixed_make(arena, eval->root);
  }
  if (trees) {
    eval->trees = csd_trees_make(arena, eval->root);
  }
  if (synonym) {
    eval->synonym = csd_synonym_make(arena, eval->root);
  }
  const bool made = (!many || eval->many != NULL) && (!maxscore || eval->maxscore != NULL) &&
                    (!disjuncts || eval->disjuncts != NULL) && (!best || eval->best != NULL) &&
                    (!base || eval->base != NULL) && (!mixed || eval->mixed != NULL) &&
                    (!trees || eval->trees != NULL) && (!synonym || eval->synonym != NULL);
  return made ? 0 : -CSD_STATUS_INSUFFICIENT_GRANT;
}

bool csd_ranks_alone(const struct csd_eval *eval) {
  const struct csd_node *root = eval->root;
  return eval->maxscore != NULL || eval->many != NULL || eval->disjuncts != NULL ||
         eval->base != NULL || csd_is_union_tree(root) ||
         (root->op->is_bool && root->required_count == 1 && root->min_should == 0 &&
          root->required[0]->op->is_term && root->required[0]->scored);
}
