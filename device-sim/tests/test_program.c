/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Programs against a brute-force evaluator that looks at one doc at a time and knows nothing of
 * pages, blocks or pruning. CSD_TEST_SEED=n runs the case of that seed alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan_support.h"
#include "program.h"

#define LISTS 12
#define GRANT_BYTES (8u << 20)
#define RESULT_BYTES (1u << 20)

/* An index of a few lists, once as pages and once as plain arrays. */
struct world {
  uint64_t random;
  uint64_t seed;
  uint32_t max_doc;
  uint32_t *freq[LISTS]; /* by doc; 0: not in the list */
  uint8_t *norm;         /* by doc */
  uint32_t count[LISTS];
  struct csd_list_ref ref[LISTS];
  struct page_builder builder;
  struct array_source source;
  uint64_t *live;
};

struct expected_hit {
  uint32_t doc;
  float score;
};

static uint8_t *grant;
static uint8_t *result;
static uint8_t *plan_bytes;
static struct test_plan plan;
static struct expected_hit *matches; /* by doc */
static struct expected_hit *hits;
static uint32_t match_count;
static uint32_t hit_count;

static uint32_t below(struct world *world, uint32_t bound) {
  return check_random_below(&world->random, bound);
}

/* Worlds of so many docs have rare terms only. */
#define SPARSE_FROM 1000000u

/* ---- the world ---- */

static void make_list(struct world *world, uint32_t list, uint32_t in_thousand) {
  uint32_t *docs = malloc((world->max_doc + 1) * sizeof *docs);
  uint32_t *freqs = malloc((world->max_doc + 1) * sizeof *freqs);
  uint8_t *norms = malloc(world->max_doc + 1);
  uint32_t n = 0;
  const uint32_t most = 1 + below(world, 4) * below(world, 100);
  for (uint32_t doc = 0; doc < world->max_doc; doc++) {
    if (below(world, 1000) < in_thousand) {
      docs[n] = doc;
      freqs[n] = below(world, 200) == 0 ? 1 + below(world, 100000) : 1 + below(world, most);
      norms[n] = world->norm[doc];
      world->freq[list][doc] = freqs[n];
      n++;
    }
  }
  if (n == 0) {
    const uint32_t doc = below(world, world->max_doc);
    docs[0] = doc;
    freqs[0] = 3;
    norms[0] = world->norm[doc];
    world->freq[list][doc] = 3;
    n = 1;
  }
  world->count[list] = n;
  page_builder_add(&world->builder, docs, freqs, norms, n, &world->ref[list]);
  free(docs);
  free(freqs);
  free(norms);
}

static void make_world(struct world *world, uint64_t seed, uint32_t max_doc) {
  static const uint32_t densities[] = {0, 1, 3, 10, 50, 200, 500, 900, 1000};
  memset(world, 0, sizeof *world);
  world->random = world->seed = seed;
  world->max_doc = 1 + below(world, max_doc);
  page_builder_init(&world->builder, check_random(&world->random), 1);
  world->norm = malloc(world->max_doc);
  for (uint32_t doc = 0; doc < world->max_doc; doc++) {
    world->norm[doc] = (uint8_t)(below(world, 10) == 0 ? below(world, 256) : 20 + below(world, 8));
  }
  for (uint32_t list = 0; list < LISTS; list++) {
    world->freq[list] = calloc(world->max_doc, sizeof world->freq[list][0]);
    make_list(world, list, densities[below(world, max_doc < SPARSE_FROM ? 9 : 4)]);
  }
  page_builder_finish(&world->builder);
  array_source_init(&world->source, &world->builder, 1 + below(world, 9));
  world->source.has_index = below(world, 8) != 0;
  world->live = malloc((world->max_doc + 63) / 64 * sizeof *world->live);
  for (uint32_t w = 0; w < (world->max_doc + 63) / 64; w++) {
    world->live[w] = check_random(&world->random) | check_random(&world->random);
  }
  world->source.live_resource = 7;
  world->source.live_docs = world->live;
  world->source.live_doc_count = world->max_doc;
}

