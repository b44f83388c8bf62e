/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Programs with COLUMN_RANGE and COLUMN_IN nodes against the brute-force evaluator. */
#include <stdlib.h>
#include <string.h>

#include "core/columns/page/column_check.h"
#include "core/lists/list_cursor.h"
#include "tests/core/program/program_world.h"

static void run_seeds(uint64_t first, uint64_t last, uint32_t max_doc, uint32_t plans) {
  const char *only = getenv("CSD_TEST_SEED");
  for (uint64_t seed = first; seed <= last && check_failures == 0; seed++) {
    if (only == NULL || strtoull(only, NULL, 10) == seed) {
      program_world_run(seed, max_doc, plans, program_plan_columns);
    }
  }
}

static void small_worlds(void) { run_seeds(1, 200, 6000, 40); }
static void large_worlds(void) { run_seeds(1001, 1006, 120000, 25); }

/* Every page that the tests' writer makes passes the check. */
static void pages_are_good(void) {
  uint32_t pages = 0;
  for (uint64_t seed = 5000; seed < 5000 + program_share(40); seed++) {
    struct program_world world;
    program_world_make(&world, seed, 20000);
    for (uint32_t c = 0; c < PROGRAM_COLUMNS; c++) {
      for (uint32_t p = 0; p < world.column_ref[c].page_count; p++, pages++) {
        const uint8_t *page = array_source_page(&world.source, world.column_ref[c].first_page + p);
        CHECK_OK(csd_column_check(page));
      }
    }
    program_world_free(&world);
  }
  CHECK_MSG(pages > program_share(1000), "%u pages", pages);
}

/* A column of one value a doc, behind the pages that there are. */
static void make_column(struct page_builder *pages, uint32_t docs, struct csd_column_ref *ref,
                        int64_t (*value_of)(uint32_t doc, uint64_t *random)) {
  uint32_t *doc = malloc(docs * sizeof *doc);
  uint32_t *first = malloc((docs + 1u) * sizeof *first);
  int64_t *value = malloc(docs * sizeof *value);
  uint64_t random = 11;
  for (uint32_t i = 0; i < docs; i++) {
    doc[i] = i;
    first[i] = i;
    value[i] = value_of(i, &random);
  }
  first[docs] = docs;
  const struct test_column column = {docs, docs, doc, first, value};
  struct column_builder builder;
  column_builder_init(&builder, 5, pages->stamp, pages->first_file_page + pages->page_count);
  column_builder_add(&builder, &column, ref);
  const uint32_t count = pages->page_count + builder.page_count;
  uint8_t *bytes = malloc((size_t)count * CSD_PAGE_BYTES);
  if (pages->page_count > 0) {
    memcpy(bytes, pages->pages, (size_t)pages->page_count * CSD_PAGE_BYTES);
  }
  memcpy(bytes + (size_t)pages->page_count * CSD_PAGE_BYTES, builder.pages,
         (size_t)builder.page_count * CSD_PAGE_BYTES);
  free(pages->pages);
  pages->pages = bytes;
  pages->page_count = count;
  pages->page_limit = count;
  column_builder_free(&builder);
  free(value);
  free(first);
  free(doc);
}

/* Its pages ascend; the last one of them alone has the greatest value. */
static int64_t ascending(uint32_t doc, uint64_t *random) {
  return (int64_t)doc << 40 | (int64_t)(check_random(random) >> 24);
}

/* Likewise of close values. */
static int64_t rising(uint32_t doc, uint64_t *random) {
  (void)random;
  return (int64_t)doc * 3;
}

