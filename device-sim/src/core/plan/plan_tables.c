/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/plan/test_plan_tables.c, test_plan_check.c. */
#include "core/plan/plan_tables.h"

#include <inttypes.h>
#include <math.h>
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

static struct csd_bm25_table bm25_table_at(const struct csd_plan *plan, uint32_t t) {
  struct csd_bm25_table table;
  memcpy(&table, plan->tables + sizeof table * t, sizeof table);
  return table;
}

/* So that no entry is negative or NaN, and none is above the one before. */
static int check_bm25_tables(const struct csd_plan *plan) {
  for (uint32_t t = 0; t < plan->header.table_count; t++) {
    const struct csd_bm25_table table = bm25_table_at(plan, t);
    const bool good = table.k1 >= 0.0f && !isinf(table.k1) && table.b >= 0.0f && table.b <= 1.0f &&
                      table.average_length >= 1.0f && !isinf(table.average_length);
    MALFORMED_IF(!good || table.reserved != 0,
                 "norm table %" PRIu32 ": k1 %g, b %g, average length %g, reserved %" PRIu32, t,
                 (double)table.k1, (double)table.b, (double)table.average_length, table.reserved);
  }
  return 0;
}

/* The number of terms that a norm byte stands for: itself up to 24, above it 24 and a float of 4
   bits, of which the highest is left out where it is 1. */
static float length_of(uint32_t norm) {
  enum { EXACT = 24, MANTISSA_BITS = 3 };
  if (norm < EXACT) {
    return (float)norm;
  }
  const uint32_t bits = (norm - EXACT) & ((1u << MANTISSA_BITS) - 1u);
  const uint32_t exponent = (norm - EXACT) >> MANTISSA_BITS;
  const uint32_t number = exponent == 0 ? bits : (bits | 1u << MANTISSA_BITS) << (exponent - 1u);
  return (float)(EXACT + number);
}

uint64_t csd_plan_table_bytes(const struct csd_plan_header *header) {
  const bool made = (header->flags & CSD_PLAN_FLAG_BM25_TABLES) != 0;
  return (uint64_t)header->table_count *
         (made ? sizeof(struct csd_bm25_table) : (size_t)CSD_NORM_TABLE_BYTES);
}

void csd_plan_tables_make(const struct csd_plan *plan, float *tables) {
  for (uint32_t t = 0; t < plan->header.table_count; t++) {
    const struct csd_bm25_table table = bm25_table_at(plan, t);
    for (uint32_t norm = 0; norm < CSD_NORM_TABLE_ENTRIES; norm++) {
      /* Each step is rounded, as wire/WIRE.md has it. */
      const float share = table.b * length_of(norm) / table.average_length;
      *tables++ = 1.0f / (table.k1 * ((1.0f - table.b) + share));
    }
  }
}

int csd_plan_tables_check(struct csd_plan *plan) {
  if ((plan->header.flags & CSD_PLAN_FLAG_BM25_TABLES) != 0) {
    return check_bm25_tables(plan);
  }
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
  MALFORMED_IF((plan->header.flags & CSD_PLAN_FLAG_BM25_TABLES) != 0,
               "node %" PRIu32 ": tables of scores, where BM25_TABLES says that there are none", i);
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
