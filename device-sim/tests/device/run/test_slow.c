/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* A device whose cores are slow: the same answers, and a wait in proportion to the work. */
#include "device/run/device_parts.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/search_world.h"

enum { LBAS = 1 << 14, FIRST_LBA = 600, QUERIES = 20, MAX_SLOW = 1000 };

static struct csd_device_options options(uint32_t slow) {
  return (struct csd_device_options){.path = scratch_path("slow"),
                                     .capacity_bytes = (uint64_t)LBAS * CSD_LBA_BYTES,
                                     .dram_bytes = UINT64_C(2000) * CSD_FRAME_BYTES,
                                     .slow = slow};
}

/* Runs queries on a device, and sets what it did. */
static void search(const struct search_world *world, uint32_t slow,
                   struct csd_device_stats *stats) {
  static uint8_t plan[WORLD_PLAN_BYTES];
  static uint8_t result[CSD_MAX_RESULT_BYTES];
  const struct csd_device_options opening = options(slow);
  struct csd_device *device;
  REQUIRE_OK(csd_device_open(&opening, &device));
  struct csd_queue *queue = client_queue(device);
  CHECK_EQ(0, search_world_write(world, queue));
  const uint32_t session = (uint32_t)client_session(queue, 4 << 20);
  uint64_t seed = 5;
  for (int i = 0; i < QUERIES; i++) {
    const struct search_query query = search_query_random(&seed);
    const uint32_t bytes = search_query_plan(world, &query, plan);
    const int64_t got =
        client_plan(queue, session, plan, bytes, result, sizeof result, CSD_BUDGET_UNLIMITED);
    search_query_check(world, &query, result, got);
  }
  csd_device_get_stats(device, stats);
  csd_queue_destroy(queue);
  csd_device_close(device);
}

static void programs_wait_for_their_work(void) {
  struct search_world *world = search_world_make(5, 77, FIRST_LBA);
  for (uint32_t slow = 2; slow <= 8; slow *= 2) {
    struct csd_device_stats stats;
    search(world, slow, &stats);
    CHECK(stats.worked_ns > 0);
    CHECK_EQ((slow - 1) * stats.worked_ns, stats.slowed_ns);
  }
  search_world_free(world);
}

static void other_devices_do_not_wait(void) {
  struct search_world *world = search_world_make(5, 77, FIRST_LBA);
  for (uint32_t slow = 0; slow <= 1; slow++) {
    struct csd_device_stats stats;
    search(world, slow, &stats);
    CHECK(stats.programs >= QUERIES);
    CHECK_EQ(0, stats.slowed_ns);
  }
  search_world_free(world);
}

static void none_is_slower_than_that(void) {
  const struct csd_device_options opening = options(MAX_SLOW + 1);
  struct csd_device *device;
  CHECK_EQ(-CSD_STATUS_INVALID_ARGUMENT, csd_device_open(&opening, &device));
}

int main(void) {
  RUN(programs_wait_for_their_work);
  RUN(other_devices_do_not_wait);
  RUN(none_is_slower_than_that);
  return check_result();
}
