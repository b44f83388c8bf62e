/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Part of csd_plan_check: the tables of floats that scores are made of. */
#ifndef CSD_PLAN_TABLES_H
#define CSD_PLAN_TABLES_H

#include <string.h>

#include "core/plan/plan.h"

/** Bytes of a plan's tables, which are whole or, with BM25_TABLES, what they are made of. */
uint64_t csd_plan_table_bytes(const struct csd_plan_header *header);

/** Checks all tables as norm tables; clears plan->monotone if one of them rises. */
int csd_plan_tables_check(struct csd_plan *plan);

/**
 * Makes the tables of a checked plan with BM25_TABLES.
 *
 * @param tables  room for CSD_NORM_TABLE_ENTRIES floats of each
 */
void csd_plan_tables_make(const struct csd_plan *plan, float *tables);

/**
 * Checks the tables of a TABLE_TERM, which the plan has, as scores; clears plan->monotone if a
 * score of a frequency is below that of a lower one.
 *
 * @param i  number of the node
 */
int csd_plan_scores_check(struct csd_plan *plan, uint32_t i, const struct csd_plan_node *node);

/** The value of a feature with this frequency: the upper bits of a float that is not negative. */
static inline float csd_feature_value(uint32_t freq) {
  const uint32_t bits = freq << 15;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

#endif
