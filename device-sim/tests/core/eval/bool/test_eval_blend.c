/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * DIS_MAX, SYNONYM and COMBINED by merging postings, of rare terms and, though it would not pay, of
 * any. Whether it pays is decided anew, so that small worlds take part.
 */
#include "core/eval/bool/eval_blend.h"
#include "core/eval/bool/eval_bool.h"
#include "core/eval/bool/eval_or.h"
#include "core/eval/eval_term.h"
#include "core/eval/phrase/eval_phrase.h"
#include "tests/core/eval/eval_world.h"

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  return csd_blend_produce(eval, eval->root, from, limit, batch);
}

/* Adds a node with `count` terms; of three terms and more, any order of the sums is exact. */
static void plan(struct program_world *world, uint8_t op, uint32_t count) {
  struct csd_plan_node *node = test_plan_node(&program_plan, op, CSD_OCCUR_MUST, count);
  node->weight = op == CSD_OP_DIS_MAX ? (float)below(world, 5) / 4.0f : 2.5f;
  if (op == CSD_OP_COMBINED) {
    node->list = world->source.norm_resource;
  }
  for (uint32_t i = 0; i < count; i++) {
    const float quarters = (float)(1 + below(world, 4)) / 4.0f;
    test_plan_term(&program_plan, CSD_OCCUR_SHOULD, below(world, PROGRAM_LISTS),
                   op == CSD_OP_COMBINED ? 1.0f + quarters : quarters);
  }
}

static void blend(struct program_world *world) {
  static const uint8_t ops[] = {CSD_OP_DIS_MAX, CSD_OP_SYNONYM, CSD_OP_COMBINED};
  struct eval_case c;
  eval_plan_init(world, true);
  plan(world, ops[below(world, 3)], 1 + below(world, CSD_MAX_MERGE_TERMS));
  eval_case_begin(&c, world);
  eval_case_compare(&c, produce, true);
  eval_case_end(&c);
}

static void blends(void) { eval_worlds(6300, blend); }

/* One term pays however long its list is; several do if they are short and terms all. */
static void it_pays(void) {
  struct csd_node term = {.op = &csd_op_term};
  struct csd_node other = {.op = &csd_op_phrase};
  struct csd_node *two[] = {&term, &term};
  struct csd_node *mixed[] = {&term, &other};
  struct csd_node node = {.op = &csd_op_bool, .optional = two, .cost = 1000};
  node.optional_count = 1;
  CHECK(csd_blend_pays(&node, 1000));
  node.optional_count = 2;
  CHECK(!csd_blend_pays(&node, 1000));
  CHECK(csd_blend_pays(&node, 1000000));
  node.optional = mixed;
  CHECK(!csd_blend_pays(&node, 1000000));
  mixed[0] = &other;
  node.optional_count = 1;
  CHECK(!csd_blend_pays(&node, 1000000));
}

int main(void) {
  RUN(blends);
  RUN(it_pays);
  return check_result();
}
