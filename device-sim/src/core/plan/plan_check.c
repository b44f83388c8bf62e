/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/plan/plan_check.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "core/plan/malformed.h"
#include "core/plan/plan_aggregate.h"
#include "core/plan/plan_areas.h"
#include "core/plan/plan_lists.h"
#include "core/plan/plan_tables.h"
#include "csd/csd_ops.h"

static const uint32_t PLAN_FLAGS = CSD_PLAN_FLAG_HAS_AFTER | CSD_PLAN_FLAG_HAS_MIN_SCORE |
                                   CSD_PLAN_FLAG_MIN_SCORE_TIES | CSD_PLAN_FLAG_BM25_TABLES |
                                   CSD_PLAN_FLAG_FOLLOWS;

static bool is_weight(float value) {
  return value >= 0.0f && value <= 3.402823466e+38f; /* false for NaN */
}

/* ---- sizes ---- */

/* Bytes of the part behind the value ranges, or a negated status. */
static int64_t bytes_of_last_part(const struct csd_plan_header *header, const uint8_t *bytes,
                                  uint64_t size) {
  switch (header->mode) {
    case CSD_MODE_AGGREGATE: return csd_plan_aggregate_bytes(bytes, size);
    case CSD_MODE_TOP_K_BY_COLUMN: return csd_plan_sort_bytes(bytes, size);
    default: return 0;
  }
}

static int check_frame(const uint8_t *bytes, size_t plan_bytes, struct csd_plan *plan) {
  struct csd_plan_header *header = &plan->header;
  if (plan_bytes < sizeof *header) {
    return csd_fail(CSD_STATUS_PLAN_TRUNCATED, "plan header: %zu bytes of %zu", plan_bytes,
                    sizeof *header);
  }
  memcpy(header, bytes, sizeof *header);
  MALFORMED_IF(header->magic != CSD_PLAN_MAGIC, "plan header: magic is 0x%08" PRIX32,
               header->magic);
  if (header->version != CSD_WIRE_VERSION) {
    return csd_fail(CSD_STATUS_UNSUPPORTED_VERSION, "plan header: wire version %u, not %u",
                    header->version, CSD_WIRE_VERSION);
  }
  if (header->node_count > CSD_MAX_PLAN_NODES || header->list_count > CSD_MAX_PLAN_LISTS ||
      header->extent_count > CSD_MAX_PLAN_EXTENTS || header->table_count > CSD_MAX_PLAN_TABLES ||
      header->column_count > CSD_MAX_PLAN_COLUMNS || header->range_count > CSD_MAX_PLAN_RANGES) {
    return csd_fail(CSD_STATUS_PLAN_TOO_LARGE,
                    "plan header: %u nodes, %u lists, %u extents, %u tables, %u columns, %u ranges",
                    header->node_count, header->list_count, header->extent_count,
                    header->table_count, header->column_count, header->range_count);
  }
  const uint64_t lists =
      sizeof *header + (uint64_t)header->node_count * sizeof(struct csd_plan_node);
  const uint64_t extents = lists + (uint64_t)header->list_count * sizeof(struct csd_list_ref);
  const uint64_t tables = extents + (uint64_t)header->extent_count * sizeof(struct csd_extent);
  const uint64_t columns = tables + csd_plan_table_bytes(header);
  const uint64_t ranges = columns + (uint64_t)header->column_count * sizeof(struct csd_column_ref);
  uint64_t end = ranges + (uint64_t)header->range_count * sizeof(struct csd_value_range);
  if (header->total_bytes > plan_bytes) {
    return csd_fail(CSD_STATUS_PLAN_TRUNCATED, "plan: %zu bytes of %" PRIu32, plan_bytes,
                    header->total_bytes);
  }
  const uint8_t *last = bytes + (end < plan_bytes ? end : plan_bytes); /* a part of some modes */
  const int64_t last_bytes =
      bytes_of_last_part(header, last, end < plan_bytes ? plan_bytes - end : 0);
  if (last_bytes < 0) {
    return (int)last_bytes;
  }
  end += (uint64_t)last_bytes;
  MALFORMED_IF(header->total_bytes != end || plan_bytes != end,
               "plan: total_bytes is %" PRIu32 ", %zu came, its parts take %" PRIu64,
               header->total_bytes, plan_bytes, end);
  plan->nodes = bytes + sizeof *header;
  plan->lists = bytes + lists;
  plan->extents = bytes + extents;
  plan->tables = bytes + tables;
  plan->columns = bytes + columns;
  plan->ranges = bytes + ranges;
  if (header->mode == CSD_MODE_TOP_K_BY_COLUMN) {
    csd_plan_sort_read(last, &plan->sort);
  } else if (header->mode == CSD_MODE_AGGREGATE) {
    plan->aggregate_count = csd_plan_aggregate_count(last);
    plan->aggregates = last + sizeof(struct csd_aggregate_header);
  }
  return 0;
}

