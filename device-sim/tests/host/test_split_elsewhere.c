/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Plans that are split with a device elsewhere: this test sends the commands and copies the pages,
   as a host does over a network. A device that answers nonsense does no harm. */
#include <string.h>

#include "csd/csd_split.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/search_world.h"

enum { LBAS = 1 << 12, QUERIES = 80, DAMAGES = 400, GRANT = 4 << 20 };

static struct csd_device *node, *pages;
static struct csd_queue *to_node, *to_pages;
static uint32_t session;
static struct csd_split *split;
static struct search_world *world;
static uint8_t room[GRANT / 8];
static uint32_t damage; /* bits of fetched pages that are turned over */
static uint32_t page_copies;

static struct csd_device *open_device(const char *name, uint32_t raw_percent) {
  const struct csd_device_options options = {.path = scratch_path(name),
                                             .capacity_bytes = (uint64_t)LBAS * CSD_LBA_BYTES,
                                             .dram_bytes = 64 * CSD_PAGE_BYTES,
                                             .raw_percent = raw_percent};
  struct csd_device *device = NULL;
  CHECK_OK(csd_device_open(&options, &device));
  return device;
}

static void open_both(uint32_t raw_percent) {
  node = open_device("node", raw_percent);
  pages = open_device("pages", 0);
  to_node = client_queue(node);
  to_pages = client_queue(pages);
  CHECK_EQ(0, search_world_write(world, to_node));
  session = (uint32_t)client_session(to_node, GRANT);
  REQUIRE_OK(csd_split_create_elsewhere(pages, GRANT, &split));
}

static void close_both(void) {
  csd_split_destroy(split);
  csd_queue_destroy(to_node);
  csd_queue_destroy(to_pages);
  csd_device_close(node);
  csd_device_close(pages);
}

static void copy_pages(void) {
  const uint8_t *extents;
  const uint32_t count = csd_split_extents(split, &extents);
  static uint8_t page[CSD_PAGE_BYTES];
  CHECK(count > 0);
  for (uint32_t i = 0; i < count; i++) {
    struct csd_extent extent;
    memcpy(&extent, extents + i * sizeof extent, sizeof extent);
    for (uint32_t at = 0; at < extent.page_count; at++) {
      CHECK(client_read(to_node, extent.lba + at, page, 1) >= 0);
      CHECK(client_write(to_pages, extent.lba + at, page, 1) >= 0);
    }
  }
  page_copies++;
}

/* Sends what the split wants sent. @return what became of it */
static int64_t send(const uint8_t *plan, uint64_t *seed) {
  struct csd_submission command = *csd_split_command(split);
  const bool fetches = command.opcode == CSD_OPCODE_FETCH;
  const uint32_t bytes = fetches ? command.cdw12 : 0;
  command.cdw10 = session;
  if (command.opcode == CSD_OPCODE_INIT_TSK) {
    command.data = (uintptr_t)plan;
  } else if (fetches) {
    command.data = (uintptr_t)room;
  }
  CHECK(bytes <= sizeof room);
  const int64_t dw0 = client_run(to_node, &command);
  for (uint32_t i = 0; fetches && i < damage; i++) {
    room[check_random_below(seed, bytes)] ^= (uint8_t)(1u << check_random_below(seed, 8));
  }
  if (dw0 >= 0) {
    CHECK_OK(csd_split_answer(split, (uint32_t)dw0, room, bytes));
    CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_split_answer(split, 0, room, 0));
  }
  return dw0;
}

static int run(const uint8_t *plan, uint64_t *seed) {
  int status;
  do {
    status = csd_split_step(split, 1 + check_random_below(seed, 20000));
    if (status == CSD_SPLIT_COMMAND) {
      CHECK(send(plan, seed) >= 0);
    } else if (status == CSD_SPLIT_PAGES) {
      copy_pages();
    }
  } while (status > 0);
  return status;
}

static struct search_query query_of(uint64_t *seed) {
  static const uint8_t modes[] = {CSD_MODE_COUNT, CSD_MODE_DOCS, CSD_MODE_TOP_K};
  struct search_query query = search_query_random(seed);
  query.mode = modes[check_random_below(seed, 3)];
  query.k = query.mode == CSD_MODE_TOP_K ? 1 + check_random_below(seed, 200) : 0;
  return query;
}

static uint32_t answers(uint32_t raw_percent) {
  uint8_t plan[WORLD_PLAN_BYTES];
  uint64_t seed = raw_percent + 1;
  uint32_t on_device = 0;
  open_both(raw_percent);
  for (int i = 0; i < QUERIES && check_failures == 0; i++) {
    const struct search_query query = query_of(&seed);
    const uint32_t bytes = search_query_plan(world, &query, plan);
    const uint32_t windows = 1 + check_random_below(&seed, 40);
    CHECK_EQ(0, csd_split_begin(split, plan, bytes, windows, CSD_TASK_MODE_DYNAMIC, 0));
    const uint32_t copies = page_copies;
    CHECK_OK(run(plan, &seed));
    uint32_t got;
    const uint8_t *page = csd_split_page(split, &got);
    CHECK(search_query_check(world, &query, page, got));
    const struct csd_split_counts counts = csd_split_get_counts(split);
    CHECK_EQ(counts.windows, counts.device + counts.raw + counts.handed_back);
    CHECK(raw_percent < 100 || counts.raw == counts.windows);
    CHECK_EQ(copies + (counts.raw + counts.handed_back > 0), page_copies);
    on_device += counts.device;
  }
  close_both();
  return on_device;
}

static void both_have_windows(void) { CHECK(answers(50) > 0); }
static void the_device_refuses_all(void) { CHECK_EQ(0, answers(100)); }

static void a_plan_that_is_not_cut_is_the_devices(void) {
  uint8_t plan[WORLD_PLAN_BYTES];
  uint64_t seed = 3;
  open_both(0);
  struct search_query query = search_query_random(&seed);
  query.mode = CSD_MODE_SCORED_DOCS;
  const uint32_t bytes = search_query_plan(world, &query, plan);
  CHECK_EQ(1, csd_split_begin(split, plan, bytes, 4, CSD_TASK_MODE_DYNAMIC, 0));
  close_both();
}

/* Pages of the device that are damaged on the way are refused, or have the form of good ones. */
static void damaged_pages_do_no_harm(void) {
  uint8_t plan[WORLD_PLAN_BYTES];
  uint64_t seed = 4;
  uint32_t refused = 0;
  open_both(50);
  for (int i = 0; i < DAMAGES && check_failures == 0; i++) {
    const struct search_query query = query_of(&seed);
    const uint32_t bytes = search_query_plan(world, &query, plan);
    CHECK_EQ(0, csd_split_begin(split, plan, bytes, 8, CSD_TASK_MODE_DYNAMIC, 0));
    damage = 1 + check_random_below(&seed, 30);
    const int status = run(plan, &seed);
    damage = 0;
    CHECK(status == 0 || status == -CSD_STATUS_INTERNAL);
    refused += status < 0;
  }
  CHECK(refused > 0);
  close_both();
}

int main(void) {
  world = search_world_make(3, 33, 16);
  RUN(both_have_windows);
  RUN(the_device_refuses_all);
  RUN(a_plan_that_is_not_cut_is_the_devices);
  RUN(damaged_pages_do_no_harm);
  search_world_free(world);
  return check_result();
}
