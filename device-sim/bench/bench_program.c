/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Time per query of programs over synthetic lists, pages in memory: geometric mean over queries of
 * the best of some runs, for AND, OR, NOT and mixed queries of 2 to 5 terms.
 *
 *   bench_program [docs [queries [rounds [KIND SHAPE]]]]        defaults 700000, 60, 5, all
 *
 * Terms have 50 to 300,000 postings, evenly in the logarithm; queries and lists come from a seed.
 * With CSD_BENCH_VERBOSE set there is a line for every query.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/program/program.h"
#include "tests/support/check.h"
#include "tests/support/plan/plan_support.h"

#define LISTS 64
#define GRANT_BYTES (4u << 20)
#define RESULT_BYTES (4u << 20)

enum shape { AND, OR, NOT, MIXED, SHAPES };
enum kind { TOP_10, TOP_10_COUNT, COUNT, DOCS, KINDS };

static const char *const SHAPE_NAMES[] = {"AND", "OR", "NOT", "MIXED"};
static const char *const KIND_NAMES[] = {"TOP_10", "TOP_10_COUNT", "COUNT", "DOCS"};

struct query {
  uint32_t term_count;
  uint32_t terms[5];
};

static struct array_source source;
static struct csd_list_ref refs[LISTS + 2];
static struct test_plan plan;
static uint8_t *grant;
static uint8_t *result;
static uint8_t *plan_bytes;

static double now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double uniform(uint64_t *random) {
  return (double)(check_random(random) >> 11) / 9007199254740992.0;
}

static void add_list(struct page_builder *builder, uint64_t *random, uint32_t doc_count,
                     double density, const uint8_t *norm, struct csd_list_ref *ref) {
  uint32_t *docs = malloc(doc_count * sizeof *docs);
  uint32_t *freqs = malloc(doc_count * sizeof *freqs);
  uint8_t *norms = malloc(doc_count);
  uint32_t n = 0;
  for (uint32_t doc = 0; doc < doc_count; doc++) {
    if (uniform(random) < density || doc == 17) {
      const double more = -log(1.0 - uniform(random)) * (uniform(random) < 0.1 ? 3.0 : 0.7);
      docs[n] = doc;
      freqs[n] = 1 + (uint32_t)more;
      norms[n] = norm[doc];
      n++;
    }
  }
  page_builder_add(builder, docs, freqs, norms, n, ref);
  free(docs);
  free(freqs);
  free(norms);
}

static void make_lists(uint64_t *random, uint32_t doc_count) {
  struct page_builder builder;
  page_builder_init(&builder, 4711, 1);
  uint8_t *norm = malloc(doc_count);
  for (uint32_t doc = 0; doc < doc_count; doc++) {
    norm[doc] = (uint8_t)(40 + 12 * (uniform(random) + uniform(random) + uniform(random)));
  }
  for (uint32_t i = 0; i < LISTS; i++) {
    const double postings = 50.0 * pow(6000.0, i / (double)(LISTS - 1)) * doc_count / 700000.0;
    add_list(&builder, random, doc_count, postings / doc_count, norm, &refs[i]);
  }
  for (uint32_t i = 0; i < 2; i++) { /* for the fixed cost: three postings or so */
    add_list(&builder, random, doc_count, 3.0 / doc_count, norm, &refs[LISTS + i]);
  }
  page_builder_finish(&builder);
  array_source_init(&source, &builder, 1u << 20);
  page_builder_free(&builder);
  free(norm);
}

static float idf(uint32_t list, uint32_t doc_count) {
  const double df = refs[list].posting_count;
  return (float)log(1.0 + (doc_count - df + 0.5) / (df + 0.5));
}

static void make_plan(const struct query *query, enum shape shape, enum kind kind,
                      uint32_t doc_count) {
  test_plan_init(&plan, doc_count);
  plan.header.node_count = plan.header.list_count = plan.header.table_count = 0;
  test_plan_extents(&plan, &source);
  plan.header.max_result_bytes = RESULT_BYTES;
  plan.header.mode = kind == DOCS ? CSD_MODE_DOCS : CSD_MODE_COUNT;
  if (kind <= TOP_10_COUNT) {
    test_plan_table(&plan, 58.0f);
    test_plan_top_k(&plan, 10, kind == TOP_10 ? 1000 : CSD_EXACT_COUNT);
  }
  test_plan_node(&plan, CSD_OP_BOOL, CSD_OCCUR_MUST, query->term_count);
  for (uint32_t i = 0; i < query->term_count; i++) {
    unsigned occur = shape == OR ? CSD_OCCUR_SHOULD : CSD_OCCUR_MUST;
    if (i > 0 && (shape == NOT || shape == MIXED)) {
      occur = shape == NOT ? CSD_OCCUR_MUST_NOT : CSD_OCCUR_SHOULD;
    }
    const uint32_t list = test_plan_list(&plan, &refs[query->terms[i]]);
    test_plan_term(&plan, occur, list, idf(query->terms[i], doc_count));
  }
  test_plan_write(&plan, plan_bytes);
}