/* ---- header ---- */

static int check_hits(const struct csd_plan_header *header, uint64_t hit_bytes, uint64_t room) {
  MALFORMED_IF(header->k == 0, "plan header: k is 0");
  if (header->k * hit_bytes > room) {
    return csd_fail(CSD_STATUS_PLAN_TOO_LARGE,
                    "plan header: k is %" PRIu32 ", the result page has room for %" PRIu64 " hits",
                    header->k, room / hit_bytes);
  }
  return 0;
}

static int check_top_k(const struct csd_plan_header *header, uint64_t room) {
  const bool after = (header->flags & CSD_PLAN_FLAG_HAS_AFTER) != 0;
  const bool min_score = (header->flags & CSD_PLAN_FLAG_HAS_MIN_SCORE) != 0;
  const bool ties = (header->flags & CSD_PLAN_FLAG_MIN_SCORE_TIES) != 0;
  MALFORMED_IF(ties && !min_score, "plan header: MIN_SCORE_TIES without HAS_MIN_SCORE");
  MALFORMED_IF(after && isnan(header->after_score), "plan header: after_score is no number");
  MALFORMED_IF(min_score && isnan(header->min_score), "plan header: min_score is no number");
  return check_hits(header, 8, room);
}

static int check_header(const struct csd_plan *plan, size_t result_bytes) {
  const struct csd_plan_header *header = &plan->header;
  MALFORMED_IF(header->mode < CSD_MODE_COUNT || header->mode > CSD_MODE_TOP_K_BY_COLUMN,
               "plan header: mode is %u", header->mode);
  MALFORMED_IF((header->flags & ~PLAN_FLAGS) != 0, "plan header: flags are 0x%02X", header->flags);
  MALFORMED_IF(header->node_count == 0, "plan header: no nodes");
  MALFORMED_IF(header->max_doc > CSD_MAX_DOC || header->limit_doc > header->max_doc ||
                   header->min_doc > header->limit_doc,
               "plan header: docs %" PRIu32 " to %" PRIu32 " of %" PRIu32, header->min_doc,
               header->limit_doc, header->max_doc);
  /* The smallest page has room for one entry, or a program could not get on. */
  const size_t entry_bytes = 8;
  MALFORMED_IF(header->max_result_bytes < sizeof(struct csd_result_header) + entry_bytes,
               "plan header: max_result_bytes is %" PRIu32, header->max_result_bytes);
  if (result_bytes < sizeof(struct csd_result_header) + entry_bytes) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "a result page of %zu bytes", result_bytes);
  }
  const uint64_t room =
      (result_bytes < header->max_result_bytes ? result_bytes : header->max_result_bytes) -
      sizeof(struct csd_result_header);
  if (header->mode == CSD_MODE_TOP_K) {
    return check_top_k(header, room);
  }
  const uint32_t flags = header->flags & ~(uint32_t)CSD_PLAN_FLAG_BM25_TABLES;
  if (header->mode == CSD_MODE_TOP_K_BY_COLUMN) {
    MALFORMED_IF(flags != 0, "plan header: flags 0x%02X without TOP_K", header->flags);
    return check_hits(header, 8u + 8u * plan->sort.header.key_count, room);
  }
  MALFORMED_IF(flags != 0 || header->k != 0 || header->count_threshold != CSD_EXACT_COUNT,
               "plan header: flags 0x%02X, k %" PRIu32 ", count_threshold %" PRIu32
               " without TOP_K",
               header->flags, header->k, header->count_threshold);
  return 0;
}

