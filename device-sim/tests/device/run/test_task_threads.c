/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tasks: INIT_TSK, READ_PROC, READ_FILT, FINAL, by themselves and by many threads at once. */
#include <pthread.h>
#include <stdlib.h>

#include "csd/csd.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/search_world.h"

enum { LBAS = 1 << 12, CLIENTS = 6, QUERIES = 60, WINDOWS = 6 };

static struct csd_device *device;
static struct search_world *world;

static int64_t command(struct csd_queue *queue, uint8_t opcode, int64_t session, uint32_t cdw11,
                       uint32_t cdw12, uint32_t cdw13) {
  const struct csd_submission c = {.opcode = opcode,
                                   .nsid = 1,
                                   .cdw10 = (uint32_t)session,
                                   .cdw11 = cdw11,
                                   .cdw12 = cdw12,
                                   .cdw13 = cdw13};
  return client_run(queue, &c);
}

static int64_t init(struct csd_queue *queue, int64_t session, const uint8_t *plan, uint32_t bytes,
                    uint32_t mode, uint32_t windows) {
  const struct csd_submission c = {.opcode = CSD_OPCODE_INIT_TSK,
                                   .nsid = 1,
                                   .data = (uintptr_t)plan,
                                   .data_bytes = bytes,
                                   .cdw10 = (uint32_t)session,
                                   .cdw11 = bytes,
                                   .cdw12 = mode,
                                   .cdw13 = windows};
  return client_run(queue, &c);
}

static int64_t fetch(struct csd_queue *queue, int64_t session, uint8_t *page) {
  const struct csd_submission c = {.opcode = CSD_OPCODE_FETCH,
                                   .nsid = 1,
                                   .data = (uintptr_t)page,
                                   .data_bytes = CSD_MAX_RESULT_BYTES,
                                   .cdw10 = (uint32_t)session,
                                   .cdw12 = CSD_MAX_RESULT_BYTES};
  return client_run(queue, &c);
}

static void open_device(uint32_t threads, uint32_t windows) {
  const struct csd_device_options options = {.path = scratch_path("tasks"),
                                             .capacity_bytes = (uint64_t)LBAS * CSD_LBA_BYTES,
                                             .dram_bytes = 64 * CSD_PAGE_BYTES,
                                             .task_threads = threads,
                                             .task_windows = windows};
  REQUIRE_OK(csd_device_open(&options, &device));
  struct csd_queue *queue = client_queue(device);
  CHECK_EQ(0, search_world_write(world, queue));
  csd_queue_destroy(queue);
}

static struct search_query query_of(uint64_t *seed, uint8_t mode) {
  struct search_query query = search_query_random(seed);
  query.mode = mode;
  query.k = mode == CSD_MODE_TOP_K ? 10 : 0;
  return query;
}

static const uint8_t modes[] = {CSD_MODE_COUNT, CSD_MODE_DOCS, CSD_MODE_TOP_K};

/* All windows on the device, which is waited for: the answer is that of the plan. */
static void all_static(struct csd_queue *queue, int64_t session, uint64_t *seed, uint8_t *page) {
  uint8_t plan[WORLD_PLAN_BYTES];
  const struct search_query query = query_of(seed, modes[check_random_below(seed, 3)]);
  const uint32_t bytes = search_query_plan(world, &query, plan);
  CHECK_EQ(0, init(queue, session, plan, bytes, CSD_TASK_MODE_STATIC, 1));
  for (uint32_t i = 0; i < WINDOWS; i++) {
    CHECK_EQ(CSD_TASK_ANSWER_TAKEN,
             command(queue, CSD_OPCODE_READ_PROC, session, i * (WORLD_MAX_DOC / WINDOWS),
                     (i + 1) * (WORLD_MAX_DOC / WINDOWS), 0));
  }
  const int64_t left = command(queue, CSD_OPCODE_FINAL, session, 0, 0, 0);
  CHECK_EQ(left, fetch(queue, session, page));
  struct csd_result_header header;
  memcpy(&header, page, sizeof header);
  CHECK_EQ(WINDOWS, header.windows);
  CHECK(search_query_check(world, &query, page, left));
}

