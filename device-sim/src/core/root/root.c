/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/test_eval.c, and tests/core/root for each way. */
#include "core/root/root.h"

#include "core/eval/eval_bits.h"

/* Whether no doc from here on is competitive. Where all docs score the same, the bound is the score
   of the worst hit; stock Lucene ends there, too. */
static bool is_done(const struct csd_node *root, const struct csd_ranking *ranking) {
  return root->exact_bound ? csd_exactly_non_competitive(ranking, root->bound)
                           : csd_non_competitive(ranking, root->bound);
}

int csd_root_produce(struct csd_eval *eval, uint32_t from, uint32_t limit, bool scored,
                     struct csd_batch *batch) {
  struct csd_ranking *ranking = &eval->ranking;
  const bool uses_way = csd_root_uses_way(eval, scored);
  const bool any_order = uses_way && eval->way->any_order;
  *batch = (struct csd_batch){.upto = limit, .scoring = CSD_SCORING_NONE};
  if (!any_order && ranking->may_skip && is_done(eval->root, ranking)) {
    ranking->has_skipped = true;
    return 0;
  }
  if (uses_way) {
    ranking->way = (uint8_t)eval->way->number;
    return eval->way->produce(eval, from, limit, batch);
  }
  if (!scored && eval->wide != NULL) {
    return csd_bits_produce(eval, from, limit, batch);
  }
  return csd_eval_produce(eval, eval->root, from, limit, scored, batch);
}

int csd_root_part_produce(struct csd_eval *eval, const struct csd_root_part *part, float min_score,
                          uint32_t from, uint32_t limit, struct csd_batch *batch) {
  const struct csd_root_part root = {
      .node = eval->root, .way = eval->way, .state = eval->way_state};
  const struct csd_ranking ranking = eval->ranking;
  eval->root = part->node;
  eval->way = part->way;
  eval->way_state = part->state;
  eval->ranking.min_score = min_score;
  eval->ranking.ties_below = 0;
  const int status = csd_root_produce(eval, from, limit, true, batch);
  eval->root = root.node;
  eval->way = root.way;
  eval->way_state = root.state;
  eval->ranking = ranking;
  eval->ranking.has_skipped = true;
  return status;
}