static struct csd_result_header run_once(void) {
  struct csd_program *program;
  struct csd_result_header header;
  int status = csd_program_begin(grant, GRANT_BYTES, plan_bytes, test_plan_bytes(&plan), result,
                                 RESULT_BYTES, &source.source, &program);
  if (status == 0) {
    while ((status = csd_program_step(program, UINT64_MAX)) > 0) {
    }
    csd_program_end(program);
  }
  if (status < 0) {
    printf("status %d\n", status);
    exit(1);
  }
  memcpy(&header, result, sizeof header);
  return header;
}

static double best_ns(uint32_t rounds, struct csd_result_header *header) {
  double best = 1e18;
  for (uint32_t round = 0; round < rounds; round++) {
    uint32_t repeats = 0;
    const double start = now_ns();
    double spent;
    do {
      *header = run_once();
      repeats++;
      spent = now_ns() - start;
    } while (spent < 100000.0);
    best = spent / repeats < best ? spent / repeats : best;
  }
  return best;
}

static void bench(const struct query *queries, uint32_t count, enum shape shape, enum kind kind,
                  uint32_t doc_count, uint32_t rounds) {
  double logs = 0.0;
  double sum = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    struct csd_result_header header = {.magic = 0};
    make_plan(&queries[i], shape, kind, doc_count);
    const double ns = best_ns(rounds, &header);
    logs += log(ns);
    sum += ns;
    if (getenv("CSD_BENCH_VERBOSE") != NULL) {
      printf("  %-13s %-6s", KIND_NAMES[kind], SHAPE_NAMES[shape]);
      for (uint32_t t = 0; t < queries[i].term_count; t++) {
        printf(" %u", refs[queries[i].terms[t]].posting_count);
      }
      printf(": %.1f us, %" PRIu64 " matches, %" PRIu64 " decoded, %" PRIu64 " scored\n", ns / 1e3,
             header.match_count, header.postings_decoded, header.docs_scored);
    }
  }
  printf("%-13s %-6s %10.1f us geometric mean %10.1f us mean\n", KIND_NAMES[kind],
         SHAPE_NAMES[shape], exp(logs / count) / 1e3, sum / count / 1e3);
}

int main(int argc, char **argv) {
  const uint32_t doc_count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 700000;
  const uint32_t query_count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 60;
  const uint32_t rounds = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 5;
  uint64_t random = 20;
  grant = aligned_alloc(64, GRANT_BYTES);
  result = aligned_alloc(64, RESULT_BYTES);
  plan_bytes = malloc(sizeof plan);
  make_lists(&random, doc_count);
  struct query *queries = malloc(query_count * sizeof *queries);
  for (uint32_t i = 0; i < query_count; i++) {
    queries[i].term_count = i % 2 == 0 ? 2 : 3 + check_random_below(&random, 3);
    for (uint32_t t = 0; t < queries[i].term_count; t++) {
      queries[i].terms[t] = check_random_below(&random, LISTS);
    }
  }
  for (enum kind kind = 0; kind < KINDS; kind++) {
    for (enum shape shape = 0; shape < SHAPES; shape++) {
      if (argc <= 5 ||
          (strcmp(argv[4], KIND_NAMES[kind]) == 0 && strcmp(argv[5], SHAPE_NAMES[shape]) == 0)) {
        bench(queries, query_count, shape, kind, doc_count, rounds);
      }
    }
  }
  const struct query tiny = {.term_count = 2, .terms = {LISTS, LISTS + 1}};
  printf("two lists of a few postings:\n");
  for (enum kind kind = 0; kind < KINDS; kind++) {
    bench(&tiny, 1, AND, kind, doc_count, rounds);
    bench(&tiny, 1, OR, kind, doc_count, rounds);
  }
  array_source_free(&source);
  free(queries);
  free(grant);
  free(result);
  free(plan_bytes);
  return 0;
}