/* Counts by a device that may be busy, and the rest by plans of their own. */
static void count_dynamic(struct csd_queue *queue, int64_t session, int64_t own, uint64_t *seed,
                          uint8_t *page) {
  uint8_t plan[WORLD_PLAN_BYTES];
  const struct search_query query = query_of(seed, CSD_MODE_COUNT);
  const uint32_t bytes = search_query_plan(world, &query, plan);
  const uint32_t step = 1 + check_random_below(seed, WORLD_MAX_DOC);
  uint32_t taken[2][64], taken_count = 0;
  uint64_t count = 0;
  struct csd_plan_header header;
  struct csd_result_header result;
  memcpy(&header, plan, sizeof header);
  CHECK_EQ(
      0, init(queue, session, plan, bytes, CSD_TASK_MODE_DYNAMIC, 1 + check_random_below(seed, 3)));
  uint32_t windows = 0;
  for (uint32_t from = 0; from < WORLD_MAX_DOC; windows++) {
    const uint32_t rest = WORLD_MAX_DOC - from;
    const uint32_t to = windows == 63 || step > rest ? WORLD_MAX_DOC : from + step;
    const int64_t answer = command(queue, CSD_OPCODE_READ_PROC, session, from, to, 0);
    if (answer == CSD_TASK_ANSWER_TAKEN) {
      taken[0][taken_count] = from;
      taken[1][taken_count++] = to;
    } else {
      CHECK_EQ(CSD_TASK_ANSWER_RAW, answer);
      header.min_doc = from;
      header.limit_doc = to;
      memcpy(plan, &header, sizeof header);
      CHECK(client_plan(queue, (uint32_t)own, plan, bytes, page, CSD_MAX_RESULT_BYTES, 5000) > 0);
      memcpy(&result, page, sizeof result);
      count += result.match_count;
    }
    from = to;
  }
  CHECK(command(queue, CSD_OPCODE_FINAL, session, CSD_FINAL_FLAG_HAND_BACK, 0, 0) > 0);
  CHECK(fetch(queue, session, page) > 0);
  memcpy(&result, page, sizeof result);
  count += result.match_count;
  CHECK(result.windows <= taken_count);
  for (uint32_t i = result.windows; i < taken_count; i++) {
    header.min_doc = taken[0][i];
    header.limit_doc = taken[1][i];
    memcpy(plan, &header, sizeof header);
    CHECK(client_plan(queue, (uint32_t)own, plan, bytes, page, CSD_MAX_RESULT_BYTES, 5000) > 0);
    struct csd_result_header part;
    memcpy(&part, page, sizeof part);
    count += part.match_count;
  }
  header.min_doc = 0;
  header.limit_doc = header.max_doc;
  memcpy(plan, &header, sizeof header);
  CHECK(client_plan(queue, (uint32_t)own, plan, bytes, page, CSD_MAX_RESULT_BYTES, 5000) > 0);
  memcpy(&result, page, sizeof result);
  CHECK_EQ(result.match_count, count);
}

/* The docs of windows one after the other, each fetched by itself. */
static void filter_by_hand(struct csd_queue *queue, int64_t session, uint64_t *seed,
                           uint8_t *page) {
  uint8_t plan[WORLD_PLAN_BYTES];
  const struct search_query query = query_of(seed, CSD_MODE_DOCS);
  const uint32_t bytes = search_query_plan(world, &query, plan);
  uint8_t *all = malloc(CSD_MAX_RESULT_BYTES);
  struct csd_result_header whole = {0};
  CHECK_EQ(0, init(queue, session, plan, bytes, CSD_TASK_MODE_HAND, 0));
  for (uint32_t i = 0; i < WINDOWS; i++) {
    const int64_t left =
        command(queue, CSD_OPCODE_READ_FILT, session, i * (WORLD_MAX_DOC / WINDOWS),
                (i + 1) * (WORLD_MAX_DOC / WINDOWS), 0);
    CHECK(left > 0);
    CHECK_EQ(left, fetch(queue, session, page));
    struct csd_result_header header;
    memcpy(&header, page, sizeof header);
    CHECK_EQ(0, header.windows);
    memcpy(all + sizeof whole + 4 * whole.entry_count, page + sizeof header,
           4 * header.entry_count);
    const uint32_t entries = whole.entry_count + header.entry_count;
    const uint64_t matches = whole.match_count + header.match_count;
    whole = header;
    whole.entry_count = entries;
    whole.match_count = matches;
    whole.total_bytes = (uint32_t)sizeof whole + 4 * entries;
  }
  memcpy(all, &whole, sizeof whole);
  CHECK(search_query_check(world, &query, all, whole.total_bytes));
  CHECK_EQ(sizeof whole, command(queue, CSD_OPCODE_FINAL, session, 0, 0, 0));
  free(all);
}

