/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "csd/csd_ops.h"
#include "tests/core/program/program_world.h"

static float random_weight(struct program_world *world) {
  return below(world, 20) == 0 ? 0.0f : (float)(1 + below(world, 8000)) / 1000.0f;
}

/* A factor for the lower scores of a DIS_MAX. */
static float random_factor(struct program_world *world) {
  const uint32_t kind = below(world, 3);
  return kind == 0 ? 0.0f : kind == 1 ? 0.3f : (float)below(world, 1001) / 1000.0f;
}

/* COMBINEDs of the plan, of which there may not be many. */
static uint32_t combined_count;

/* A SYNONYM or COMBINED. Of three terms and more, factors are such that any order is exact. */
static void random_synonym(struct program_world *world, unsigned occur) {
  const uint32_t count = 1 + below(world, 3) * below(world, 4);
  struct csd_plan_node *node = test_plan_node(&program_plan, CSD_OP_SYNONYM, occur, count);
  const bool combined = combined_count < 8 && below(world, 3) == 0;
  node->weight = random_weight(world);
  node->table = below(world, 2);
  if (combined) {
    node->op = CSD_OP_COMBINED;
    node->list = world->source.norm_resource;
    combined_count++;
  }
  for (uint32_t i = 0; i < count; i++) {
    const float factor =
        count > 2 ? (float)(1 + below(world, 4)) / 4.0f : (float)(1 + below(world, 100)) / 100.0f;
    test_plan_term(&program_plan, CSD_OCCUR_SHOULD, below(world, PROGRAM_LISTS),
                   combined ? 8.0f * factor + 1.0f : factor);
  }
}

/* Of a hundred leaves so many are columns, and of the others so many phrases. */
static uint32_t columns_in_hundred;
static uint32_t phrases_in_hundred;

/* Appends a phrase, if it is to be one here. */
static bool add_phrase(struct program_world *world, unsigned occur) {
  if (phrases_in_hundred == 0 || below(world, 100) >= phrases_in_hundred ||
      !program_phrase_node(world, occur, random_weight(world))) {
    return false;
  }
  struct csd_plan_node *node = &program_plan.nodes[program_plan.header.node_count - 1];
  node->table = csd_op_rules[node->op].table.to == CSD_REFERS_NOTHING ? 0 : below(world, 2);
  return true;
}

/* Terms of which any has to match: so many that without scores they are one set. */
static void random_set(struct program_world *world, unsigned occur) {
  const uint32_t count = 14 + below(world, 30);
  const uint32_t lists = 1 + below(world, PROGRAM_LISTS);
  test_plan_node(&program_plan, CSD_OP_BOOL, occur, count)->min_should =
      (uint16_t)(below(world, 8) == 0 ? below(world, 4) : 0);
  for (uint32_t i = 0; i < count; i++) {
    test_plan_term(&program_plan, CSD_OCCUR_SHOULD, below(world, lists), 1.0f);
  }
}

/* Terms with a score each: so few that without scores they are merged, or as many as a set has. */
static void random_join(struct program_world *world, unsigned occur) {
  const uint32_t count = 1 + (below(world, 2) == 0 ? below(world, 5) : below(world, 40));
  test_plan_node(&program_plan, CSD_OP_JOIN, occur, count);
  for (uint32_t i = 0; i < count; i++) {
    test_plan_term(&program_plan, CSD_OCCUR_SHOULD, below(world, PROGRAM_LISTS),
                   random_weight(world));
  }
}

/* The set of docs of the world; how many docs it is said to have decides nothing. */
static void random_doc_set(struct program_world *world, unsigned occur) {
  struct csd_plan_node *node = test_plan_node(&program_plan, CSD_OP_DOC_SET, occur, 0);
  node->list = world->source.set_resource;
  node->weight = random_weight(world);
  node->range_count = below(world, 3) == 0 ? UINT32_MAX : below(world, 2 * world->max_doc);
}