static void free_world(struct world *world) {
  for (uint32_t list = 0; list < LISTS; list++) {
    free(world->freq[list]);
  }
  free(world->norm);
  free(world->live);
  array_source_free(&world->source);
  page_builder_free(&world->builder);
}

/* ---- random plans ---- */

static float random_weight(struct world *world) {
  return below(world, 20) == 0 ? 0.0f : (float)(1 + below(world, 8000)) / 1000.0f;
}

static void random_node(struct world *world, unsigned occur, uint32_t depth) {
  const uint32_t kind = below(world, 100);
  if (depth > 1 && (kind < 60 || depth >= 4)) {
    struct csd_plan_node *node =
        test_plan_term(&plan, occur, below(world, LISTS), random_weight(world));
    node->table = below(world, 2);
  } else if (depth > 1 && kind < 64) {
    test_plan_node(&plan, CSD_OP_ALL, occur, 0)->weight = random_weight(world);
  } else if (depth > 1 && kind < 66) {
    test_plan_node(&plan, CSD_OP_NONE, occur, 0);
  } else if (kind < 72) {
    test_plan_node(&plan, CSD_OP_CONST, occur, 1)->weight = random_weight(world);
    random_node(world, CSD_OCCUR_MUST, depth + 1);
  } else {
    const uint32_t children = 1 + below(world, 5);
    const uint32_t at = plan.header.node_count;
    test_plan_node(&plan, CSD_OP_BOOL, occur, children);
    const bool disjunction = below(world, 3) == 0;
    uint32_t should = 0;
    for (uint32_t i = 0; i < children; i++) {
      const unsigned child =
          disjunction && below(world, 8) != 0 ? CSD_OCCUR_SHOULD : below(world, 4);
      should += child == CSD_OCCUR_SHOULD;
      random_node(world, child, depth + 1);
    }
    plan.nodes[at].min_should = (uint16_t)(below(world, 3) == 0 ? below(world, should + 2) : 0);
  }
}

/* The shapes that have their own ways: terms only. */
static void flat_node(struct world *world) {
  const uint32_t shape = below(world, 6);
  if (shape == 0) {
    test_plan_term(&plan, CSD_OCCUR_MUST, below(world, LISTS), random_weight(world));
    return;
  }
  const uint32_t children = 2 + below(world, 3) * below(world, 3);
  test_plan_node(&plan, CSD_OP_BOOL, CSD_OCCUR_MUST, children);
  for (uint32_t i = 0; i < children; i++) {
    unsigned occur = shape <= 2 ? CSD_OCCUR_SHOULD : CSD_OCCUR_MUST;
    if (i > 0 && shape >= 4) {
      occur = shape == 4 ? CSD_OCCUR_MUST_NOT : below(world, 4);
    } else if (i > 0 && shape == 2 && below(world, 3) == 0) {
      occur = CSD_OCCUR_MUST_NOT;
    }
    test_plan_term(&plan, occur, below(world, LISTS), random_weight(world))->table =
        below(world, 2);
  }
}

