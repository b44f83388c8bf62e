/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* How often a plan waits for a drive, and what it says of one that fails. */
#include <errno.h>
#include <stdlib.h>

#include "device/run/run.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/search_world.h"
#include "tests/support/slow_drive.h"

enum { LBAS = 1 << 14, FIRST_LBA = 600, FRAMES = 2000 };

static struct search_world *world;
static struct csd_device *device;
static struct csd_queue *queue;
static uint32_t session;
static uint8_t plan[WORLD_PLAN_BYTES];
static uint8_t result[CSD_MAX_RESULT_BYTES];

static void open_device(const char *name, uint64_t frames) {
  device = client_open(name, LBAS, frames * CSD_FRAME_BYTES);
  queue = client_queue(device);
  session = (uint32_t)client_session(queue, 4 << 20);
}

static void close_device(void) {
  csd_queue_destroy(queue);
  csd_device_close(device);
}

/* A store with lists, opened again over a drive with an empty cache. */
static void start(const char *name, uint64_t frames) {
  world = search_world_make(5, 77, FIRST_LBA);
  open_device(name, frames);
  CHECK_EQ(0, search_world_write(world, queue));
  close_device();
  open_device(name, frames);
  slow_drive_start();
}

static void stop(void) {
  slow_drive_stop();
  close_device();
  search_world_free(world);
}

static int64_t run(const struct search_query *query) {
  const uint32_t bytes = search_query_plan(world, query, plan);
  return client_plan(queue, session, plan, bytes, result, sizeof result, CSD_BUDGET_UNLIMITED);
}

/* The lists of a page or more, for which a plan has to read. */
static struct search_query disjunction(uint8_t mode) {
  struct search_query query = {.mode = mode, .k = 10, .term_count = 4};
  for (uint32_t i = 0; i < query.term_count; i++) {
    query.list[i] = i + 1;
    query.weight[i] = 1.0f + (float)i;
    query.occur[i] = CSD_OCCUR_SHOULD;
  }
  return query;
}

/* Pages with postings of a query. */
static uint32_t pages_of(const struct search_query *query) {
  bool used[CSD_MAX_TRANSFER_BYTES / CSD_PAGE_BYTES] = {false};
  uint32_t pages = 0;
  for (uint32_t i = 0; i < query->term_count; i++) {
    const struct csd_list_ref *ref = &world->refs[query->list[i]];
    for (uint32_t page = ref->first_page; page < ref->first_page + ref->page_count; page++) {
      pages += !used[page];
      used[page] = true;
    }
  }
  return pages;
}

static uint64_t asked_pages(void) {
  struct csd_device_stats stats;
  csd_device_get_stats(device, &stats);
  return stats.page_asks;
}

static void a_plan_asks_for_all_lists_at_once(void) {
  for (uint8_t mode = CSD_MODE_COUNT; mode <= CSD_MODE_TOP_K; mode++) {
    start("at_once", FRAMES);
    const struct search_query query = disjunction(mode);
    search_query_check(world, &query, result, run(&query));
    const struct slow_drive_seen cold = slow_drive_look();
    const uint32_t pages = pages_of(&query);
    CHECK_EQ(1, cold.delays);
    CHECK_MSG(cold.deepest >= pages, "depth %u of %u pages", cold.deepest, pages);
    CHECK(cold.reads >= pages);
    CHECK(asked_pages() >= pages);
    search_query_check(world, &query, result, run(&query));
    const struct slow_drive_seen warm = slow_drive_look();
    CHECK_EQ(0, warm.reads);
    CHECK_EQ(0, warm.asks);
    stop();
  }
}

/* Where the lists of a query are, as a host tells that has its plan ready. */
static void runs_of(const struct search_query *query, struct csd_lba_run *runs) {
  for (uint32_t i = 0; i < query->term_count; i++) {
    const struct csd_list_ref *ref = &world->refs[query->list[i]];
    runs[i] =
        (struct csd_lba_run){.lba = FIRST_LBA + ref->first_page - 1, .count = ref->page_count};
  }
}