/* ---- nodes ---- */

/* A node whose children are being read. */
struct open_node {
  uint32_t children_left;
  bool scored; /* its children's scores matter */
  uint8_t op;
};

/* What nodes refer to, all together: terms of pairs of lists, tables of scores, ranges, and nodes
   with a resource. */
struct totals {
  uint64_t of[CSD_REFERS_END];
};

static const struct {
  const char *name;
  uint32_t most; /* of totals */
} targets[CSD_REFERS_END] = {
    [CSD_REFERS_NOTHING] = {"nothing", 0},
    [CSD_REFERS_LISTS] = {"list", CSD_MAX_PLAN_LISTS},
    [CSD_REFERS_TABLES] = {"table", CSD_MAX_PLAN_TABLES},
    [CSD_REFERS_COLUMNS] = {"column", CSD_MAX_PLAN_COLUMNS},
    [CSD_REFERS_RANGES] = {"range", CSD_MAX_PLAN_RANGES},
    [CSD_REFERS_AREAS] = {"part of an area", CSD_MAX_PLAN_RANGES},
    [CSD_REFERS_RESOURCE] = {"resource", CSD_MAX_PLAN_DOC_SETS},
};

/* Entries that a plan has of what nodes may refer to. */
static uint32_t entries_of(const struct csd_plan_header *header, uint8_t target) {
  switch (target) {
    case CSD_REFERS_LISTS: return header->list_count;
    case CSD_REFERS_TABLES: return header->table_count;
    case CSD_REFERS_COLUMNS: return header->column_count;
    case CSD_REFERS_RANGES:
    case CSD_REFERS_AREAS: return header->range_count;
    default: return 0;
  }
}

/* Whether what a field refers to is there. */
static inline int check_reference(const struct csd_plan *plan, uint32_t i,
                                  const struct csd_plan_node *node, bool scored, uint32_t field,
                                  const struct csd_op_reference *reference) {
  if (reference->scored && !scored) {
    return 0;
  }
  const char *op = csd_op_rules[node->op].name;
  const char *what = targets[reference->to].name;
  if (reference->to == CSD_REFERS_NOTHING || reference->to == CSD_REFERS_RESOURCE) {
    MALFORMED_IF((field == 0) != (reference->to == CSD_REFERS_NOTHING),
                 "node %" PRIu32 ": %s refers to %s %" PRIu32, i, op, what, field);
    return 0;
  }
  const uint64_t count = reference->each == 0 ? 1u : (uint64_t)node->range_count * reference->each;
  const uint32_t entries = entries_of(&plan->header, reference->to);
  MALFORMED_IF(field + count > entries,
               "node %" PRIu32 ": %s refers to %s %" PRIu32 " of %" PRIu32 ", and %" PRIu64
               " behind it",
               i, op, what, field, entries, count - 1u);
  return 0;
}

/* What a node must be by the rules of its operator. */
static int check_node(const struct csd_plan *plan, uint32_t i, const struct csd_plan_node *node,
                      bool scored) {
  const struct csd_op_rule *rule = csd_op_rule(node->op);
  MALFORMED_IF(rule == NULL, "node %" PRIu32 ": op is %u", i, node->op);
  MALFORMED_IF(node->occur > CSD_OCCUR_MUST_NOT, "node %" PRIu32 ": occur is %u", i, node->occur);
  MALFORMED_IF(node->reserved0 != 0, "node %" PRIu32 ": a reserved field is not 0", i);
  MALFORMED_IF(!is_weight(node->weight) || node->weight > rule->max_weight,
               "node %" PRIu32 ": weight of %s is %g", i, rule->name, (double)node->weight);
  MALFORMED_IF(node->child_count < rule->min_children || node->child_count > rule->max_children,
               "node %" PRIu32 ": %s with %u children", i, rule->name, node->child_count);
  MALFORMED_IF(node->min_should > rule->max_min_should, "node %" PRIu32 ": %s with min_should %u",
               i, rule->name, node->min_should);
  MALFORMED_IF(node->range_count < rule->min_count || node->range_count > rule->max_count ||
                   (uint64_t)node->min_should + node->range_count > rule->max_end,
               "node %" PRIu32 ": %s with min_should %u and range_count %" PRIu32, i, rule->name,
               node->min_should, node->range_count);
  const int status = check_reference(plan, i, node, scored, node->list, &rule->list);
  return status < 0 ? status : check_reference(plan, i, node, scored, node->table, &rule->table);
}

