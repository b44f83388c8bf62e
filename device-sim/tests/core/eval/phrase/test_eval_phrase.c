/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* PHRASE nodes that produce, ranked or not, and PHRASE nodes that are probed. */
#include "core/eval/phrase/eval_phrase.h"
#include "tests/core/eval/eval_world.h"

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  return csd_phrase_produce(eval, eval->root, from, limit, eval->root->scored, batch);
}

static bool plan(struct program_world *world) {
  eval_plan_init(world, below(world, 2) == 0);
  return program_phrase_node(world, CSD_OCCUR_MUST, (float)(1 + below(world, 4000)) / 1000.0f);
}

static void produced(struct program_world *world) {
  struct eval_case c;
  if (!plan(world)) {
    return;
  }
  eval_case_begin(&c, world);
  if (c.scored && below(world, 2) == 0) {
    eval_case_rank(&c);
  }
  eval_case_compare(&c, produce, true);
  eval_case_end(&c);
}

/* Phrases that begin with alternatives keep where each of these has docs, from call to call. */
static void led_by_alternatives(struct program_world *world) {
  struct eval_case c;
  if (!plan(world) || program_plan.nodes[0].op != CSD_OP_MULTI_PHRASE) {
    return;
  }
  eval_case_begin(&c, world);
  const bool leads = c.eval->root->phrase->places[0].count > 1;
  for (uint32_t i = 0; leads && i < 12; i++) {
    eval_case_compare(&c, produce, true);
    csd_eval_rewind(c.eval);
  }
  eval_case_end(&c);
}

static void probed(struct program_world *world) {
  struct eval_case c;
  if (!plan(world)) {
    return;
  }
  eval_case_begin(&c, world);
  eval_case_probe(&c, c.eval->root);
  eval_case_end(&c);
}

/* No score is above the bound of the node. */
static void bounded(struct program_world *world) {
  struct eval_case c;
  if (!plan(world)) {
    return;
  }
  eval_case_begin(&c, world);
  for (uint32_t i = 0; c.scored && i < c.match_count; i++) {
    CHECK((double)c.matches[i].score <= c.eval->root->bound);
  }
  eval_case_end(&c);
}

static void phrases(void) { eval_worlds(8100, produced); }
static void alternatives(void) { eval_worlds(8400, led_by_alternatives); }
static void probes(void) { eval_worlds(8200, probed); }
static void bounds(void) { eval_worlds(8300, bounded); }

int main(void) {
  RUN(phrases);
  RUN(alternatives);
  RUN(probes);
  RUN(bounds);
  return check_result();
}