static void *client(void *argument) {
  uint64_t seed = (uint64_t)(uintptr_t)argument;
  struct csd_queue *queue = client_queue(device);
  uint8_t *page = malloc(CSD_MAX_RESULT_BYTES);
  const int64_t session = client_session(queue, 4 << 20), own = client_session(queue, 4 << 20);
  for (int i = 0; i < QUERIES && check_failures == 0; i++) {
    switch (check_random_below(&seed, 3)) {
      case 0: all_static(queue, session, &seed, page); break;
      case 1: count_dynamic(queue, session, own, &seed, page); break;
      default: filter_by_hand(queue, session, &seed, page); break;
    }
  }
  CHECK_EQ(0, client_close_session(queue, (uint32_t)session));
  CHECK_EQ(0, client_close_session(queue, (uint32_t)own));
  free(page);
  csd_queue_destroy(queue);
  return NULL;
}

static void clients_share_a_device(uint32_t threads, uint32_t windows) {
  open_device(threads, windows);
  pthread_t clients[CLIENTS];
  for (uintptr_t i = 0; i < CLIENTS; i++) {
    REQUIRE(pthread_create(&clients[i], NULL, client, (void *)(i + 17 * threads)) == 0);
  }
  for (int i = 0; i < CLIENTS; i++) {
    pthread_join(clients[i], NULL);
  }
  struct csd_device_stats stats;
  csd_device_get_stats(device, &stats);
  CHECK_EQ(0, stats.tasks.waiting);
  CHECK(stats.tasks.done > 0);
  CHECK_EQ(stats.tasks.taken, stats.tasks.done + stats.tasks.handed_back);
  csd_device_close(device);
}

static void one_thread_answers_as_plans_do(void) { clients_share_a_device(1, 0); }
static void several_threads_do(void) { clients_share_a_device(3, 2); }

/* Commands out of order, and what else a host may send. */
static void wrong_commands_are_refused(void) {
  open_device(1, 0);
  struct csd_queue *queue = client_queue(device);
  uint8_t plan[WORLD_PLAN_BYTES];
  uint64_t seed = 5;
  const struct search_query query = query_of(&seed, CSD_MODE_COUNT);
  const uint32_t bytes = search_query_plan(world, &query, plan);
  const int64_t session = client_session(queue, 0);
  uint8_t *page = malloc(CSD_MAX_RESULT_BYTES);
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, command(queue, CSD_OPCODE_READ_PROC, session, 0, 10, 0));
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, command(queue, CSD_OPCODE_READ_FILT, session, 0, 10, 0));
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, command(queue, CSD_OPCODE_FINAL, session, 0, 0, 0));
  CHECK_EQ(-CSD_STATUS_NO_SESSION, command(queue, CSD_OPCODE_FINAL, session + 1, 0, 0, 0));
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, init(queue, session, plan, bytes, 0, 0));
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, init(queue, session, plan, bytes, 4, 0));
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD,
           init(queue, session, plan, bytes, CSD_TASK_MODE_HAND, 0)); /* a COUNT */
  CHECK_EQ(-CSD_STATUS_PLAN_TRUNCATED,
           init(queue, session, plan, bytes - 1, CSD_TASK_MODE_STATIC, 0));
  CHECK_EQ(0, init(queue, session, plan, bytes, CSD_TASK_MODE_DYNAMIC, 1));
  CHECK_EQ(-CSD_STATUS_BUSY, init(queue, session, plan, bytes, CSD_TASK_MODE_DYNAMIC, 1));
  CHECK_EQ(-CSD_STATUS_BUSY, fetch(queue, session, page));
  CHECK_EQ(-CSD_STATUS_BUSY, client_plan(queue, (uint32_t)session, plan, bytes, page,
                                         CSD_MAX_RESULT_BYTES, CSD_BUDGET_UNLIMITED));
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, command(queue, CSD_OPCODE_READ_PROC, session, 10, 10, 0));
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD,
           command(queue, CSD_OPCODE_READ_PROC, session, 0, WORLD_MAX_DOC + 1, 0));
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD,
           command(queue, CSD_OPCODE_READ_PROC, session, 0, 10, 0x3F800000)); /* not TOP_K */
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD,
           command(queue, CSD_OPCODE_READ_PROC, session, 0, 10, 0x7F800001)); /* NaN */
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, command(queue, CSD_OPCODE_READ_FILT, session, 0, 10, 0));
  CHECK_EQ(CSD_TASK_ANSWER_TAKEN, command(queue, CSD_OPCODE_READ_PROC, session, 0, 10, 0));
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, command(queue, CSD_OPCODE_READ_PROC, session, 9, 20, 0));
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, command(queue, CSD_OPCODE_FINAL, session, 2, 0, 0));
  CHECK_EQ(sizeof(struct csd_result_header), command(queue, CSD_OPCODE_FINAL, session, 0, 0, 0));
  CHECK_EQ(0, init(queue, session, plan, bytes, CSD_TASK_MODE_DYNAMIC, 1));
  CHECK_EQ(0, client_close_session(queue, (uint32_t)session));
  free(page);
  csd_queue_destroy(queue);
  csd_device_close(device);
}

