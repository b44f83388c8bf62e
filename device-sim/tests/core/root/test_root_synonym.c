/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Synonyms, of rare and of frequent terms: nothing competitive may be missing. */
#include "core/eval/bool/eval_bool.h"
#include "core/eval/bool/eval_synonym.h"
#include "core/eval/eval_term.h"
#include "core/root/root_ways.h"
#include "tests/core/eval/eval_world.h"

static const struct csd_wanted wanted = {.k = 10};

/* Adds a SYNONYM; of three terms and more, any order of the sums is exact. */
static void plan(struct program_world *world) {
  const uint32_t terms = 1 + below(world, 4);
  const bool plain = below(world, 2) == 0; /* terms that score alone as the synonym does */
  test_plan_node(&program_plan, CSD_OP_SYNONYM, CSD_OCCUR_MUST, (uint16_t)terms)->weight =
      (float)(1 + below(world, 6));
  for (uint32_t i = 0; i < terms; i++) {
    test_plan_term(&program_plan, CSD_OCCUR_SHOULD, below(world, PROGRAM_LISTS),
                   plain ? 1.0f : (float)(1 + below(world, 4)) / 4.0f);
  }
}

static void ranked(struct program_world *world) {
  struct eval_case c;
  eval_plan_init(world, true);
  plan(world);
  eval_case_begin(&c, world);
  eval_case_take(&c, &csd_way_synonym, 10);
  eval_case_rank(&c);
  eval_case_compare(&c, csd_way_synonym.produce, true);
  eval_case_end(&c);
}

static void synonyms(void) { eval_worlds(7100, ranked); }

/* Fields of their own norms, and other nodes, have other ways. */
static void it_applies(void) {
  const uint8_t norms[1] = {0};
  struct csd_node term = {.op = &csd_op_term};
  struct csd_node *terms[] = {&term};
  struct csd_node root = {.op = &csd_op_synonym, .scored = true, .optional = terms};
  root.optional_count = 1;
  CHECK(csd_way_synonym.applies(&root, &wanted));
  root.doc_norms = norms;
  CHECK(!csd_way_synonym.applies(&root, &wanted));
  root.doc_norms = NULL;
  root.op = &csd_op_bool;
  CHECK(!csd_way_synonym.applies(&root, &wanted));
}

int main(void) {
  RUN(synonyms);
  RUN(it_applies);
  return check_result();
}