/* What a node must be since it is the child of another. */
static int check_child(uint32_t i, const struct csd_plan_node *node, unsigned parent_op) {
  const struct csd_op_rule *rule = &csd_op_rules[parent_op];
  MALFORMED_IF(
      (rule->child_ops >> node->op & 1u) == 0 || (rule->child_occurs >> node->occur & 1u) == 0,
      "node %" PRIu32 ": %s with occur %u in %s", i, csd_op_rules[node->op].name, node->occur,
      rule->name);
  MALFORMED_IF(rule->max_factor > 0.0f &&
                   (node->table != 0 || node->weight == 0.0f || node->weight < rule->min_factor ||
                    node->weight > rule->max_factor),
               "node %" PRIu32 ": norm table %" PRIu32 ", factor %g in %s", i, node->table,
               (double)node->weight, rule->name);
  return 0;
}

/* Adds what a node refers to; all together that is not much, however nodes share it. */
static int add_references(struct totals *totals, uint32_t i, const struct csd_plan_node *node) {
  const struct csd_op_rule *rule = &csd_op_rules[node->op];
  const struct csd_op_reference *references[] = {&rule->list, &rule->table};
  for (uint32_t r = 0; r < 2; r++) {
    const uint8_t to = references[r]->to;
    if (to != CSD_REFERS_RESOURCE && references[r]->each == 0) {
      continue;
    }
    totals->of[to] += to == CSD_REFERS_RESOURCE ? 1u : node->range_count;
    if (totals->of[to] > targets[to].most) {
      return csd_fail(CSD_STATUS_PLAN_TOO_LARGE,
                      "node %" PRIu32 ": nodes refer to %" PRIu64
                      " times a %s, the most is %" PRIu32,
                      i, totals->of[to], targets[to].name, targets[to].most);
    }
  }
  return 0;
}

static int check_scores(struct csd_plan *plan, uint32_t i, const struct csd_plan_node *node) {
  MALFORMED_IF(
      node->op == CSD_OP_LINEAR_TERM && isinf(node->weight * csd_feature_value(node->min_should)),
      "node %" PRIu32 ": the greatest score of a LINEAR_TERM is infinite", i);
  const struct csd_op_reference *table = &csd_op_rules[node->op].table;
  return table->to == CSD_REFERS_TABLES && table->each > 0 ? csd_plan_scores_check(plan, i, node)
                                                           : 0;
}

/* Whether a node without a score is nothing but a TERM of which one has to match. */
static bool is_plain_term(const struct csd_plan *plan, const struct csd_plan_node *node) {
  return node->op == CSD_OP_TERM && node->occur == CSD_OCCUR_SHOULD && node->child_count == 0 &&
         node->min_should == 0 && node->reserved0 == 0 && node->table == 0 &&
         node->range_count == 0 && node->weight == 0.0f && node->list < plan->header.list_count;
}

/* Passes over the terms of a union, of which there may be thousands; returns how many. */
static uint32_t pass_terms(const struct csd_plan *plan, uint32_t first, uint32_t most) {
  const uint32_t end =
      plan->header.node_count - first < most ? plan->header.node_count : first + most;
  uint32_t i = first;
  while (i < end) {
    const struct csd_plan_node node = csd_plan_node_at(plan, i);
    if (!is_plain_term(plan, &node)) {
      break;
    }
    i++;
  }
  return i - first;
}

