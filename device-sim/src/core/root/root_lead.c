/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_rank_ways.c; csd_bool_produce judges the blocks. */
#include "core/eval/bool/eval_bool_produce.h"
#include "core/root/root_ways.h"

static bool applies(const struct csd_node *root, const struct csd_wanted *wanted) {
  return wanted->k > 0 && root->op->is_bool && root->required_count == 1 && root->min_should == 0 &&
         root->required[0]->op->is_term && root->required[0]->scored;
}

/* It keeps nothing. */
static void *make(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted) {
  (void)arena;
  (void)wanted;
  return root;
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  return csd_bool_produce(eval, eval->root, from, limit, true, batch);
}

const struct csd_root_way csd_way_lead = {.number = CSD_WAY_LEAD,
                                          .needs_skip = true,
                                          .ranks_alone = true,
                                          .applies = applies,
                                          .make = make,
                                          .produce = produce};
