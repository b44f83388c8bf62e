/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Which way a root is produced in, and that result pages say so. */
#include "core/program/rank_ways.h"
#include "core/root/root_ways.h"
#include "tests/core/eval/eval_world.h"

static struct program_world world;

static void term(unsigned occur) { test_plan_term(&program_plan, occur, 1, 2.0f); }

static void synonym(unsigned occur) {
  test_plan_node(&program_plan, CSD_OP_SYNONYM, occur, 1)->weight = 2.0f;
  test_plan_term(&program_plan, CSD_OCCUR_SHOULD, 2, 1.0f);
}

static void group(unsigned op, uint16_t min_should, uint32_t children) {
  test_plan_node(&program_plan, op, CSD_OCCUR_MUST, children)->min_should = min_should;
}

/* Checks which way is taken for the plan whose nodes have been added, and what its result page
   calls that. */
static void check_way(uint32_t k, enum csd_way way) {
  const struct csd_wanted wanted = {.k = k};
  struct eval_case c;
  eval_case_begin(&c, &world);
  CHECK_EQ(0, csd_rank_ways_choose(&c.arena, c.eval, &wanted));
  CHECK_EQ(way, c.eval->way == NULL ? CSD_WAY_UNSAID : c.eval->way->number);
  eval_case_end(&c);
  if (k > 0) {
    test_plan_top_k(&program_plan, k, 0);
  }
  struct csd_result_header header;
  REQUIRE(program_world_result(&world, &header));
  CHECK(header.match_count > 0);
  CHECK_EQ(way, header.flags >> CSD_WAY_SHIFT);
}

static void disjunctions_of_terms(void) {
  const enum csd_way ways[] = {CSD_WAY_MAXSCORE, CSD_WAY_MAXSCORE, CSD_WAY_MANY, CSD_WAY_MANY};
  const uint32_t counts[] = {2, 6, 7, 12};
  for (uint32_t i = 0; i < 4; i++) {
    eval_plan_init(&world, true);
    group(CSD_OP_BOOL, 0, counts[i]);
    for (uint32_t t = 0; t < counts[i]; t++) {
      term(CSD_OCCUR_SHOULD);
    }
    check_way(0, CSD_WAY_UNSAID);
    check_way(10, ways[i]);
  }
  eval_plan_init(&world, true);
  group(CSD_OP_BOOL, 2, 2);
  term(CSD_OCCUR_SHOULD);
  term(CSD_OCCUR_SHOULD);
  check_way(10, CSD_WAY_UNSAID);
}

/* Where the terms have as many docs, none is rare. */
static void disjunctions_with_rare_terms(void) {
  uint32_t least = 1, most = 1;
  for (uint32_t list = 1; list < PROGRAM_LISTS; list++) {
    least = world.count[list] >= 10 && world.count[list] < world.count[least] ? list : least;
    most = world.count[list] > world.count[most] ? list : most;
  }
  REQUIRE(world.count[least] >= 10 && world.count[most] > 8 * world.count[least]);
  for (uint32_t k = 10; k <= 1000; k *= 10) {
    eval_plan_init(&world, true);
    group(CSD_OP_BOOL, 0, 2);
    test_plan_term(&program_plan, CSD_OCCUR_SHOULD, most, 2.0f);
    test_plan_term(&program_plan, CSD_OCCUR_SHOULD, least, 2.0f);
    check_way(k, k <= 100 ? CSD_WAY_RARE : CSD_WAY_MAXSCORE);
  }
}

static void disjunctions_of_trees(void) {
  for (uint16_t least = 0; least < 3; least++) {
    eval_plan_init(&world, true);
    group(CSD_OP_BOOL, least, 2);
    synonym(CSD_OCCUR_SHOULD);
    term(CSD_OCCUR_SHOULD);
    check_way(10, least < 2 ? CSD_WAY_TREES : CSD_WAY_SOME_TREES);
  }
  eval_plan_init(&world, true);
  synonym(CSD_OCCUR_MUST);
  check_way(10, CSD_WAY_SYNONYM);
  eval_plan_init(&world, true);
  group(CSD_OP_DIS_MAX, 0, 2);
  term(CSD_OCCUR_SHOULD);
  synonym(CSD_OCCUR_SHOULD);
  check_way(10, CSD_WAY_DISJUNCTS);
  check_way(5000, CSD_WAY_TREES);
}

static void required_terms(void) {
  eval_plan_init(&world, true);
  group(CSD_OP_BOOL, 0, 2);
  term(CSD_OCCUR_MUST);
  term(CSD_OCCUR_SHOULD);
  check_way(0, CSD_WAY_UNSAID);
  check_way(10, CSD_WAY_LEAD);
  eval_plan_init(&world, true);
  group(CSD_OP_BOOL, 0, 2);
  term(CSD_OCCUR_MUST);
  term(CSD_OCCUR_MUST);
  check_way(0, CSD_WAY_AND);
  check_way(10, CSD_WAY_AND);
}

static void beside_all_docs(void) {
  eval_plan_init(&world, true);
  group(CSD_OP_BOOL, 0, 2);
  test_plan_node(&program_plan, CSD_OP_ALL, CSD_OCCUR_MUST, 0)->weight = 1.0f;
  term(CSD_OCCUR_SHOULD);
  check_way(10, CSD_WAY_BASE);
}

/* Blocks of the lists that program_plan has for its terms, about. */
static uint32_t blocks_of_terms(void) {
  uint32_t blocks = 0;
  for (uint32_t i = 0; i < program_plan.header.node_count; i++) {
    const struct csd_plan_node *node = &program_plan.nodes[i];
    if (node->op == CSD_OP_TERM) {
      blocks += world.count[node->list] / CSD_BLOCK_POSTINGS + 2u;
    }
  }
  return blocks;
}

/* Where ranking asks children about docs, and does not pass most blocks over, counting first and
   ranking afterwards would read most blocks twice. */
static void some_trees_are_counted_as_they_are_ranked(void) {
  CHECK(!csd_way_some_trees.ranks_alone && !csd_way_mixed.ranks_alone);
  uint32_t decoded = 0;
  uint32_t blocks = 0;
  for (uint32_t i = 0; i < 20; i++) {
    eval_plan_init(&world, true);
    test_plan_top_k(&program_plan, 10, CSD_EXACT_COUNT);
    group(CSD_OP_BOOL, 2, 3);
    for (uint32_t child = 0; child < 3; child++) {
      test_plan_node(&program_plan, CSD_OP_SYNONYM, CSD_OCCUR_SHOULD, 2)->weight = 2.0f;
      for (uint32_t t = 0; t < 2; t++) {
        test_plan_term(&program_plan, CSD_OCCUR_SHOULD, below(&world, PROGRAM_LISTS), 1.0f);
      }
    }
    struct csd_result_header header;
    REQUIRE(program_world_result(&world, &header));
    decoded += header.blocks_decoded;
    blocks += blocks_of_terms();
  }
  CHECK(blocks > 1000);
  CHECK_MSG(decoded <= blocks, "%u blocks were decoded, of %u", decoded, blocks);
}

int main(void) {
  program_buffers_take();
  program_world_make(&world, 9100, 12000);
  RUN(disjunctions_of_terms);
  RUN(disjunctions_with_rare_terms);
  RUN(disjunctions_of_trees);
  RUN(required_terms);
  RUN(beside_all_docs);
  program_world_free(&world);
  program_world_make(&world, 9102, 60000);
  RUN(some_trees_are_counted_as_they_are_ranked);
  program_world_free(&world);
  program_buffers_free();
  return check_result();
}
