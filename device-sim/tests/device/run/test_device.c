/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The device from outside: block store, sessions, plans over written pages, failures. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "csd/csd.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/search_world.h"

enum { LBAS = 1 << 16, DRAM_BYTES = 1 << 20 };
enum { FLAGS = CSD_INFO_FLAG_TASKS | CSD_INFO_FLAG_BM25_TABLES | CSD_INFO_FLAG_SERIES };

static uint8_t plan[WORLD_PLAN_BYTES], result[CSD_MAX_RESULT_BYTES];
static uint8_t bytes[8 * CSD_LBA_BYTES], back[8 * CSD_LBA_BYTES];

static int syncs; /* of files */

int fdatasync(int file) {
  syncs++;
  return (int)syscall(SYS_fdatasync, file);
}

static void options_are_checked(void) {
  struct csd_device *device;
  struct csd_device_options options = {.path = scratch_path("options")};
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_device_open(NULL, &device));
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_device_open(&options, NULL));
  options.capacity_bytes = 5000;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_device_open(&options, &device));
  options.capacity_bytes = UINT64_MAX - CSD_LBA_BYTES + 1;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_device_open(&options, &device));
  options.capacity_bytes = 0;
  options.max_sessions = 65536;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_device_open(&options, &device));
  options.max_sessions = 0;
  options.path = "";
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_device_open(&options, &device));
  options.path = "/nowhere/at/all";
  CHECK_STATUS(CSD_STATUS_IO_ERROR, csd_device_open(&options, &device));
  CHECK(strstr(csd_last_error(), "/nowhere/at/all") != NULL);
}

static struct csd_device_info info_of(struct csd_queue *queue) {
  struct csd_device_info info = {0};
  const struct csd_submission fetch = {.opcode = CSD_OPCODE_FETCH,
                                       .nsid = 1,
                                       .data = (uint64_t)(uintptr_t)&info,
                                       .data_bytes = sizeof info,
                                       .cdw12 = sizeof info};
  CHECK_EQ(sizeof info, client_run(queue, &fetch));
  return info;
}

static void defaults_and_capabilities(void) {
  struct csd_device_options options = {.path = scratch_path("defaults")};
  struct csd_device *device;
  REQUIRE_OK(csd_device_open(&options, &device));
  struct csd_queue *queue = client_queue(device);
  const struct csd_device_info info = info_of(queue);
  CHECK_EQ(CSD_INFO_MAGIC, info.magic);
  CHECK_EQ(1u << 24, info.lba_count);
  CHECK(info.dram_bytes > (64u << 20));
  CHECK_EQ(CSD_MAX_PLAN_BYTES, info.max_plan_bytes);
  CHECK_EQ(0x7E, info.mode_bits);
  CHECK_EQ(CSD_OP_ALL_BITS, info.op_bits);
  CHECK_EQ(1024, info.max_sessions);
  CHECK(info.kernels[0] != 0 && info.model[0] != 0);
  CHECK_EQ(FLAGS, info.flags);
  csd_queue_destroy(queue);
  csd_device_close(device);
}

static void blocks_are_stored(void) {
  struct csd_device *device = client_open("blocks", LBAS, DRAM_BYTES);
  struct csd_queue *queue = client_queue(device);
  for (size_t i = 0; i < sizeof bytes; i++) {
    bytes[i] = (uint8_t)(i * 31 / 7);
  }
  CHECK_EQ(0, client_write(queue, 100, bytes, 8));
  CHECK_EQ(0, client_read(queue, 100, back, 8));
  CHECK(memcmp(bytes, back, sizeof bytes) == 0);
  CHECK_EQ(0, client_trim(queue, 101, 6));
  CHECK_EQ(0, client_read(queue, 107, back, 1));
  CHECK(memcmp(bytes + 7 * CSD_LBA_BYTES, back, CSD_LBA_BYTES) == 0);
  CHECK_EQ(-CSD_STATUS_OUT_OF_RANGE, client_write(queue, LBAS - 7, bytes, 8));
  CHECK_EQ(-CSD_STATUS_OUT_OF_RANGE, client_trim(queue, LBAS - 7, 8));
  const struct csd_submission flush = {.opcode = CSD_OPCODE_FLUSH, .nsid = 1};
  CHECK_EQ(0, client_run(queue, &flush));
  struct csd_device_stats stats;
  csd_device_get_stats(device, &stats);
  CHECK_EQ(8, stats.lbas_written);
  CHECK_EQ(9, stats.lbas_read);
  CHECK_EQ(6, stats.lbas_trimmed);
  CHECK_EQ(7, stats.commands);
  CHECK_EQ(2, stats.commands_failed);
  csd_queue_destroy(queue);
  csd_device_get_stats(device, &stats);
  CHECK_EQ(7, stats.commands); /* of queues that are gone, too */
  csd_device_close(device);
}