/* A node by itself, as a child of the last open one, and with those before it. */
static int check_in_tree(struct csd_plan *plan, uint32_t i, const struct csd_plan_node *node,
                         const struct open_node *parent, bool scored, struct totals *totals) {
  int status = check_node(plan, i, node, scored);
  if (status == 0 && parent != NULL) {
    status = check_child(i, node, parent->op);
  }
  if (status == 0) {
    status = add_references(totals, i, node);
  }
  return status == 0 && scored ? check_scores(plan, i, node) : status;
}

static int check_nodes(struct csd_plan *plan) {
  struct open_node open[CSD_MAX_PLAN_DEPTH];
  struct totals totals = {{0}};
  uint32_t depth = 0; /* nodes open */
  for (uint32_t i = 0; i < plan->header.node_count; i++) {
    MALFORMED_IF(i > 0 && depth == 0, "node %" PRIu32 ": a second root", i);
    const struct csd_plan_node node = csd_plan_node_at(plan, i);
    MALFORMED_IF(i == 0 && node.occur != CSD_OCCUR_MUST, "node 0: the root's occur is %u",
                 node.occur);
    struct open_node *parent = depth > 0 ? &open[depth - 1] : NULL;
    const bool counts = node.occur == CSD_OCCUR_MUST || node.occur == CSD_OCCUR_SHOULD;
    const bool scored = (parent != NULL ? parent->scored : plan->scored) && counts;
    const int status = check_in_tree(plan, i, &node, parent, scored, &totals);
    if (status < 0) {
      return status;
    }
    if (depth + 1 > plan->depth) {
      plan->depth = depth + 1;
    }
    if (parent != NULL) {
      parent->children_left--;
    }
    if (node.child_count > 0) {
      if (depth + 1 >= CSD_MAX_PLAN_DEPTH) {
        return csd_fail(CSD_STATUS_PLAN_TOO_LARGE, "node %" PRIu32 ": deeper than %u levels", i,
                        CSD_MAX_PLAN_DEPTH);
      }
      open[depth].children_left = node.child_count;
      open[depth].scored = scored && csd_op_rules[node.op].scores_children;
      open[depth].op = node.op;
      depth++;
      if (node.op == CSD_OP_BOOL && !open[depth - 1u].scored) {
        const uint32_t passed = pass_terms(plan, i + 1u, node.child_count);
        open[depth - 1u].children_left -= passed;
        plan->depth = passed > 0 && depth + 1u > plan->depth ? depth + 1u : plan->depth;
        i += passed;
      }
    }
    while (depth > 0 && open[depth - 1].children_left == 0) {
      depth--;
    }
  }
  MALFORMED_IF(depth > 0, "plan: %" PRIu32 " children are missing after the last node",
               open[depth > 0 ? depth - 1 : 0].children_left);
  plan->phrase_terms = (uint32_t)totals.of[CSD_REFERS_LISTS];
  plan->doc_sets = (uint32_t)totals.of[CSD_REFERS_RESOURCE];
  return 0;
}

int csd_plan_check(const uint8_t *bytes, size_t plan_bytes, size_t result_bytes,
                   struct csd_plan *plan) {
  memset(plan, 0, sizeof *plan);
  plan->monotone = true;
  int status = check_frame(bytes, plan_bytes, plan);
  if (status == 0) {
    status = check_header(plan, result_bytes);
  }
  plan->scored = plan->header.mode == CSD_MODE_SCORED_DOCS || plan->header.mode == CSD_MODE_TOP_K ||
                 csd_plan_sort_scores(&plan->sort);
  if (status == 0) {
    status = check_nodes(plan);
  }
  if (status == 0) {
    status = csd_plan_lists_check(plan);
  }
  if (status == 0) {
    status = csd_plan_tables_check(plan);
  }
  if (status == 0) {
    status = csd_plan_columns_check(plan);
  }
  if (status == 0) {
    status = csd_plan_sort_check(&plan->sort, plan->header.column_count);
  }
  if (status == 0) {
    status = csd_plan_areas_check(plan);
  }
  if (status == 0) {
    const size_t most = plan->header.max_result_bytes;
    status = csd_plan_aggregate_check(plan, most < result_bytes ? most : result_bytes);
  }
  return status;
}
