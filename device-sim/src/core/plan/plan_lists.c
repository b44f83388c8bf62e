/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/plan/test_plan_check.c. */
#include "core/plan/plan_lists.h"

#include <inttypes.h>

#include "core/plan/malformed.h"
#include "csd/csd_ops.h"

/* All bits that a POSITIONS list may say of a term's place. */
#define POSITION_USES \
  (CSD_POSITION_USE_EQUAL | CSD_POSITION_USE_ALTERNATIVE | CSD_POSITION_USE_REPEAT)

/* Pages of a file that a list or column refers to, with the extents that are to hold them. */
struct page_run {
  const char *what; /* "list" or "column" */
  uint32_t number;  /* in the plan */
  uint32_t first_page;
  uint32_t page_count;
  uint32_t first_extent;
  uint32_t extent_count;
};

static int check_extents(const struct csd_plan *plan, const struct page_run *run) {
  const uint64_t first = run->first_page;
  const uint64_t end = first + run->page_count;
  MALFORMED_IF(end > UINT32_MAX, "%s %" PRIu32 ": %" PRIu32 " pages from %" PRIu32, run->what,
               run->number, run->page_count, run->first_page);
  uint64_t covered = first; /* the pages from `first` up to here are */
  uint64_t extent_end = 0;
  for (uint32_t i = 0; i < run->extent_count; i++) {
    const struct csd_extent extent = csd_plan_extent_at(plan, run->first_extent + i);
    MALFORMED_IF(extent.file_page < extent_end,
                 "%s %" PRIu32 ": extent %" PRIu32 " does not ascend", run->what, run->number,
                 run->first_extent + i);
    extent_end = (uint64_t)extent.file_page + extent.page_count;
    if (extent.file_page <= covered && extent_end > covered) {
      covered = extent_end;
    }
  }
  MALFORMED_IF(covered < end,
               "%s %" PRIu32 ": its extents hold its pages up to %" PRIu64 ", not %" PRIu64,
               run->what, run->number, covered, end);
  return 0;
}

static int check_list(const struct csd_plan *plan, uint32_t l, const struct csd_list_ref *list) {
  MALFORMED_IF(
      list->reserved0 != 0 || (list->reserved1[0] | list->reserved1[1] | list->reserved1[2]) != 0,
      "list %" PRIu32 ": a reserved field is not 0", l);
  MALFORMED_IF(list->posting_count == 0 || list->posting_count > plan->header.max_doc,
               "list %" PRIu32 ": %" PRIu32 " postings of %" PRIu32 " docs", l, list->posting_count,
               plan->header.max_doc);
  MALFORMED_IF((uint32_t)list->first_extent + list->extent_count > plan->header.extent_count,
               "list %" PRIu32 ": %u extents from %u, of %u", l, list->extent_count,
               list->first_extent, plan->header.extent_count);
  if (list->kind == CSD_LIST_KIND_INLINE) {
    MALFORMED_IF(list->posting_count != 1 || list->inline_doc >= plan->header.max_doc,
                 "list %" PRIu32 ": %" PRIu32 " postings inline, doc %" PRIu32, l,
                 list->posting_count, list->inline_doc);
    MALFORMED_IF(list->inline_freq == 0 || list->inline_freq > INT32_MAX,
                 "list %" PRIu32 ": inline_freq is %" PRIu32, l, list->inline_freq);
    return 0;
  }
  if (list->kind == CSD_LIST_KIND_POSITIONS) {
    MALFORMED_IF(list->slot >= CSD_MAX_POSITION_BLOCKS || list->inline_doc > INT32_MAX ||
                     list->inline_norm > POSITION_USES,
                 "list %" PRIu32 ": positions in slot %u, at place %" PRIu32, l, list->slot,
                 list->inline_doc);
    if (list->page_count == 0) {
      MALFORMED_IF(list->inline_freq > INT32_MAX, "list %" PRIu32 ": the position is %" PRIu32, l,
                   list->inline_freq);
      return 0;
    }
  } else {
    const uint32_t blocks = (list->posting_count - 1) / CSD_BLOCK_POSTINGS + 1;
    MALFORMED_IF(list->kind != CSD_LIST_KIND_PAGED, "list %" PRIu32 ": kind is %u", l, list->kind);
    MALFORMED_IF(list->page_count == 0 || list->page_count > blocks,
                 "list %" PRIu32 ": %" PRIu32 " blocks in %" PRIu32 " pages", l, blocks,
                 list->page_count);
    MALFORMED_IF(list->slot >= CSD_MAX_BLOCKS_PER_PAGE ||
                     (list->page_count == 1 && list->slot + blocks > CSD_MAX_BLOCKS_PER_PAGE),
                 "list %" PRIu32 ": slot %u, %" PRIu32 " blocks", l, list->slot, blocks);
  }
  const struct page_run run = {.what = "list",
                               .number = l,
                               .first_page = list->first_page,
                               .page_count = list->page_count,
                               .first_extent = list->first_extent,
                               .extent_count = list->extent_count};
  return check_extents(plan, &run);
}