/* A sync makes the pages durable; a FLUSH also what the device keeps of the page index. */
static void a_sync_is_less_than_a_flush(void) {
  const struct csd_submission flush = {.opcode = CSD_OPCODE_FLUSH, .nsid = 1};
  struct csd_device *device = client_open("sync", LBAS, DRAM_BYTES);
  struct csd_queue *queue = client_queue(device);
  CHECK_EQ(0, client_write(queue, 100, bytes, 8));
  syncs = 0;
  CHECK_OK(csd_queue_sync(queue));
  CHECK_EQ(1, syncs);
  CHECK_EQ(0, client_run(queue, &flush));
  CHECK_EQ(3, syncs);
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_queue_sync(NULL));
  csd_device_close(device);
  CHECK_STATUS(CSD_STATUS_CLOSED, csd_queue_sync(queue));
  csd_queue_destroy(queue);
}

/* Written pages, found by plans, as brute force finds them: in one step and in the smallest. */
static void plans_find_what_brute_force_finds(void) {
  struct csd_device *device = client_open("search", LBAS, DRAM_BYTES);
  struct csd_queue *queue = client_queue(device);
  struct search_world *world = search_world_make(3, 77, 1000);
  REQUIRE(world->page_count > 8);
  CHECK_EQ(0, search_world_write(world, queue));
  const int64_t session = client_session(queue, 4 << 20);
  REQUIRE(session > 0);
  uint64_t seed = 5;
  for (int i = 0; i < 120; i++) {
    const struct search_query query = search_query_random(&seed);
    const uint32_t size = search_query_plan(world, &query, plan);
    const int64_t got = client_plan(queue, (uint32_t)session, plan, size, result, sizeof result,
                                    i % 3 == 0   ? 1
                                    : i % 3 == 1 ? 700
                                                 : CSD_BUDGET_UNLIMITED);
    if (!search_query_check(world, &query, result, got)) {
      fprintf(stderr, "query %d: %s\n", i, csd_last_error());
    }
  }
  struct csd_device_stats stats;
  csd_device_get_stats(device, &stats);
  CHECK_EQ(120, stats.programs);
  CHECK(stats.page_loads >= 1 && stats.page_loads <= world->page_count);
  CHECK_EQ(1, stats.sessions_open);
  CHECK_EQ(0, client_close_session(queue, (uint32_t)session));
  search_world_free(world);
  csd_queue_destroy(queue);
  csd_device_close(device);
}

static int64_t run_query(const struct search_world *world, struct csd_queue *queue, int64_t session,
                         const struct search_query *query) {
  const uint32_t size = search_query_plan(world, query, plan);
  return client_plan(queue, (uint32_t)session, plan, size, result, sizeof result,
                     CSD_BUDGET_UNLIMITED);
}

static const struct search_query AND = {
    .mode = CSD_MODE_DOCS, .term_count = 2, .list = {0, 1}, .weight = {1, 1}};