/* Steps end while page after page is passed over, so that a program can be stopped. */
static void steps_end_where_nothing_matches(void) {
  enum { DOCS = 800000, MIN_PAGES = 1000, BUDGET = 64 };
  struct page_builder pages;
  struct csd_column_ref ref = {0};
  struct array_source source;
  page_builder_init(&pages, 99, 1);
  make_column(&pages, DOCS, &ref, ascending);
  CHECK_MSG(ref.page_count >= MIN_PAGES, "%u pages", ref.page_count);
  array_source_init(&source, &pages, 1000000);
  for (unsigned mode = CSD_MODE_COUNT; mode <= CSD_MODE_DOCS; mode++) {
    test_plan_init(&program_plan, DOCS);
    program_plan.header.mode = (uint8_t)mode;
    test_plan_extents(&program_plan, &source);
    test_plan_column(&program_plan, &ref);
    test_plan_range(&program_plan, CSD_OCCUR_MUST, 0, ref.max, ref.max);
    test_plan_write(&program_plan, program_bytes);
    struct csd_program *program;
    CHECK_OK(csd_program_begin(program_grant, PROGRAM_GRANT_BYTES, program_bytes,
                               test_plan_bytes(&program_plan), program_result, PROGRAM_RESULT_BYTES,
                               &source.source, &program));
    uint32_t steps = 1;
    uint64_t units = 0;
    int status;
    while ((status = csd_program_step(program, BUDGET)) > 0) {
      const uint64_t now = csd_program_work(program)->units;
      CHECK_MSG(now - units < 8u * MIN_PAGES, "mode %u: a step of %u units", mode,
                (unsigned)(now - units));
      units = now;
      steps++;
    }
    CHECK_OK(status);
    CHECK_MSG(steps >= 3, "mode %u: %u steps over %u pages", mode, steps, ref.page_count);
    csd_program_end(program);
    struct csd_result_header header;
    memcpy(&header, program_result, sizeof header);
    CHECK_MSG(header.match_count == 1, "mode %u: %u matches", mode, (unsigned)header.match_count);
  }
  array_source_free(&source);
  page_builder_free(&pages);
}

/* Ordinals of keywords: of 60, a stretch of docs has the first, the last and two others. */
static int64_t keyword(uint32_t doc, uint64_t *random) {
  const uint32_t stretch = doc / 2000u;
  switch (check_random_below(random, 4)) {
    case 0: return 0;
    case 1: return 59;
    case 2: return 1 + stretch * 7 % 58;
    default: return 1 + stretch * 11 % 58;
  }
}

/* Prices, with a few that are far off. */
static int64_t price(uint32_t doc, uint64_t *random) {
  return check_random_below(random, 500) == 0
             ? 0
             : 1000000 + doc / 3000 * 10000 % 200000 + check_random_below(random, 9000);
}

static bool without_parts(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                          struct csd_page_range *range) {
  const struct array_source *source = context;
  const bool known = source->source.peek(context, lba, stamp, file_page, range);
  range->parts = 0;
  return known;
}

/* Runs program_plan in mode COUNT. Returns its matches; sets *pages to how many it reads. */
static uint64_t count_matches(const struct csd_page_source *source, uint32_t *pages) {
  struct csd_program *program;
  test_plan_write(&program_plan, program_bytes);
  CHECK_OK(csd_program_begin(program_grant, PROGRAM_GRANT_BYTES, program_bytes,
                             test_plan_bytes(&program_plan), program_result, PROGRAM_RESULT_BYTES,
                             source, &program));
  CHECK_OK(csd_program_step(program, UINT64_MAX));
  csd_program_end(program);
  struct csd_result_header header;
  memcpy(&header, program_result, sizeof header);
  *pages = header.pages_read;
  return header.match_count;
}

/* Counts the docs with values of up to four ranges, with the parts of pages and without them.
   Returns how many pages are read, in hundredths of those that are without. */
static uint32_t pages_read_by_parts(int64_t (*value_of)(uint32_t doc, uint64_t *random),
                                    uint32_t values, int64_t step, uint32_t most_ranges) {
  enum { DOCS = 300000, PLANS = 200 };
  struct page_builder pages;
  struct csd_column_ref ref = {0};
  struct array_source source;
  uint64_t seed = 17, with = 0, without = 0;
  page_builder_init(&pages, 99, 1);
  make_column(&pages, DOCS, &ref, value_of);
  array_source_init(&source, &pages, 1000000);
  struct csd_page_source plain = source.source;
  plain.peek = without_parts;
  for (uint32_t i = 0; i < PLANS; i++) {
    struct csd_value_range ranges[4];
    const uint32_t count = 1 + check_random_below(&seed, most_ranges);
    const int64_t first = ref.min + step * check_random_below(&seed, values);
    for (uint32_t r = 0; r < count; r++) {
      ranges[r].lo = (r == 0 ? first : ranges[r - 1u].hi + 1 + step * check_random_below(&seed, 9));
      ranges[r].hi = ranges[r].lo + step - 1;
    }
    test_plan_init(&program_plan, DOCS);
    test_plan_extents(&program_plan, &source);
    test_plan_column(&program_plan, &ref);
    if (count == 1) {
      test_plan_range(&program_plan, CSD_OCCUR_MUST, 0, ranges[0].lo, ranges[0].hi);
    } else {
      test_plan_set(&program_plan, CSD_OCCUR_MUST, 0, ranges, count);
    }
    uint32_t read, read_without;
    const uint64_t matches = count_matches(&source.source, &read);
    CHECK_EQ(count_matches(&plain, &read_without), matches);
    CHECK(read <= read_without);
    with += read, without += read_without;
  }
  array_source_free(&source);
  page_builder_free(&pages);
  return (uint32_t)(100 * with / without);
}

