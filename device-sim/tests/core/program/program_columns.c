/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <stdlib.h>
#include <string.h>

#include "tests/core/program/program_world.h"

/* Columns of worlds with more docs are thin. */
enum { MANY_DOCS = 250000 };

/* How the values of a column lie. */
enum kind { SMALL, CLUSTERED, MULTIPLES, EXTREME, FEW, FAR_APART, CONSTANT, ORDINALS, KINDS };

static int64_t value_of(struct program_world *world, enum kind kind, uint32_t doc) {
  switch (kind) {
    case SMALL: return (int64_t)below(world, 1000) - 500;
    case CLUSTERED: return (int64_t)doc * 50 + below(world, 2000);
    case MULTIPLES: return INT64_C(1600000000000) + INT64_C(86400000) * below(world, 5000);
    case EXTREME:
      return below(world, 4) == 0
                 ? (below(world, 2) == 0 ? INT64_MIN : INT64_MAX) ^ (int64_t)below(world, 3)
                 : (int64_t)check_random(&world->random);
    case FEW: {
      static const int64_t values[] = {INT64_MIN, -77, 0, 1, 1000000007, INT64_MAX};
      return values[below(world, 6)];
    }
    case FAR_APART: return (int64_t)(below(world, 700) * UINT64_C(0x9E3779B97F4A7C15));
    case ORDINALS: return below(world, 1 + below(world, 300));
    default: return -3;
  }
}

