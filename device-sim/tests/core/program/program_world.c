/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/core/program/program_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct test_plan program_plan;
uint8_t *program_grant;
uint8_t *program_result;
uint8_t *program_bytes;
static struct program_hit *matches; /* by doc */
static struct program_hit *hits;
static uint32_t match_count;
static uint32_t hit_count;

void program_buffers_take(void) {
  program_grant = aligned_alloc(64, PROGRAM_GRANT_BYTES);
  program_result = aligned_alloc(64, PROGRAM_RESULT_BYTES);
  program_bytes = malloc(sizeof program_plan);
  matches = malloc(PROGRAM_SPARSE_FROM * sizeof *matches);
  hits = malloc(PROGRAM_SPARSE_FROM * sizeof *hits);
  if (program_grant == NULL || program_result == NULL || program_bytes == NULL || matches == NULL ||
      hits == NULL) {
    abort();
  }
  memset(program_grant, 0xC3, PROGRAM_GRANT_BYTES);
}

void program_buffers_free(void) {
  free(program_grant);
  free(program_result);
  free(program_bytes);
  free(matches);
  free(hits);
}

/* ---- the world ---- */

static uint32_t even_frequency(struct program_world *world) {
  return below(world, 1000) == 0 ? 2 + below(world, 2) : 1;
}

