/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Pages that the index shows to be non-competitive are not read, and the best hits are the same. */
#include <stdlib.h>
#include <string.h>

#include "tests/core/program/program_world.h"

enum { DOCS = 400000, K = 10 };

/* A file of lists whose docs are spread over all of a segment. */
struct lists {
  struct page_builder builder;
  struct array_source source;
  struct csd_list_ref ref[4];
};

/* Adds a list of every `gap`-th doc or so. Here and there a posting scores much. */
static void add_list(struct lists *lists, uint32_t which, uint32_t gap, uint32_t high_one_in,
                     uint64_t *seed) {
  const uint32_t room = DOCS / gap + 1;
  uint32_t *docs = malloc(room * sizeof *docs), *freqs = malloc(room * sizeof *freqs);
  uint8_t *norms = malloc(room);
  uint32_t n = 0;
  for (uint32_t doc = check_random_below(seed, 2 * gap); doc < DOCS && n < room;
       doc += 1 + check_random_below(seed, 2 * gap - 1), n++) {
    const bool high = check_random_below(seed, high_one_in) == 0;
    docs[n] = doc;
    freqs[n] = high ? 20 + check_random_below(seed, 10) : 1 + check_random_below(seed, 2);
    norms[n] = (uint8_t)(high ? 10 : 60 + check_random_below(seed, 60));
  }
  page_builder_add(&lists->builder, docs, freqs, norms, n, &lists->ref[which]);
  free(docs);
  free(freqs);
  free(norms);
}

static void make_lists(struct lists *lists) {
  uint64_t seed = 5;
  page_builder_init(&lists->builder, 9, 1);
  add_list(lists, 0, 1, 40000, &seed);
  add_list(lists, 1, 2, 30000, &seed);
  add_list(lists, 2, 40, 200, &seed);
  add_list(lists, 3, 3, 5000, &seed);
  page_builder_finish(&lists->builder);
  array_source_init(&lists->source, &lists->builder, 1000000);
}

static void free_lists(struct lists *lists) {
  array_source_free(&lists->source);
  page_builder_free(&lists->builder);
}

/* A plan for the best hits of some lists. */
static void make_plan(struct lists *lists, unsigned occur, const uint32_t *which,
                      const float *weights, uint32_t count) {
  test_plan_init(&program_plan, DOCS);
  test_plan_extents(&program_plan, &lists->source);
  test_plan_table(&program_plan, 60.0f);
  test_plan_top_k(&program_plan, K, 0);
  if (count > 1) {
    test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, count);
  }
  for (uint32_t i = 0; i < count; i++) {
    test_plan_term(&program_plan, count > 1 ? occur : CSD_OCCUR_MUST,
                   test_plan_list(&program_plan, &lists->ref[which[i]]), weights[i]);
  }
}

/* Runs program_plan. Its hits are in program_result. */
static struct csd_result_header run(struct lists *lists, bool has_index) {
  struct csd_program *program;
  struct csd_result_header header;
  lists->source.has_index = has_index;
  test_plan_write(&program_plan, program_bytes);
  CHECK_OK(csd_program_begin(program_grant, PROGRAM_GRANT_BYTES, program_bytes,
                             test_plan_bytes(&program_plan), program_result, PROGRAM_RESULT_BYTES,
                             &lists->source.source, &program));
  CHECK_OK(csd_program_step(program, UINT64_MAX));
  csd_program_end(program);
  memcpy(&header, program_result, sizeof header);
  CHECK_EQ(0, lists->source.pins_held);
  return header;
}

/* Runs a plan with the index and without. Returns the share of all pages that it reads with it. */
static double share_read(struct lists *lists, unsigned occur, const uint32_t *which,
                         const float *weights, uint32_t count) {
  uint8_t without[K * 8];
  uint32_t pages = 0;
  make_plan(lists, occur, which, weights, count);
  for (uint32_t i = 0; i < count; i++) {
    pages += lists->ref[which[i]].page_count;
  }
  CHECK_EQ(K, run(lists, false).entry_count);
  memcpy(without, program_result + sizeof(struct csd_result_header), sizeof without);
  const struct csd_result_header header = run(lists, true);
  CHECK_EQ(K, header.entry_count);
  CHECK(memcmp(without, program_result + sizeof(struct csd_result_header), sizeof without) == 0);
  CHECK(header.pages_skipped <= pages && header.pages_read + header.pages_skipped >= pages);
  return (double)header.pages_read / pages;
}

static void pages_of_a_disjunction(void) {
  struct lists lists;
  make_lists(&lists);
  /* Few docs of the rare term need a look at the frequent ones. */
  double share = share_read(&lists, CSD_OCCUR_SHOULD, (const uint32_t[]){0, 1, 2},
                            (const float[]){0.3f, 0.4f, 5.0f}, 3);
  CHECK_MSG(share < 0.5, "%.3f", share);
  /* Pages with a high posting of either term stand out. */
  share = share_read(&lists, CSD_OCCUR_SHOULD, (const uint32_t[]){0, 1},
                     (const float[]){1.5f, 2.0f}, 2);
  CHECK_MSG(share < 0.8, "%.3f", share);
  free_lists(&lists);
}