static int check_column(const struct csd_plan *plan, uint32_t c) {
  const struct csd_column_ref column = csd_plan_column_at(plan, c);
  MALFORMED_IF(column.reserved0 != 0 || column.reserved1 != 0,
               "column %" PRIu32 ": a reserved field is not 0", c);
  MALFORMED_IF(column.page_count == 0 || column.page_count > column.doc_count ||
                   column.doc_count > plan->header.max_doc,
               "column %" PRIu32 ": %" PRIu32 " pages, %" PRIu32 " docs of %" PRIu32, c,
               column.page_count, column.doc_count, plan->header.max_doc);
  MALFORMED_IF(column.value_count < column.doc_count,
               "column %" PRIu32 ": %" PRIu64 " values of %" PRIu32 " docs", c, column.value_count,
               column.doc_count);
  MALFORMED_IF(column.min > column.max, "column %" PRIu32 ": values from %" PRId64 " to %" PRId64,
               c, column.min, column.max);
  MALFORMED_IF((uint32_t)column.first_extent + column.extent_count > plan->header.extent_count,
               "column %" PRIu32 ": %u extents from %u, of %u", c, column.extent_count,
               column.first_extent, plan->header.extent_count);
  const struct page_run run = {.what = "column",
                               .number = c,
                               .first_page = column.first_page,
                               .page_count = column.page_count,
                               .first_extent = column.first_extent,
                               .extent_count = column.extent_count};
  return check_extents(plan, &run);
}

int csd_plan_ranges_check(const struct csd_plan *plan, uint32_t first, uint32_t count) {
  for (uint32_t r = first; r < first + count; r++) {
    const struct csd_value_range range = csd_plan_range_at(plan, r);
    MALFORMED_IF(range.lo > range.hi, "range %" PRIu32 ": from %" PRId64 " to %" PRId64, r,
                 range.lo, range.hi);
  }
  return 0;
}

/* The ranges of a node are none from a value to a lower one, and ascend if there are several. */
static int check_sets(const struct csd_plan *plan) {
  for (uint32_t i = 0; i < plan->header.node_count; i++) {
    const struct csd_plan_node node = csd_plan_node_at(plan, i);
    const struct csd_op_reference *ranges = &csd_op_rules[node.op].table;
    if (ranges->to != CSD_REFERS_RANGES) {
      continue;
    }
    const uint32_t count = ranges->each > 0 ? node.range_count : 1u;
    int status = csd_plan_ranges_check(plan, node.table, count);
    for (uint32_t r = 1; status == 0 && ranges->ascends && r < count; r++) {
      const struct csd_value_range before = csd_plan_range_at(plan, node.table + r - 1u);
      const struct csd_value_range range = csd_plan_range_at(plan, node.table + r);
      MALFORMED_IF(range.lo <= before.hi,
                   "node %" PRIu32 ": range %" PRIu32 " from %" PRId64
                   ", the one before to %" PRId64,
                   i, node.table + r, range.lo, before.hi);
    }
    if (status < 0) {
      return status;
    }
  }
  return 0;
}

int csd_plan_columns_check(const struct csd_plan *plan) {
  int status = 0;
  for (uint32_t c = 0; c < plan->header.column_count && status == 0; c++) {
    status = check_column(plan, c);
  }
  return status < 0 ? status : check_sets(plan);
}

/* A list of a phrase, and its positions behind it. */
static int check_phrase_term(const struct csd_plan *plan, uint32_t node, uint32_t l) {
  const struct csd_list_ref list = csd_plan_list_at(plan, l);
  const struct csd_list_ref at = csd_plan_list_at(plan, l + 1u);
  MALFORMED_IF(list.kind == CSD_LIST_KIND_POSITIONS || at.kind != CSD_LIST_KIND_POSITIONS ||
                   list.posting_count != at.posting_count,
               "node %" PRIu32 ": lists %" PRIu32 " and the next are no list with its positions",
               node, l);
  MALFORMED_IF(at.page_count == 0 && (list.kind != CSD_LIST_KIND_INLINE || list.inline_freq != 1),
               "node %" PRIu32 ": one position of list %" PRIu32, node, l);
  return 0;
}

/* What term `t` of a MULTI_PHRASE says of its place. */
static struct csd_list_ref place_at(const struct csd_plan *plan, const struct csd_plan_node *node,
                                    uint32_t t) {
  return csd_plan_list_at(plan, node->list + 2u * t + 1u);
}