static void pages_without_a_wanted_value_are_not_read(void) {
  const uint32_t keywords = pages_read_by_parts(keyword, 60, 1, 1);
  const uint32_t sets = pages_read_by_parts(keyword, 50, 1, 4);
  const uint32_t prices = pages_read_by_parts(price, 1200, 1000, 1);
  CHECK_MSG(keywords < 20 && sets < 35 && prices < 15, "%u, %u, %u %% of the pages", keywords, sets,
            prices);
}

/* Days of ten years in milliseconds, a few hundred of them close to each other. */
static int64_t day(uint32_t doc, uint64_t *random) {
  return INT64_C(86400000) * (int64_t)(doc / 40u + check_random_below(random, 400));
}

/* The same in no order: a page has values of all years. */
static int64_t any_day(uint32_t doc, uint64_t *random) {
  (void)doc;
  return INT64_C(86400000) * (int64_t)check_random_below(random, 3650);
}

/* Numbers that only a search among the ranges tells from wanted ones. */
static int64_t wide(uint32_t doc, uint64_t *random) {
  return (int64_t)doc + ((int64_t)check_random_below(random, 1u << 30) << 9);
}

/* Sets of many ranges over values far apart match what a look at each value says. */
static void count_sets(int64_t (*value_of)(uint32_t doc, uint64_t *random)) {
  enum { DOCS = 20000, PLANS = 12, RANGES = 300 };
  struct page_builder pages;
  struct csd_column_ref ref = {0};
  struct array_source source;
  uint64_t seed = 23, random = 11;
  page_builder_init(&pages, 99, 1);
  make_column(&pages, DOCS, &ref, value_of);
  array_source_init(&source, &pages, 1000000);
  int64_t *values = malloc(DOCS * sizeof *values);
  for (uint32_t i = 0; i < DOCS; i++) {
    values[i] = value_of(i, &random);
  }
  uint64_t all = 0;
  for (uint32_t i = 0; i < PLANS; i++) {
    static struct csd_value_range ranges[RANGES];
    const uint32_t count = 9u + check_random_below(&seed, RANGES - 9u);
    const uint64_t gap = ((uint64_t)ref.max - (uint64_t)ref.min) / count;
    for (uint32_t r = 0; r < count; r++) {
      const int64_t from = ref.min + (int64_t)(gap * r);
      ranges[r].lo = values[check_random_below(&seed, DOCS)];
      if (ranges[r].lo < from || ranges[r].lo >= from + (int64_t)gap) {
        ranges[r].lo = from + (int64_t)check_random_below(&seed, 1000);
      }
      const uint64_t left = (uint64_t)(from + (int64_t)gap - 1 - ranges[r].lo);
      ranges[r].hi = ranges[r].lo + (int64_t)(check_random_below(&seed, 3) == 0 ? left / 2u : 0);
    }
    test_plan_init(&program_plan, DOCS);
    test_plan_extents(&program_plan, &source);
    test_plan_column(&program_plan, &ref);
    test_plan_set(&program_plan, CSD_OCCUR_MUST, 0, ranges, count);
    uint64_t expected = 0;
    for (uint32_t doc = 0; doc < DOCS; doc++) {
      bool in = false;
      for (uint32_t r = 0; r < count && !in; r++) {
        in = ranges[r].lo <= values[doc] && values[doc] <= ranges[r].hi;
      }
      expected += in;
    }
    uint32_t read;
    CHECK_EQ(count_matches(&source.source, &read), expected);
    all += expected;
  }
  CHECK_MSG(all > DOCS, "%u matches in all", (unsigned)all);
  free(values);
  array_source_free(&source);
  page_builder_free(&pages);
}

