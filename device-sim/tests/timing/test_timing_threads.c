/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Threads search and ask the model while another one sets, clears and writes. */
#include <pthread.h>
#include <stdlib.h>

#include "csd/csd_model.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/search_world.h"

enum { LBAS = 1 << 13, THREADS = 4, QUERIES = 40, TOGGLES = 60, FIRST_LBA = 100 };

static struct csd_device *device;
static struct search_world *world;

static int64_t set_model(struct csd_queue *queue, const struct csd_model_profile *profile) {
  const uint32_t bytes = profile != NULL ? (uint32_t)sizeof *profile : 0;
  return client_model(queue, profile, bytes, bytes / 100, 0);
}

static void *toggle(void *unused) {
  (void)unused;
  struct csd_queue *queue = client_queue(device);
  struct csd_model_profile profile = model_profile();
  struct csd_model_report report;
  for (int i = 0; i < TOGGLES; i++) {
    profile.flash_read_ns[0] = 10000u + (uint32_t)i;
    CHECK_EQ(0, set_model(queue, &profile));
    CHECK_EQ(0, client_write(queue, 4000, world->pages, world->page_count));
    CHECK_EQ(0, client_trim(queue, 4000, 3));
    CHECK_EQ(sizeof report, client_told(queue, 0, 1 + (uint32_t)i % 2, 0, &report, sizeof report));
    if (i % 3 == 0) {
      CHECK_EQ(0, set_model(queue, NULL));
    }
  }
  CHECK_EQ(0, set_model(queue, &profile));
  csd_queue_destroy(queue);
  return NULL;
}

static void *search(void *argument) {
  uint64_t seed = (uint64_t)(uintptr_t)argument;
  struct csd_queue *queue = client_queue(device);
  uint8_t plan[WORLD_PLAN_BYTES];
  uint8_t *result = malloc(CSD_MAX_RESULT_BYTES);
  const int64_t kept = client_session(queue, 4 << 20);
  for (int i = 0; i < QUERIES; i++) {
    const int64_t session = i % 2 == 0 ? kept : client_session(queue, 4 << 20);
    const struct search_query query = search_query_random(&seed);
    const uint32_t size = search_query_plan(world, &query, plan);
    const int64_t got = client_plan(queue, (uint32_t)session, plan, size, result,
                                    CSD_MAX_RESULT_BYTES, 1 + check_random_below(&seed, 20000));
    CHECK(search_query_check(world, &query, result, got));
    for (uint32_t what = 1; what <= 4; what++) {
      struct csd_model_report report;
      const int64_t told = client_told(queue, (uint32_t)session, what, 0, &report, sizeof report);
      CHECK(told >= 0 || told == -CSD_STATUS_INVALID_FIELD); /* the model was off */
      if (told > 0 && what <= 2) {
        CHECK_EQ(CSD_MODEL_REPORT_MAGIC, report.magic);
      }
    }
    if (session != kept) {
      CHECK_EQ(0, client_close_session(queue, (uint32_t)session));
    }
  }
  free(result);
  csd_queue_destroy(queue);
  return NULL;
}

static void profiles_come_and_go_under_way(void) {
  device = client_open("timing-threads", LBAS, 64 * CSD_PAGE_BYTES);
  struct csd_queue *queue = client_queue(device);
  CHECK_EQ(0, search_world_write(world, queue));
  csd_queue_destroy(queue);
  pthread_t threads[THREADS + 1];
  for (int i = 0; i <= THREADS; i++) {
    if (pthread_create(&threads[i], NULL, i == 0 ? toggle : search, (void *)(uintptr_t)i) != 0) {
      abort();
    }
  }
  for (int i = 0; i <= THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  csd_device_close(device); /* with sessions open that hold a profile */
}

int main(void) {
  world = search_world_make(33, 0x99, FIRST_LBA);
  RUN(profiles_come_and_go_under_way);
  search_world_free(world);
  return check_result();
}