static void a_plan_does_not_wait_for_what_was_asked_for_before(void) {
  start("before", FRAMES);
  const struct search_query query = disjunction(CSD_MODE_TOP_K);
  struct csd_lba_run runs[8];
  runs_of(&query, runs);
  CHECK(!csd_queue_has_asked(queue));
  REQUIRE_OK(csd_queue_ask(queue, runs, query.term_count));
  CHECK(csd_queue_has_asked(queue));
  CHECK(!csd_queue_has_asked(queue));
  const struct slow_drive_seen asked = slow_drive_look();
  CHECK(asked.asks > 0);
  CHECK_EQ(0, asked.reads + asked.delays);
  search_query_check(world, &query, result, run(&query));
  const struct slow_drive_seen ran = slow_drive_look();
  CHECK_EQ(1, ran.delays); /* the drive's one, for all that was asked for together */
  CHECK_EQ(0, ran.asks);
  CHECK(!csd_queue_has_asked(queue));
  /* What is in device memory is not asked for. */
  REQUIRE_OK(csd_queue_ask(queue, runs, query.term_count));
  CHECK_EQ(0, slow_drive_look().asks);
  CHECK(!csd_queue_has_asked(queue));
  stop();
}

static void a_plan_that_had_to_ask_says_so(void) {
  start("says", FRAMES);
  const struct search_query query = disjunction(CSD_MODE_TOP_K);
  search_query_check(world, &query, result, run(&query));
  CHECK(csd_queue_has_asked(queue));
  search_query_check(world, &query, result, run(&query));
  CHECK(!csd_queue_has_asked(queue));
  stop();
}

static void a_queue_asks_for_nothing_that_is_not_there(void) {
  start("nothing", FRAMES);
  const struct csd_lba_run runs[] = {
      {LBAS, 1}, {UINT64_MAX, UINT64_MAX}, {FIRST_LBA, 0}, {LBAS - 3, UINT64_MAX}, {0, LBAS}};
  REQUIRE_OK(csd_queue_ask(queue, runs, 5));
  CHECK_EQ(3 + CSD_MAX_ASKED_PAGES, asked_pages());
  REQUIRE_OK(csd_queue_ask(queue, NULL, 0));
  CHECK_EQ(-CSD_STATUS_INVALID_ARGUMENT, csd_queue_ask(queue, NULL, 1));
  CHECK_EQ(-CSD_STATUS_INVALID_ARGUMENT, csd_queue_ask(NULL, runs, 1));
  stop();
}

/* In so little memory, pages leave it between two plans, and are asked for again. */
static void evicted_pages_are_asked_for_again(void) {
  start("again", CSD_MIN_FRAMES);
  struct search_world *first = world;
  struct search_world *others[] = {search_world_make(6, 78, FIRST_LBA + 300),
                                   search_world_make(7, 79, FIRST_LBA + 600)};
  CHECK_EQ(0, search_world_write(others[0], queue));
  CHECK_EQ(0, search_world_write(others[1], queue));
  close_device();
  open_device("again", CSD_MIN_FRAMES);
  slow_drive_start();
  const struct search_query query = disjunction(CSD_MODE_TOP_K);
  for (int i = 0; i < 9; i++) {
    world = i % 3 == 0 ? first : others[i % 3 - 1];
    search_query_check(world, &query, result, run(&query));
    const struct slow_drive_seen seen = slow_drive_look();
    CHECK(seen.asks > 0);
    CHECK_EQ(i < 3 ? 1 : 0, seen.delays);
  }
  world = first;
  search_world_free(others[0]);
  search_world_free(others[1]);
  stop();
}

static void a_drive_that_fails_fails_the_plan_alone(void) {
  start("fails", FRAMES);
  const struct search_query query = disjunction(CSD_MODE_TOP_K);
  slow_drive_fail(EIO);
  CHECK_EQ(-CSD_STATUS_IO_ERROR, run(&query));
  CHECK(strstr(csd_last_error(), "LBA") != NULL);
  slow_drive_fail(0);
  search_query_check(world, &query, result, run(&query));
  stop();
}