static void make_list(struct program_world *world, uint32_t list, uint32_t in_thousand) {
  uint32_t *docs = malloc((world->max_doc + 1) * sizeof *docs);
  uint32_t *freqs = malloc((world->max_doc + 1) * sizeof *freqs);
  uint8_t *norms = malloc(world->max_doc + 1);
  uint32_t n = 0;
  const uint32_t most = 1 + below(world, 4) * below(world, 100);
  for (uint32_t doc = 0; doc < world->max_doc; doc++) {
    if (below(world, 1000) < in_thousand) {
      docs[n] = doc;
      freqs[n] = world->even              ? even_frequency(world)
                 : below(world, 200) == 0 ? 1 + below(world, 100000)
                                          : 1 + below(world, most);
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

static uint8_t random_norm(struct program_world *world) {
  return (uint8_t)(below(world, 10) == 0 ? below(world, 256) : 20 + below(world, 8));
}

static void make_world(struct program_world *world, uint64_t seed, uint32_t max_doc, bool even) {
  static const uint32_t densities[] = {0, 1, 3, 10, 50, 200, 500, 900, 1000};
  memset(world, 0, sizeof *world);
  world->random = world->seed = seed;
  world->even = even;
  world->max_doc = 1 + below(world, max_doc);
  page_builder_init(&world->builder, check_random(&world->random), 1);
  world->norm = malloc(world->max_doc);
  const uint32_t norms = 1 + 7 * (uint32_t)(seed & 1u); /* of an even world */
  for (uint32_t doc = 0; doc < world->max_doc; doc++) {
    world->norm[doc] = even ? (uint8_t)(1 + below(world, norms)) : random_norm(world);
  }
  for (uint32_t list = 0; list < PROGRAM_LISTS; list++) {
    world->freq[list] = calloc(world->max_doc, sizeof world->freq[list][0]);
    make_list(world, list, densities[below(world, max_doc < PROGRAM_SPARSE_FROM ? 9 : 4)]);
  }
  page_builder_finish(&world->builder);
  program_columns_make(world);
  program_positions_make(world);
  array_source_init(&world->source, &world->builder, 1 + below(world, 9));
  world->source.has_index = below(world, 8) != 0;
  world->live = malloc((world->max_doc + 63) / 64 * sizeof *world->live);
  for (uint32_t w = 0; w < (world->max_doc + 63) / 64; w++) {
    world->live[w] = check_random(&world->random) | check_random(&world->random);
  }
  world->set = malloc((world->max_doc + 63) / 64 * sizeof *world->set);
  const uint32_t set_kind = below(world, 4);
  for (uint32_t w = 0; w < (world->max_doc + 63) / 64; w++) {
    const uint64_t dense = check_random(&world->random);
    const uint64_t sparse = UINT64_C(1) << (dense & 63u);
    world->set[w] = set_kind == 0 ? dense : below(world, 3 * set_kind) == 0 ? sparse : 0;
  }
  world->norms = malloc((world->max_doc + 7) / 8 * sizeof *world->norms);
  for (uint32_t doc = 0; doc < world->max_doc; doc++) {
    const uint32_t more = below(world, 3) == 0 ? below(world, 256) : below(world, 6);
    const uint32_t norm = world->norm[doc] + more;
    ((uint8_t *)world->norms)[doc] = (uint8_t)(norm < 255 ? norm : 255);
  }
  world->source.norm_resource = 11;
  world->source.norms = world->norms;
  world->source.norm_bits = world->max_doc * 8u;
  world->source.set_resource = 9;
  world->source.set_docs = world->set;
  world->source.set_doc_count = world->max_doc;
  world->source.live_resource = 7;
  world->source.live_docs = world->live;
  world->source.live_doc_count = world->max_doc;
}

void program_world_make(struct program_world *world, uint64_t seed, uint32_t max_doc) {
  make_world(world, seed, max_doc, false);
}

void program_world_free(struct program_world *world) {
  for (uint32_t list = 0; list < PROGRAM_LISTS; list++) {
    free(world->freq[list]);
  }
  free(world->norm);
  free(world->live);
  free(world->set);
  free(world->norms);
  program_columns_free(world);
  array_source_free(&world->source);
  page_builder_free(&world->builder);
}

/* ---- brute force ---- */

static float frequency_score(const struct program_world *world, const struct csd_plan_node *node,
                             uint32_t doc, float freq) {
  const volatile float ni = program_plan.tables[node->table][world->norm[doc]];
  const volatile float x = freq * ni;
  const volatile float d = 1.0f + x;
  const volatile float q = node->weight / d;
  return node->weight - q;
}

static float term_score(const struct program_world *world, const struct csd_plan_node *node,
                        uint32_t doc, uint32_t freq) {
  return frequency_score(world, node, doc, (float)freq);
}

/* Of a SYNONYM or COMBINED, whose node is before *at; *at moves past its terms. */
static bool brute_synonym(const struct program_world *world, uint32_t *at, uint32_t doc,
                          float *score) {
  const struct csd_plan_node *node = &program_plan.nodes[*at - 1];
  const uint8_t *norms = node->op == CSD_OP_COMBINED ? (const uint8_t *)world->norms : world->norm;
  const volatile float ni = program_plan.tables[node->table][norms[doc]];
  volatile float freq = 0.0f;
  bool match = false;
  for (uint32_t i = 0; i < node->child_count; i++) {
    const struct csd_plan_node *term = &program_plan.nodes[(*at)++];
    const volatile float part = (float)world->freq[term->list][doc] * term->weight;
    freq = freq + part;
    match |= world->freq[term->list][doc] > 0;
  }
  const volatile float x = freq * ni;
  const volatile float d = 1.0f + x;
  const volatile float q = node->weight / d;
  *score = node->weight - q;
  return match;
}

/* Of a JOIN, whose node is before *at; *at moves past its terms. */
static bool brute_join(const struct program_world *world, uint32_t *at, uint32_t doc,
                       float *score) {
  const uint32_t count = program_plan.nodes[*at - 1].child_count;
  bool match = false;
  for (uint32_t i = 0; i < count; i++) {
    const struct csd_plan_node *term = &program_plan.nodes[(*at)++];
    const bool first = !match && world->freq[term->list][doc] > 0;
    *score = first ? term->weight : *score;
    match |= first;
  }
  return match;
}

/* Whether `doc` matches the node at *at, and its score; *at moves past the node's subtree. */
static bool brute(const struct program_world *world, uint32_t *at, uint32_t doc, float *score) {
  const struct csd_plan_node *node = &program_plan.nodes[(*at)++];
  *score = node->weight;
  switch (node->op) {
    case CSD_OP_TERM:
      if (world->freq[node->list][doc] == 0) {
        return false;
      }
      *score = term_score(world, node, doc, world->freq[node->list][doc]);
      return true;
    case CSD_OP_TABLE_TERM: {
      const uint32_t freq = world->freq[node->list][doc];
      const uint32_t most = node->range_count;
      if (freq > 0) {
        *score =
            program_plan.tables[node->table + (freq < most ? freq : most) - 1][world->norm[doc]];
      }
      return freq > 0;
    }
    case CSD_OP_FEATURE_TERM: {
      const int64_t lowest = (int64_t)node->min_should << 8;
      const int64_t highest = lowest + (int64_t)node->range_count * 256 - 1;
      const int64_t freq = world->freq[node->list][doc];
      const int64_t scored = freq < lowest ? lowest : freq > highest ? highest : freq;
      *score = program_plan.tables[node->table + (scored - lowest) / 256][255 - scored % 256];
      return freq > 0;
    }
    case CSD_OP_LINEAR_TERM: {
      const uint32_t freq = world->freq[node->list][doc];
      const uint32_t bits = (freq < node->min_should ? freq : node->min_should) << 15;
      float value;
      memcpy(&value, &bits, sizeof value);
      *score = node->weight * value;
      return freq > 0;
    }
    case CSD_OP_SYNONYM:
    case CSD_OP_COMBINED: return brute_synonym(world, at, doc, score);
    case CSD_OP_JOIN: return brute_join(world, at, doc, score);
    case CSD_OP_ORDERED_INTERVALS:
    case CSD_OP_UNORDERED_INTERVALS: {
      const volatile float freq = program_phrase_frequency(world, node, doc);
      const volatile float part = 1.0f / (1.0f + freq);
      *score = node->weight * (1.0f - part);
      return freq > 0.0f;
    }
    case CSD_OP_ORDERED_SPANS:
    case CSD_OP_UNORDERED_SPANS:
    case CSD_OP_MULTI_PHRASE:
    case CSD_OP_PHRASE: {
      const float freq = program_phrase_frequency(world, node, doc);
      *score = freq > 0.0f ? frequency_score(world, node, doc, freq) : 0.0f;
      return freq > 0.0f;
    }
    case CSD_OP_ALL: return true;
    case CSD_OP_DOC_SET: return (world->set[doc / 64] >> (doc % 64) & 1) != 0;
    case CSD_OP_NONE: return false;
    case CSD_OP_COLUMN_RANGE: {
      const struct csd_value_range range = program_plan.ranges[node->table];
      return program_column_matches(&world->column[node->list], doc, range.lo, range.hi);
    }
    case CSD_OP_COLUMN_IN:
      return program_column_has(&world->column[node->list], doc, program_plan.ranges + node->table,
                                node->range_count);
    case CSD_OP_GEO_BOX:
    case CSD_OP_GEO_DISTANCE:
    case CSD_OP_GEO_POLYGON: return program_area_has(world, doc, node);
    case CSD_OP_CONST: {
      float ignored;
      return brute(world, at, doc, &ignored);
    }
    default: break;
  }
  bool good = true;
  bool has_required = false;
  uint32_t should = 0;
  float greatest = 0.0f;
  double others = 0; /* sum of the optional scores but the greatest */
  double must_sum = 0;
  double should_sum = 0;
  for (uint32_t i = 0; i < node->child_count; i++) {
    const unsigned occur = program_plan.nodes[*at].occur;
    float child;
    const bool match = brute(world, at, doc, &child);
    has_required |= occur == CSD_OCCUR_MUST || occur == CSD_OCCUR_FILTER;
    if (occur == CSD_OCCUR_MUST_NOT) {
      good &= !match;
    } else if (occur == CSD_OCCUR_SHOULD) {
      should += match;
      should_sum += match ? (double)child : 0.0;
      others += match ? (double)(child >= greatest ? greatest : child) : 0.0;
      greatest = match && child >= greatest ? child : greatest;
    } else {
      good &= match;
      must_sum += occur == CSD_OCCUR_MUST ? (double)child : 0.0;
    }
  }
  const uint32_t least = node->min_should == 0 && !has_required ? 1 : node->min_should;
  const float must_part = (float)must_sum;
  const float should_part = (float)should_sum;
  *score = !has_required ? should_part : should == 0 ? must_part : must_part + should_part;
  if (node->op == CSD_OP_DIS_MAX) {
    *score = (float)((double)greatest + others * (double)node->weight);
  }
  return good && should >= least;
}

static int by_rank(const void *left, const void *right) {
  const struct program_hit *a = left;
  const struct program_hit *b = right;
  if (a->score != b->score) {
    return a->score > b->score ? -1 : 1;
  }
  return a->doc < b->doc ? -1 : a->doc > b->doc;
}

static bool may_enter(const struct program_hit *hit) {
  const struct csd_plan_header *header = &program_plan.header;
  if ((header->flags & CSD_PLAN_FLAG_HAS_AFTER) != 0 &&
      (hit->score > header->after_score ||
       (hit->score == header->after_score && (int64_t)hit->doc <= header->after_doc))) {
    return false;
  }
  if ((header->flags & CSD_PLAN_FLAG_HAS_MIN_SCORE) != 0) {
    return hit->score > header->min_score ||
           ((header->flags & CSD_PLAN_FLAG_MIN_SCORE_TIES) != 0 && hit->score == header->min_score);
  }
  return true;
}

static void brute_force(const struct program_world *world) {
  const struct csd_plan_header *header = &program_plan.header;
  match_count = 0;
  for (uint32_t doc = header->min_doc; doc < header->limit_doc; doc++) {
    uint32_t at = 0;
    float score;
    if (header->live_docs != 0 && (world->live[doc / 64] >> (doc % 64) & 1) == 0) {
      continue;
    }
    if (brute(world, &at, doc, &score)) {
      matches[match_count++] = (struct program_hit){doc, score};
    }
  }
}

const struct program_hit *program_world_matches(const struct program_world *world,
                                                uint32_t *count) {
  brute_force(world);
  *count = match_count;
  return matches;
}

/* Picks flag values that cut through the matches, ties included. */
static void choose_flag_values(struct program_world *world) {
  if (match_count == 0) {
    return;
  }
  const struct program_hit after = matches[below(world, match_count)];
  program_plan.header.after_score = after.score;
  program_plan.header.after_doc = (int32_t)after.doc - (below(world, 4) == 0);
  program_plan.header.min_score = matches[below(world, match_count)].score;
}

/* ---- comparison ---- */

static bool same_bits(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

int program_begin(struct program_world *world, size_t bytes, struct csd_program **program) {
  return csd_program_begin(program_grant, PROGRAM_GRANT_BYTES, program_bytes, bytes, program_result,
                           PROGRAM_RESULT_BYTES, &world->source.source, program);
}

bool program_world_result(struct program_world *world, struct csd_result_header *header) {
  test_plan_write(&program_plan, program_bytes);
  struct csd_program *program;
  int status = program_begin(world, test_plan_bytes(&program_plan), &program);
  if (!CHECK_MSG(status == 0, "seed %" PRIu64 ": begin gives %d", world->seed, status)) {
    return false;
  }
  const uint64_t budget = below(world, 3) == 0 ? 1 + below(world, 500) : UINT64_MAX;
  do {
    status = csd_program_step(program, budget);
  } while (status > 0);
  csd_program_end(program);
  memcpy(header, program_result, sizeof *header);
  const bool good = CHECK_MSG(status == 0, "seed %" PRIu64 ": step gives %d", world->seed, status);
  return CHECK_MSG(world->source.pins_held == 0, "seed %" PRIu64 ": pins left", world->seed) &&
         good;
}

static void compare_top_k(struct program_world *world) {
  struct csd_result_header header;
  if (!program_world_result(world, &header)) {
    return;
  }
  hit_count = 0;
  for (uint32_t i = 0; i < match_count; i++) {
    hits[hit_count] = matches[i];
    hit_count += may_enter(&matches[i]);
  }
  qsort(hits, hit_count, sizeof *hits, by_rank);
  const uint32_t expected = hit_count < program_plan.header.k ? hit_count : program_plan.header.k;
  if (!CHECK_MSG(header.entry_count == expected, "seed %" PRIu64 ": %u hits, not %u", world->seed,
                 header.entry_count, expected)) {
    return;
  }
  for (uint32_t i = 0; i < expected; i++) {
    struct program_hit hit;
    memcpy(&hit, program_result + sizeof header + i * sizeof hit, sizeof hit);
    if (!CHECK_MSG(hit.doc == hits[i].doc && same_bits(hit.score, hits[i].score),
                   "seed %" PRIu64 ": hit %u is (%u, %a), not (%u, %a)", world->seed, i, hit.doc,
                   (double)hit.score, hits[i].doc, (double)hits[i].score)) {
      return;
    }
  }
  program_world_check_count(world, &header, match_count);
}

void program_world_check_count(const struct program_world *world,
                               const struct csd_result_header *found, uint32_t count) {
  const struct csd_result_header header = *found;
  if ((header.flags & CSD_RESULT_FLAG_COUNT_LOWER_BOUND) != 0) {
    CHECK_MSG(header.match_count > program_plan.header.count_threshold &&
                  header.match_count <= count && header.match_count >= header.entry_count,
              "seed %" PRIu64 ": lower bound %" PRIu64 " of %u, %u hits", world->seed,
              header.match_count, count, header.entry_count);
  } else {
    CHECK_MSG(header.match_count == count, "seed %" PRIu64 ": count %" PRIu64 ", not %u",
              world->seed, header.match_count, count);
  }
  CHECK_EQ(program_plan.header.limit_doc, header.next_doc);
}

static void compare_pages(struct program_world *world) {
  const uint32_t limit = program_plan.header.limit_doc;
  uint32_t seen = 0;
  for (;;) {
    struct csd_result_header header;
    const uint32_t from = program_plan.header.min_doc;
    if (!program_world_result(world, &header)) {
      return;
    }
    uint32_t expected = seen;
    while (expected < match_count && matches[expected].doc < header.next_doc) {
      expected++;
    }
    CHECK(header.total_bytes <= program_plan.header.max_result_bytes);
    const bool more = (header.flags & CSD_RESULT_FLAG_MORE) != 0;
    if (!CHECK_MSG(header.match_count == expected - seen,
                   "seed %" PRIu64 ": %" PRIu64 " matches before %u, not %u", world->seed,
                   header.match_count, header.next_doc, expected - seen) ||
        !CHECK_MSG(
            more ? header.next_doc > from && header.next_doc < limit : header.next_doc == limit,
            "seed %" PRIu64 ": next doc %u", world->seed, header.next_doc)) {
      return;
    }
    const uint32_t n = program_plan.header.mode == CSD_MODE_COUNT ? 0 : expected - seen;
    CHECK_EQ(n, header.entry_count);
    for (uint32_t i = 0; i < n && i < header.entry_count; i++) {
      uint32_t doc;
      float score = matches[seen + i].score;
      memcpy(&doc, program_result + sizeof header + 4 * i, 4);
      if (program_plan.header.mode == CSD_MODE_SCORED_DOCS) {
        memcpy(&score, program_result + sizeof header + 4 * (n + i), 4);
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
    program_plan.header.min_doc = header.next_doc;
  }
}

static uint32_t share(void) {
  const char *text = getenv("CSD_TEST_SHARE");
  const uint32_t n = text == NULL ? 1u : (uint32_t)strtoul(text, NULL, 10);
  return n == 0 ? 1u : n;
}

uint32_t program_share(uint32_t plans) { return (plans + share() - 1u) / share(); }

/* Worlds take longer to make than plans to run. So of the worlds of a kind the first is made and
 * every Nth after it; of large ones, of which there are few, every third, for more of the share. */
enum { SMALL_WORLD = 30000, ONE_LARGE_IN = 3, MAX_KINDS = 32 };

struct kind_of_world {
  uint32_t max_doc;
  bool even;
  void (*make_plan)(struct program_world *);
  uint32_t worlds; /* how many were asked for */
};

/* Returns how many of so many plans are run over the next world of a kind; 0: it is not made. */
static uint32_t plans_of_next(uint32_t max_doc, bool even,
                              void (*make_plan)(struct program_world *), uint32_t plans) {
  static struct kind_of_world kinds[MAX_KINDS];
  struct kind_of_world *kind = kinds;
  while (kind->worlds > 0 &&
         (kind->max_doc != max_doc || kind->even != even || kind->make_plan != make_plan)) {
    if (++kind == kinds + MAX_KINDS) {
      abort();
    }
  }
  kind->max_doc = max_doc;
  kind->even = even;
  kind->make_plan = make_plan;
  const bool large = max_doc > SMALL_WORLD;
  const uint32_t one_in = large && share() > ONE_LARGE_IN ? ONE_LARGE_IN : share();
  if (kind->worlds++ % one_in != 0) {
    return 0;
  }
  return large ? (plans * one_in + share() - 1u) / share() : plans;
}

static void run_world(uint64_t seed, uint32_t max_doc, uint32_t plans, bool even,
                      void (*make_plan)(struct program_world *)) {
  plans = plans_of_next(max_doc, even, make_plan, plans);
  if (plans == 0) {
    return;
  }
  struct program_world world;
  make_world(&world, seed, max_doc, even);
  for (uint32_t i = 0; i < plans && check_failures == 0; i++) {
    make_plan(&world);
    brute_force(&world);
    choose_flag_values(&world);
    if (program_plan.header.mode == CSD_MODE_TOP_K) {
      compare_top_k(&world);
    } else if (program_plan.header.mode == CSD_MODE_AGGREGATE) {
      program_aggregates_compare(&world, matches, match_count);
    } else if (program_plan.header.mode == CSD_MODE_TOP_K_BY_COLUMN) {
      program_sort_compare(&world, matches, match_count);
    } else {
      compare_pages(&world);
    }
    if (check_failures > 0) {
      printf("seed %" PRIu64 ", plan %u: mode %u, %u nodes, max_doc %u\n", seed, i,
             program_plan.header.mode, program_plan.header.node_count, world.max_doc);
      for (uint32_t n = 0; n < program_plan.header.node_count; n++) {
        const struct csd_plan_node *node = &program_plan.nodes[n];
        printf("  op %u occur %u children %u min_should %u list %u weight %g\n", node->op,
               node->occur, node->child_count, node->min_should, node->list, (double)node->weight);
      }
    }
  }
  program_world_free(&world);
}

void program_world_run(uint64_t seed, uint32_t max_doc, uint32_t plans,
                       void (*make_plan)(struct program_world *)) {
  run_world(seed, max_doc, plans, false, make_plan);
}

void program_world_run_even(uint64_t seed, uint32_t max_doc, uint32_t plans,
                            void (*make_plan)(struct program_world *)) {
  run_world(seed, max_doc, plans, true, make_plan);
}
