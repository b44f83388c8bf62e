/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* A device whose reads go past the system's cache: the same answers, and reads that are deep. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "device/run/device_parts.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/search_world.h"

enum { LBAS = 1 << 14, FIRST_LBA = 600 };

static struct csd_device *device;
static struct csd_queue *queue;
static uint32_t session;
static uint8_t plan[WORLD_PLAN_BYTES];
static uint8_t result[CSD_MAX_RESULT_BYTES];

static void open_device(const char *name, uint64_t frames, bool read_first) {
  const struct csd_device_options options = {.path = scratch_path(name),
                                             .capacity_bytes = (uint64_t)LBAS * CSD_LBA_BYTES,
                                             .dram_bytes = frames * CSD_FRAME_BYTES,
                                             .read_first = read_first,
                                             .direct = true};
  REQUIRE_OK(csd_device_open(&options, &device));
  queue = client_queue(device);
  session = (uint32_t)client_session(queue, 4 << 20);
}

static void close_device(void) {
  csd_queue_destroy(queue);
  csd_device_close(device);
}

static int64_t run(const struct search_world *world, const struct search_query *query) {
  const uint32_t bytes = search_query_plan(world, query, plan);
  return client_plan(queue, session, plan, bytes, result, sizeof result, CSD_BUDGET_UNLIMITED);
}

static struct csd_device_stats look(void) {
  struct csd_device_stats stats;
  csd_device_get_stats(device, &stats);
  return stats;
}

static void search_at_random(const struct search_world *world, int queries) {
  uint64_t seed = 5;
  for (int i = 0; i < queries; i++) {
    const struct search_query query = search_query_random(&seed);
    search_query_check(world, &query, result, run(world, &query));
  }
}

/* In memory for everything, and for next to nothing. */
static void answers_are_the_same(void) {
  const uint64_t frames[] = {2000, CSD_MIN_FRAMES};
  for (int i = 0; i < 2; i++) {
    struct search_world *world = search_world_make(5, 77, FIRST_LBA);
    const char *name = i == 0 ? "roomy" : "narrow";
    open_device(name, frames[i], false);
    CHECK_EQ(0, search_world_write(world, queue));
    close_device();
    open_device(name, frames[i], false);
    search_at_random(world, 200);
    const struct csd_device_stats stats = look();
    CHECK(stats.page_loads > 0);
    if (device->store.reader != NULL) { /* the file system lets one read directly */
      CHECK(stats.pages_read_ahead > 0);
      CHECK(stats.reads_ahead > 0);
      CHECK(stats.reads_deepest > 1);
      CHECK(stats.page_asks >= stats.pages_read_ahead);
    }
    close_device();
    search_world_free(world);
  }
}

/* Pages are asked for, then others are written there: the new ones are found. */
static void writes_are_seen(void) {
  struct search_world *world = search_world_make(5, 77, FIRST_LBA);
  struct search_world *other = search_world_make(9, 78, FIRST_LBA);
  open_device("written", CSD_MIN_FRAMES, false);
  for (int i = 0; i < 6; i++) {
    struct search_world *now = i % 2 == 0 ? world : other;
    struct csd_dram_counts counts = {0};
    csd_dram_ask(&device->dram, 40, FIRST_LBA, now->page_count, &counts);
    CHECK_EQ(0, search_world_write(now, queue));
    search_at_random(now, 20);
  }
  close_device();
  search_world_free(world);
  search_world_free(other);
}

/* A reader that was there before the file is direct, too. */
static void a_file_that_comes_later_is_read(void) {
  struct search_world *world = search_world_make(5, 77, FIRST_LBA);
  open_device("later", 2000, true);
  const struct search_query query = {
      .mode = CSD_MODE_COUNT, .term_count = 1, .list = {1}, .weight = {1}};
  CHECK_EQ(-CSD_STATUS_PAGE_CORRUPT, run(world, &query));
  REQUIRE_OK(csd_device_open_for_writing(device));
  CHECK_EQ(0, search_world_write(world, queue));
  search_at_random(world, 50);
  CHECK(device->store.reader == NULL || look().pages_read_ahead > 0);
  close_device();
  search_world_free(world);
}

/* Makes the number of the device's direct reads lead to the file as opened with these flags. */
static void lead_to(const char *name, int flags) {
  const int file = open(scratch_path(name), flags);
  CHECK(dup2(file, device->store.direct_file) >= 0);
  close(file);
}

/* Reads fail, asked for or not, and the plan says so; they work again, and so does the plan. */
static void a_drive_that_fails_fails_the_plan_alone(void) {
  struct search_world *world = search_world_make(5, 77, FIRST_LBA);
  open_device("fails", 2000, false);
  CHECK_EQ(0, search_world_write(world, queue));
  close_device();
  open_device("fails", 2000, false);
  if (device->store.reader == NULL) {
    printf("test_direct: this file system lets nobody read directly\n");
  } else {
    const struct search_query query = {.mode = CSD_MODE_TOP_K,
                                       .k = 10,
                                       .term_count = 2,
                                       .list = {1, 2},
                                       .occur = {CSD_OCCUR_SHOULD, CSD_OCCUR_SHOULD},
                                       .weight = {1, 2}};
    lead_to("fails", O_WRONLY);
    CHECK_EQ(-CSD_STATUS_IO_ERROR, run(world, &query));
    CHECK(strstr(csd_last_error(), "LBA") != NULL);
    lead_to("fails", O_RDONLY | O_DIRECT);
    search_query_check(world, &query, result, run(world, &query));
  }
  search_at_random(world, 50);
  close_device();
  search_world_free(world);
}

/* A file that was cut short under the device gives stale or damaged pages, never a crash. */
static void a_file_that_was_cut_fails_the_plan_alone(void) {
  struct search_world *world = search_world_make(5, 77, FIRST_LBA);
  open_device("cut", CSD_MIN_FRAMES, false);
  CHECK_EQ(0, search_world_write(world, queue));
  close_device();
  open_device("cut", CSD_MIN_FRAMES, false);
  CHECK_EQ(0, truncate(scratch_path("cut"), (off_t)(FIRST_LBA + 3) * CSD_LBA_BYTES + 700));
  uint64_t seed = 8;
  int failures = 0;
  for (int i = 0; i < 50; i++) {
    const struct search_query query = search_query_random(&seed);
    const int64_t got = run(world, &query);
    failures += got < 0;
    CHECK(got >= 0 || got == -CSD_STATUS_PAGE_CORRUPT);
  }
  CHECK(failures > 0);
  close_device();
  search_world_free(world);
}

int main(void) {
  RUN(answers_are_the_same);
  RUN(writes_are_seen);
  RUN(a_file_that_comes_later_is_read);
  RUN(a_drive_that_fails_fails_the_plan_alone);
  RUN(a_file_that_was_cut_fails_the_plan_alone);
  return check_result();
}
