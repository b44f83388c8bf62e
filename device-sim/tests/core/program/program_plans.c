/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/core/program/program_world.h"

static float random_weight(struct program_world *world) {
  return below(world, 20) == 0 ? 0.0f : (float)(1 + below(world, 8000)) / 1000.0f;
}

/* Of a hundred leaves so many are columns. */
static uint32_t columns_in_hundred;

static void random_node(struct program_world *world, unsigned occur, uint32_t depth) {
  const uint32_t kind = below(world, 100);
  if (columns_in_hundred > 0 && (depth > 1 || below(world, 4) == 0) && (kind < 60 || depth >= 4) &&
      below(world, 100) < columns_in_hundred) {
    program_column_node(world, occur, random_weight(world));
  } else if (depth > 1 && (kind < 60 || depth >= 4)) {
    struct csd_plan_node *node =
        test_plan_term(&program_plan, occur, below(world, PROGRAM_LISTS), random_weight(world));
    node->table = below(world, 2);
  } else if (depth > 1 && kind < 64) {
    test_plan_node(&program_plan, CSD_OP_ALL, occur, 0)->weight = random_weight(world);
  } else if (depth > 1 && kind < 66) {
    test_plan_node(&program_plan, CSD_OP_NONE, occur, 0);
  } else if (kind < 72) {
    test_plan_node(&program_plan, CSD_OP_CONST, occur, 1)->weight = random_weight(world);
    random_node(world, CSD_OCCUR_MUST, depth + 1);
  } else {
    const uint32_t children = 1 + below(world, 5);
    const uint32_t at = program_plan.header.node_count;
    test_plan_node(&program_plan, CSD_OP_BOOL, occur, children);
    const bool disjunction = below(world, 3) == 0;
    uint32_t should = 0;
    for (uint32_t i = 0; i < children; i++) {
      const unsigned child =
          disjunction && below(world, 8) != 0 ? CSD_OCCUR_SHOULD : below(world, 4);
      should += child == CSD_OCCUR_SHOULD;
      random_node(world, child, depth + 1);
    }
    program_plan.nodes[at].min_should =
        (uint16_t)(below(world, 3) == 0 ? below(world, should + 2) : 0);
  }
}

/* The shapes that have their own ways: terms only. */
static void flat_node(struct program_world *world) {
  const uint32_t shape = below(world, 6);
  if (shape == 0) {
    test_plan_term(&program_plan, CSD_OCCUR_MUST, below(world, PROGRAM_LISTS),
                   random_weight(world));
    return;
  }
  const uint32_t children = 2 + below(world, 3) * below(world, 3);
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, children);
  for (uint32_t i = 0; i < children; i++) {
    unsigned occur = shape <= 2 ? CSD_OCCUR_SHOULD : CSD_OCCUR_MUST;
    if (i > 0 && shape >= 4) {
      occur = shape == 4 ? CSD_OCCUR_MUST_NOT : below(world, 4);
    } else if (i > 0 && shape == 2 && below(world, 3) == 0) {
      occur = CSD_OCCUR_MUST_NOT;
    }
    test_plan_term(&program_plan, occur, below(world, PROGRAM_LISTS), random_weight(world))->table =
        below(world, 2);
  }
}

static void random_plan(struct program_world *world, bool flat) {
  test_plan_init(&program_plan, world->max_doc);
  test_plan_extents(&program_plan, &world->source);
  for (uint32_t list = 0; list < PROGRAM_LISTS; list++) {
    test_plan_list(&program_plan, &world->ref[list]);
  }
  test_plan_table(&program_plan, 24.0f);
  test_plan_table(&program_plan, 2.0f);
  if (flat) {
    flat_node(world);
  } else {
    random_node(world, CSD_OCCUR_MUST, 1);
  }
  struct csd_plan_header *header = &program_plan.header;
  header->live_docs = below(world, 3) == 0 ? world->source.live_resource : 0;
  if (below(world, 3) == 0) {
    header->limit_doc = below(world, world->max_doc + 1);
    header->min_doc = below(world, header->limit_doc + 1);
  }
  header->max_result_bytes = 72 + (below(world, 3) == 0 ? below(world, 400) : 300000);
  header->mode = (uint8_t)(1 + below(world, 4));
  if (header->mode == CSD_MODE_TOP_K) {
    header->max_result_bytes = PROGRAM_RESULT_BYTES;
    const uint32_t thresholds[] = {0, 1, 10, 100, 1000, CSD_EXACT_COUNT};
    test_plan_top_k(&program_plan, 1 + below(world, 3) * below(world, 100),
                    thresholds[below(world, 6)]);
    header->flags = (uint8_t)(below(world, 4) == 0 ? 1 + below(world, 7) : 0);
    if ((header->flags & CSD_PLAN_FLAG_HAS_MIN_SCORE) == 0) {
      header->flags &= CSD_PLAN_FLAG_HAS_AFTER;
    }
  }
}

void program_plan_random(struct program_world *world) { random_plan(world, below(world, 2) == 0); }

