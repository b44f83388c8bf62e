/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * The best hits beside a range of values that ascend with the docs, as in an index that is sorted
 * by them: compared with the brute-force evaluator, and by the blocks that they take.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/core/program/program_world.h"

static uint32_t in_a_run;

/* A column whose values rise with the docs, if there is one; any other one else. */
static uint32_t choose_column(struct program_world *world) {
  const uint32_t first = below(world, PROGRAM_COLUMNS);
  for (uint32_t i = 0; i < PROGRAM_COLUMNS; i++) {
    const uint32_t c = (first + i) % PROGRAM_COLUMNS;
    const struct test_column *column = &world->column[c];
    const int64_t rise = column->values[column->value_count - 1] / 2 - column->values[0] / 2;
    if (world->column_ref[c].page_count >= 8 && rise > 20 * (int64_t)world->max_doc &&
        rise < 30 * (int64_t)world->max_doc) {
      in_a_run++;
      return c;
    }
  }
  return first;
}

/* One term or several of which one has to match, less others, beside a range of values. */
static void plan_beside_run(struct program_world *world) {
  test_plan_init(&program_plan, world->max_doc);
  test_plan_extents(&program_plan, &world->source);
  for (uint32_t list = 0; list < PROGRAM_LISTS; list++) {
    test_plan_list(&program_plan, &world->ref[list]);
  }
  test_plan_table(&program_plan, 24.0f);
  program_columns_add(world);
  const uint32_t prohibited = below(world, 2);
  const uint32_t optional = below(world, 2) * (2 + below(world, 9));
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, 2 + prohibited);
  if (optional > 0) {
    test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, optional);
    for (uint32_t i = 0; i < optional; i++) {
      test_plan_term(&program_plan, CSD_OCCUR_SHOULD, below(world, PROGRAM_LISTS),
                     1.0f + (float)below(world, 8));
    }
  } else {
    test_plan_term(&program_plan, CSD_OCCUR_MUST, below(world, PROGRAM_LISTS), 2.5f);
  }
  const uint32_t c = choose_column(world);
  const int64_t least = world->column[c].values[0];
  const int64_t lo = least + (int64_t)50 * below(world, world->max_doc);
  const int64_t hi =
      below(world, 5) == 0 ? INT64_MAX : lo + (int64_t)50 * below(world, world->max_doc);
  test_plan_range(&program_plan, CSD_OCCUR_FILTER, c, below(world, 5) == 0 ? INT64_MIN : lo, hi);
  if (prohibited > 0) {
    test_plan_term(&program_plan, CSD_OCCUR_MUST_NOT, below(world, PROGRAM_LISTS), 1.0f);
  }
  program_plan_top_k(world);
  /* What does not know its pages takes other ways; so does what waits for them. */
  world->source.has_index = below(world, 5) != 0;
  world->source.source.cold = below(world, 5) == 0;
}

static void hits_are_those_of_every_doc(void) {
  for (uint64_t seed = 1; seed <= 12 && check_failures == 0; seed++) {
    program_world_run(seed, 120000, 25, plan_beside_run);
  }
  CHECK_MSG(in_a_run > program_share(20), "only %u plans had a column that rises", in_a_run);
}

/* ---- how much of a list is read ---- */

enum { DOCS = 400000, FIRST = 100000, LAST = 139999, HITS = 10 };

/* A list of all docs, and two of half of them each, with frequencies like dice. */
static void add_list(struct page_builder *pages, uint32_t gap, struct csd_list_ref *ref,
                     uint64_t *random) {
  const uint32_t n = (DOCS - 1u) / gap + 1u;
  uint32_t *doc = malloc(n * sizeof *doc), *freq = malloc(n * sizeof *freq);
  uint8_t *norm = malloc(n);
  for (uint32_t i = 0; i < n; i++) {
    doc[i] = gap * i;
    freq[i] = 1u + check_random_below(random, 40) / (1u + check_random_below(random, 20));
    norm[i] = 60;
  }
  page_builder_add(pages, doc, freq, norm, n, ref);
  free(doc);
  free(freq);
  free(norm);
}