static void sets_of_far_values_match(void) {
  count_sets(day);
  count_sets(any_day);
  count_sets(wide);
}

/* A list of every `gap`-th doc. */
static void add_list(struct page_builder *pages, uint32_t docs, uint32_t gap,
                     struct csd_list_ref *ref) {
  const uint32_t n = (docs - 1u) / gap + 1u;
  uint32_t *doc = malloc(n * sizeof *doc), *freq = malloc(n * sizeof *freq);
  uint8_t *norm = malloc(n);
  for (uint32_t i = 0; i < n; i++) {
    doc[i] = gap * i;
    freq[i] = 1;
    norm[i] = 60;
  }
  page_builder_add(pages, doc, freq, norm, n, ref);
  free(doc);
  free(freq);
  free(norm);
}

/* Docs of a disjunction are counted beside a range or a set, few of them and many. */
static void docs_beside_values_are_counted(void) {
  enum { DOCS = 150000, LISTS = 4, RANGES = 12 };
  static const uint32_t gaps[LISTS] = {1200, 900, 70, 3};
  struct page_builder pages;
  struct csd_list_ref list[LISTS];
  struct csd_column_ref ref = {0};
  struct array_source source;
  page_builder_init(&pages, 99, 1);
  for (uint32_t i = 0; i < LISTS; i++) {
    add_list(&pages, DOCS, gaps[i], &list[i]);
  }
  page_builder_finish(&pages);
  make_column(&pages, DOCS, &ref, any_day);
  array_source_init(&source, &pages, 1000000);
  int64_t *values = malloc(DOCS * sizeof *values);
  uint64_t random = 11;
  for (uint32_t i = 0; i < DOCS; i++) {
    values[i] = any_day(i, &random);
  }
  uint64_t all = 0;
  for (uint32_t first = 0; first + 1u < LISTS; first++) {
    for (uint32_t days = 1; days < 3650; days *= 5) {
      for (uint32_t count = 1; count <= RANGES; count += RANGES - 1u) {
        struct csd_value_range ranges[RANGES];
        for (uint32_t r = 0; r < count; r++) {
          ranges[r].lo = INT64_C(86400000) * (100 + 290 * (int64_t)r);
          ranges[r].hi = ranges[r].lo + INT64_C(86400000) * (int64_t)(days < 280 ? days : 280) - 1;
        }
        test_plan_init(&program_plan, DOCS);
        test_plan_extents(&program_plan, &source);
        test_plan_column(&program_plan, &ref);
        test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, 3)->min_should = 1;
        for (uint32_t i = first; i < first + 2u; i++) {
          test_plan_term(&program_plan, CSD_OCCUR_SHOULD, test_plan_list(&program_plan, &list[i]),
                         0.0f);
        }
        test_plan_set(&program_plan, CSD_OCCUR_FILTER, 0, ranges, count);
        uint64_t expected = 0;
        for (uint32_t doc = 0; doc < DOCS; doc++) {
          bool in = false;
          for (uint32_t r = 0; r < count && !in; r++) {
            in = ranges[r].lo <= values[doc] && values[doc] <= ranges[r].hi;
          }
          expected += in && (doc % gaps[first] == 0 || doc % gaps[first + 1u] == 0);
        }
        uint32_t read;
        CHECK_EQ(expected, count_matches(&source.source, &read));
        all += expected;
      }
    }
  }
  CHECK_MSG(all > DOCS / 3, "%u matches in all", (unsigned)all);
  free(values);
  array_source_free(&source);
  page_builder_free(&pages);
}

/* Pages of a column and of a list that are read for a range of values which ascend with the docs.
 */
