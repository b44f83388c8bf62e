/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Queues: order, room, phase, budget, abort, and what close does to them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "csd/csd.h"
#include "device/run/device_parts.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/search_world.h"

enum { LBAS = 1 << 16 };

static struct csd_device *device;
static struct csd_queue *queue;
static struct search_world *world;
static uint8_t plan[WORLD_PLAN_BYTES], result[CSD_MAX_RESULT_BYTES];
static uint32_t plan_bytes, session;

/* A long query, ready to be submitted. */
static void set_up(const char *name) {
  const struct search_query query = {
      .mode = CSD_MODE_SCORED_DOCS,
      .term_count = 3,
      .list = {0, 1, 2},
      .occur = {CSD_OCCUR_SHOULD, CSD_OCCUR_SHOULD, CSD_OCCUR_SHOULD},
      .weight = {1, 2, 3}};
  device = client_open(name, LBAS, 1 << 20);
  queue = client_queue(device);
  world = search_world_make(3, 77, 1000);
  CHECK_EQ(0, search_world_write(world, queue));
  plan_bytes = search_query_plan(world, &query, plan);
  session = (uint32_t)client_session(queue, 4 << 20);
}

static void tear_down(void) {
  csd_queue_destroy(queue);
  csd_device_close(device);
  search_world_free(world);
}

static struct csd_submission submit_command(uint16_t id) {
  return (struct csd_submission){.opcode = CSD_OPCODE_SUBMIT,
                                 .command_id = id,
                                 .nsid = 1,
                                 .data = (uint64_t)(uintptr_t)plan,
                                 .data_bytes = plan_bytes,
                                 .cdw10 = session,
                                 .cdw11 = plan_bytes};
}

static struct csd_submission fetch_command(uint16_t id) {
  return (struct csd_submission){.opcode = CSD_OPCODE_FETCH,
                                 .command_id = id,
                                 .nsid = 1,
                                 .data = (uint64_t)(uintptr_t)result,
                                 .data_bytes = sizeof result,
                                 .cdw10 = session,
                                 .cdw12 = sizeof result};
}

static void completions_come_in_order_with_phase(void) {
  set_up("order");
  struct csd_queue *small;
  struct csd_completion done[8];
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_queue_create(device, 0, &small));
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
               csd_queue_create(device, CSD_MAX_QUEUE_DEPTH + 1, &small));
  REQUIRE_OK(csd_queue_create(device, 3, &small));
  uint32_t total = 0;
  for (uint16_t round = 0; round < 5; round++) {
    struct csd_submission flushes[4] = {{.opcode = CSD_OPCODE_FLUSH, .nsid = 1}};
    for (uint16_t i = 0; i < 4; i++) {
      flushes[i] = flushes[0];
      flushes[i].command_id = (uint16_t)(100 * round + i);
    }
    CHECK_STATUS(CSD_STATUS_QUEUE_FULL, csd_queue_submit(small, flushes, 4)); /* none of them */
    CHECK_EQ(0, csd_queue_pending(small));
    CHECK_OK(csd_queue_submit(small, flushes, 2));
    CHECK_STATUS(CSD_STATUS_QUEUE_FULL, csd_queue_submit(small, flushes, 2));
    CHECK_EQ(2, csd_queue_pending(small));
    CHECK_EQ(1, csd_queue_poll(small, done, 1, 1));
    CHECK_EQ(1, csd_queue_poll(small, done + 1, 7, 1));
    CHECK_EQ(0, csd_queue_poll(small, done + 2, 6, 1));
    for (int i = 0; i < 2; i++, total++) {
      CHECK_EQ(100 * round + i, done[i].command_id);
      CHECK_EQ((total + 1) % 3, done[i].sq_head);
      CHECK_EQ((total / 3 + 1) % 2, done[i].phase_status & 1);
      CHECK_EQ(0, csd_completion_status(&done[i]));
    }
  }
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_queue_poll(small, done, 0, 1));
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_queue_poll(small, done, 1, 0));
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_queue_poll(small, NULL, 1, 1));
  csd_queue_destroy(small);
  tear_down();
}

