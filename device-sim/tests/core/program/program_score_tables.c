/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/core/program/program_world.h"

/* Most tables of a node. */
#define MOST 9u

/*
 * A score of a frequency and norm that is not above the weight, rises with one and falls with the
 * other. Some similarities give 0 to many postings, others the same score; those that are to be
 * added differ by no more than sums are exact for.
 */
static float score_of(float weight, uint32_t kind, uint32_t freq, uint32_t norm) {
  const uint32_t worth = 40u * freq;
  float part = 1.0f; /* whatever the posting */
  if (kind == 1) {
    part = worth > norm ? (float)(worth - norm) / (float)(MOST * 40u) : 0.0f;
  } else if (kind == 2) {
    part = (float)freq / (float)(freq + 1u + norm / 32u);
  } else if (kind == 3) {
    part = (float)(1u + freq / 2u) / (float)MOST; /* whatever the norm */
  }
  return weight * part;
}

static void add_tables(struct program_world *world, struct csd_plan_node *node) {
  const uint32_t kind = below(world, 4);
  node->op = CSD_OP_TABLE_TERM;
  node->table = program_plan.header.table_count;
  node->range_count = 1u + below(world, MOST);
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
    if (node->op == CSD_OP_SYNONYM) {
      i += node->child_count; /* they have frequencies, and no scores */
    } else if (node->op == CSD_OP_TERM && below(world, 4) != 0 &&
               program_plan.header.table_count + MOST <= TEST_PLAN_TABLES) {
      add_tables(world, node);
    }
  }
}