static void random_node(struct program_world *world, unsigned occur, uint32_t depth) {
  const uint32_t kind = below(world, 100);
  if (columns_in_hundred > 0 && (depth > 1 || below(world, 4) == 0) && (kind < 60 || depth >= 4) &&
      below(world, 100) < columns_in_hundred) {
    program_column_node(world, occur, random_weight(world));
  } else if (kind < 8 && (depth > 1 || below(world, 2) == 0)) {
    if (kind < 3) {
      random_join(world, occur);
    } else {
      random_synonym(world, occur);
    }
  } else if (depth > 1 && (kind < 60 || depth >= 4) && add_phrase(world, occur)) {
    /* That was it. */
  } else if (depth > 1 && (kind < 60 || depth >= 4)) {
    struct csd_plan_node *node =
        test_plan_term(&program_plan, occur, below(world, PROGRAM_LISTS), random_weight(world));
    node->table = below(world, 2);
  } else if (depth > 1 && kind < 64) {
    test_plan_node(&program_plan, CSD_OP_ALL, occur, 0)->weight = random_weight(world);
  } else if (depth > 1 && kind < 66) {
    test_plan_node(&program_plan, CSD_OP_NONE, occur, 0);
  } else if (kind < 68) {
    random_doc_set(world, occur);
  } else if (kind < 72) {
    test_plan_node(&program_plan, CSD_OP_CONST, occur, 1)->weight = random_weight(world);
    if (below(world, 3) == 0) {
      random_set(world, CSD_OCCUR_MUST);
    } else {
      random_node(world, CSD_OCCUR_MUST, depth + 1);
    }
  } else if (kind < 75) {
    random_set(world, occur);
  } else if (kind < 80) {
    const uint32_t children = 1 + below(world, 4);
    test_plan_node(&program_plan, CSD_OP_DIS_MAX, occur, children)->weight = random_factor(world);
    for (uint32_t i = 0; i < children; i++) {
      random_node(world, CSD_OCCUR_SHOULD, depth + 1);
    }
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
  combined_count = 0;
  test_plan_init(&program_plan, world->max_doc);
  test_plan_extents(&program_plan, &world->source);
  for (uint32_t list = 0; list < PROGRAM_LISTS; list++) {
    test_plan_list(&program_plan, &world->ref[list]);
  }
  test_plan_table(&program_plan, 24.0f);
  test_plan_table(&program_plan, 2.0f);
  if (flat && phrases_in_hundred > 0) {
    if (!program_phrase_node(world, CSD_OCCUR_MUST, random_weight(world))) {
      flat_node(world);
    }
  } else if (flat) {
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

void program_plan_phrases(struct program_world *world) {
  phrases_in_hundred = 50;
  columns_in_hundred = 5;
  random_plan(world, false);
  columns_in_hundred = 0;
  phrases_in_hundred = 0;
}

void program_plan_phrase(struct program_world *world) {
  phrases_in_hundred = 100;
  random_plan(world, true);
  phrases_in_hundred = 0;
}

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
  const uint32_t many = below(world, 6) == 0 ? below(world, 100) : 0;
  const uint32_t children = 2 + below(world, 2) * below(world, 5) + many;
  const uint32_t exclusion = 1 + below(world, 8); /* one child in so many is prohibited */
  const unsigned first = occurs[below(world, 3)];
  const bool may_set = first == CSD_OCCUR_MUST && below(world, 3) == 0;
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, children)->min_should = may_set;
  for (uint32_t i = 0; i < children; i++) {
    const bool excludes = many == 0 ? below(world, exclusion) == 0 : i == 1;
    const unsigned other = excludes ? CSD_OCCUR_MUST_NOT : CSD_OCCUR_SHOULD;
    const unsigned occur = i == 0 ? first : may_set && i == 1 ? CSD_OCCUR_SHOULD : other;
    test_plan_term(&program_plan, occur, below(world, PROGRAM_LISTS), random_weight(world));
  }
  program_plan.header.max_result_bytes = PROGRAM_RESULT_BYTES;
  test_plan_top_k(&program_plan, 1 + below(world, 20),
                  below(world, 2) == 0 ? CSD_EXACT_COUNT : below(world, 2000));
}

/* A few terms in a part that they all have. */
static void random_terms(struct program_world *world, unsigned occur, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    test_plan_term(&program_plan, occur, below(world, PROGRAM_LISTS), random_weight(world))->table =
        below(world, 2);
  }
}

/* A disjunct of a DIS_MAX. */
static void random_disjunct(struct program_world *world) {
  const uint32_t kind = below(world, 10);
  const uint32_t terms = 1 + below(world, 4);
  if (kind < 3) {
    random_terms(world, CSD_OCCUR_SHOULD, 1);
  } else if (kind < 9) {
    const bool required = kind == 8;
    const uint32_t prohibited = below(world, 6) == 0;
    test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_SHOULD, terms + prohibited);
    random_terms(world, required ? CSD_OCCUR_MUST : CSD_OCCUR_SHOULD, terms);
    random_terms(world, CSD_OCCUR_MUST_NOT, prohibited);
  } else {
    random_node(world, CSD_OCCUR_SHOULD, 3);
  }
}

