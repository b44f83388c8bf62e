/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Several stores behind one port: each has its own writer, and what becomes of one is nothing to
   the others. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "csd/csd.h"
#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"
#include "tests/support/scratch.h"

#define OTHER "nqn.2026-11.org.luceneoffload:other"
#define NOWHERE "nqn.2026-11.org.luceneoffload:nowhere"

enum { LOCKED = 0x4700 | CSD_STATUS_LOCKED, INVALID_PARAMETERS = 0x4182, THREADS = 4, TIMES = 40 };

static struct target_process target;
static const char *other_store, *third_store;

static bool start(const char *name) {
  const char *const options[] = {"--capacity", "64M",        "--store", other_store, "--subsystem",
                                 OTHER,        "--capacity", "32M",     NULL};
  return target_start(&target, name, options);
}

/* A host of a subsystem, with one I/O queue. */
static bool open_host(struct ini_host *host, const char *subsystem) {
  struct ini_answer answer =
      ini_connect(&host->admin, target.port, 0, INI_HOST, subsystem, 0, 0xFFFF, 0);
  if (answer.status != 0 || ini_set_cc(&host->admin, 0x460001).status != 0) {
    return false;
  }
  host->controller_id = (uint16_t)answer.result;
  answer = ini_connect(&host->io, target.port, 0, INI_HOST, subsystem, 1, host->controller_id, 0);
  return answer.status == 0;
}

static int lease(struct ini_host *host, uint32_t action, uint64_t key,
                 struct csd_lease_state *state) {
  const struct ini_command command = {.opcode = CSD_OPCODE_LEASE,
                                      .nsid = 1,
                                      .cdw10 = action,
                                      .cdw11 = action == CSD_LEASE_ACTION_TAKE_WRITER ? 60 : 0,
                                      .cdw12 = (uint32_t)key,
                                      .in = state,
                                      .in_bytes = sizeof *state};
  return ini_run(&host->io, &command).status;
}

static int write_block(struct ini_host *host, uint8_t value) {
  static uint8_t block[4096];
  memset(block, value, sizeof block);
  const struct ini_command command = {
      .opcode = CSD_OPCODE_WRITE, .nsid = 1, .out = block, .out_bytes = sizeof block};
  return ini_run(&host->io, &command).status;
}

static int read_block(struct ini_host *host, uint64_t lba) {
  uint8_t block[4096];
  const struct ini_command command = {.opcode = CSD_OPCODE_READ,
                                      .nsid = 1,
                                      .cdw10 = (uint32_t)lba,
                                      .in = block,
                                      .in_bytes = sizeof block};
  const struct ini_answer answer = ini_run(&host->io, &command);
  return answer.status != 0 ? -answer.status : block[4095];
}

static void each_store_has_a_writer_of_its_own(void) {
  struct ini_host a, b, c;
  struct csd_lease_state of_a, of_b, of_c;
  CHECK(start("stores"));
  CHECK(open_host(&a, INI_SUBSYSTEM));
  CHECK(open_host(&b, OTHER));
  CHECK(open_host(&c, OTHER));
  CHECK_EQ(0, lease(&a, CSD_LEASE_ACTION_TAKE_WRITER, 11, &of_a));
  CHECK_EQ(0, lease(&b, CSD_LEASE_ACTION_TAKE_WRITER, 22, &of_b));
  CHECK_EQ(LOCKED, lease(&c, CSD_LEASE_ACTION_TAKE_WRITER, 33, &of_c));
  CHECK_EQ(0, write_block(&a, 1));
  CHECK_EQ(0, write_block(&b, 2));
  CHECK_EQ(LOCKED, write_block(&c, 3));
  CHECK_EQ(1, read_block(&a, 0));
  CHECK_EQ(2, read_block(&b, 0));
  CHECK_EQ(2, read_block(&c, 0));
  /* Each has a capacity of its own: 64 and 32 MiB. */
  CHECK_EQ(0, read_block(&a, (64 << 20) / 4096 - 1));
  CHECK(read_block(&b, (32 << 20) / 4096) < 0);
  /* A writer dies: the other one goes on, and nobody takes its place. */
  ini_host_close(&a);
  for (int i = 0; i < 20; i++) {
    CHECK_EQ(0, write_block(&b, 4));
    CHECK_EQ(LOCKED, write_block(&c, 3));
    usleep(10000);
  }
  CHECK_EQ(0, lease(&b, CSD_LEASE_ACTION_TAKE_WRITER, 22, &of_a));
  CHECK_EQ(of_b.generation, of_a.generation);
  /* The node dies, with what both have written. */
  target_kill(&target);
  ini_host_close(&b);
  ini_host_close(&c);
  CHECK(start("stores"));
  CHECK(open_host(&a, INI_SUBSYSTEM));
  CHECK(open_host(&b, OTHER));
  CHECK_EQ(1, read_block(&a, 0));
  CHECK_EQ(4, read_block(&b, 0));
  ini_host_close(&a);
  ini_host_close(&b);
  CHECK_EQ(0, target_stop(&target));
}

