/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/plan/plan_support.h"

#include <stdlib.h>
#include <string.h>

#include "core/columns/page/stored_page.h"
#include "core/kernels/kernels.h"
#include "tests/support/check.h"

/* Extents stand on the device in reverse order, with a gap of one LBA after each. */
static uint64_t lba_of_page(const struct array_source *source, uint32_t page) {
  const uint32_t per = source->extent_pages;
  const uint32_t extents = (source->page_count + per - 1) / per;
  return (uint64_t)(extents - 1 - page / per) * (per + 1) + page % per;
}

static bool page_of_lba(const struct array_source *source, uint64_t lba, uint32_t *page) {
  const uint32_t per = source->extent_pages;
  const uint32_t extents = (source->page_count + per - 1) / per;
  if (lba / (per + 1) >= extents || lba % (per + 1) == per) {
    return false;
  }
  *page = (uint32_t)((extents - 1 - lba / (per + 1)) * per + lba % (per + 1));
  return *page < source->page_count;
}

static int pin(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
               const uint8_t **page) {
  struct array_source *source = context;
  uint32_t index;
  if (source->pins_to_failure == 0) {
    return -CSD_STATUS_IO_ERROR;
  }
  if (!page_of_lba(source, lba, &index)) {
    return -CSD_STATUS_OUT_OF_RANGE;
  }
  if (stamp != source->stamp || file_page != source->first_file_page + index) {
    return -CSD_STATUS_PAGE_STALE;
  }
  source->pins_to_failure--;
  source->pins_held++;
  *page = source->pages + (size_t)CSD_PAGE_BYTES * index;
  return 0;
}

static void unpin(void *context, const uint8_t *page) {
  struct array_source *source = context;
  CHECK(page >= source->pages);
  source->pins_held--;
}

static bool peek(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                 struct csd_page_range *range) {
  struct array_source *source = context;
  uint32_t index;
  if (!source->has_index || !page_of_lba(source, lba, &index) || stamp != source->stamp ||
      file_page != source->first_file_page + index) {
    return false;
  }
  *range = csd_stored_page_of(source->pages + (size_t)CSD_PAGE_BYTES * index).range;
  return true;
}

static uint64_t place_of(void *context, const uint8_t *page) {
  const struct array_source *source = context;
  return (uint64_t)(page - source->pages) / CSD_PAGE_BYTES * 7 + 1;
}

static bool pin_again(void *context, uint64_t lba, const uint8_t *page, uint64_t place) {
  struct array_source *source = context;
  uint32_t index = 0;
  CHECK(page_of_lba(source, lba, &index));
  CHECK(page == source->pages + (size_t)CSD_PAGE_BYTES * index);
  CHECK_EQ(place_of(context, page), place);
  if (++source->pins_again % 5 == 0 || source->pins_to_failure == 0) {
    return false;
  }
  source->pins_to_failure--;
  source->pins_held++;
  return true;
}

static const uint64_t *doc_bits(void *context, uint32_t resource, uint32_t doc_count) {
  const struct array_source *source = context;
  if (source->set_resource != 0 && resource == source->set_resource) {
    return doc_count <= source->set_doc_count ? source->set_docs : NULL;
  }
  if (source->norm_resource != 0 && resource == source->norm_resource) {
    return doc_count <= source->norm_bits ? source->norms : NULL;
  }
  return resource == source->live_resource && doc_count <= source->live_doc_count
             ? source->live_docs
             : NULL;
}

/* CSD_KERNELS=<name> forces a version, or skips the test; without it the best one runs. */
static const struct csd_kernels *forced_kernels(void) {
  const char *name = getenv("CSD_KERNELS");
  if (name == NULL || name[0] == 0) {
    return NULL;
  }
  const struct csd_kernels *kernels = csd_kernels_find(name);
  if (kernels == NULL) {
    printf("skipped: %s kernels: not on this processor\n", name);
    exit(77);
  }
  return kernels;
}

