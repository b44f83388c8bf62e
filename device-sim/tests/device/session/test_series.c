/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* A search cut into plans that follow one another in a session: together their pages are that of
   the whole, and each leaves out what those before it have outdone. */
#include <stdlib.h>
#include <string.h>

#include "csd/csd.h"
#include "device/session/series.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/search_world.h"

enum { LBAS = 1 << 16, MAX_PARTS = 6, MAX_HITS = 1500, ROUNDS = 300 };

struct hit {
  uint32_t doc;
  float score;
};

struct page {
  struct csd_result_header header;
  struct hit hits[MAX_HITS];
};

static struct csd_queue *queue;
static struct search_world *world;
static uint8_t plan[WORLD_PLAN_BYTES];
static uint32_t session, plan_bytes;
static uint64_t seed = 11;

static uint32_t below(uint32_t n) { return check_random_below(&seed, n); }

static struct csd_plan_header plan_header(void) {
  struct csd_plan_header header;
  memcpy(&header, plan, sizeof header);
  return header;
}

/* Runs the plan with a part of its docs, and flags beside its own. */
static void run(uint32_t from, uint32_t to, uint32_t flags, struct page *page) {
  const struct csd_plan_header kept = plan_header();
  struct csd_plan_header header = kept;
  header.min_doc = from;
  header.limit_doc = to;
  header.flags = (uint8_t)(header.flags | flags);
  memcpy(plan, &header, sizeof header);
  const int64_t bytes =
      client_plan(queue, session, plan, plan_bytes, page, sizeof *page, CSD_BUDGET_UNLIMITED);
  memcpy(plan, &kept, sizeof kept);
  CHECK_EQ((int64_t)(sizeof page->header + 8u * page->header.entry_count), bytes);
}

static int by_score(const void *left, const void *right) {
  const struct hit *a = left, *b = right;
  if (a->score != b->score) {
    return a->score > b->score ? -1 : 1;
  }
  return a->doc < b->doc ? -1 : 1;
}

/* The k best hits of parts, and what was counted. */
static void add(struct page *all, const struct page *part, uint32_t k) {
  static struct hit both[2 * MAX_HITS];
  const uint32_t old = all->header.entry_count, new = part->header.entry_count;
  memcpy(both, all->hits, old * sizeof *both);
  memcpy(both + old, part->hits, new * sizeof *both);
  qsort(both, old + new, sizeof *both, by_score);
  all->header.entry_count = old + new < k ? old + new : k;
  memcpy(all->hits, both, all->header.entry_count * sizeof *both);
  all->header.match_count += part->header.match_count;
  all->header.flags |= part->header.flags;
}

static void compare(const struct page *whole, const struct page *all, uint32_t threshold) {
  const uint32_t lower = CSD_RESULT_FLAG_COUNT_LOWER_BOUND;
  CHECK_EQ(whole->header.entry_count, all->header.entry_count);
  CHECK_EQ(0, memcmp(whole->hits, all->hits, whole->header.entry_count * sizeof *whole->hits));
  if (((whole->header.flags | all->header.flags) & lower) == 0) {
    CHECK_EQ(whole->header.match_count, all->header.match_count);
  } else {
    CHECK(all->header.match_count > threshold);
  }
}

static void set_query(uint32_t k, uint32_t threshold) {
  struct search_query query = search_query_random(&seed);
  query.mode = CSD_MODE_TOP_K;
  query.k = k;
  plan_bytes = search_query_plan(world, &query, plan);
  struct csd_plan_header header = plan_header();
  header.count_threshold = threshold;
  memcpy(plan, &header, sizeof header);
}

/* Runs a query in parts. @return hits of all parts but the first */
static uint32_t run_parts(uint32_t parts, uint32_t k, uint32_t flags, struct page *all) {
  static struct page part;
  uint32_t hits = 0;
  memset(&all->header, 0, sizeof all->header);
  for (uint32_t i = 0; i < parts; i++) {
    run(i * (WORLD_MAX_DOC / parts),
        i + 1 == parts ? WORLD_MAX_DOC : (i + 1) * (WORLD_MAX_DOC / parts), i > 0 ? flags : 0,
        &part);
    hits += i > 0 ? part.header.entry_count : 0;
    add(all, &part, k);
  }
  return hits;
}

static void parts_are_the_whole(void) {
  static struct page whole, alone, all;
  uint64_t left_out = 0;
  for (uint32_t round = 0; round < ROUNDS && check_failures == 0; round++) {
    const uint32_t parts = 2 + below(MAX_PARTS - 1);
    const uint32_t k = round % 10 == 0 ? 1025 + below(400) : 1 + below(round % 3 == 0 ? 1024 : 20);
    const uint32_t threshold = below(3) == 0 ? CSD_EXACT_COUNT : below(3000);
    set_query(k, threshold);
    run(0, WORLD_MAX_DOC, 0, &whole);
    const uint32_t of_each = run_parts(parts, k, 0, &alone);
    const uint32_t following = run_parts(parts, k, CSD_PLAN_FLAG_FOLLOWS, &all);
    compare(&whole, &all, threshold);
    CHECK(following <= of_each);
    left_out += of_each - following;
    if (k > CSD_SERIES_BYTES / sizeof(float)) {
      CHECK_EQ(of_each, following); /* there is no room for so many scores */
    }
  }
  CHECK(left_out > ROUNDS);
}

