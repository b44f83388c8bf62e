/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Plans that are split between a device's threads and the caller: the answer is that of the plan,
   whoever did what, by one caller and by several. */
#include <pthread.h>
#include <stdlib.h>

#include "csd/csd_split.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/search_world.h"

enum { LBAS = 1 << 12, CLIENTS = 5, QUERIES = 80, GRANT = 4 << 20 };

static struct csd_device *device;
static struct search_world *world;
static uint32_t raw_percent;

static void open_device(uint32_t threads) {
  const struct csd_device_options options = {.path = scratch_path("split"),
                                             .capacity_bytes = (uint64_t)LBAS * CSD_LBA_BYTES,
                                             .dram_bytes = 64 * CSD_PAGE_BYTES,
                                             .task_threads = threads,
                                             .raw_percent = raw_percent};
  REQUIRE_OK(csd_device_open(&options, &device));
  struct csd_queue *queue = client_queue(device);
  CHECK_EQ(0, search_world_write(world, queue));
  csd_queue_destroy(queue);
}

static struct search_query query_of(uint64_t *seed) {
  static const uint8_t modes[] = {CSD_MODE_COUNT, CSD_MODE_DOCS, CSD_MODE_SCORED_DOCS,
                                  CSD_MODE_TOP_K};
  struct search_query query = search_query_random(seed);
  query.mode = modes[check_random_below(seed, 4)];
  query.k = query.mode == CSD_MODE_TOP_K ? 1 + check_random_below(seed, 200) : 0;
  return query;
}

static int run(struct csd_split *split, uint64_t *seed) {
  int status;
  do {
    status = csd_split_step(split, 1 + check_random_below(seed, 20000));
  } while (status > 0);
  return status;
}

static void *client(void *argument) {
  uint64_t seed = (uint64_t)(uintptr_t)argument;
  struct csd_split *split = NULL;
  uint8_t plan[WORLD_PLAN_BYTES];
  CHECK_OK(csd_split_create(device, GRANT, &split));
  for (int i = 0; i < QUERIES && check_failures == 0; i++) {
    const struct search_query query = query_of(&seed);
    const uint32_t bytes = search_query_plan(world, &query, plan);
    const uint32_t windows = 1 + check_random_below(&seed, 40);
    const uint32_t mode =
        check_random_below(&seed, 3) == 0 ? CSD_TASK_MODE_STATIC : CSD_TASK_MODE_DYNAMIC;
    CHECK_OK(csd_split_begin(split, plan, bytes, windows, mode, check_random_below(&seed, 5)));
    CHECK_OK(run(split, &seed));
    uint32_t got;
    const uint8_t *page = csd_split_page(split, &got);
    CHECK(search_query_check(world, &query, page, got));
    const struct csd_split_counts counts = csd_split_get_counts(split);
    CHECK((counts.windows >= 1) == (query.mode != CSD_MODE_SCORED_DOCS));
    CHECK(counts.windows <= windows);
    CHECK_EQ(counts.windows, counts.device + counts.raw + counts.handed_back);
    CHECK(mode != CSD_TASK_MODE_STATIC || counts.device == counts.windows);
    CHECK(raw_percent < 100 || mode == CSD_TASK_MODE_STATIC || counts.raw == counts.windows);
  }
  csd_split_destroy(split);
  return NULL;
}

static void clients_get_the_plans_answers(uint32_t threads) {
  open_device(threads);
  pthread_t clients[CLIENTS];
  for (uintptr_t i = 0; i < CLIENTS; i++) {
    REQUIRE(pthread_create(&clients[i], NULL, client, (void *)(i + 31 * threads)) == 0);
  }
  for (int i = 0; i < CLIENTS; i++) {
    pthread_join(clients[i], NULL);
  }
  csd_device_close(device);
}

static void one_device_thread(void) { clients_get_the_plans_answers(1); }
static void three_device_threads(void) { clients_get_the_plans_answers(3); }

static void windows_are_refused(uint32_t percent) {
  raw_percent = percent;
  clients_get_the_plans_answers(1);
  raw_percent = 0;
}

static void half_of_the_windows_are_refused(void) { windows_are_refused(50); }
static void all_windows_are_refused(void) { windows_are_refused(100); }

/* Plans are ended between two steps; the split goes on with others. */
static void plans_are_ended_between_windows(void) {
  open_device(1);
  uint64_t seed = 9;
  struct csd_split *split = NULL;
  uint8_t plan[WORLD_PLAN_BYTES];
  CHECK_OK(csd_split_create(device, GRANT, &split));
  for (int i = 0; i < 100 && check_failures == 0; i++) {
    const struct search_query query = query_of(&seed);
    const uint32_t bytes = search_query_plan(world, &query, plan);
    CHECK_OK(csd_split_begin(split, plan, bytes, 30, CSD_TASK_MODE_DYNAMIC, 3));
    CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
                 csd_split_begin(split, plan, bytes, 30, CSD_TASK_MODE_DYNAMIC, 3));
    int status = 1;
    for (uint32_t steps = check_random_below(&seed, 6); steps > 0 && status > 0; steps--) {
      status = csd_split_step(split, 1);
    }
    CHECK(status >= 0);
    csd_split_abort(split);
    CHECK_OK(csd_split_begin(split, plan, bytes, 4, CSD_TASK_MODE_DYNAMIC, 0));
    CHECK_OK(run(split, &seed));
    uint32_t got;
    const uint8_t *page = csd_split_page(split, &got);
    CHECK(search_query_check(world, &query, page, got));
  }
  csd_device_close(device); /* the split outlives its device */
  const struct search_query query = query_of(&seed);
  const uint32_t bytes = search_query_plan(world, &query, plan);
  /* A plan that is not cut asks the device only when it runs. */
  const int begun = csd_split_begin(split, plan, bytes, 2, CSD_TASK_MODE_DYNAMIC, 0);
  CHECK_STATUS(CSD_STATUS_CLOSED, begun == 0 ? run(split, &seed) : begun);
  csd_split_destroy(split);
}

/* What fails in the device fails again here, and is told as a plan's failure. */
static void damage_is_told_as_by_a_plan(void) {
  open_device(1);
  struct csd_queue *queue = client_queue(device);
  struct csd_split *split = NULL;
  uint8_t plan[WORLD_PLAN_BYTES];
  uint64_t seed = 1;
  const struct search_query query = {
      .mode = CSD_MODE_TOP_K, .k = 10, .term_count = 1, .list = {0}, .weight = {1}};
  const uint32_t bytes = search_query_plan(world, &query, plan);
  CHECK_OK(csd_split_create(device, GRANT, &split));
  CHECK_EQ(0, client_trim(queue, world->first_lba, world->page_count));
  CHECK_OK(csd_split_begin(split, plan, bytes, 4, CSD_TASK_MODE_STATIC, 0));
  CHECK_STATUS(CSD_STATUS_PAGE_CORRUPT, run(split, &seed));
  CHECK(strstr(csd_last_error(), "SUBMIT") != NULL); /* of the host, which says more */
  csd_split_destroy(split);
  csd_queue_destroy(queue);
  csd_device_close(device);
}

int main(void) {
  world = search_world_make(3, 33, 16);
  RUN(one_device_thread);
  RUN(three_device_threads);
  RUN(half_of_the_windows_are_refused);
  RUN(all_windows_are_refused);
  RUN(plans_are_ended_between_windows);
  RUN(damage_is_told_as_by_a_plan);
  search_world_free(world);
  return check_result();
}
