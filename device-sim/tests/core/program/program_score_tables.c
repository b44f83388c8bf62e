/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "csd/csd_ops.h"
#include "tests/core/program/program_world.h"

/* Most tables of a node. */
#define MAX_TABLES 9u

/*
 * A score of a frequency and norm that is not above the weight, rises with one and falls with the
 * other. Some similarities give 0 to many postings, others the same score; those that are to be
 * added differ by no more than sums are exact for.
 */
static float score_of(float weight, uint32_t kind, uint32_t freq, uint32_t norm) {
  const uint32_t worth = 40u * freq;
  float part = 1.0f; /* whatever the posting */
  if (kind == 1) {
    part = worth > norm ? (float)(worth - norm) / (float)(MAX_TABLES * 40u) : 0.0f;
  } else if (kind == 2) {
    part = (float)freq / (float)(freq + 1u + norm / 32u);
  } else if (kind == 3) {
    part = (float)(1u + freq / 2u) / (float)MAX_TABLES; /* whatever the norm */
  }
  return weight * part;
}

/* Scores that rise with the frequency: in its high byte and, as entries fall, in its low one. */
static void add_feature(struct program_world *world, struct csd_plan_node *node) {
  const uint32_t kind = below(world, 3);
  node->op = CSD_OP_FEATURE_TERM;
  node->min_should = (uint16_t)(below(world, 2) == 0 ? 0 : below(world, 300));
  node->min_should = node->min_should > 0xFF ? 0xFF : node->min_should;
  node->table = program_plan.header.table_count;
  node->range_count = 1u + below(world, MAX_TABLES);
  if (node->range_count > 0x100u - node->min_should) {
    node->range_count = 0x100u - node->min_should;
  }
  program_plan.header.table_count = (uint16_t)(node->table + node->range_count);
  const float most = (float)(node->range_count * 256u);
  for (uint32_t t = 0; t < node->range_count; t++) {
    for (uint32_t low = 0; low < 256; low++) {
      const float at = (float)(t * 256u + low + 1u);
      const float part = kind == 0 ? at / most : kind == 1 ? at / (at + 40.0f) : 0.5f;
      program_plan.tables[node->table + t][255 - low] = node->weight * part;
    }
  }
}

/* Scores that are values times the weight; higher frequencies score as `min_should` does. */
static void add_linear(struct program_world *world, struct csd_plan_node *node) {
  const uint32_t most[] = {1 + below(world, 100), 1 + below(world, 60000)};
  node->op = CSD_OP_LINEAR_TERM;
  node->table = 0;
  node->min_should = (uint16_t)most[below(world, 2)];
}

static void add_tables(struct program_world *world, struct csd_plan_node *node) {
  const uint32_t kind = below(world, 4);
  node->op = CSD_OP_TABLE_TERM;
  node->table = program_plan.header.table_count;
  node->range_count = 1u + below(world, MAX_TABLES);
  program_plan.header.table_count = (uint16_t)(node->table + node->range_count);
  for (uint32_t t = 0; t < node->range_count; t++) {
    for (uint32_t norm = 0; norm < CSD_NORM_TABLE_ENTRIES; norm++) {
      program_plan.tables[node->table + t][norm] = score_of(node->weight, kind, t + 1u, norm);
    }
  }
  if (below(world, 8) == 0) { /* one that impacts do not bound */
    program_plan.tables[node->table + below(world, node->range_count)][20u + below(world, 8)] =
        below(world, 2) == 0 ? 0.0f : node->weight;
  }
}

void program_score_tables(struct program_world *world) {
  for (uint32_t i = 0; i < program_plan.header.node_count; i++) {
    struct csd_plan_node *node = &program_plan.nodes[i];
    if (node->op == CSD_OP_JOIN || csd_op_rules[node->op].max_factor > 0.0f) {
      i += node->child_count; /* they are TERMs, without scores by their postings */
    } else if (node->op == CSD_OP_TERM && below(world, 4) != 0 &&
               program_plan.header.table_count + MAX_TABLES <= TEST_PLAN_TABLES) {
      switch (below(world, 6)) {
        case 0:
        case 1: add_feature(world, node); break;
        case 2: add_linear(world, node); break;
        default: add_tables(world, node); break;
      }
    }
  }
}