/* A plan of another mode ends a series, one that fails does not; one without the flag begins anew.
 */
static void a_series_ends(void) {
  static struct page first, second, again;
  set_query(5, CSD_EXACT_COUNT);
  do {
    set_query(5, CSD_EXACT_COUNT);
    run(0, 15000, 0, &first);
    run(15000, WORLD_MAX_DOC, CSD_PLAN_FLAG_FOLLOWS, &second);
    run(15000, WORLD_MAX_DOC, 0, &again);
  } while (again.header.entry_count < 5 || second.header.entry_count == 5);
  const uint32_t outdone = second.header.entry_count;
  run(0, 15000, 0, &first);
  const struct csd_plan_header kept = plan_header();
  struct csd_plan_header header = kept;
  header.flags = CSD_PLAN_FLAG_FOLLOWS;
  header.magic ^= 1;
  memcpy(plan, &header, sizeof header);
  CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED,
               (int)client_plan(queue, session, plan, plan_bytes, &second, sizeof second,
                                CSD_BUDGET_UNLIMITED));
  memcpy(plan, &kept, sizeof kept);
  run(15000, WORLD_MAX_DOC, CSD_PLAN_FLAG_FOLLOWS, &second);
  CHECK_EQ(outdone, second.header.entry_count);
  run(0, 15000, 0, &first);
  header = kept;
  header.mode = CSD_MODE_COUNT;
  header.k = 0;
  memcpy(plan, &header, sizeof header);
  CHECK(client_plan(queue, session, plan, plan_bytes, &second, sizeof second,
                    CSD_BUDGET_UNLIMITED) > 0);
  header.flags = CSD_PLAN_FLAG_FOLLOWS;
  memcpy(plan, &header, sizeof header);
  CHECK_STATUS(CSD_STATUS_PLAN_MALFORMED,
               (int)client_plan(queue, session, plan, plan_bytes, &second, sizeof second,
                                CSD_BUDGET_UNLIMITED));
  memcpy(plan, &kept, sizeof kept);
  run(15000, WORLD_MAX_DOC, CSD_PLAN_FLAG_FOLLOWS, &second);
  CHECK_EQ(5, second.header.entry_count);
}

/* Of a plan that is not checked yet nothing but its header is looked at, and that only if it is
   there. */
static void plans_are_not_trusted(void) {
  float scores[2];
  struct csd_series series;
  struct csd_plan_header header = {.mode = CSD_MODE_TOP_K, .k = 1};
  uint8_t bytes[sizeof header];
  csd_series_open(&series, scores, sizeof scores);
  csd_series_begin_plan(&series, bytes, 0);
  CHECK_EQ(0, series.k);
  memcpy(bytes, &header, sizeof header);
  csd_series_begin_plan(&series, bytes, sizeof bytes);
  CHECK_EQ(1, series.k);
  struct {
    struct csd_result_header header;
    struct hit hit;
  } page = {{.entry_count = 1, .match_count = 7}, {3, 2.5f}};
  csd_series_end_plan(&series, (const uint8_t *)&page);
  header.flags = CSD_PLAN_FLAG_FOLLOWS | CSD_PLAN_FLAG_HAS_MIN_SCORE;
  header.min_score = __builtin_nanf("");
  header.count_threshold = 10;
  memcpy(bytes, &header, sizeof header);
  csd_series_begin_plan(&series, bytes, sizeof bytes);
  memcpy(&header, bytes, sizeof header);
  CHECK(header.min_score != header.min_score); /* the check refuses it */
  CHECK_EQ(3, header.count_threshold);
  header.min_score = 2.5f;
  header.flags |= CSD_PLAN_FLAG_MIN_SCORE_TIES;
  memcpy(bytes, &header, sizeof header);
  csd_series_begin_plan(&series, bytes, sizeof bytes);
  memcpy(&header, bytes, sizeof header);
  CHECK_EQ(CSD_PLAN_FLAG_FOLLOWS | CSD_PLAN_FLAG_HAS_MIN_SCORE, header.flags);
  CHECK_EQ(0, header.count_threshold);
}

int main(void) {
  struct csd_device *device = client_open("series", LBAS, 1 << 20);
  queue = client_queue(device);
  world = search_world_make(3, 77, 1000);
  CHECK_EQ(0, search_world_write(world, queue));
  session = (uint32_t)client_session(queue, 4 << 20);
  RUN(parts_are_the_whole);
  RUN(a_series_ends);
  RUN(plans_are_not_trusted);
  csd_queue_destroy(queue);
  csd_device_close(device);
  search_world_free(world);
  return check_result();
}