static void add_column(struct page_builder *pages, struct csd_column_ref *ref) {
  uint32_t *doc = malloc(DOCS * sizeof *doc), *first = malloc((DOCS + 1u) * sizeof *first);
  int64_t *value = malloc(DOCS * sizeof *value);
  for (uint32_t i = 0; i < DOCS; i++) {
    doc[i] = first[i] = i;
    value[i] = (int64_t)i * 3;
  }
  first[DOCS] = DOCS;
  const struct test_column column = {DOCS, DOCS, doc, first, value};
  struct column_builder builder;
  column_builder_init(&builder, 5, pages->stamp, pages->first_file_page + pages->page_count);
  column_builder_add(&builder, &column, ref);
  const size_t before = (size_t)pages->page_count * CSD_PAGE_BYTES;
  const size_t more = (size_t)builder.page_count * CSD_PAGE_BYTES;
  pages->pages = realloc(pages->pages, before + more);
  memcpy(pages->pages + before, builder.pages, more);
  pages->page_count += builder.page_count;
  pages->page_limit = pages->page_count;
  column_builder_free(&builder);
  free(value);
  free(first);
  free(doc);
}

/* Runs program_plan; returns what its result says of itself, and keeps the hits. */
static struct csd_result_header run(struct array_source *source, struct program_hit *hits) {
  struct csd_program *program;
  struct csd_result_header header;
  test_plan_write(&program_plan, program_bytes);
  CHECK_OK(csd_program_begin(program_grant, PROGRAM_GRANT_BYTES, program_bytes,
                             test_plan_bytes(&program_plan), program_result, PROGRAM_RESULT_BYTES,
                             &source->source, &program));
  CHECK_OK(csd_program_step(program, UINT64_MAX));
  csd_program_end(program);
  memcpy(&header, program_result, sizeof header);
  CHECK_EQ(HITS, header.entry_count);
  memcpy(hits, program_result + sizeof header, HITS * sizeof *hits);
  return header;
}

/* Compares a plan with the range as a filter with the same plan over the docs of the range alone.
   Returns how many blocks the filter takes, in hundredths of the other's. */
static uint32_t blocks_beside_run(struct array_source *source, const struct csd_list_ref *lists,
                                  uint32_t terms, const struct csd_column_ref *ref) {
  struct program_hit hits[2][HITS];
  struct csd_result_header headers[2];
  for (uint32_t filtered = 0; filtered < 2; filtered++) {
    test_plan_init(&program_plan, DOCS);
    test_plan_extents(&program_plan, source);
    test_plan_table(&program_plan, 24.0f);
    test_plan_column(&program_plan, ref);
    test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, 1 + filtered);
    if (terms > 1) {
      test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, terms);
    }
    for (uint32_t i = 0; i < terms; i++) {
      test_plan_term(&program_plan, terms > 1 ? CSD_OCCUR_SHOULD : CSD_OCCUR_MUST,
                     test_plan_list(&program_plan, &lists[i]), 1.0f);
    }
    if (filtered != 0) {
      test_plan_range(&program_plan, CSD_OCCUR_FILTER, 0, FIRST * 3, LAST * 3);
    } else {
      program_plan.header.min_doc = FIRST;
      program_plan.header.limit_doc = LAST + 1;
    }
    program_plan.header.max_result_bytes = PROGRAM_RESULT_BYTES;
    test_plan_top_k(&program_plan, HITS, 0);
    headers[filtered] = run(source, hits[filtered]);
  }
  CHECK(memcmp(hits[0], hits[1], sizeof hits[0]) == 0);
  return 100 * headers[1].blocks_decoded / headers[0].blocks_decoded;
}

/* Blocks outside the docs of the range are not looked at for the best hits. With a filter every
   block is met twice: all matches may have to be counted first. */
static void blocks_of_other_docs_are_passed_over(void) {
  struct page_builder pages;
  struct csd_list_ref lists[3];
  struct csd_column_ref ref = {0};
  struct array_source source;
  uint64_t random = 3;
  page_builder_init(&pages, 99, 1);
  for (uint32_t i = 0; i < 3; i++) {
    add_list(&pages, 1u + i, &lists[i], &random);
  }
  page_builder_finish(&pages);
  add_column(&pages, &ref);
  array_source_init(&source, &pages, 1000000);
  const uint32_t one = blocks_beside_run(&source, lists, 1, &ref);
  const uint32_t several = blocks_beside_run(&source, lists, 3, &ref);
  CHECK_MSG(one < 250 && several < 225, "%u and %u hundredths of the blocks", one, several);
  array_source_free(&source);
  page_builder_free(&pages);
}

int main(void) {
  program_buffers_take();
  RUN(hits_are_those_of_every_doc);
  RUN(blocks_of_other_docs_are_passed_over);
  program_buffers_free();
  return check_result();
}
