/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A checked plan, and its parts one by one. */
#ifndef CSD_PLAN_H
#define CSD_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plan/plan_sort.h"
#include "csd/csd_wire.h"

/** A checked plan: its header, and where its parts are. The parts may be unaligned. */
struct csd_plan {
  struct csd_plan_header header;
  const uint8_t *nodes;
  const uint8_t *lists;
  const uint8_t *extents;
  const uint8_t *tables;
  const uint8_t *columns;
  const uint8_t *ranges;
  const uint8_t *aggregates; /* of AGGREGATE; else there are none */
  uint32_t aggregate_count;
  struct csd_plan_sort sort;
  uint32_t depth;        /* of the deepest node; the root is at 1 */
  uint32_t phrase_terms; /* of all nodes that look at positions */
  uint32_t doc_sets;     /* nodes with a resource */
  bool scored;           /* the mode returns or needs scores */
  bool monotone;         /* every norm table descends, so that impacts bound scores */
};

/* Copies, because nothing says that a plan is aligned. */
#define CSD_PLAN_PART(NAME, STRUCT, PART)                                                 \
  static inline struct STRUCT NAME(const struct csd_plan *plan, uint32_t i) {             \
    struct STRUCT part;                                                                   \
    __builtin_memcpy(&part, plan->PART + sizeof(struct STRUCT) * (size_t)i, sizeof part); \
    return part;                                                                          \
  }
CSD_PLAN_PART(csd_plan_node_at, csd_plan_node, nodes)
CSD_PLAN_PART(csd_plan_list_at, csd_list_ref, lists)
CSD_PLAN_PART(csd_plan_extent_at, csd_extent, extents)
CSD_PLAN_PART(csd_plan_column_at, csd_column_ref, columns)
CSD_PLAN_PART(csd_plan_range_at, csd_value_range, ranges)
CSD_PLAN_PART(csd_plan_aggregate_at, csd_aggregate, aggregates)
#undef CSD_PLAN_PART

#endif
