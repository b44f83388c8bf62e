/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* One scored term, less prohibited children. */
#include "core/eval/bool/eval_single.h"
#include "tests/core/eval/eval_world.h"

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  return csd_single_produce(eval, eval->root, from, limit, batch);
}

static struct csd_sieve sieve;
static uint32_t sieves; /* that were made */

static int produce_above(struct csd_eval *eval, uint32_t from, uint32_t limit,
                         struct csd_batch *batch) {
  return csd_single_produce_above(eval, eval->root, from, limit, eval->ranking.min_score,
                                  from % 2 == 0 ? &sieve : NULL, batch);
}

static void single(struct program_world *world) {
  struct eval_case c;
  eval_plan_init(world, true);
  eval_plan_flat(world, 1, 0, below(world, 4), 0);
  eval_case_begin(&c, world);
  CHECK(csd_is_single_term(c.eval->root));
  if (below(world, 2) == 0) {
    eval_case_rank(&c);
    sieve.made = false;
    if (below(world, 2) == 0) {
      csd_sieve_make(&sieve, c.eval->root->required[0], c.eval->ranking.min_score);
    }
    eval_case_compare(&c, produce_above, true);
    sieves += sieve.made;
  } else {
    eval_case_compare(&c, produce, true);
  }
  eval_case_end(&c);
}

static void terms(void) {
  eval_worlds(6700, single);
  CHECK_MSG(sieves > program_share(12) / 8, "only %u lists had a sieve", sieves);
}

int main(void) {
  RUN(terms);
  return check_result();
}