/* A page that is damaged under a window fails the task, and the session goes on. */
static void a_window_that_fails_fails_the_task(void) {
  open_device(1, 0);
  struct csd_queue *queue = client_queue(device);
  uint8_t plan[WORLD_PLAN_BYTES];
  const struct search_query query = {
      .mode = CSD_MODE_TOP_K, .k = 10, .term_count = 1, .list = {0}, .weight = {1}};
  const uint32_t bytes = search_query_plan(world, &query, plan);
  const int64_t session = client_session(queue, 0);
  CHECK_EQ(0, client_trim(queue, world->first_lba, world->page_count));
  CHECK_EQ(0, init(queue, session, plan, bytes, CSD_TASK_MODE_DYNAMIC, 0));
  CHECK_EQ(CSD_TASK_ANSWER_TAKEN,
           command(queue, CSD_OPCODE_READ_PROC, session, 0, WORLD_MAX_DOC, 0));
  CHECK_EQ(-CSD_STATUS_PAGE_CORRUPT, command(queue, CSD_OPCODE_FINAL, session, 0, 0, 0));
  CHECK_EQ(0, search_world_write(world, queue));
  uint8_t *page = malloc(CSD_MAX_RESULT_BYTES);
  const int64_t got = client_plan(queue, (uint32_t)session, plan, bytes, page, CSD_MAX_RESULT_BYTES,
                                  CSD_BUDGET_UNLIMITED);
  CHECK(search_query_check(world, &query, page, got));
  free(page);
  csd_queue_destroy(queue);
  csd_device_close(device);
}

/* A client whose queue is made before its thread starts: the device may be closed, and be gone,
 * before the thread first runs. */
struct careless {
  struct csd_queue *queue;
  uint64_t seed;
  pthread_t thread;
};

/* Begins tasks and leaves them, closes their sessions, aborts their ends. */
static void *careless_client(void *argument) {
  struct careless *self = argument;
  struct csd_queue *queue = self->queue;
  uint64_t seed = self->seed;
  uint8_t plan[WORLD_PLAN_BYTES];
  for (;;) {
    const struct search_query query = query_of(&seed, modes[check_random_below(&seed, 3)]);
    const uint32_t bytes = search_query_plan(world, &query, plan);
    const int64_t session = client_session(queue, 1 << 20);
    if (session < 0) {
      break; /* the device is closed */
    }
    if (init(queue, session, plan, bytes, 1 + check_random_below(&seed, 2), 3) < 0) {
      break;
    }
    int64_t answer = 0;
    for (uint32_t i = 0; i < WINDOWS && answer >= 0; i++) {
      answer = command(queue, CSD_OPCODE_READ_PROC, session, i * 10, i * 10 + 10, 0);
    }
    if (check_random_below(&seed, 2) == 0) {
      const struct csd_submission final = {
          .opcode = CSD_OPCODE_FINAL, .nsid = 1, .cdw10 = (uint32_t)session};
      struct csd_completion completion;
      if (csd_queue_submit(queue, &final, 1) < 0) {
        break;
      }
      csd_queue_abort(queue);
      if (csd_queue_poll(queue, &completion, 1, CSD_BUDGET_UNLIMITED) < 0) {
        break;
      }
      const int status = csd_completion_status(&completion);
      CHECK(status == 0 || status == CSD_STATUS_ABORTED || status == CSD_STATUS_CLOSED);
    }
    if (client_close_session(queue, (uint32_t)session) < 0) {
      break;
    }
  }
  csd_queue_destroy(queue);
  return NULL;
}

static void sessions_and_device_close_under_load(void) {
  for (int round = 0; round < 5; round++) {
    open_device(2, 4);
    struct careless clients[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
      clients[i] = (struct careless){.queue = client_queue(device), .seed = (uint64_t)i + 1};
      REQUIRE(pthread_create(&clients[i].thread, NULL, careless_client, &clients[i]) == 0);
    }
    struct csd_device_stats stats;
    do {
      csd_device_get_stats(device, &stats);
    } while (stats.tasks.tasks < 100);
    csd_device_close(device);
    for (int i = 0; i < CLIENTS; i++) {
      pthread_join(clients[i].thread, NULL);
    }
  }
}

int main(void) {
  world = search_world_make(3, 33, 16);
  RUN(one_thread_answers_as_plans_do);
  RUN(several_threads_do);
  RUN(wrong_commands_are_refused);
  RUN(a_window_that_fails_fails_the_task);
  RUN(sessions_and_device_close_under_load);
  search_world_free(world);
  return check_result();
}