static void random_plan(struct world *world) {
  test_plan_init(&plan, world->max_doc);
  test_plan_extents(&plan, &world->source);
  for (uint32_t list = 0; list < LISTS; list++) {
    test_plan_list(&plan, &world->ref[list]);
  }
  test_plan_table(&plan, 24.0f);
  test_plan_table(&plan, 2.0f);
  if (below(world, 2) == 0) {
    flat_node(world);
  } else {
    random_node(world, CSD_OCCUR_MUST, 1);
  }
  struct csd_plan_header *header = &plan.header;
  header->live_docs = below(world, 3) == 0 ? world->source.live_resource : 0;
  if (below(world, 3) == 0) {
    header->limit_doc = below(world, world->max_doc + 1);
    header->min_doc = below(world, header->limit_doc + 1);
  }
  header->max_result_bytes = 72 + (below(world, 3) == 0 ? below(world, 400) : 300000);
  header->mode = (uint8_t)(1 + below(world, 4));
  if (header->mode == CSD_MODE_TOP_K) {
    header->max_result_bytes = RESULT_BYTES;
    const uint32_t thresholds[] = {0, 1, 10, 100, 1000, CSD_EXACT_COUNT};
    test_plan_top_k(&plan, 1 + below(world, 3) * below(world, 100), thresholds[below(world, 6)]);
    header->flags = (uint8_t)(below(world, 4) == 0 ? 1 + below(world, 7) : 0);
    if ((header->flags & CSD_PLAN_FLAG_HAS_MIN_SCORE) == 0) {
      header->flags &= CSD_PLAN_FLAG_HAS_AFTER;
    }
  }
}

/* The best hits of a few terms in all docs: the lists' lengths may tell something of the count. */
static void ranking_plan(struct world *world) {
  static const unsigned occurs[] = {CSD_OCCUR_MUST, CSD_OCCUR_FILTER, CSD_OCCUR_SHOULD};
  test_plan_init(&plan, world->max_doc);
  test_plan_extents(&plan, &world->source);
  for (uint32_t list = 0; list < LISTS; list++) {
    test_plan_list(&plan, &world->ref[list]);
  }
  test_plan_table(&plan, 24.0f);
  const uint32_t children = 2 + below(world, 2) * below(world, 5);
  const uint32_t exclusion = 1 + below(world, 8); /* one child in so many is prohibited */
  const unsigned first = occurs[below(world, 3)];
  const bool may_set = first == CSD_OCCUR_MUST && below(world, 3) == 0;
  test_plan_node(&plan, CSD_OP_BOOL, CSD_OCCUR_MUST, children)->min_should = may_set;
  for (uint32_t i = 0; i < children; i++) {
    const unsigned other = below(world, exclusion) == 0 ? CSD_OCCUR_MUST_NOT
                                                            : CSD_OCCUR_SHOULD;
    const unsigned occur = i == 0 ? first : may_set && i == 1 ? CSD_OCCUR_SHOULD : other;
    test_plan_term(&plan, occur, below(world, LISTS), random_weight(world));
  }
  plan.header.max_result_bytes = RESULT_BYTES;
  test_plan_top_k(&plan, 1 + below(world, 20),
                  below(world, 2) == 0 ? CSD_EXACT_COUNT : below(world, 2000));
}

/* The best hits of one term or several, less others: one long list gives its best blocks first. */
static void required_plan(struct world *world) {
  test_plan_init(&plan, world->max_doc);
  test_plan_extents(&plan, &world->source);
  for (uint32_t list = 0; list < LISTS; list++) {
    test_plan_list(&plan, &world->ref[list]);
  }
  test_plan_table(&plan, below(world, 4) == 0 ? 1e-3f : 24.0f);
  const uint32_t prohibited = below(world, 4);
  const uint32_t required = below(world, 2) == 0 ? 1 : 1 + below(world, 9);
  test_plan_node(&plan, CSD_OP_BOOL, CSD_OCCUR_MUST, required + prohibited);
  for (uint32_t i = 0; i < required; i++) {
    const unsigned occur = i > 0 && below(world, 4) == 0 ? CSD_OCCUR_FILTER : CSD_OCCUR_MUST;
    test_plan_term(&plan, occur, below(world, LISTS), random_weight(world));
  }
  for (uint32_t i = 0; i < prohibited; i++) {
    if (below(world, 4) == 0) {
      test_plan_node(&plan, CSD_OP_BOOL, CSD_OCCUR_MUST_NOT, 2);
      test_plan_term(&plan, CSD_OCCUR_SHOULD, below(world, LISTS), 1.0f);
      test_plan_term(&plan, CSD_OCCUR_SHOULD, below(world, LISTS), 1.0f);
    } else {
      test_plan_term(&plan, CSD_OCCUR_MUST_NOT, below(world, LISTS), 1.0f);
    }
  }
  struct csd_plan_header *header = &plan.header;
  header->live_docs = below(world, 3) == 0 ? world->source.live_resource : 0;
  if (below(world, 3) == 0) {
    header->limit_doc = below(world, world->max_doc + 1);
    header->min_doc = below(world, header->limit_doc + 1);
  }
  header->max_result_bytes = RESULT_BYTES;
  const uint32_t thresholds[] = {0, 1000, CSD_EXACT_COUNT};
  test_plan_top_k(&plan, 1 + below(world, 40), thresholds[below(world, 3)]);
  header->flags = (uint8_t)(below(world, 4) == 0 ? CSD_PLAN_FLAG_HAS_AFTER : 0);
  if (below(world, 4) == 0) {
    header->flags |= CSD_PLAN_FLAG_HAS_MIN_SCORE;
    header->flags |= below(world, 2) == 0 ? CSD_PLAN_FLAG_MIN_SCORE_TIES : 0;
  }
}