void program_plan_columns(struct program_world *world) {
  columns_in_hundred = 50;
  random_plan(world, false);
  columns_in_hundred = 0;
}

void program_plan_aggregates(struct program_world *world) {
  columns_in_hundred = 30;
  random_plan(world, below(world, 2) == 0);
  columns_in_hundred = 0;
  if (below(world, 4) == 0) {
    program_plan.header.node_count = 0;
    test_plan_node(&program_plan, CSD_OP_ALL, CSD_OCCUR_MUST, 0);
  }
  program_plan.header.flags = 0;
  program_plan.header.k = 0;
  program_plan.header.count_threshold = CSD_EXACT_COUNT;
  program_aggregates_add(world);
}

/* The best hits of a few terms in all docs: the lists' lengths may tell something of the count. */
void program_plan_ranking(struct program_world *world) {
  static const unsigned occurs[] = {CSD_OCCUR_MUST, CSD_OCCUR_FILTER, CSD_OCCUR_SHOULD};
  test_plan_init(&program_plan, world->max_doc);
  test_plan_extents(&program_plan, &world->source);
  for (uint32_t list = 0; list < PROGRAM_LISTS; list++) {
    test_plan_list(&program_plan, &world->ref[list]);
  }
  test_plan_table(&program_plan, 24.0f);
  const uint32_t children = 2 + below(world, 2) * below(world, 5);
  const uint32_t exclusion = 1 + below(world, 8); /* one child in so many is prohibited */
  const unsigned first = occurs[below(world, 3)];
  const bool may_set = first == CSD_OCCUR_MUST && below(world, 3) == 0;
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, children)->min_should = may_set;
  for (uint32_t i = 0; i < children; i++) {
    const unsigned other = below(world, exclusion) == 0 ? CSD_OCCUR_MUST_NOT : CSD_OCCUR_SHOULD;
    const unsigned occur = i == 0 ? first : may_set && i == 1 ? CSD_OCCUR_SHOULD : other;
    test_plan_term(&program_plan, occur, below(world, PROGRAM_LISTS), random_weight(world));
  }
  program_plan.header.max_result_bytes = PROGRAM_RESULT_BYTES;
  test_plan_top_k(&program_plan, 1 + below(world, 20),
                  below(world, 2) == 0 ? CSD_EXACT_COUNT : below(world, 2000));
}

/* The best hits of one term or several, less others: one long list gives its best blocks first. */
void program_plan_required(struct program_world *world) {
  test_plan_init(&program_plan, world->max_doc);
  test_plan_extents(&program_plan, &world->source);
  for (uint32_t list = 0; list < PROGRAM_LISTS; list++) {
    test_plan_list(&program_plan, &world->ref[list]);
  }
  test_plan_table(&program_plan, below(world, 4) == 0 ? 1e-3f : 24.0f);
  const uint32_t prohibited = below(world, 4);
  const uint32_t required = below(world, 2) == 0 ? 1 : 1 + below(world, 9);
  if (required + prohibited > 1 || below(world, 2) == 0) {
    test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, required + prohibited);
  }
  for (uint32_t i = 0; i < required; i++) {
    const unsigned occur = i > 0 && below(world, 4) == 0 ? CSD_OCCUR_FILTER : CSD_OCCUR_MUST;
    test_plan_term(&program_plan, occur, below(world, PROGRAM_LISTS), random_weight(world));
  }
  for (uint32_t i = 0; i < prohibited; i++) {
    if (below(world, 4) == 0) {
      test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST_NOT, 2);
      test_plan_term(&program_plan, CSD_OCCUR_SHOULD, below(world, PROGRAM_LISTS), 1.0f);
      test_plan_term(&program_plan, CSD_OCCUR_SHOULD, below(world, PROGRAM_LISTS), 1.0f);
    } else {
      test_plan_term(&program_plan, CSD_OCCUR_MUST_NOT, below(world, PROGRAM_LISTS), 1.0f);
    }
  }
  struct csd_plan_header *header = &program_plan.header;
  header->live_docs = below(world, 3) == 0 ? world->source.live_resource : 0;
  if (below(world, 3) == 0) {
    header->limit_doc = below(world, world->max_doc + 1);
    header->min_doc = below(world, header->limit_doc + 1);
  }
  header->max_result_bytes = PROGRAM_RESULT_BYTES;
  const uint32_t thresholds[] = {0, 1000, CSD_EXACT_COUNT};
  test_plan_top_k(&program_plan, 1 + below(world, 40), thresholds[below(world, 3)]);
  header->flags = (uint8_t)(below(world, 4) == 0 ? CSD_PLAN_FLAG_HAS_AFTER : 0);
  if (below(world, 4) == 0) {
    header->flags |= CSD_PLAN_FLAG_HAS_MIN_SCORE;
    header->flags |= below(world, 2) == 0 ? CSD_PLAN_FLAG_MIN_SCORE_TIES : 0;
  }
}
