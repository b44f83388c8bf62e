/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Eight threads search and write one device at once, in so little memory that pages come and go.
   It was opened for reading; it becomes the writer while they search. */
#include <pthread.h>
#include <stdlib.h>

#include "csd/csd.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/search_world.h"

enum { LBAS = 1 << 14, THREADS = 8, QUERIES = 40, WORLDS = 3 };

static struct csd_device *device;
static struct search_world *worlds[WORLDS];

/* Rewrites and trims LBAs that no query reads, and those of the last world, whose readers must get
   its answer or a clear refusal. */
static void *disturb(void *unused) {
  (void)unused;
  struct csd_queue *queue = client_queue(device);
  CHECK_OK(csd_device_open_for_writing(device));
  for (int i = 0; i < 60; i++) {
    CHECK_EQ(0, client_write(queue, 9000, worlds[0]->pages, worlds[0]->page_count));
    CHECK_EQ(0, client_trim(queue, worlds[WORLDS - 1]->first_lba, 3));
    CHECK_EQ(0, search_world_write(worlds[WORLDS - 1], queue));
  }
  csd_queue_destroy(queue);
  return NULL;
}

static void *search(void *argument) {
  uint64_t seed = (uint64_t)(uintptr_t)argument;
  struct csd_queue *queue = client_queue(device);
  uint8_t plan[WORLD_PLAN_BYTES];
  uint8_t *result = malloc(CSD_MAX_RESULT_BYTES);
  for (int i = 0; i < QUERIES; i++) {
    const int64_t session = client_session(queue, 4 << 20);
    CHECK(session > 0);
    const int which = (int)check_random_below(&seed, WORLDS);
    const struct search_query query = search_query_random(&seed);
    const uint32_t size = search_query_plan(worlds[which], &query, plan);
    const int64_t got = client_plan(queue, (uint32_t)session, plan, size, result,
                                    CSD_MAX_RESULT_BYTES, 1 + check_random_below(&seed, 20000));
    if (got >= 0 || which < WORLDS - 1) {
      if (!search_query_check(worlds[which], &query, result, got)) {
        fprintf(stderr, "thread %d query %d: %s\n", (int)(uintptr_t)argument, i, csd_last_error());
      }
    } else {
      CHECK(got == -CSD_STATUS_PAGE_CORRUPT);
    }
    CHECK_EQ(0, client_close_session(queue, (uint32_t)session));
  }
  free(result);
  csd_queue_destroy(queue);
  return NULL;
}

static void many_threads_share_a_device(void) {
  device = client_open("threads", LBAS, 24 * CSD_PAGE_BYTES);
  struct csd_queue *queue = client_queue(device);
  for (int i = 0; i < WORLDS; i++) {
    worlds[i] = search_world_make((uint64_t)i + 1, (uint64_t)i + 100, (uint64_t)i * 1000);
    CHECK_EQ(0, search_world_write(worlds[i], queue));
  }
  csd_queue_destroy(queue);
  csd_device_close(device);
  const struct csd_device_options options = {.path = scratch_path("threads"),
                                             .capacity_bytes = (uint64_t)LBAS * CSD_LBA_BYTES,
                                             .dram_bytes = 24 * CSD_PAGE_BYTES,
                                             .read_first = true};
  REQUIRE_OK(csd_device_open(&options, &device));
  queue = client_queue(device);
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) {
    REQUIRE(pthread_create(&threads[i], NULL, i == 0 ? disturb : search, (void *)i) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  struct csd_device_stats stats;
  csd_device_get_stats(device, &stats);
  CHECK(stats.page_evictions > 0);
  CHECK_EQ(0, stats.sessions_open);
  CHECK(stats.programs >= QUERIES * (THREADS - 1) / 2);
  csd_queue_destroy(queue);
  csd_device_close(device);
  for (int i = 0; i < WORLDS; i++) {
    search_world_free(worlds[i]);
  }
}

int main(void) {
  RUN(many_threads_share_a_device);
  return check_result();
}