void array_source_init(struct array_source *source, const struct page_builder *builder,
                       uint32_t extent_pages) {
  memset(source, 0, sizeof *source);
  source->source = (struct csd_page_source){.context = source,
                                            .kernels = forced_kernels(),
                                            .pin = pin,
                                            .unpin = unpin,
                                            .peek = peek,
                                            .memo = &source->memo,
                                            .place_of = place_of,
                                            .pin_again = pin_again,
                                            .spare_pins = 3,
                                            .doc_bits = doc_bits};
  csd_column_memo_open(&source->memo, source->facts, sizeof source->facts);
  const size_t bytes = (size_t)builder->page_count * CSD_PAGE_BYTES;
  source->pages = aligned_alloc(64, bytes + 64);
  memset(source->pages + bytes, 0xA5, 64);
  if (bytes > 0) {
    memcpy(source->pages, builder->pages, bytes);
  }
  source->page_count = builder->page_count;
  source->first_file_page = builder->first_file_page;
  source->extent_pages = extent_pages;
  source->stamp = builder->stamp;
  source->has_index = true;
  source->pins_to_failure = -1;
}

void array_source_free(struct array_source *source) { free(source->pages); }

uint8_t *array_source_page(struct array_source *source, uint32_t file_page) {
  csd_column_memo_open(&source->memo, source->facts, sizeof source->facts);
  return source->pages + (size_t)CSD_PAGE_BYTES * (file_page - source->first_file_page);
}

uint32_t array_source_extents(const struct array_source *source, struct csd_extent *extents,
                              uint32_t limit) {
  uint32_t n = 0;
  for (uint32_t page = 0; page < source->page_count && n < limit; page += source->extent_pages) {
    const uint32_t left = source->page_count - page;
    extents[n++] =
        (struct csd_extent){.file_page = source->first_file_page + page,
                            .page_count = left < source->extent_pages ? left : source->extent_pages,
                            .lba = lba_of_page(source, page)};
  }
  return n;
}

void test_plan_init(struct test_plan *plan, uint32_t max_doc) {
  plan->header = (struct csd_plan_header){.magic = CSD_PLAN_MAGIC,
                                          .version = CSD_WIRE_VERSION,
                                          .mode = CSD_MODE_COUNT,
                                          .max_doc = max_doc,
                                          .limit_doc = max_doc,
                                          .count_threshold = CSD_EXACT_COUNT,
                                          .max_result_bytes = 1u << 20};
}

struct csd_plan_node *test_plan_node(struct test_plan *plan, unsigned op, unsigned occur,
                                     unsigned child_count) {
  struct csd_plan_node *node = &plan->nodes[plan->header.node_count++];
  *node = (struct csd_plan_node){
      .op = (uint8_t)op, .occur = (uint8_t)occur, .child_count = (uint16_t)child_count};
  return node;
}

struct csd_plan_node *test_plan_term(struct test_plan *plan, unsigned occur, uint32_t list,
                                     float weight) {
  struct csd_plan_node *node = test_plan_node(plan, CSD_OP_TERM, occur, 0);
  node->list = list;
  node->weight = weight;
  return node;
}

void test_plan_extents(struct test_plan *plan, const struct array_source *source) {
  plan->header.extent_count =
      (uint16_t)array_source_extents(source, plan->extents, CSD_MAX_PLAN_EXTENTS);
}

uint32_t test_plan_list(struct test_plan *plan, const struct csd_list_ref *ref) {
  struct csd_list_ref *list = &plan->lists[plan->header.list_count];
  *list = *ref;
  list->first_extent = 0;
  list->extent_count = plan->header.extent_count;
  return plan->header.list_count++;
}

uint32_t test_plan_column(struct test_plan *plan, const struct csd_column_ref *ref) {
  struct csd_column_ref *column = &plan->columns[plan->header.column_count];
  *column = *ref;
  column->first_extent = 0;
  column->extent_count = plan->header.extent_count;
  return plan->header.column_count++;
}