void program_plan_dis_max(struct program_world *world) {
  test_plan_init(&program_plan, world->max_doc);
  test_plan_extents(&program_plan, &world->source);
  for (uint32_t list = 0; list < PROGRAM_LISTS; list++) {
    test_plan_list(&program_plan, &world->ref[list]);
  }
  test_plan_table(&program_plan, 24.0f);
  test_plan_table(&program_plan, below(world, 4) == 0 ? 1e-3f : 2.0f);
  const bool filtered = below(world, 4) == 0;
  const uint32_t prohibited = below(world, 3) == 0 ? 1 + below(world, 2) : 0;
  const bool bare = !filtered && prohibited == 0;
  if (!bare) {
    test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, 1 + filtered + prohibited);
  }
  const uint32_t disjuncts = 2 + below(world, 2) * below(world, 4);
  test_plan_node(&program_plan, CSD_OP_DIS_MAX, CSD_OCCUR_MUST, disjuncts)->weight =
      random_factor(world);
  for (uint32_t i = 0; i < disjuncts; i++) {
    random_disjunct(world);
  }
  random_terms(world, CSD_OCCUR_FILTER, filtered);
  random_terms(world, CSD_OCCUR_MUST_NOT, prohibited);
  struct csd_plan_header *header = &program_plan.header;
  header->live_docs = below(world, 3) == 0 ? world->source.live_resource : 0;
  if (below(world, 3) == 0) {
    header->limit_doc = below(world, world->max_doc + 1);
    header->min_doc = below(world, header->limit_doc + 1);
  }
  header->max_result_bytes = PROGRAM_RESULT_BYTES;
  const uint32_t thresholds[] = {0, 10, 1000, CSD_EXACT_COUNT};
  const uint32_t many = below(world, 10) == 0 ? 1200 : 40;
  test_plan_top_k(&program_plan, 1 + below(world, many), thresholds[below(world, 4)]);
  header->flags = (uint8_t)(below(world, 4) == 0 ? CSD_PLAN_FLAG_HAS_AFTER : 0);
  if (below(world, 4) == 0) {
    header->flags |= CSD_PLAN_FLAG_HAS_MIN_SCORE;
    header->flags |= below(world, 2) == 0 ? CSD_PLAN_FLAG_MIN_SCORE_TIES : 0;
  }
}

void program_plan_top_k(struct program_world *world) {
  struct csd_plan_header *header = &program_plan.header;
  header->live_docs = below(world, 3) == 0 ? world->source.live_resource : 0;
  if (below(world, 4) == 0) {
    header->limit_doc = below(world, world->max_doc + 1);
    header->min_doc = below(world, header->limit_doc + 1);
  }
  header->max_result_bytes = PROGRAM_RESULT_BYTES;
  const uint32_t thresholds[] = {0, 10, 1000, CSD_EXACT_COUNT};
  test_plan_top_k(&program_plan, 1 + below(world, 40), thresholds[below(world, 4)]);
  header->flags = (uint8_t)(below(world, 4) == 0 ? CSD_PLAN_FLAG_HAS_AFTER : 0);
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

/* A term that scores the same whatever the posting. */
static void flat_term(struct program_world *world, unsigned occur, float weight) {
  struct csd_plan_node *node =
      test_plan_term(&program_plan, occur, below(world, PROGRAM_LISTS), weight);
  if (program_plan.header.table_count == TEST_PLAN_TABLES) {
    return; /* as any term */
  }
  node->op = CSD_OP_TABLE_TERM;
  node->table = program_plan.header.table_count++;
  node->range_count = 1;
  for (uint32_t norm = 0; norm < CSD_NORM_TABLE_ENTRIES; norm++) {
    program_plan.tables[node->table][norm] = weight;
  }
}

/* A disjunction, mostly, of such terms, with a filter or prohibited term at times. */
static void flat_terms(struct program_world *world) {
  const uint32_t terms = 1 + below(world, 5);
  const uint32_t others = below(world, 3) == 0;
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, terms + others);
  for (uint32_t i = 0; i < terms; i++) {
    const unsigned occur = below(world, 8) == 0 ? CSD_OCCUR_MUST : CSD_OCCUR_SHOULD;
    flat_term(world, occur, (float)(1 + below(world, 2)));
  }
  if (others > 0) {
    test_plan_term(&program_plan, below(world, 2) == 0 ? CSD_OCCUR_FILTER : CSD_OCCUR_MUST_NOT,
                   below(world, PROGRAM_LISTS), 0.0f);
  }
}