/* Places of REPEAT differ, have one term each, and are several, of terms that may move. */
static int check_repeats(const struct csd_plan *plan, uint32_t i,
                         const struct csd_plan_node *node) {
  uint32_t repeats = 0;
  for (uint32_t t = 0; t < node->range_count; t++) {
    const struct csd_list_ref at = place_at(plan, node, t);
    if ((at.inline_norm & CSD_POSITION_USE_REPEAT) == 0) {
      continue;
    }
    repeats++;
    MALFORMED_IF(node->min_should == 0, "node %" PRIu32 ": term %" PRIu32 " repeats, but no slop",
                 i, t);
    MALFORMED_IF(t + 1u < node->range_count &&
                     (place_at(plan, node, t + 1u).inline_norm & CSD_POSITION_USE_ALTERNATIVE) != 0,
                 "node %" PRIu32 ": term %" PRIu32 " repeats, with alternatives", i, t);
    for (uint32_t u = 0; u < t; u++) {
      const struct csd_list_ref other = place_at(plan, node, u);
      MALFORMED_IF(
          (other.inline_norm & CSD_POSITION_USE_REPEAT) != 0 && other.inline_doc == at.inline_doc,
          "node %" PRIu32 ": terms %" PRIu32 " and %" PRIu32 " repeat at one place", i, u, t);
    }
  }
  MALFORMED_IF(repeats == 1, "node %" PRIu32 ": one term repeats", i);
  return 0;
}

/* What the terms of a phrase, spans or intervals say of their places. */
static int check_places(const struct csd_plan *plan, uint32_t i, const struct csd_plan_node *node) {
  const struct csd_op_rule *rule = &csd_op_rules[node->op];
  uint32_t places = 0;
  for (uint32_t t = 0; t < node->range_count; t++) {
    const struct csd_list_ref at = place_at(plan, node, t);
    MALFORMED_IF((at.inline_norm & ~(uint32_t)rule->position_uses) != 0,
                 "node %" PRIu32 ": term %" PRIu32 " of %s has bits 0x%02X", i, t, rule->name,
                 at.inline_norm);
    MALFORMED_IF(!rule->places && at.inline_doc != 0,
                 "node %" PRIu32 ": term %" PRIu32 " of %s has place %" PRIu32, i, t, rule->name,
                 at.inline_doc);
    if ((at.inline_norm & CSD_POSITION_USE_ALTERNATIVE) == 0) {
      places++;
      continue;
    }
    MALFORMED_IF(t == 0 || place_at(plan, node, t - 1u).inline_doc != at.inline_doc ||
                     (at.inline_norm & CSD_POSITION_USE_REPEAT) != 0,
                 "node %" PRIu32 ": term %" PRIu32 " is no alternative of the one before", i, t);
  }
  MALFORMED_IF(places < 2, "node %" PRIu32 ": a phrase of one place", i);
  return check_repeats(plan, i, node);
}

/* Whether lists are of the kinds that their nodes ask for. */
static int check_kinds(const struct csd_plan *plan) {
  for (uint32_t i = 0; i < plan->header.node_count; i++) {
    const struct csd_plan_node node = csd_plan_node_at(plan, i);
    const bool is_phrase = csd_is_phrase(node.op);
    const bool is_term = csd_op_rules[node.op].list.to == CSD_REFERS_LISTS && !is_phrase;
    MALFORMED_IF(is_term && csd_plan_list_at(plan, node.list).kind == CSD_LIST_KIND_POSITIONS,
                 "node %" PRIu32 ": a TERM of positions", i);
    int status = 0;
    for (uint32_t t = 0; is_phrase && t < node.range_count && status == 0; t++) {
      status = check_phrase_term(plan, i, node.list + 2u * t);
    }
    if (is_phrase && status == 0) {
      status = check_places(plan, i, &node);
    }
    if (status < 0) {
      return status;
    }
  }
  return 0;
}

int csd_plan_lists_check(const struct csd_plan *plan) {
  bool positions = plan->phrase_terms > 0;
  for (uint32_t i = 0; i < plan->header.extent_count; i++) {
    const struct csd_extent extent = csd_plan_extent_at(plan, i);
    MALFORMED_IF(extent.page_count == 0, "extent %" PRIu32 ": no pages", i);
    MALFORMED_IF((uint64_t)extent.file_page + extent.page_count > UINT32_MAX,
                 "extent %" PRIu32 ": %" PRIu32 " pages from %" PRIu32, i, extent.page_count,
                 extent.file_page);
    MALFORMED_IF(extent.lba > UINT64_MAX - extent.page_count, "extent %" PRIu32 ": LBA %" PRIu64, i,
                 extent.lba);
  }
  for (uint32_t i = 0; i < plan->header.list_count; i++) {
    const struct csd_list_ref list = csd_plan_list_at(plan, i);
    const int status = check_list(plan, i, &list);
    if (status < 0) {
      return status;
    }
    positions |= list.kind == CSD_LIST_KIND_POSITIONS;
  }
  return positions ? check_kinds(plan) : 0;
}