static void rewritten_and_damaged_pages_are_noticed(void) {
  struct csd_device *device = client_open("rewrite", LBAS, DRAM_BYTES);
  struct csd_queue *queue = client_queue(device);
  struct search_world *old = search_world_make(3, 77, 1000), *new = search_world_make(4, 78, 1000);
  const int64_t session = client_session(queue, 0);
  REQUIRE(session > 0);
  CHECK_EQ(-CSD_STATUS_PAGE_CORRUPT, run_query(old, queue, session, &AND));
  CHECK(strstr(csd_last_error(), "magic") != NULL && strstr(csd_last_error(), "LBA 10") != NULL &&
        strstr(csd_last_error(), "SUBMIT") != NULL);
  CHECK_EQ(0, search_world_write(old, queue));
  search_query_check(old, &AND, result, run_query(old, queue, session, &AND));
  CHECK_EQ(0, search_world_write(new, queue));
  CHECK_EQ(-CSD_STATUS_PAGE_STALE, run_query(old, queue, session, &AND));
  search_query_check(new, &AND, result, run_query(new, queue, session, &AND));
  new->pages[2000] ^= 1;
  CHECK_EQ(0, search_world_write(new, queue)); /* stored like any other data */
  CHECK_EQ(0, client_read(queue, 1000, back, 1));
  CHECK(memcmp(back, new->pages, CSD_LBA_BYTES) == 0);
  CHECK_EQ(-CSD_STATUS_PAGE_CORRUPT, run_query(new, queue, session, &AND));
  new->pages[2000] ^= 1;
  CHECK_EQ(0, search_world_write(new, queue));
  search_query_check(new, &AND, result, run_query(new, queue, session, &AND));
  CHECK_EQ(0, client_trim(queue, 1000, new->page_count));
  CHECK_EQ(-CSD_STATUS_PAGE_CORRUPT, run_query(new, queue, session, &AND));
  struct csd_device_stats stats;
  csd_device_get_stats(device, &stats);
  CHECK_EQ(4, stats.page_rejects);
  search_world_free(old);
  search_world_free(new);
  csd_queue_destroy(queue);
  csd_device_close(device);
}

/* Another process, or here another device, may read what this one has written. */
static void a_reader_follows_the_writer(void) {
  struct csd_device *writer = client_open("shared", LBAS, DRAM_BYTES), *reader, *third;
  struct csd_device_options options = {.path = scratch_path("shared"),
                                       .capacity_bytes = (uint64_t)LBAS * CSD_LBA_BYTES};
  CHECK_STATUS(CSD_STATUS_LOCKED, csd_device_open(&options, &third));
  options.read_only = true;
  REQUIRE_OK(csd_device_open(&options, &reader));
  struct csd_queue *write_queue = client_queue(writer), *queue = client_queue(reader);
  CHECK_EQ(CSD_INFO_FLAG_READ_ONLY | FLAGS, info_of(queue).flags);
  struct search_world *old = search_world_make(3, 77, 1000), *new = search_world_make(4, 78, 1000);
  const int64_t session = client_session(queue, 0);
  CHECK_EQ(0, search_world_write(old, write_queue));
  search_query_check(old, &AND, result, run_query(old, queue, session, &AND));
  CHECK_EQ(0, search_world_write(new, write_queue));
  search_query_check(new, &AND, result, run_query(new, queue, session, &AND));
  CHECK_EQ(-CSD_STATUS_PAGE_STALE, run_query(old, queue, session, &AND));
  CHECK_EQ(-CSD_STATUS_READ_ONLY, search_world_write(new, queue));
  CHECK_EQ(-CSD_STATUS_READ_ONLY, client_trim(queue, 0, 1));
  search_world_free(old);
  search_world_free(new);
  csd_queue_destroy(queue);
  csd_queue_destroy(write_queue);
  csd_device_close(reader);
  csd_device_close(writer);
}

static void a_reader_becomes_the_writer(void) {
  struct csd_device *device = client_open("later", LBAS, DRAM_BYTES), *second;
  struct csd_queue *queue = client_queue(device);
  struct search_world *world = search_world_make(3, 77, 1000);
  struct search_world *next = search_world_make(4, 78, 1000);
  CHECK_EQ(0, search_world_write(world, queue));
  csd_queue_destroy(queue);
  csd_device_close(device);
  const struct csd_device_options options = {.path = scratch_path("later"),
                                             .capacity_bytes = (uint64_t)LBAS * CSD_LBA_BYTES,
                                             .read_first = true};
  REQUIRE_OK(csd_device_open(&options, &device));
  queue = client_queue(device);
  const int64_t session = client_session(queue, 0);
  CHECK_EQ(CSD_INFO_FLAG_READ_ONLY | FLAGS, info_of(queue).flags);
  CHECK_EQ(-CSD_STATUS_READ_ONLY, search_world_write(next, queue));
  search_query_check(world, &AND, result, run_query(world, queue, session, &AND));
  CHECK_OK(csd_device_open_for_writing(device));
  CHECK_OK(csd_device_open_for_writing(device));
  CHECK_EQ(FLAGS, info_of(queue).flags);
  REQUIRE_OK(csd_device_open(&options, &second));
  CHECK_STATUS(CSD_STATUS_LOCKED, csd_device_open_for_writing(second));
  csd_device_close(second);
  search_query_check(world, &AND, result, run_query(world, queue, session, &AND));
  CHECK_EQ(0, search_world_write(next, queue));
  search_query_check(next, &AND, result, run_query(next, queue, session, &AND));
  search_world_free(world);
  search_world_free(next);
  csd_queue_destroy(queue);
  csd_device_close(device);
}