void test_plan_over_column(struct test_plan *plan) {
  test_plan_init(plan, 1000);
  test_plan_node(plan, CSD_OP_ALL, CSD_OCCUR_MUST, 0);
  plan->header.max_result_bytes = 4096;
  plan->extents[0] = (struct csd_extent){.file_page = 0, .page_count = 10, .lba = 40};
  plan->header.extent_count = 1;
  const struct csd_column_ref column = {
      .page_count = 1, .doc_count = 10, .value_count = 10, .stamp = 1, .min = 0, .max = 9};
  test_plan_column(plan, &column);
}

struct csd_plan_node *test_plan_range(struct test_plan *plan, unsigned occur, uint32_t column,
                                      int64_t lo, int64_t hi) {
  struct csd_plan_node *node = test_plan_node(plan, CSD_OP_COLUMN_RANGE, occur, 0);
  node->list = column;
  node->table = plan->header.range_count++;
  plan->ranges[node->table] = (struct csd_value_range){.lo = lo, .hi = hi};
  return node;
}

struct csd_plan_node *test_plan_set(struct test_plan *plan, unsigned occur, uint32_t column,
                                    const struct csd_value_range *ranges, uint32_t count) {
  struct csd_plan_node *node = test_plan_node(plan, CSD_OP_COLUMN_IN, occur, 0);
  node->list = column;
  node->table = plan->header.range_count;
  node->range_count = count;
  memcpy(plan->ranges + node->table, ranges, count * sizeof *ranges);
  plan->header.range_count = (uint16_t)(node->table + count);
  return node;
}

void test_plan_table(struct test_plan *plan, float average) {
  float *table = plan->tables[plan->header.table_count++];
  for (unsigned i = 0; i < CSD_NORM_TABLE_ENTRIES; i++) {
    table[i] = 1.0f / (1.2f * (0.25f + 0.75f * (float)i / average));
  }
}

void test_plan_bm25(struct test_plan *plan, uint32_t table, float k1, float b, float average) {
  uint32_t length = 0; /* of norm i; the steps are 1 at first, from 40 on they double every eight */
  for (unsigned i = 0; i < CSD_NORM_TABLE_ENTRIES; i++) {
    const volatile float share = b * (float)length / average;
    plan->tables[table][i] = 1.0f / (k1 * ((1.0f - b) + share));
    length += i < 40 ? 1u : 1u << ((i - 24) / 8 - 1);
  }
  plan->bm25[table] = (struct csd_bm25_table){.k1 = k1, .b = b, .average_length = average};
}

void test_plan_top_k(struct test_plan *plan, uint32_t k, uint32_t count_threshold) {
  plan->header.mode = CSD_MODE_TOP_K;
  plan->header.k = k;
  plan->header.count_threshold = count_threshold;
}

void test_plan_sort(struct test_plan *plan, uint32_t k, uint32_t count_threshold) {
  test_plan_top_k(plan, k, count_threshold);
  plan->header.mode = CSD_MODE_TOP_K_BY_COLUMN;
  plan->header.flags = 0;
  memset(&plan->sort, 0, sizeof plan->sort);
}

struct csd_sort_key *test_plan_sort_key(struct test_plan *plan, uint32_t column) {
  struct csd_sort_key *key = &plan->sort.keys[plan->sort.header.key_count++];
  *key = (struct csd_sort_key){.kind = CSD_SORT_KIND_COLUMN,
                               .transform = CSD_SORT_TRANSFORM_I64,
                               .selector = CSD_SORT_SELECTOR_MIN,
                               .column = column,
                               .missing = UINT64_C(1) << 63};
  return key;
}

void test_plan_aggregates(struct test_plan *plan) {
  plan->header.mode = CSD_MODE_AGGREGATE;
  memset(&plan->aggregate_header, 0, sizeof plan->aggregate_header);
}

struct csd_aggregate *test_plan_aggregate(struct test_plan *plan, unsigned kind, uint32_t column) {
  struct csd_aggregate *aggregate = &plan->aggregates[plan->aggregate_header.aggregate_count++];
  *aggregate = (struct csd_aggregate){.kind = (uint8_t)kind, .column = column};
  return aggregate;
}