static void hosts_find_them_by_name(void) {
  struct ini_connection c;
  uint8_t log[4096];
  CHECK(start("stores"));
  const struct ini_command get = {.opcode = 0x02,
                                  .cdw10 = 0x70 | (sizeof log / 4 - 1) << 16,
                                  .in = log,
                                  .in_bytes = sizeof log};
  CHECK_EQ(0, ini_connect(&c, target.port, 0, INI_HOST, INI_DISCOVERY, 0, 0xFFFF, 0).status);
  CHECK_EQ(0, ini_set_cc(&c, 0x460001).status);
  CHECK_EQ(0, ini_run(&c, &get).status);
  CHECK_EQ(2, ini_get64(log + 8));
  CHECK_EQ(0, strcmp(INI_SUBSYSTEM, (const char *)log + 1024 + 256));
  CHECK_EQ(0, strcmp(OTHER, (const char *)log + 2048 + 256));
  ini_close(&c);
  /* A connection may ask for another one if the first is not there, and ends up where it asked. */
  CHECK(ini_dial(&c, target.port) && ini_parameters(&c, 0, 0));
  CHECK_EQ(INVALID_PARAMETERS, ini_connect_on(&c, INI_HOST, NOWHERE, 0, 0xFFFF, 0).status);
  CHECK_EQ(INVALID_PARAMETERS, ini_connect_on(&c, INI_HOST, OTHER, 1, 7, 0).status);
  const struct ini_answer made = ini_connect_on(&c, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 0);
  CHECK_EQ(0, made.status);
  struct ini_connection io;
  CHECK_EQ(INVALID_PARAMETERS,
           ini_connect(&io, target.port, 0, INI_HOST, OTHER, 1, (uint16_t)made.result, 0).status);
  ini_close(&io);
  ini_close(&c);
  CHECK_EQ(0, target_stop(&target));
}

static void *come_and_go(void *argument) {
  for (int i = 0; i < TIMES; i++) {
    struct ini_host host;
    const bool good = open_host(&host, (i & 1) == 0 ? OTHER : INI_SUBSYSTEM);
    if (good) {
      (void)read_block(&host, 0);
    }
    ini_host_close(&host);
    *(int *)argument += good ? 1 : 0;
  }
  return NULL;
}

/* Connections of several threads move from one store's list to another's, also while all ends. */
static void hosts_come_and_go(void) {
  pthread_t threads[THREADS];
  int counts[THREADS] = {0}, all = 0;
  CHECK(start("stores"));
  for (int i = 0; i < THREADS; i++) {
    CHECK_EQ(0, pthread_create(&threads[i], NULL, come_and_go, &counts[i]));
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    all += counts[i];
  }
  CHECK(all > 0);
  CHECK_EQ(0, target_stop(&target));
}

static void mistakes_are_told(void) {
  const char *const twice[] = {"--store", third_store, "--subsystem", INI_SUBSYSTEM, NULL};
  const char *const metrics[] = {"--store", third_store, "--metrics", "0", NULL};
  const char *const capacity[] = {"--store", third_store, "--capacity", "17", NULL};
  CHECK(!target_start(&target, "stores", twice));
  CHECK(target_logged(&target, "another store has the same subsystem"));
  CHECK(target_stop(&target) != 0);
  CHECK(!target_start(&target, "stores", metrics));
  CHECK(target_logged(&target, "--metrics takes one --store"));
  CHECK(target_stop(&target) != 0);
  CHECK(!target_start(&target, "stores", capacity));
  CHECK(target_logged(&target, "--capacity does not take"));
  CHECK(target_stop(&target) != 0);
}

int main(void) {
  other_store = scratch_path("stores.other.vol");
  third_store = scratch_path("stores.third.vol");
  scratch_path("stores.other.vol.id"); /* the target makes them; they go when the test ends */
  scratch_path("stores.third.vol.id");
  RUN(each_store_has_a_writer_of_its_own);
  RUN(hosts_find_them_by_name);
  RUN(hosts_come_and_go);
  RUN(mistakes_are_told);
  return check_result();
}