static void ranges_choose_pages(void) {
  enum { DOCS = 400000, FIRST = 200000, LAST = 209999 };
  struct page_builder pages;
  struct csd_list_ref list;
  struct csd_column_ref ref = {0};
  struct array_source source;
  page_builder_init(&pages, 99, 1);
  add_list(&pages, DOCS, 1, &list);
  page_builder_finish(&pages);
  make_column(&pages, DOCS, &ref, rising);
  array_source_init(&source, &pages, 1000000);
  test_plan_init(&program_plan, DOCS);
  test_plan_extents(&program_plan, &source);
  test_plan_column(&program_plan, &ref);
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, 2);
  test_plan_term(&program_plan, CSD_OCCUR_MUST, test_plan_list(&program_plan, &list), 0.0f);
  test_plan_range(&program_plan, CSD_OCCUR_FILTER, 0, rising(FIRST, NULL), rising(LAST, NULL));
  uint32_t partly = 0, wholly = 0, of_list = 0;
  for (uint32_t i = 0; i < ref.page_count; i++) {
    struct csd_column_page_header header;
    memcpy(&header, array_source_page(&source, ref.first_page + i), sizeof header);
    const uint32_t last = header.first_doc + header.doc_span - 1u;
    wholly += FIRST <= header.first_doc && last <= LAST;
    partly +=
        (header.first_doc < FIRST && FIRST <= last) || (header.first_doc <= LAST && LAST < last);
  }
  for (uint32_t i = 0; i < list.page_count; i++) {
    struct csd_page_header header;
    memcpy(&header, array_source_page(&source, list.first_page + i), sizeof header);
    of_list += header.lead_first_doc <= LAST && FIRST <= header.lead_last_doc;
  }
  uint32_t read;
  CHECK_EQ(LAST - FIRST + 1, count_matches(&source.source, &read));
  struct csd_result_header header;
  memcpy(&header, program_result, sizeof header);
  CHECK(partly > 0 && wholly > 0 && of_list > 1 && of_list < list.page_count / 4u);
  CHECK_EQ(partly + of_list, read);
  CHECK_EQ(ref.page_count - partly + list.page_count - of_list, header.pages_skipped);
  array_source_free(&source);
  page_builder_free(&pages);
}

/* The first value of each doc is found whatever the width of the counts of values. */
static void counts_of_any_width_add_up(void) {
  enum { DOCS = 900, MAX_VALUES = 400 };
  for (uint32_t most = 2; most <= MAX_VALUES; most += 1u + most / 3u) {
    uint32_t *doc = malloc(DOCS * sizeof *doc);
    uint32_t *first = malloc((DOCS + 1u) * sizeof *first);
    int64_t *value = malloc((size_t)DOCS * MAX_VALUES * sizeof *value);
    uint64_t random = most;
    uint32_t values = 0;
    for (uint32_t i = 0; i < DOCS; i++) {
      doc[i] = i;
      first[i] = values;
      const uint32_t n = 1u + (i % 50u == 0 ? most - 1u : check_random_below(&random, most));
      for (uint32_t v = 0; v < n; v++) {
        value[values++] = (int64_t)v;
      }
    }
    first[DOCS] = values;
    const struct test_column column = {DOCS, DOCS, doc, first, value};
    struct column_builder builder;
    struct csd_column_ref ref = {0};
    column_builder_init(&builder, 5, 99, 1);
    column_builder_add(&builder, &column, &ref);
    for (uint32_t p = 0; p < ref.page_count; p++) {
      struct csd_column_page page;
      CHECK(csd_column_lay_out(builder.pages + (size_t)(ref.first_page - 1u + p) * CSD_PAGE_BYTES,
                               &page));
      const uint32_t from = page.header.first_doc;
      for (uint32_t i = 0; i <= page.header.doc_count; i++) {
        CHECK_EQ(csd_column_first_value(&page, i), first[from + i] - first[from]);
      }
      for (uint32_t i = 0; i < 100; i++) {
        const uint32_t a = check_random_below(&random, page.header.doc_count);
        const uint32_t b = a + check_random_below(&random, page.header.doc_count - a + 1u);
        CHECK_EQ(csd_column_values_between(&page, a, b), first[from + b] - first[from + a]);
      }
    }
    column_builder_free(&builder);
    free(value);
    free(first);
    free(doc);
  }
}

int main(void) {
  program_buffers_take();
  RUN(counts_of_any_width_add_up);
  RUN(sets_of_far_values_match);
  RUN(docs_beside_values_are_counted);
  RUN(ranges_choose_pages);
  RUN(pages_are_good);
  RUN(steps_end_where_nothing_matches);
  RUN(pages_without_a_wanted_value_are_not_read);
  RUN(small_worlds);
  RUN(large_worlds);
  program_buffers_free();
  return check_result();
}