/* ---- brute force ---- */

static float term_score(const struct world *world, const struct csd_plan_node *node,
                        uint32_t doc) {
  const volatile float ni = plan.tables[node->table][world->norm[doc]];
  const volatile float x = (float)world->freq[node->list][doc] * ni;
  const volatile float d = 1.0f + x;
  const volatile float q = node->weight / d;
  return node->weight - q;
}

/* Whether `doc` matches the node at *at, and its score; *at moves past the node's subtree. */
static bool brute(const struct world *world, uint32_t *at, uint32_t doc, float *score) {
  const struct csd_plan_node *node = &plan.nodes[(*at)++];
  *score = node->weight;
  switch (node->op) {
    case CSD_OP_TERM:
      if (world->freq[node->list][doc] == 0) {
        return false;
      }
      *score = term_score(world, node, doc);
      return true;
    case CSD_OP_ALL:
      return true;
    case CSD_OP_NONE:
      return false;
    case CSD_OP_CONST: {
      float ignored;
      return brute(world, at, doc, &ignored);
    }
    default:
      break;
  }
  bool good = true;
  bool has_required = false;
  uint32_t should = 0;
  double must_sum = 0;
  double should_sum = 0;
  for (uint32_t i = 0; i < node->child_count; i++) {
    const unsigned occur = plan.nodes[*at].occur;
    float child;
    const bool match = brute(world, at, doc, &child);
    has_required |= occur == CSD_OCCUR_MUST || occur == CSD_OCCUR_FILTER;
    if (occur == CSD_OCCUR_MUST_NOT) {
      good &= !match;
    } else if (occur == CSD_OCCUR_SHOULD) {
      should += match;
      should_sum += match ? (double)child : 0.0;
    } else {
      good &= match;
      must_sum += occur == CSD_OCCUR_MUST ? (double)child : 0.0;
    }
  }
  const uint32_t least = node->min_should == 0 && !has_required ? 1 : node->min_should;
  const float must_part = (float)must_sum;
  const float should_part = (float)should_sum;
  *score = !has_required ? should_part : should == 0 ? must_part : must_part + should_part;
  return good && should >= least;
}

static int by_rank(const void *left, const void *right) {
  const struct expected_hit *a = left;
  const struct expected_hit *b = right;
  if (a->score != b->score) {
    return a->score > b->score ? -1 : 1;
  }
  return a->doc < b->doc ? -1 : a->doc > b->doc;
}