static void a_budget_bounds_a_poll(void) {
  set_up("budget");
  struct csd_completion done[2];
  const struct csd_submission commands[2] = {submit_command(1), fetch_command(2)};
  CHECK_OK(csd_queue_submit(queue, commands, 2));
  int polls = 1, count;
  while ((count = csd_queue_poll(queue, done, 2, 1000)) == 0) {
    polls++;
  }
  CHECK_EQ(2, count); /* the FETCH comes with the SUBMIT */
  CHECK_MSG(polls > 2 && polls < 100, "%d polls", polls);
  CHECK_EQ(done[0].dw0, done[1].dw0);
  const uint32_t bytes = done[0].dw0;
  CHECK_OK(csd_queue_submit(queue, commands, 2));
  CHECK_EQ(2, csd_queue_poll(queue, done, 2, CSD_BUDGET_UNLIMITED)); /* one call each */
  CHECK_EQ(bytes, done[1].dw0);
  tear_down();
}

static void an_abort_ends_programs_submitted_before_it(void) {
  set_up("abort");
  struct csd_completion done[4];
  const struct csd_submission commands[3] = {submit_command(1), submit_command(2),
                                             fetch_command(3)};
  csd_queue_abort(queue); /* nothing is there to end */
  CHECK_OK(csd_queue_submit(queue, commands, 3));
  CHECK_EQ(0, csd_queue_poll(queue, done, 4, 500));
  csd_queue_abort(queue);
  const struct csd_submission after = submit_command(4);
  CHECK_OK(csd_queue_submit(queue, &after, 1));
  REQUIRE(csd_queue_poll(queue, done, 4, CSD_BUDGET_UNLIMITED) == 4);
  CHECK_EQ(CSD_STATUS_ABORTED, csd_completion_status(&done[0]));
  CHECK_EQ(CSD_STATUS_ABORTED, csd_completion_status(&done[1]));
  CHECK_EQ(CSD_STATUS_OK, csd_completion_status(&done[2]));
  CHECK_EQ(0, done[2].dw0);
  CHECK_EQ(CSD_STATUS_OK, csd_completion_status(&done[3]));
  CHECK(done[3].dw0 > 64);
  tear_down();
}

static void a_session_under_way_is_busy(void) {
  set_up("busy");
  struct csd_queue *other = client_queue(device);
  struct csd_completion done[2];
  const struct csd_submission submit = submit_command(1), fetch = fetch_command(2);
  CHECK_OK(csd_queue_submit(queue, &submit, 1));
  CHECK_EQ(0, csd_queue_poll(queue, done, 1, 500));
  CHECK_EQ(-CSD_STATUS_BUSY, client_run(other, &submit));
  CHECK_EQ(-CSD_STATUS_BUSY, client_run(other, &fetch));
  CHECK_EQ(-CSD_STATUS_BUSY, client_close_session(other, session));
  REQUIRE(csd_queue_poll(queue, done, 1, CSD_BUDGET_UNLIMITED) == 1);
  CHECK_EQ(0, csd_completion_status(&done[0]));
  CHECK_EQ(done[0].dw0, client_run(other, &fetch)); /* from any queue, once it is done */
  CHECK_EQ(0, client_close_session(other, session));
  CHECK_EQ(-CSD_STATUS_NO_SESSION, client_run(queue, &submit));
  csd_queue_destroy(other);
  tear_down();
}

/* Destroying a queue in mid-program gives the session and its pages back. */
static void a_destroyed_queue_lets_go(void) {
  set_up("destroy");
  struct csd_queue *other = client_queue(device);
  struct csd_completion done[2];
  const struct csd_submission submit = submit_command(1);
  CHECK_OK(csd_queue_submit(other, &submit, 1));
  CHECK_EQ(0, csd_queue_poll(other, done, 1, 500));
  csd_queue_destroy(other);
  CHECK(client_run(queue, &submit) > 64);
  tear_down();
}

/* A dropped resource stays as long as a program that is under way needs it. */
static void a_dropped_resource_stays_for_its_program(void) {
  set_up("resource");
  static uint64_t live[(WORLD_MAX_DOC + 63) / 64];
  for (size_t i = 0; i < sizeof live / sizeof live[0]; i++) {
    live[i] = 0x5555555555555555u;
  }
  const int64_t resource = client_live_docs(queue, live, sizeof live);
  REQUIRE(resource > 0);
  struct csd_plan_header header;
  memcpy(&header, plan, sizeof header);
  header.live_docs = (uint32_t)resource;
  memcpy(plan, &header, sizeof header);
  struct csd_queue *other = client_queue(device);
  struct csd_completion done[2];
  const struct csd_submission commands[2] = {submit_command(1), fetch_command(2)};
  CHECK_OK(csd_queue_submit(queue, commands, 2));
  CHECK_EQ(0, csd_queue_poll(queue, done, 2, 500));
  memset(plan, 0xFF, sizeof plan); /* the plan is not looked at again either */
  CHECK_EQ(0, client_drop(other, (uint32_t)resource));
  REQUIRE(csd_queue_poll(queue, done, 2, CSD_BUDGET_UNLIMITED) == 2);
  CHECK_EQ(0, csd_completion_status(&done[0]));
  struct csd_result_header page;
  memcpy(&page, result, sizeof page);
  CHECK(page.entry_count > 1000);
  for (uint32_t i = 0; i < page.entry_count; i++) {
    uint32_t doc;
    memcpy(&doc, result + sizeof page + i * 4, 4);
    REQUIRE(doc % 2 == 0);
  }
  struct csd_device_stats stats;
  csd_device_get_stats(device, &stats);
  CHECK_EQ(0, stats.resources);
  csd_queue_destroy(other);
  tear_down();
}

