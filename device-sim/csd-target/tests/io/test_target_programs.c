/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * A program under way: an Abort ends it, and so does the end of its connection. Each look at
 * whether to go on takes a while here, so that programs take long: poll is wrapped by the linker.
 */
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "csd/csd.h"
#include "initiator.h"
#include "inside.h"
#include "tests/support/check.h"
#include "tests/support/search_world.h"

enum { ABORTED = 0x4007, LOOK_US = 10000 };

int __real_poll(struct pollfd *files, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *files, nfds_t count, int timeout);

static atomic_int looks;
static atomic_bool held; /* looks wait until there is something to see, at most a minute */

int __wrap_poll(struct pollfd *files, nfds_t count, int timeout) {
  if (timeout == 0) { /* only looks do not wait */
    atomic_fetch_add(&looks, 1);
    usleep(LOOK_US);
    for (int i = 0; i < 6000 && atomic_load(&held) && __real_poll(files, count, 0) == 0; i++) {
      usleep(LOOK_US);
    }
  }
  return __real_poll(files, count, timeout);
}

static struct inside inside;
static struct search_world *world;
static uint8_t plan[WORLD_PLAN_BYTES];
static struct ini_command submit;

/* A program that takes many looks at whether to go on. */
static void set_up(void) {
  const struct search_query query = {
      .mode = CSD_MODE_SCORED_DOCS,
      .term_count = 3,
      .list = {0, 1, 2},
      .weight = {1, 2, 3},
      .occur = {CSD_OCCUR_SHOULD, CSD_OCCUR_SHOULD, CSD_OCCUR_SHOULD}};
  inside_defaults(&inside, "programs");
  inside.options.capacity_bytes = 16 << 20;
  inside.options.budget = 1;
  inside_open(&inside);
  inside_write(&inside, world->first_lba, world->pages, world->page_count);
  const struct ini_command open = {.opcode = CSD_OPCODE_OPEN, .nsid = 1, .cdw10 = 4 << 20};
  const struct ini_answer answer = ini_run(&inside.io, &open);
  CHECK_EQ(0, answer.status);
  const uint32_t bytes = search_query_plan(world, &query, plan);
  submit = (struct ini_command){.opcode = CSD_OPCODE_SUBMIT,
                                .nsid = 1,
                                .cdw10 = (uint32_t)answer.result,
                                .cdw11 = bytes,
                                .out = plan,
                                .out_bytes = bytes};
}

static void an_abort_ends_a_program(void) {
  set_up();
  CHECK_EQ(0, ini_run(&inside.io, &submit).status);
  for (int i = 0; i < 3; i++) {
    int status = 0;
    for (int tries = 0; tries < 50 && status == 0; tries++) {
      const uint16_t cid = ini_start(&inside.io, &submit);
      usleep(LOOK_US / 2); /* it has come, and is under way, unless the machine is busy */
      const struct ini_command abort = {.opcode = 8, .cdw10 = 1 | (uint32_t)cid << 16};
      const struct ini_answer answer = ini_run(&inside.admin, &abort);
      status = ini_finish(&inside.io, &submit, cid).status;
      CHECK_EQ(0, answer.status);
      if (status == ABORTED) {
        CHECK_EQ(0, answer.result); /* an abort that worked says so */
      }
    }
    CHECK_EQ(ABORTED, status);
  }
  CHECK_EQ(0, ini_run(&inside.io, &submit).status); /* the session is there, and well */
  CHECK_EQ(0, inside_close(&inside));
}

/* The host goes; the target is closed while the program runs. Neither waits for its end, both give
   everything back. */
static void nobody_waits_for_a_program(void) {
  set_up();
  atomic_store(&looks, 0);
  CHECK_EQ(0, ini_run(&inside.io, &submit).status);
  const int whole = atomic_load(&looks);
  CHECK_MSG(whole >= 4, "%d looks", whole);
  CHECK_EQ(0, inside_close(&inside));
  for (int way = 0; way < 3; way++) {
    set_up();
    atomic_store(&looks, 0);
    atomic_store(&held, true); /* the program is under way until its connection ends */
    ini_start(&inside.io, &submit);
    for (int i = 0; i < 6000 && atomic_load(&looks) == 0; i++) {
      usleep(LOOK_US);
    }
    if (way == 0) {
      ini_close(&inside.io);
    }
    if (way == 1) {
      ini_close(&inside.admin);
      struct ini_pdu pdu;
      while (ini_receive(&inside.io, &pdu) == 0) {
      }
    }
    CHECK_EQ(0, inside_close(&inside));
    atomic_store(&held, false);
    const int some = atomic_load(&looks);
    CHECK_MSG(some > 0 && some < whole, "way %d: %d looks of %d", way, some, whole);
  }
}

int main(void) {
  world = search_world_make(3, 77, 1000);
  RUN(an_abort_ends_a_program);
  RUN(nobody_waits_for_a_program);
  search_world_free(world);
  return check_result();
}