static void bad_plans_leave_the_session_usable(void) {
  struct csd_device *device = client_open("badplan", LBAS, DRAM_BYTES);
  struct csd_queue *queue = client_queue(device);
  struct search_world *world = search_world_make(3, 77, 1000);
  CHECK_EQ(0, search_world_write(world, queue));
  const int64_t session = client_session(queue, 0);
  const uint32_t size = search_query_plan(world, &AND, plan);
  plan[0] ^= 1;
  CHECK_EQ(-CSD_STATUS_PLAN_MALFORMED, client_plan(queue, (uint32_t)session, plan, size, result,
                                                   sizeof result, CSD_BUDGET_UNLIMITED));
  CHECK(strstr(csd_last_error(), "SUBMIT") != NULL);
  /* What a failed SUBMIT leaves is an empty result, not the one before. */
  const struct csd_submission fetch = {.opcode = CSD_OPCODE_FETCH,
                                       .nsid = 1,
                                       .data = (uint64_t)(uintptr_t)result,
                                       .data_bytes = 64,
                                       .cdw10 = (uint32_t)session,
                                       .cdw12 = 64};
  CHECK_EQ(0, client_run(queue, &fetch));
  CHECK_EQ(-CSD_STATUS_PLAN_TRUNCATED, client_plan(queue, (uint32_t)session, plan, 0, result,
                                                   sizeof result, CSD_BUDGET_UNLIMITED));
  search_query_check(world, &AND, result, run_query(world, queue, session, &AND));
  const int64_t small = client_session(queue, CSD_MIN_GRANT_BYTES);
  const struct csd_submission too_large = {.opcode = CSD_OPCODE_SUBMIT,
                                           .nsid = 1,
                                           .data = (uint64_t)(uintptr_t)result,
                                           .data_bytes = 100000,
                                           .cdw10 = (uint32_t)small,
                                           .cdw11 = 100000};
  CHECK_EQ(-CSD_STATUS_INSUFFICIENT_GRANT, client_run(queue, &too_large));
  search_world_free(world);
  csd_queue_destroy(queue);
  csd_device_close(device);
}

/* A result page in pieces, as a host with a small buffer takes it. */
static void a_result_is_fetched_in_pieces(void) {
  struct csd_device *device = client_open("pieces", LBAS, DRAM_BYTES);
  struct csd_queue *queue = client_queue(device);
  struct search_world *world = search_world_make(3, 77, 1000);
  CHECK_EQ(0, search_world_write(world, queue));
  const int64_t session = client_session(queue, 4 << 20);
  const int64_t size = run_query(world, queue, session, &AND);
  REQUIRE(size > 1000);
  uint8_t piece[333];
  struct csd_submission fetch = {.opcode = CSD_OPCODE_FETCH,
                                 .nsid = 1,
                                 .data = (uint64_t)(uintptr_t)piece,
                                 .data_bytes = sizeof piece,
                                 .cdw10 = (uint32_t)session,
                                 .cdw12 = sizeof piece};
  for (int64_t at = 0; at < size; at += (int64_t)sizeof piece) {
    fetch.cdw11 = (uint32_t)at;
    const int64_t left = size - at < (int64_t)sizeof piece ? size - at : (int64_t)sizeof piece;
    REQUIRE(client_run(queue, &fetch) == left);
    CHECK(memcmp(piece, result + at, (size_t)left) == 0);
  }
  fetch.cdw11 = (uint32_t)size;
  CHECK_EQ(0, client_run(queue, &fetch));
  fetch.cdw11 = (uint32_t)size + 1;
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, client_run(queue, &fetch));
  search_world_free(world);
  csd_queue_destroy(queue);
  csd_device_close(device);
}

int main(void) {
  RUN(options_are_checked);
  RUN(defaults_and_capabilities);
  RUN(blocks_are_stored);
  RUN(a_sync_is_less_than_a_flush);
  RUN(plans_find_what_brute_force_finds);
  RUN(rewritten_and_damaged_pages_are_noticed);
  RUN(a_reader_follows_the_writer);
  RUN(a_reader_becomes_the_writer);
  RUN(bad_plans_leave_the_session_usable);
  RUN(a_result_is_fetched_in_pieces);
  return check_result();
}