/* Writes the aggregates, or nothing if `to` is NULL; returns their bytes. */
static uint32_t write_aggregates(const struct test_plan *plan, uint8_t *to) {
  if (plan->header.mode != CSD_MODE_AGGREGATE) {
    return 0;
  }
  const size_t bytes = plan->aggregate_header.aggregate_count * sizeof plan->aggregates[0];
  if (to != NULL) {
    memcpy(to, &plan->aggregate_header, sizeof plan->aggregate_header);
    memcpy(to + sizeof plan->aggregate_header, plan->aggregates, bytes);
  }
  return (uint32_t)(sizeof plan->aggregate_header + bytes);
}

/* Writes the sort part, or nothing if `to` is NULL; returns its bytes. */
static uint32_t write_sort(const struct test_plan *plan, uint8_t *to) {
  const struct csd_plan_sort *sort = &plan->sort;
  const bool after = (sort->header.flags & CSD_SORT_FLAG_HAS_AFTER) != 0;
  const bool bottom = (sort->header.flags & CSD_SORT_FLAG_HAS_BOTTOM) != 0;
  const size_t keys =
      sort->header.key_count < CSD_MAX_SORT_KEYS ? sort->header.key_count : CSD_MAX_SORT_KEYS;
  const struct {
    const void *from;
    size_t bytes;
  } parts[] = {{&sort->header, sizeof sort->header},
               {sort->keys, keys * sizeof sort->keys[0]},
               {sort->after, after ? keys * sizeof sort->after[0] : 0},
               {sort->bottom, bottom ? keys * sizeof sort->bottom[0] : 0}};
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < 4 && plan->header.mode == CSD_MODE_TOP_K_BY_COLUMN; i++) {
    if (to != NULL) {
      memcpy(to + bytes, parts[i].from, parts[i].bytes);
    }
    bytes += (uint32_t)parts[i].bytes;
  }
  return bytes;
}

static size_t write_tables(const struct test_plan *plan, uint8_t *to) {
  const bool made = (plan->header.flags & CSD_PLAN_FLAG_BM25_TABLES) != 0;
  const size_t size = made ? sizeof plan->bm25[0] : sizeof plan->tables[0];
  const size_t bytes = plan->header.table_count * size;
  if (to != NULL) {
    memcpy(to, made ? (const void *)plan->bm25 : (const void *)plan->tables, bytes);
  }
  return bytes;
}

uint32_t test_plan_bytes(const struct test_plan *plan) {
  return (uint32_t)(write_sort(plan, NULL) + write_aggregates(plan, NULL) + sizeof plan->header +
                    plan->header.node_count * sizeof plan->nodes[0] +
                    plan->header.list_count * sizeof plan->lists[0] +
                    plan->header.extent_count * sizeof plan->extents[0] +
                    (uint32_t)write_tables(plan, NULL) +
                    plan->header.column_count * sizeof plan->columns[0] +
                    plan->header.range_count * sizeof plan->ranges[0]);
}

void test_plan_write(const struct test_plan *plan, uint8_t *bytes) {
  struct csd_plan_header header = plan->header;
  header.total_bytes = test_plan_bytes(plan);
  memcpy(bytes, &header, sizeof header);
  bytes += sizeof header;
  memcpy(bytes, plan->nodes, header.node_count * sizeof plan->nodes[0]);
  bytes += header.node_count * sizeof plan->nodes[0];
  memcpy(bytes, plan->lists, header.list_count * sizeof plan->lists[0]);
  bytes += header.list_count * sizeof plan->lists[0];
  memcpy(bytes, plan->extents, header.extent_count * sizeof plan->extents[0]);
  bytes += header.extent_count * sizeof plan->extents[0];
  bytes += write_tables(plan, bytes);
  memcpy(bytes, plan->columns, header.column_count * sizeof plan->columns[0]);
  bytes += header.column_count * sizeof plan->columns[0];
  memcpy(bytes, plan->ranges, header.range_count * sizeof plan->ranges[0]);
  bytes += header.range_count * sizeof plan->ranges[0];
  write_sort(plan, bytes);
  write_aggregates(plan, bytes);
}
