/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Every kind of command from threads of its own, against each other, until the device is closed
   under them: made for the thread sanitizer. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "csd/csd_model.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/search_world.h"

enum {
  LBAS = 1 << 13,
  ROUNDS = 3,
  SEARCHERS = 3,
  SETTLED = 40, /* answers that all searchers together give before the device is closed */
  WORLD_LBA = 100,
  OWN_LBA = 4000, /* of the thread that writes and reads */
  OWN_LBAS = 16,
  LIVE_WORDS = (WORLD_MAX_DOC + 63) / 64
};

static struct csd_device *device;
static struct search_world *world;
static uint64_t all_live[LIVE_WORDS];
static uint32_t shared_resource; /* dropped and put by one thread, named in plans of others */
static int answers;
static bool closing; /* set before the device is closed: from then on CLOSED is no failure */

/* Whether a call went well; if the device is being closed, CLOSED is as good. */
static bool went(int64_t got) {
  if (got >= 0) {
    return true;
  }
  CHECK_EQ(-CSD_STATUS_CLOSED, got);
  CHECK(__atomic_load_n(&closing, __ATOMIC_ACQUIRE));
  return false;
}

static bool write_read_trim(struct csd_queue *queue, uint64_t *seed) {
  static uint8_t out[OWN_LBAS * CSD_LBA_BYTES], in[OWN_LBAS * CSD_LBA_BYTES];
  memset(out, (int)check_random_below(seed, 256), sizeof out);
  const uint32_t at = check_random_below(seed, 8);
  if (!went(client_write(queue, OWN_LBA + at, out, OWN_LBAS)) ||
      !went(client_read(queue, OWN_LBA + at, in, OWN_LBAS))) {
    return false;
  }
  CHECK(memcmp(out, in, sizeof in) == 0);
  return went(client_trim(queue, OWN_LBA, 8));
}

static bool open_and_close(struct csd_queue *queue, uint64_t *seed) {
  int64_t sessions[4];
  for (int i = 0; i < 4; i++) {
    sessions[i] = client_session(queue, CSD_MIN_GRANT_BYTES << check_random_below(seed, 4));
    if (!went(sessions[i])) {
      return false;
    }
  }
  for (int i = 0; i < 4; i++) {
    if (!went(client_close_session(queue, (uint32_t)sessions[i]))) {
      return false;
    }
  }
  return true;
}

static bool put_and_drop(struct csd_queue *queue, uint64_t *seed) {
  (void)seed;
  const int64_t put = client_live_docs(queue, all_live, sizeof all_live);
  if (!went(put)) {
    return false;
  }
  const uint32_t old = __atomic_exchange_n(&shared_resource, (uint32_t)put, __ATOMIC_ACQ_REL);
  return old == 0 || went(client_drop(queue, old));
}

static bool switch_model(struct csd_queue *queue, uint64_t *seed) {
  struct csd_model_profile profile = model_profile();
  profile.flash_read_ns[0] = 10000u + check_random_below(seed, 1000);
  return went(client_model(queue, &profile, sizeof profile, 100, 0)) &&
         (check_random_below(seed, 2) == 0 || went(client_model(queue, NULL, 0, 0, 0)));
}

/* Counters are read beside everything else. */
static bool ask_counters(struct csd_queue *queue, uint64_t *seed) {
  (void)queue;
  (void)seed;
  struct csd_device_stats stats;
  if (__atomic_load_n(&closing, __ATOMIC_ACQUIRE)) {
    return false;
  }
  csd_device_get_stats(device, &stats);
  CHECK(stats.commands >= stats.commands_failed);
  return true;
}

static bool search(struct csd_queue *queue, uint64_t *seed) {
  uint8_t plan[WORLD_PLAN_BYTES];
  static __thread uint8_t result[CSD_MAX_RESULT_BYTES];
  const int64_t session = client_session(queue, 4 << 20);
  if (!went(session)) {
    return false;
  }
  const struct search_query query = search_query_random(seed);
  const uint32_t size = search_query_plan(world, &query, plan);
  struct csd_plan_header *header = (struct csd_plan_header *)(void *)plan;
  header->live_docs = __atomic_load_n(&shared_resource, __ATOMIC_ACQUIRE);
  const int64_t got = client_plan(queue, (uint32_t)session, plan, size, result, sizeof result,
                                  1 + check_random_below(seed, 20000));
  if (got >= 0) {
    CHECK(search_query_check(world, &query, result, got));
    __atomic_fetch_add(&answers, 1, __ATOMIC_RELAXED);
  } else if (got != -CSD_STATUS_NO_RESOURCE && got != -CSD_STATUS_ABORTED && !went(got)) {
    return false;
  }
  return went(client_close_session(queue, (uint32_t)session));
}

struct worker {
  bool (*work)(struct csd_queue *queue, uint64_t *seed);
  struct csd_queue *queue;
  uint64_t seed;
  pthread_t thread;
};

static void *work(void *argument) {
  struct worker *worker = argument;
  while (worker->work(worker->queue, &worker->seed)) {
  }
  return NULL;
}

static void close_under_all(uint64_t round) {
  bool (*const works[])(struct csd_queue *, uint64_t *) = {
      write_read_trim, open_and_close, put_and_drop, switch_model, ask_counters, search};
  enum { KINDS = sizeof works / sizeof works[0], WORKERS = KINDS - 1 + SEARCHERS };
  struct worker workers[WORKERS];
  device = client_open("churn", LBAS, 24 * CSD_PAGE_BYTES);
  struct csd_queue *queue = client_queue(device);
  REQUIRE(search_world_write(world, queue) == 0);
  answers = 0;
  shared_resource = 0;
  closing = false;
  for (int i = 0; i < WORKERS; i++) {
    workers[i].work = works[i < KINDS ? i : KINDS - 1];
    workers[i].queue = client_queue(device);
    workers[i].seed = round * 100 + (uint64_t)i;
    REQUIRE(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
  }
  /* Meanwhile programs of a searcher are aborted, from this thread. */
  while (__atomic_load_n(&answers, __ATOMIC_RELAXED) < SETTLED) {
    csd_queue_abort(workers[WORKERS - 1].queue);
    struct csd_device_stats stats;
    csd_device_get_stats(device, &stats);
    nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
  }
  __atomic_store_n(&closing, true, __ATOMIC_RELEASE);
  pthread_join(workers[4].thread, NULL); /* the one that asks for counters has no queue's shelter */
  csd_device_close(device);
  for (int i = 0; i < WORKERS; i++) {
    if (i != 4) {
      pthread_join(workers[i].thread, NULL);
    }
    CHECK_EQ(-CSD_STATUS_CLOSED, client_session(workers[i].queue, 0));
    csd_queue_destroy(workers[i].queue);
  }
  csd_queue_destroy(queue);
}

static void every_command_against_every_other(void) {
  for (uint64_t round = 1; round <= ROUNDS; round++) {
    close_under_all(round);
  }
}

int main(void) {
  memset(all_live, 0xFF, sizeof all_live);
  world = search_world_make(77, 0x77, WORLD_LBA);
  RUN(every_command_against_every_other);
  search_world_free(world);
  return check_result();
}