static void short_reads_are_completed(void) {
  start("short", FRAMES);
  const struct search_query query = disjunction(CSD_MODE_SCORED_DOCS);
  slow_drive_shorten();
  search_query_check(world, &query, result, run(&query));
  CHECK_EQ(1, slow_drive_look().delays);
  stop();
}

/* Pages come and go, but all are in the system's cache: they are not asked for any more, until a
   read is slow again. */
static void asking_rests_while_no_read_is_slow(void) {
  start("rests", CSD_MIN_FRAMES);
  struct csd_dram_counts counts = {0};
  const uint8_t *page;
  for (uint32_t i = 0; i < CSD_ASKING_LOADS; i++) {
    const uint32_t at = i % world->page_count;
    CHECK(csd_dram_ask(&device->dram, 0, FIRST_LBA + at, 1, &counts));
    REQUIRE_OK(csd_dram_pin(&device->dram, FIRST_LBA + at, 77, at + 1, &page, &counts));
    csd_dram_unpin(&device->dram, page);
    csd_dram_rewritten(&device->dram, FIRST_LBA + at, 1, &(struct csd_written){.is_page = false});
  }
  CHECK_EQ(CSD_ASKING_LOADS, counts.loads);
  CHECK(!csd_dram_ask(&device->dram, 0, FIRST_LBA, 1, &counts));
  slow_drive_start();
  slow_drive_sleep();
  const struct search_query query = disjunction(CSD_MODE_TOP_K);
  search_query_check(world, &query, result, run(&query));
  CHECK(slow_drive_look().delays > 1);
  CHECK(csd_dram_ask(&device->dram, 0, 60, 1, &counts));
  stop();
}

/* What is asked for need not be there. */
static void asking_beyond_the_end_does_no_harm(void) {
  start("beyond", FRAMES);
  struct csd_dram_counts counts = {0};
  csd_dram_ask(&device->dram, 0, LBAS - 1, 10, &counts);
  CHECK_EQ(1, counts.asks);
  csd_dram_ask(&device->dram, 0, LBAS, 10, &counts);
  csd_dram_ask(&device->dram, 0, UINT64_MAX, UINT64_MAX, &counts);
  csd_dram_ask(&device->dram, 0, 0, 0, &counts);
  csd_page_index_ask(&device->index, LBAS - 1, 10);
  csd_page_index_ask(&device->index, UINT64_MAX, UINT64_MAX);
  CHECK_EQ(1, counts.asks);
  stop();
}

/* A stretch that spans words of the notes is asked for once, and as one. */
static void a_stretch_is_asked_for_once(void) {
  start("stretch", FRAMES);
  struct csd_dram_counts counts = {0};
  csd_dram_ask(&device->dram, 0, 60, 200, &counts);
  CHECK_EQ(200, counts.asks);
  csd_dram_ask(&device->dram, 0, 60, 200, &counts);
  csd_dram_ask(&device->dram, 0, 100, 1, &counts);
  CHECK_EQ(200, counts.asks);
  csd_dram_ask(&device->dram, 0, 250, 20, &counts);
  CHECK_EQ(210, counts.asks);
  CHECK_EQ(2, slow_drive_look().asks);
  /* Then everything may be asked for again: more was asked for than there is room for. */
  csd_dram_ask(&device->dram, 0, 1000, FRAMES, &counts);
  csd_dram_ask(&device->dram, 0, 60, 200, &counts);
  CHECK_EQ(210 + FRAMES + 200, counts.asks);
  stop();
}

int main(void) {
  RUN(a_plan_asks_for_all_lists_at_once);
  RUN(a_plan_does_not_wait_for_what_was_asked_for_before);
  RUN(a_plan_that_had_to_ask_says_so);
  RUN(a_queue_asks_for_nothing_that_is_not_there);
  RUN(evicted_pages_are_asked_for_again);
  RUN(a_drive_that_fails_fails_the_plan_alone);
  RUN(short_reads_are_completed);
  RUN(asking_rests_while_no_read_is_slow);
  RUN(asking_beyond_the_end_does_no_harm);
  RUN(a_stretch_is_asked_for_once);
  return check_result();
}