static int by_value(const void *left, const void *right) {
  const int64_t *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

static void make_column(struct program_world *world, struct test_column *column) {
  static const uint32_t densities[] = {1, 10, 300, 990, 1000, 1000, 1000};
  const enum kind kind = below(world, KINDS);
  uint32_t density = densities[below(world, 7)];
  static const uint32_t counts[] = {1, 1, 1, 1, 2, 9, 30};
  uint32_t most = counts[below(world, 7)]; /* values of a doc */
  const uint32_t max_doc = world->max_doc;
  if (max_doc > MANY_DOCS) { /* full columns of so many docs would take most of a test's time */
    density = 1 + density / 10;
    most = most < 2 ? most : 2;
  }
  uint32_t *docs = malloc(max_doc * sizeof *docs);
  uint32_t *first = malloc((max_doc + 1) * sizeof *first);
  int64_t *values = malloc((size_t)max_doc * most * sizeof *values);
  uint32_t n = 0;
  uint32_t v = 0;
  if (docs == NULL || first == NULL || values == NULL) {
    abort();
  }
  for (uint32_t doc = 0; doc < max_doc; doc++) {
    if (below(world, 1000) < density || (n == 0 && doc + 1 == max_doc)) {
      const uint32_t count = 1 + below(world, most);
      docs[n] = doc;
      first[n++] = v;
      for (uint32_t i = 0; i < count; i++) {
        values[v + i] = value_of(world, kind, doc);
      }
      qsort(values + v, count, sizeof *values, by_value);
      v += count;
    }
  }
  first[n] = v;
  *column = (struct test_column){
      .doc_count = n, .value_count = v, .docs = docs, .first = first, .values = values};
}

void program_columns_make(struct program_world *world) {
  const uint64_t random = world->random; /* the rest of the world is as it is without columns */
  struct page_builder *pages = &world->builder;
  struct column_builder builder;
  column_builder_init(&builder, check_random(&world->random), pages->stamp,
                      pages->first_file_page + pages->page_count);
  for (uint32_t c = 0; c < PROGRAM_COLUMNS; c++) {
    make_column(world, &world->column[c]);
    column_builder_add(&builder, &world->column[c], &world->column_ref[c]);
  }
  const size_t before = (size_t)pages->page_count * CSD_PAGE_BYTES;
  const size_t more = (size_t)builder.page_count * CSD_PAGE_BYTES;
  pages->pages = realloc(pages->pages, before + more);
  if (pages->pages == NULL) {
    abort();
  }
  memcpy(pages->pages + before, builder.pages, more);
  pages->page_count += builder.page_count;
  column_builder_free(&builder);
  world->random = random;
}

void program_columns_free(struct program_world *world) {
  for (uint32_t c = 0; c < PROGRAM_COLUMNS; c++) {
    free((void *)(uintptr_t)world->column[c].docs);
    free((void *)(uintptr_t)world->column[c].first);
    free((void *)(uintptr_t)world->column[c].values);
  }
}

const int64_t *program_column_values(const struct test_column *column, uint32_t doc,
                                     uint32_t *count) {
  uint32_t low = 0;
  uint32_t high = column->doc_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (column->docs[middle] < doc) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool found = low < column->doc_count && column->docs[low] == doc;
  *count = found ? column->first[low + 1] - column->first[low] : 0;
  return found ? column->values + column->first[low] : NULL;
}

bool program_column_matches(const struct test_column *column, uint32_t doc, int64_t lo,
                            int64_t hi) {
  uint32_t count;
  const int64_t *values = program_column_values(column, doc, &count);
  for (uint32_t v = 0; v < count; v++) {
    if (values[v] >= lo && values[v] <= hi) {
      return true;
    }
  }
  return false;
}

/* Whether a value is in one of some ascending ranges. */
static bool is_in(int64_t value, const struct csd_value_range *ranges, uint32_t count) {
  uint32_t low = 0;
  uint32_t high = count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (ranges[middle].lo <= value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low > 0 && value <= ranges[low - 1].hi;
}

bool program_column_has(const struct test_column *column, uint32_t doc,
                        const struct csd_value_range *ranges, uint32_t count) {
  uint32_t values_of_doc;
  const int64_t *values = program_column_values(column, doc, &values_of_doc);
  for (uint32_t v = 0; v < values_of_doc; v++) {
    if (is_in(values[v], ranges, count)) {
      return true;
    }
  }
  return false;
}

void program_columns_add(struct program_world *world) {
  while (program_plan.header.column_count < PROGRAM_COLUMNS) {
    test_plan_column(&program_plan, &world->column_ref[program_plan.header.column_count]);
  }
}

static int by_lo(const void *left, const void *right) {
  const struct csd_value_range *a = left, *b = right;
  return a->lo < b->lo ? -1 : a->lo > b->lo;
}

/* A set of values of the column and others, some of them ranges. */
static void add_set(struct program_world *world, uint32_t c, unsigned occur, float weight) {
  enum { MAX_RANGES = 1500 };
  static struct csd_value_range ranges[MAX_RANGES];
  static const uint32_t sizes[] = {3, 9, 40, 300, MAX_RANGES};
  const struct test_column *column = &world->column[c];
  const uint32_t wanted = 1 + below(world, sizes[below(world, 5)]);
  const uint32_t wide = below(world, 4) == 0 ? 1 + below(world, 1000) : 0;
  const uint32_t near = below(world, 3) == 0 ? below(world, column->value_count) : 0;
  for (uint32_t i = 0; i < wanted; i++) {
    int64_t lo = column->values[near > 0 ? (near + i) % column->value_count
                                         : below(world, column->value_count)];
    if (below(world, 6) == 0) {
      lo = (int64_t)((uint64_t)lo + below(world, 100) - 50);
    }
    const int64_t hi = (int64_t)((uint64_t)lo + below(world, 1 + wide));
    ranges[i] = (struct csd_value_range){.lo = lo, .hi = hi < lo ? lo : hi};
  }
  if (below(world, 8) == 0) {
    ranges[0].lo = INT64_MIN;
  }
  if (below(world, 8) == 0) {
    ranges[wanted - 1].hi = INT64_MAX;
  }
  qsort(ranges, wanted, sizeof *ranges, by_lo);
  uint32_t n = 0;
  for (uint32_t i = 0; i < wanted; i++) {
    if (n > 0 && ranges[i].lo <= ranges[n - 1].hi) {
      ranges[n - 1].hi = ranges[n - 1].hi > ranges[i].hi ? ranges[n - 1].hi : ranges[i].hi;
    } else {
      ranges[n++] = ranges[i];
    }
  }
  uint32_t used = 0; /* by other sets */
  for (uint32_t i = 0; i < program_plan.header.node_count; i++) {
    used += program_plan.nodes[i].range_count;
  }
  const uint32_t most = CSD_MAX_PLAN_RANGES / 2;
  const uint32_t room = used < most ? most - used : 0;
  test_plan_set(&program_plan, occur, c, ranges, n < room ? n : 1)->weight = weight;
}

void program_column_node(struct program_world *world, unsigned occur, float weight) {
  program_columns_add(world);
  const uint32_t c = below(world, PROGRAM_COLUMNS);
  const struct test_column *column = &world->column[c];
  const uint32_t kind = below(world, 6);
  if (kind < 2) {
    add_set(world, c, occur, weight);
    return;
  }
  if (kind == 2 &&
      program_plan.header.range_count + (uint32_t)PROGRAM_AREA_ENTRIES < CSD_MAX_PLAN_RANGES) {
    program_area_node(world, c, occur, weight);
    return;
  }
  int64_t lo = column->values[below(world, column->value_count)];
  int64_t hi = column->values[below(world, column->value_count)];
  switch (below(world, 8)) {
    case 0: lo = INT64_MIN; break;
    case 1: hi = INT64_MAX; break;
    case 2: lo = hi; break;
    case 3: lo = INT64_MIN, hi = INT64_MAX; break;
    case 4: lo = (int64_t)check_random(&world->random); break;
    case 5: hi -= hi > INT64_MIN; break;
    default: break;
  }
  if (lo > hi) {
    const int64_t other = lo;
    lo = hi;
    hi = other;
  }
  test_plan_range(&program_plan, occur, c, lo, hi)->weight = weight;
}