static void queues_outlive_their_device(void) {
  set_up("outlive");
  struct csd_queue *idle = client_queue(device);
  struct csd_completion done[2];
  const struct csd_submission submit = submit_command(1);
  CHECK_OK(csd_queue_submit(queue, &submit, 1));
  CHECK_EQ(0, csd_queue_poll(queue, done, 1, 500)); /* pages are pinned now */
  csd_device_close(device);
  CHECK_STATUS(CSD_STATUS_CLOSED, csd_queue_poll(queue, done, 1, 500));
  CHECK_STATUS(CSD_STATUS_CLOSED, csd_queue_submit(queue, &submit, 1));
  CHECK_STATUS(CSD_STATUS_CLOSED, csd_queue_submit(idle, &submit, 1));
  csd_queue_abort(queue);
  csd_queue_destroy(queue);
  csd_queue_destroy(idle);
  csd_queue_destroy(NULL);
  csd_device_close(NULL);
  search_world_free(world);
}

/* While it waits for those inside, csd_device_close goes through the queues and enters each. */
static void who_comes_while_a_device_closes_is_told_so(void) {
  set_up("closing");
  struct csd_completion done;
  const struct csd_submission submit = submit_command(1);
  CHECK(!atomic_flag_test_and_set(&queue->entered));
  CHECK_STATUS(CSD_STATUS_BUSY, csd_queue_submit(queue, &submit, 1));
  atomic_store(&device->closing, true);
  CHECK_STATUS(CSD_STATUS_CLOSED, csd_queue_submit(queue, &submit, 1));
  CHECK_STATUS(CSD_STATUS_CLOSED, csd_queue_poll(queue, &done, 1, CSD_BUDGET_UNLIMITED));
  atomic_flag_clear(&queue->entered);
  tear_down();
}

static atomic_int started;

static void *run_for_ever(void *argument) {
  struct csd_queue *mine = argument;
  struct csd_submission submit = submit_command(9);
  struct csd_completion done;
  const int64_t own = client_session(mine, 4 << 20);
  submit.cdw10 = (uint32_t)own;
  int status;
  do {
    status = csd_queue_submit(mine, &submit, 1);
    if (status == 0) {
      status = csd_queue_poll(mine, &done, 1, CSD_BUDGET_UNLIMITED);
    }
    atomic_fetch_add(&started, 1);
  } while (status == 1 && csd_completion_status(&done) == 0);
  CHECK(status == -CSD_STATUS_CLOSED || csd_completion_status(&done) == CSD_STATUS_CLOSED);
  csd_queue_destroy(mine);
  return NULL;
}

static void close_ends_running_programs(void) {
  set_up("close");
  pthread_t threads[3];
  atomic_store(&started, 0);
  for (int i = 0; i < 3; i++) {
    REQUIRE(pthread_create(&threads[i], NULL, run_for_ever, client_queue(device)) == 0);
  }
  while (atomic_load(&started) < 20) {
    usleep(100);
  }
  csd_device_close(device);
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], NULL);
  }
  csd_queue_destroy(queue);
  search_world_free(world);
}

int main(void) {
  RUN(completions_come_in_order_with_phase);
  RUN(a_budget_bounds_a_poll);
  RUN(an_abort_ends_programs_submitted_before_it);
  RUN(a_session_under_way_is_busy);
  RUN(a_destroyed_queue_lets_go);
  RUN(a_dropped_resource_stays_for_its_program);
  RUN(queues_outlive_their_device);
  RUN(who_comes_while_a_device_closes_is_told_so);
  RUN(close_ends_running_programs);
  return check_result();
}