static void pages_of_a_conjunction(void) {
  struct lists lists;
  make_lists(&lists);
  double share =
      share_read(&lists, CSD_OCCUR_MUST, (const uint32_t[]){2, 0}, (const float[]){5.0f, 0.3f}, 2);
  CHECK_MSG(share < 0.45, "%.3f", share);
  share =
      share_read(&lists, CSD_OCCUR_MUST, (const uint32_t[]){3, 0}, (const float[]){5.0f, 0.3f}, 2);
  CHECK_MSG(share < 0.65, "%.3f", share);
  free_lists(&lists);
}

/* ---- exact numbers ---- */

enum { EVERY = 0, FEW = 1, PEAKS = 2 };

/* Lists: of every doc; of a few docs; of every doc again, of which some have high scores, the first
   of them the highest. */
static void make_plain_lists(struct lists *lists, const uint32_t *few, uint32_t few_count,
                             const uint32_t *peaks, uint32_t peak_count) {
  uint32_t *docs = malloc(DOCS * sizeof *docs), *freqs = malloc(DOCS * sizeof *freqs);
  uint8_t *norms = malloc(DOCS);
  for (uint32_t doc = 0; doc < DOCS; doc++) {
    docs[doc] = doc;
    freqs[doc] = 1;
    norms[doc] = (uint8_t)(50 + doc % 40);
  }
  page_builder_init(&lists->builder, 9, 1);
  page_builder_add(&lists->builder, docs, freqs, norms, DOCS, &lists->ref[EVERY]);
  page_builder_add(&lists->builder, few, freqs, norms, few_count, &lists->ref[FEW]);
  for (uint32_t i = 0; i < peak_count; i++) {
    freqs[peaks[i]] = 60 - i;
  }
  page_builder_add(&lists->builder, docs, freqs, norms, DOCS, &lists->ref[PEAKS]);
  page_builder_finish(&lists->builder);
  array_source_init(&lists->source, &lists->builder, 1000000);
  free(docs);
  free(freqs);
  free(norms);
}

/* The page of a list that a doc is in: of a list that leads all of its pages but the first. */
static uint32_t page_with(struct lists *lists, uint32_t which, uint32_t doc) {
  const struct csd_list_ref *ref = &lists->ref[which];
  for (uint32_t page = 1; page < ref->page_count; page++) {
    struct csd_page_header header;
    memcpy(&header, array_source_page(&lists->source, ref->first_page + page), sizeof header);
    if (doc < header.lead_first_doc) {
      return page - 1u;
    }
  }
  return ref->page_count - 1u;
}

/* Of a long list, only those pages are read in which a required clause has docs. */
static void docs_of_a_clause_choose_pages(void) {
  static const uint32_t few[] = {70000, 70001, 200000, 399999};
  enum { FEW_COUNT = sizeof few / sizeof few[0] };
  struct lists lists;
  make_plain_lists(&lists, few, FEW_COUNT, NULL, 0);
  uint32_t pages = 0, last = UINT32_MAX;
  for (uint32_t i = 0; i < FEW_COUNT; i++) {
    const uint32_t page = page_with(&lists, EVERY, few[i]);
    pages += page != last;
    last = page;
  }
  CHECK_EQ(3, pages);
  for (uint32_t counted = 0; counted < 2; counted++) {
    make_plan(&lists, CSD_OCCUR_MUST, (const uint32_t[]){EVERY, FEW}, (const float[]){1.0f, 1.0f},
              2);
    if (counted != 0) {
      test_plan_init(&program_plan, DOCS);
      test_plan_extents(&program_plan, &lists.source);
      test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, 2);
      for (uint32_t i = EVERY; i <= FEW; i++) {
        test_plan_term(&program_plan, CSD_OCCUR_MUST, test_plan_list(&program_plan, &lists.ref[i]),
                       0.0f);
      }
    }
    const struct csd_result_header header = run(&lists, true);
    CHECK_EQ(FEW_COUNT, header.match_count);
    CHECK_EQ(pages + 1u, header.pages_read); /* and that of the few */
    CHECK_EQ(lists.ref[EVERY].page_count - pages, header.pages_skipped);
  }
  free_lists(&lists);
}

/* Once the best hits so far beat what the index says of a page, it is not read. */
static void impacts_choose_pages(void) {
  static const uint32_t peaks[] = {150000, 250000, 350000};
  struct lists lists;
  make_plain_lists(&lists, peaks, 1, peaks, 3);
  make_plan(&lists, CSD_OCCUR_MUST, (const uint32_t[]){PEAKS, EVERY}, (const float[]){5.0f, 0.1f},
            2);
  program_plan.header.k = 1;
  program_plan.header.count_threshold = 0;
  const struct csd_result_header header = run(&lists, true);
  uint32_t best;
  memcpy(&best, program_result + sizeof header, sizeof best);
  CHECK_EQ(peaks[0], best);
  const uint32_t pages = lists.ref[PEAKS].page_count + lists.ref[EVERY].page_count;
  /* Of each list the first page, and that of the best hit: of all pages between, the best docs
     score the same as the first page's. */
  CHECK(page_with(&lists, PEAKS, peaks[0]) > 1u && page_with(&lists, EVERY, peaks[0]) > 1u);
  const uint32_t read = 2u + 2u;
  CHECK_EQ(read, header.pages_read);
  CHECK_EQ(pages - read, header.pages_skipped);
  free_lists(&lists);
}

int main(void) {
  program_buffers_take();
  RUN(pages_of_a_disjunction);
  RUN(pages_of_a_conjunction);
  RUN(docs_of_a_clause_choose_pages);
  RUN(impacts_choose_pages);
  program_buffers_free();
  return check_result();
}
