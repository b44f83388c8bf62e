/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * What tests of programs share: a page source over an array of pages, and a plan in the making.
 */
#ifndef CSD_PLAN_SUPPORT_H
#define CSD_PLAN_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/columns/page/column_facts.h"
#include "core/lists/page_source.h"
#include "core/plan/plan_sort.h"
#include "tests/support/page/page_builder.h"

/** Pages of which a page source keeps facts. */
#define ARRAY_SOURCE_FACTS 16

/** A page source over the pages of a page_builder, scattered over LBAs. */
struct array_source {
  struct csd_page_source source;
  uint8_t *pages; /* in LBA order, with 64 bytes behind the last */
  uint32_t page_count;
  uint32_t first_file_page;
  uint32_t extent_pages; /* every extent but the last has so many */
  uint64_t stamp;
  bool has_index;          /* whether peek answers */
  int64_t pins_to_failure; /* the pin after so many fails with IO_ERROR; negative: none does */
  int64_t pins_held;
  uint32_t live_resource;
  const uint64_t *live_docs;
  uint32_t set_resource; /* of a set of docs; 0: there is none */
  const uint64_t *set_docs;
  uint32_t set_doc_count;
  uint32_t norm_resource; /* of norms; 0: there is none */
  const uint64_t *norms;
  uint32_t norm_bits;
  uint32_t live_doc_count;
  struct csd_column_memo memo; /* of so few pages that they take each other's place */
  struct csd_column_facts facts[ARRAY_SOURCE_FACTS];
  uint32_t pins_again; /* every fifth is refused */
};

/** Copies the pages of a finished builder. */
void array_source_init(struct array_source *source, const struct page_builder *builder,
                       uint32_t extent_pages);
void array_source_free(struct array_source *source);

/** The extents of the source's file; returns how many there are, at most `limit`. */
uint32_t array_source_extents(const struct array_source *source, struct csd_extent *extents,
                              uint32_t limit);

/** The stored bytes of a page of the file, to be altered: no facts are kept. */
uint8_t *array_source_page(struct array_source *source, uint32_t file_page);

/** Most tables of a test_plan. */
#define TEST_PLAN_TABLES 64u

struct test_plan {
  struct csd_plan_header header;
  struct csd_plan_node nodes[CSD_MAX_PLAN_NODES];
  struct csd_list_ref lists[CSD_MAX_PLAN_LISTS];
  struct csd_extent extents[CSD_MAX_PLAN_EXTENTS];
  float tables[TEST_PLAN_TABLES][CSD_NORM_TABLE_ENTRIES];
  struct csd_bm25_table bm25[TEST_PLAN_TABLES]; /* written instead with BM25_TABLES */
  struct csd_column_ref columns[CSD_MAX_PLAN_COLUMNS];
  struct csd_value_range ranges[CSD_MAX_PLAN_RANGES];
  struct csd_plan_sort sort;                               /* if the mode is TOP_K_BY_COLUMN */
  struct csd_aggregate_header aggregate_header;            /* if the mode is AGGREGATE */
  struct csd_aggregate aggregates[CSD_MAX_AGGREGATES + 1]; /* a test may have one too many */
};

/** A COUNT plan without nodes over all docs. */
void test_plan_init(struct test_plan *plan, uint32_t max_doc);

/** Appends a node, in pre-order, and returns it. */
struct csd_plan_node *test_plan_node(struct test_plan *plan, unsigned op, unsigned occur,
                                     unsigned child_count);

struct csd_plan_node *test_plan_term(struct test_plan *plan, unsigned occur, uint32_t list,
                                     float weight);

/** Appends a list reference whose file is `source`'s (extents come first); returns its index. */
uint32_t test_plan_list(struct test_plan *plan, const struct csd_list_ref *ref);

/** Appends a reference to a column of the same file; returns its index. */
uint32_t test_plan_column(struct test_plan *plan, const struct csd_column_ref *ref);

/** A plan of all of 1,000 docs, for a mode that looks at a column: of ten docs, with values 0 to 9.
 */
void test_plan_over_column(struct test_plan *plan);

/**
 * Appends a COLUMN_IN node, in pre-order, and returns it.
 *
 * @param ranges  `count` of them, ascending and without overlap
 */
struct csd_plan_node *test_plan_set(struct test_plan *plan, unsigned occur, uint32_t column,
                                    const struct csd_value_range *ranges, uint32_t count);

/** Appends a COLUMN_RANGE node, in pre-order, and returns it. */
struct csd_plan_node *test_plan_range(struct test_plan *plan, unsigned occur, uint32_t column,
                                      int64_t lo, int64_t hi);

/** Takes over the extents of a source's file, as those of every list added afterwards. */
void test_plan_extents(struct test_plan *plan, const struct array_source *source);

/** Appends a BM25 norm table (k1 1.2, b 0.75) for docs of `average` terms. */
void test_plan_table(struct test_plan *plan, float average);

/** Makes a table that of BM25, and gives what it is made of, for a plan with BM25_TABLES. */
void test_plan_bm25(struct test_plan *plan, uint32_t table, float k1, float b, float average);

/** Turns the plan into TOP_K. */
void test_plan_top_k(struct test_plan *plan, uint32_t k, uint32_t count_threshold);

/** Turns the plan into TOP_K_BY_COLUMN, without sort keys. */
void test_plan_sort(struct test_plan *plan, uint32_t k, uint32_t count_threshold);

/** Turns the plan into AGGREGATE, without aggregates. */
void test_plan_aggregates(struct test_plan *plan);

/** Appends an aggregate, all zero but for kind and column, and returns it. */
struct csd_aggregate *test_plan_aggregate(struct test_plan *plan, unsigned kind, uint32_t column);

/** Appends a sort key by a column's values as they are, and returns it. */
struct csd_sort_key *test_plan_sort_key(struct test_plan *plan, uint32_t column);

/** Bytes of the plan. */
uint32_t test_plan_bytes(const struct test_plan *plan);

/** Writes the plan's bytes; `bytes` has room for test_plan_bytes. */
void test_plan_write(const struct test_plan *plan, uint8_t *bytes);

#endif