static bool may_enter(const struct expected_hit *hit) {
  const struct csd_plan_header *header = &plan.header;
  if ((header->flags & CSD_PLAN_FLAG_HAS_AFTER) != 0 &&
      (hit->score > header->after_score ||
       (hit->score == header->after_score && (int64_t)hit->doc <= header->after_doc))) {
    return false;
  }
  if ((header->flags & CSD_PLAN_FLAG_HAS_MIN_SCORE) != 0) {
    return hit->score > header->min_score ||
           ((header->flags & CSD_PLAN_FLAG_MIN_SCORE_TIES) != 0 &&
            hit->score == header->min_score);
  }
  return true;
}

static void brute_force(const struct world *world) {
  const struct csd_plan_header *header = &plan.header;
  match_count = 0;
  for (uint32_t doc = header->min_doc; doc < header->limit_doc; doc++) {
    uint32_t at = 0;
    float score;
    if (header->live_docs != 0 && (world->live[doc / 64] >> (doc % 64) & 1) == 0) {
      continue;
    }
    if (brute(world, &at, doc, &score)) {
      matches[match_count++] = (struct expected_hit){doc, score};
    }
  }
}

/* Picks flag values that cut through the matches, ties included. */
static void choose_flag_values(struct world *world) {
  if (match_count == 0) {
    return;
  }
  const struct expected_hit after = matches[below(world, match_count)];
  plan.header.after_score = after.score;
  plan.header.after_doc = (int32_t)after.doc - (below(world, 4) == 0);
  plan.header.min_score = matches[below(world, match_count)].score;
}

/* ---- comparison ---- */

