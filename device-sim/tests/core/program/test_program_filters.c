/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Conjunctions of terms beside filters: compared with the brute-force evaluator, and by how many
 * docs are scored.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/core/program/program_world.h"

/* Two terms and more, all required, less another one at times, beside one to three filters. */
static void plan_filtered(struct program_world *world) {
  test_plan_init(&program_plan, world->max_doc);
  test_plan_extents(&program_plan, &world->source);
  for (uint32_t list = 0; list < PROGRAM_LISTS; list++) {
    test_plan_list(&program_plan, &world->ref[list]);
  }
  test_plan_table(&program_plan, 24.0f);
  program_columns_add(world);
  const uint32_t terms = 2 + below(world, 3);
  const uint32_t filters = 1 + below(world, 3);
  const uint32_t prohibited = below(world, 2);
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, terms + filters + prohibited);
  for (uint32_t i = 0; i < terms; i++) {
    test_plan_term(&program_plan, CSD_OCCUR_MUST, below(world, PROGRAM_LISTS),
                   1.0f + (float)below(world, 8));
  }
  for (uint32_t i = 0; i < filters; i++) {
    if (below(world, 2) == 0) {
      test_plan_term(&program_plan, CSD_OCCUR_FILTER, below(world, PROGRAM_LISTS), 1.0f);
      continue;
    }
    const uint32_t c = below(world, PROGRAM_COLUMNS);
    const struct test_column *column = &world->column[c];
    const int64_t one = column->values[below(world, column->value_count)];
    const int64_t other = column->values[below(world, column->value_count)];
    test_plan_range(&program_plan, CSD_OCCUR_FILTER, c, one < other ? one : other,
                    one < other ? other : one);
  }
  if (prohibited > 0) {
    test_plan_term(&program_plan, CSD_OCCUR_MUST_NOT, below(world, PROGRAM_LISTS), 1.0f);
  }
  program_plan_top_k(world);
}

static void hits_are_those_of_every_doc(void) {
  for (uint64_t seed = 1; seed <= 10 && check_failures == 0; seed++) {
    program_world_run(seed, 60000, 25, plan_filtered);
  }
}

/* ---- how much is scored ---- */

enum { DOCS = 200000, RARE = 40, FILTER = 49, HITS = 10 };

static void add_list(struct page_builder *pages, uint32_t gap, struct csd_list_ref *ref) {
  const uint32_t n = (DOCS - 1u) / gap + 1u;
  uint32_t *doc = malloc(n * sizeof *doc), *freq = malloc(n * sizeof *freq);
  uint8_t *norm = malloc(n);
  for (uint32_t i = 0; i < n; i++) {
    doc[i] = gap * i;
    freq[i] = 1u + i % 3u;
    norm[i] = 60;
  }
  page_builder_add(pages, doc, freq, norm, n, ref);
  free(doc);
  free(freq);
  free(norm);
}

/* A term that filters is looked up before the frequencies of more frequent terms are: only docs
   that it has are scored. */
static void only_docs_that_a_term_lets_pass_are_scored(void) {
  const uint32_t gaps[] = {1, RARE, FILTER};
  struct page_builder pages;
  struct csd_list_ref lists[3];
  struct array_source source;
  page_builder_init(&pages, 99, 1);
  for (uint32_t i = 0; i < 3; i++) {
    add_list(&pages, gaps[i], &lists[i]);
  }
  page_builder_finish(&pages);
  array_source_init(&source, &pages, 1000000);
  test_plan_init(&program_plan, DOCS);
  test_plan_extents(&program_plan, &source);
  test_plan_table(&program_plan, 24.0f);
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, 3);
  for (uint32_t i = 0; i < 3; i++) {
    test_plan_term(&program_plan, i < 2 ? CSD_OCCUR_MUST : CSD_OCCUR_FILTER,
                   test_plan_list(&program_plan, &lists[i]), 1.0f);
  }
  program_plan.header.max_result_bytes = PROGRAM_RESULT_BYTES;
  test_plan_top_k(&program_plan, HITS, CSD_EXACT_COUNT);
  test_plan_write(&program_plan, program_bytes);
  struct csd_program *program;
  struct csd_result_header header;
  CHECK_OK(csd_program_begin(program_grant, PROGRAM_GRANT_BYTES, program_bytes,
                             test_plan_bytes(&program_plan), program_result, PROGRAM_RESULT_BYTES,
                             &source.source, &program));
  CHECK_OK(csd_program_step(program, UINT64_MAX));
  csd_program_end(program);
  memcpy(&header, program_result, sizeof header);
  const uint32_t matches = (DOCS - 1u) / (RARE * FILTER) + 1u;
  CHECK_EQ(matches, header.match_count);
  CHECK_EQ(2u * matches, header.docs_scored);
  array_source_free(&source);
  page_builder_free(&pages);
}

int main(void) {
  program_buffers_take();
  RUN(hits_are_those_of_every_doc);
  RUN(only_docs_that_a_term_lets_pass_are_scored);
  program_buffers_free();
  return check_result();
}
