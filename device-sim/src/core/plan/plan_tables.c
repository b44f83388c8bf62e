/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/plan/test_plan_tables.c, test_plan_check.c. */
#include "core/plan/plan_tables.h"

#include <inttypes.h>
#include <string.h>

#include "core/plan/malformed.h"

/*
 * Whether all entries are numbers from 0 to infinity and none is greater than the one before. Such
 * floats compare like their bits as integers; a sign is seen in an entry, a rise in a difference.
 * That is a few vector instructions, where comparisons of floats are a branch each.
 */
static bool is_falling_table(const uint8_t *bytes) {
  const uint32_t infinity = 0x7F800000;
  uint32_t entries[1 + CSD_NORM_TABLE_ENTRIES];
  entries[0] = infinity;
  memcpy(entries + 1, bytes, CSD_NORM_TABLE_BYTES);
  uint32_t signs = 0;
  for (uint32_t i = 0; i < CSD_NORM_TABLE_ENTRIES; i++) {
    signs |= entries[i + 1] | (entries[i] - entries[i + 1]);
  }
  return signs >> 31 == 0;
}

/* Entries may be infinite: k1 = 0 makes them so. */
static int check_table(const struct csd_plan *plan, uint32_t t, bool *descends) {
  float table[CSD_NORM_TABLE_ENTRIES];
  memcpy(table, plan->tables + (size_t)CSD_NORM_TABLE_BYTES * t, sizeof table);
  bool good = table[0] >= 0.0f;
  *descends = true;
  for (uint32_t i = 1; i < CSD_NORM_TABLE_ENTRIES; i++) {
    good &= table[i] >= 0.0f;
    *descends &= table[i] <= table[i - 1];
  }
  MALFORMED_IF(!good, "norm table %" PRIu32 ": an entry is negative or no number", t);
  return 0;
}

int csd_plan_tables_check(struct csd_plan *plan) {
  for (uint32_t t = 0; t < plan->header.table_count; t++) {
    if (is_falling_table(plan->tables + (size_t)CSD_NORM_TABLE_BYTES * t)) {
      continue; /* as tables mostly are */
    }
    bool descends;
    const int status = check_table(plan, t, &descends);
    if (status < 0) {
      return status;
    }
    plan->monotone &= descends;
  }
  return 0;
}

int csd_plan_scores_check(struct csd_plan *plan, uint32_t i, const struct csd_plan_node *node) {
  const uint8_t *bytes = plan->tables + (size_t)CSD_NORM_TABLE_BYTES * node->table;
  const float weight = node->weight + 0.0f; /* never -0.0 */
  uint32_t most;
  memcpy(&most, &weight, sizeof most);
  uint32_t below[CSD_NORM_TABLE_ENTRIES] = {0}; /* the scores of the frequency before */
  uint32_t scores[CSD_NORM_TABLE_ENTRIES];
  uint32_t signs = 0;
  uint32_t falls = 0;
  for (uint32_t t = 0; t < node->range_count; t++, bytes += CSD_NORM_TABLE_BYTES) {
    memcpy(scores, bytes, sizeof scores);
    for (uint32_t n = 0; n < CSD_NORM_TABLE_ENTRIES; n++) {
      /* As above: floats that are not negative compare like their bits. */
      signs |= scores[n] | (most - scores[n]);
      falls |= scores[n] - below[n];
      below[n] = scores[n];
    }
  }
  MALFORMED_IF(signs >> 31 != 0,
               "node %" PRIu32 ": a score of tables %" PRIu32 " to %" PRIu32
               " is negative, above the weight or no number",
               i, node->table, node->table + node->range_count - 1u);
  plan->monotone &= falls >> 31 == 0;
  return 0;
}
