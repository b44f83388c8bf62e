/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Disjunctions that are not scored, by merging docs, of rare terms and of any. */
#include "core/eval/bool/eval_or.h"
#include "core/eval/bool/eval_union.h"
#include "tests/core/eval/eval_world.h"

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  return csd_union_produce(eval, eval->root, from, limit, batch);
}

static void unite(struct program_world *world) {
  struct eval_case c;
  eval_plan_init(world, false);
  eval_plan_flat(world, 0, 2 + below(world, CSD_MAX_MERGE_TERMS - 1), below(world, 3), 0);
  eval_case_begin(&c, world);
  eval_case_compare(&c, produce, true);
  eval_case_end(&c);
}

static void unions(void) { eval_worlds(6300, unite); }

int main(void) {
  RUN(unions);
  return check_result();
}