static bool same_bits(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

/* Runs the plan once; false if it does not end well. */
static bool run(struct world *world, struct csd_result_header *header) {
  test_plan_write(&plan, plan_bytes);
  struct csd_program *program;
  int status = csd_program_begin(grant, GRANT_BYTES, plan_bytes, test_plan_bytes(&plan), result,
                                 RESULT_BYTES, &world->source.source, &program);
  if (!CHECK_MSG(status == 0, "seed %" PRIu64 ": begin gives %d", world->seed, status)) {
    return false;
  }
  const uint64_t budget = below(world, 3) == 0 ? 1 + below(world, 500) : UINT64_MAX;
  do {
    status = csd_program_step(program, budget);
  } while (status > 0);
  csd_program_end(program);
  memcpy(header, result, sizeof *header);
  return CHECK_MSG(status == 0, "seed %" PRIu64 ": step gives %d", world->seed, status) &
         CHECK_MSG(world->source.pins_held == 0, "seed %" PRIu64 ": pins left", world->seed);
}

static void compare_top_k(struct world *world) {
  struct csd_result_header header;
  if (!run(world, &header)) {
    return;
  }
  hit_count = 0;
  for (uint32_t i = 0; i < match_count; i++) {
    hits[hit_count] = matches[i];
    hit_count += may_enter(&matches[i]);
  }
  qsort(hits, hit_count, sizeof *hits, by_rank);
  const uint32_t expected = hit_count < plan.header.k ? hit_count : plan.header.k;
  if (!CHECK_MSG(header.entry_count == expected, "seed %" PRIu64 ": %u hits, not %u", world->seed,
                 header.entry_count, expected)) {
    return;
  }
  for (uint32_t i = 0; i < expected; i++) {
    struct expected_hit hit;
    memcpy(&hit, result + sizeof header + i * sizeof hit, sizeof hit);
    if (!CHECK_MSG(hit.doc == hits[i].doc && same_bits(hit.score, hits[i].score),
                   "seed %" PRIu64 ": hit %u is (%u, %a), not (%u, %a)", world->seed, i, hit.doc,
                   (double)hit.score, hits[i].doc, (double)hits[i].score)) {
      return;
    }
  }
  if ((header.flags & CSD_RESULT_FLAG_COUNT_LOWER_BOUND) != 0) {
    CHECK_MSG(header.match_count > plan.header.count_threshold &&
                  header.match_count <= match_count,
              "seed %" PRIu64 ": lower bound %" PRIu64 " of %u", world->seed, header.match_count,
              match_count);
  } else {
    CHECK_MSG(header.match_count == match_count, "seed %" PRIu64 ": count %" PRIu64 ", not %u",
              world->seed, header.match_count, match_count);
  }
  CHECK_EQ(plan.header.limit_doc, header.next_doc);
}

static void compare_pages(struct world *world) {
  const uint32_t limit = plan.header.limit_doc;
  uint32_t seen = 0;
  for (;;) {
    struct csd_result_header header;
    const uint32_t from = plan.header.min_doc;
    if (!run(world, &header)) {
      return;
    }
    uint32_t expected = seen;
    while (expected < match_count && matches[expected].doc < header.next_doc) {
      expected++;
    }
    CHECK(header.total_bytes <= plan.header.max_result_bytes);
    const bool more = (header.flags & CSD_RESULT_FLAG_MORE) != 0;
    if (!CHECK_MSG(header.match_count == expected - seen, "seed %" PRIu64 ": %" PRIu64
                   " matches before %u, not %u", world->seed, header.match_count,
                   header.next_doc, expected - seen) ||
        !CHECK_MSG(more ? header.next_doc > from && header.next_doc < limit
                        : header.next_doc == limit,
                   "seed %" PRIu64 ": next doc %u", world->seed, header.next_doc)) {
      return;
    }
    const uint32_t n = plan.header.mode == CSD_MODE_COUNT ? 0 : expected - seen;
    CHECK_EQ(n, header.entry_count);
    for (uint32_t i = 0; i < n && i < header.entry_count; i++) {
      uint32_t doc;
      float score = matches[seen + i].score;
      memcpy(&doc, result + sizeof header + 4 * i, 4);
      if (plan.header.mode == CSD_MODE_SCORED_DOCS) {
        memcpy(&score, result + sizeof header + 4 * (n + i), 4);
      }
      if (!CHECK_MSG(doc == matches[seen + i].doc && same_bits(score, matches[seen + i].score),
                     "seed %" PRIu64 ": entry %u is (%u, %a), not (%u, %a)", world->seed, i, doc,
                     (double)score, matches[seen + i].doc, (double)matches[seen + i].score)) {
        return;
      }
    }
    seen = expected;
    if (!more) {
      CHECK_EQ(match_count, seen);
      return;
    }
    plan.header.min_doc = header.next_doc;
  }
}

static void run_plans(uint64_t seed, uint32_t max_doc, uint32_t plans,
                      void (*make_plan)(struct world *)) {
  struct world world;
  make_world(&world, seed, max_doc);
  for (uint32_t i = 0; i < plans && check_failures == 0; i++) {
    make_plan(&world);
    brute_force(&world);
    choose_flag_values(&world);
    if (plan.header.mode == CSD_MODE_TOP_K) {
      compare_top_k(&world);
    } else {
      compare_pages(&world);
    }
    if (check_failures > 0) {
      printf("seed %" PRIu64 ", plan %u: mode %u, %u nodes, max_doc %u\n", seed, i,
             plan.header.mode, plan.header.node_count, world.max_doc);
      for (uint32_t n = 0; n < plan.header.node_count; n++) {
        printf("  op %u occur %u children %u min_should %u list %u weight %g\n", plan.nodes[n].op,
               plan.nodes[n].occur, plan.nodes[n].child_count, plan.nodes[n].min_should,
               plan.nodes[n].list, (double)plan.nodes[n].weight);
      }
    }
  }
  free_world(&world);
}

static void run_seed(uint64_t seed, uint32_t max_doc, uint32_t plans) {
  run_plans(seed, max_doc, plans, random_plan);
}

static void small_worlds(void) {
  for (uint64_t seed = 1; seed <= 150 && check_failures == 0; seed++) {
    run_seed(seed, seed % 3 == 0 ? 300 : 6000, 40);
  }
}

static void large_worlds(void) {
  for (uint64_t seed = 1001; seed <= 1008 && check_failures == 0; seed++) {
    run_seed(seed, 120000, 25);
  }
}

/* Lists of a few thousand docs that lie far apart. */
static void sparse_worlds(void) {
  for (uint64_t seed = 2001; seed <= 2004 && check_failures == 0; seed++) {
    run_seed(seed, SPARSE_FROM, 25);
  }
}

/* Lists that are long enough for counting before ranking. */
static void ranked_worlds(void) {
  for (uint64_t seed = 3001; seed <= 3030 && check_failures == 0; seed++) {
    run_plans(seed, 30000, 40, ranking_plan);
  }
  for (uint64_t seed = 4001; seed <= 4006 && check_failures == 0; seed++) {
    run_plans(seed, SPARSE_FROM, 30, ranking_plan);
  }
}

static void required_worlds(void) {
  for (uint64_t seed = 5001; seed <= 5012 && check_failures == 0; seed++) {
    run_plans(seed, 60000, 60, required_plan);
  }
  run_plans(5102, SPARSE_FROM - 1, 12, required_plan);
}

/* ---- errors ---- */

static void failing_source(void) {
  struct world world;
  make_world(&world, 4711, 20000);
  for (uint32_t i = 0; i < 300; i++) {
    random_plan(&world);
    world.source.pins_to_failure = below(&world, 4);
    test_plan_write(&plan, plan_bytes);
    struct csd_program *program;
    REQUIRE_OK(csd_program_begin(grant, GRANT_BYTES, plan_bytes, test_plan_bytes(&plan), result,
                                 RESULT_BYTES, &world.source.source, &program));
    int status;
    do {
      status = csd_program_step(program, 1000);
    } while (status > 0);
    if (status < 0) {
      CHECK_STATUS(CSD_STATUS_IO_ERROR, status);
      CHECK_STATUS(CSD_STATUS_IO_ERROR, csd_program_step(program, 1000));
    } else {
      CHECK(world.source.pins_to_failure != 0 || status == 0);
    }
    csd_program_end(program);
    CHECK_EQ(0, world.source.pins_held);
  }
  free_world(&world);
}

static void small_grants(void) {
  struct world world;
  make_world(&world, 99, 3000);
  random_plan(&world);
  test_plan_write(&plan, plan_bytes);
  bool enough = false;
  for (size_t bytes = 0; bytes < GRANT_BYTES; bytes += 4096) {
    struct csd_program *program;
    uint8_t *exact = aligned_alloc(64, bytes + 64);
    const int status =
        csd_program_begin(exact, bytes, plan_bytes, test_plan_bytes(&plan), result, RESULT_BYTES,
                          &world.source.source, &program);
    if (status == 0) {
      enough = true;
      int step;
      while ((step = csd_program_step(program, UINT64_MAX)) > 0) {
      }
      CHECK_OK(step);
      csd_program_end(program);
      free(exact);
      break;
    }
    CHECK_STATUS(CSD_STATUS_INSUFFICIENT_GRANT, status);
    free(exact);
  }
  CHECK(enough);
  free_world(&world);
}

/* Sixteen terms ask for well below 1 MiB; as many terms as a plan may have fit a larger grant. */
static void grant_of_many_terms(void) {
  struct world world;
  make_world(&world, 5, 3000);
  for (uint32_t terms = 16; terms <= 2048; terms *= 128) {
    test_plan_init(&plan, world.max_doc);
    test_plan_extents(&plan, &world.source);
    for (uint32_t i = 0; i < terms; i++) {
      test_plan_list(&plan, &world.ref[i % LISTS]);
    }
    test_plan_table(&plan, 24.0f);
    test_plan_top_k(&plan, 10, 1000);
    test_plan_node(&plan, CSD_OP_BOOL, CSD_OCCUR_MUST, terms);
    for (uint32_t i = 0; i < terms; i++) {
      test_plan_term(&plan, CSD_OCCUR_SHOULD, i, 1.0f);
    }
    test_plan_write(&plan, plan_bytes);
    struct csd_program *program;
    REQUIRE_OK(csd_program_begin(grant, terms == 16 ? 512u << 10 : 4u << 20, plan_bytes,
                                 test_plan_bytes(&plan), result, RESULT_BYTES,
                                 &world.source.source, &program));
    CHECK_OK(csd_program_step(program, UINT64_MAX));
    csd_program_end(program);
  }
  free_world(&world);
}

/* ---- bytes that are not a plan, pages that are not a list ---- */

/* A run must end, one way or another, and let go of its pages. */
static void run_whatever(struct world *world, uint32_t bytes) {
  struct csd_program *program;
  const int begun = csd_program_begin(grant, GRANT_BYTES, plan_bytes, bytes, result, RESULT_BYTES,
                                      &world->source.source, &program);
  if (begun < 0) {
    return;
  }
  int status;
  do {
    status = csd_program_step(program, 100000);
  } while (status > 0);
  csd_program_end(program);
  CHECK_EQ(0, world->source.pins_held);
  world->source.pins_held = 0;
}

static void altered_plans(void) {
  struct world world;
  make_world(&world, 31, 5000);
  for (uint32_t i = 0; i < 4000; i++) {
    random_plan(&world);
    test_plan_write(&plan, plan_bytes);
    const uint32_t bytes = test_plan_bytes(&plan);
    const uint32_t head = bytes - plan.header.table_count * CSD_NORM_TABLE_BYTES;
    for (uint32_t flips = 1 + below(&world, 3); flips > 0; flips--) {
      plan_bytes[below(&world, below(&world, 8) == 0 ? bytes : head)] ^=
          (uint8_t)(1u << below(&world, 8));
    }
    run_whatever(&world, below(&world, 50) == 0 ? below(&world, bytes) : bytes);
  }
  free_world(&world);
}

static void altered_pages(void) {
  struct world world;
  make_world(&world, 32, 20000);
  const uint32_t page_count = world.source.page_count;
  for (uint32_t i = 0; i < 1500; i++) {
    uint8_t *page = world.source.pages + (size_t)CSD_PAGE_BYTES * below(&world, page_count);
    uint8_t saved[CSD_PAGE_BYTES];
    memcpy(saved, page, sizeof saved);
    for (uint32_t flips = 1 + below(&world, 4); flips > 0; flips--) {
      page[below(&world, below(&world, 4) == 0 ? CSD_PAGE_BYTES : 600)] =
          (uint8_t)below(&world, 256);
    }
    for (uint32_t plans = 0; plans < 3; plans++) {
      random_plan(&world);
      test_plan_write(&plan, plan_bytes);
      run_whatever(&world, test_plan_bytes(&plan));
    }
    memcpy(page, saved, sizeof saved);
  }
  free_world(&world);
}

int main(void) {
  grant = aligned_alloc(64, GRANT_BYTES);
  result = aligned_alloc(64, RESULT_BYTES);
  plan_bytes = malloc(sizeof plan);
  matches = malloc(SPARSE_FROM * sizeof *matches);
  hits = malloc(SPARSE_FROM * sizeof *hits);
  memset(grant, 0xC3, GRANT_BYTES);
  const char *seed = getenv("CSD_TEST_SEED");
  if (seed != NULL) {
    const uint64_t number = strtoull(seed, NULL, 10);
    run_seed(number, number > 1000 ? 120000 : number % 3 == 0 ? 300 : 6000,
             number > 1000 ? 25 : 40);
    return check_result();
  }
  RUN(small_worlds);
  RUN(large_worlds);
  RUN(sparse_worlds);
  RUN(ranked_worlds);
  RUN(required_worlds);
  RUN(failing_source);
  RUN(small_grants);
  RUN(grant_of_many_terms);
  RUN(altered_plans);
  RUN(altered_pages);
  free(grant);
  free(result);
  free(plan_bytes);
  free(matches);
  free(hits);
  return check_result();
}