/* A leaf or a small tree that scores one constant, or few. */
static void equal_node(struct program_world *world, unsigned occur, uint32_t depth) {
  static const float weights[] = {1.0f, 1.0f, 2.0f, 0.0f, 0.1f, 3e7f, 1e-30f};
  const float weight = weights[below(world, below(world, 3) == 0 ? 7 : 3)];
  const uint32_t kind = below(world, 9);
  if (kind == 8) {
    flat_term(world, occur, weight);
  } else if (kind < 2) {
    test_plan_node(&program_plan, CSD_OP_ALL, occur, 0)->weight = weight;
  } else if (kind == 2) {
    program_column_node(world, occur, weight);
  } else if (kind < 6 || depth > 3) {
    test_plan_node(&program_plan, CSD_OP_CONST, occur, 1)->weight = weight;
    if (below(world, 2) == 0) {
      test_plan_term(&program_plan, CSD_OCCUR_MUST, below(world, PROGRAM_LISTS), 0.0f);
    } else {
      random_node(world, CSD_OCCUR_MUST, 2);
    }
  } else {
    const uint32_t children = 1 + below(world, 4);
    test_plan_node(&program_plan, CSD_OP_BOOL, occur, children);
    for (uint32_t i = 0; i < children; i++) {
      const unsigned child = i == 0 ? CSD_OCCUR_MUST : below(world, 4);
      if (child == CSD_OCCUR_MUST_NOT || child == CSD_OCCUR_FILTER) {
        test_plan_term(&program_plan, child, below(world, PROGRAM_LISTS), 0.0f);
      } else {
        equal_node(world, child, depth + 1);
      }
    }
  }
}

void program_plan_equal(struct program_world *world) {
  random_plan(world, true);
  struct csd_plan_header *header = &program_plan.header;
  header->node_count = 0;
  if (below(world, 3) == 0) {
    flat_terms(world);
  } else {
    equal_node(world, CSD_OCCUR_MUST, 1);
  }
  header->flags = 0;
  header->mode = CSD_MODE_TOP_K;
  header->max_result_bytes = PROGRAM_RESULT_BYTES;
  const uint32_t thresholds[] = {0, 10, 1000, CSD_EXACT_COUNT, CSD_EXACT_COUNT};
  test_plan_top_k(&program_plan, 1 + below(world, 3) * below(world, 100),
                  thresholds[below(world, 5)]);
  if (below(world, 3) == 0) {
    header->flags = CSD_PLAN_FLAG_HAS_AFTER;
  }
  if (below(world, 4) == 0) {
    header->flags |= CSD_PLAN_FLAG_HAS_MIN_SCORE;
    header->flags |= below(world, 2) == 0 ? CSD_PLAN_FLAG_MIN_SCORE_TIES : 0;
  }
}

void program_plan_base(struct program_world *world) {
  static const float weights[] = {1.0f, 1.0f, 0.0f, 0.1f, 3e5f, 4.0f};
  random_plan(world, true);
  struct csd_plan_header *header = &program_plan.header;
  header->node_count = 0;
  const bool required = below(world, 2) == 0;
  const uint32_t all = 1 + (below(world, 5) == 0);
  const uint32_t terms = 1 + below(world, 3) * below(world, 5);
  const uint32_t prohibited = below(world, 3) == 0 ? 1 + below(world, 2) : 0;
  const uint32_t filters = below(world, 5) == 0;
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, all + terms + prohibited + filters);
  random_terms(world, CSD_OCCUR_SHOULD, terms / 2);
  for (uint32_t i = 0; i < all; i++) {
    const unsigned occur = required ? CSD_OCCUR_MUST : CSD_OCCUR_SHOULD;
    test_plan_node(&program_plan, CSD_OP_ALL, occur, 0)->weight = weights[below(world, 6)];
  }
  random_terms(world, CSD_OCCUR_SHOULD, terms - terms / 2);
  random_terms(world, CSD_OCCUR_MUST_NOT, prohibited);
  random_terms(world, CSD_OCCUR_FILTER, filters);
  header->mode = CSD_MODE_TOP_K;
  header->flags = (uint8_t)(below(world, 4) == 0 ? CSD_PLAN_FLAG_HAS_AFTER : 0);
  if (below(world, 4) == 0) {
    header->flags |= CSD_PLAN_FLAG_HAS_MIN_SCORE;
    header->flags |= below(world, 2) == 0 ? CSD_PLAN_FLAG_MIN_SCORE_TIES : 0;
  }
  header->max_result_bytes = PROGRAM_RESULT_BYTES;
  const uint32_t thresholds[] = {0, 0, 10, 1000, CSD_EXACT_COUNT};
  const uint32_t many = below(world, 10) == 0 ? 2000 : 40;
  test_plan_top_k(&program_plan, 1 + below(world, many), thresholds[below(world, 5)]);
}
