/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Nodes of any shape: produced as the root and as any node, and probed. */
#include "core/root/root.h"
#include "tests/core/eval/eval_world.h"

static void plan(struct program_world *world) {
  program_plan_random(world);
  struct csd_plan_header *header = &program_plan.header;
  header->min_doc = 0;
  header->limit_doc = world->max_doc;
  header->live_docs = 0;
  header->flags = 0;
  header->k = 0;
  header->count_threshold = CSD_EXACT_COUNT;
  header->max_result_bytes = PROGRAM_RESULT_BYTES;
  header->mode = below(world, 2) == 0 ? CSD_MODE_SCORED_DOCS : CSD_MODE_COUNT;
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  return csd_eval_produce(eval, eval->root, from, limit, eval->root->scored, batch);
}

static int produce_root(struct csd_eval *eval, uint32_t from, uint32_t limit,
                        struct csd_batch *batch) {
  return csd_root_produce(eval, from, limit, eval->root->scored, batch);
}

static void produced(struct program_world *world) {
  struct eval_case c;
  plan(world);
  eval_case_begin(&c, world);
  eval_case_compare(&c, below(world, 2) == 0 ? produce : produce_root, true);
  eval_case_end(&c);
}

static void probed(struct program_world *world) {
  struct eval_case c;
  plan(world);
  eval_case_begin(&c, world);
  eval_case_probe(&c, c.eval->root);
  eval_case_end(&c);
}

static void batches(void) { eval_worlds(7400, produced); }
static void probes(void) { eval_worlds(7500, probed); }

int main(void) {
  RUN(batches);
  RUN(probes);
  return check_result();
}
