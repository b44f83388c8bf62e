/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Leases: one host writes, others are refused; what readers hold; how leases end; bad commands. */
#include <string.h>
#include <unistd.h>

#include "csd/csd.h"
#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"

enum { LOCKED = 0x4700 | CSD_STATUS_LOCKED, INVALID_FIELD = 0x4002 };

static struct target_process target;

static struct ini_answer lease(struct ini_connection *io, uint32_t action, uint32_t seconds,
                               uint64_t key, uint64_t sequence, struct csd_lease_state *state) {
  const struct ini_command command = {.opcode = CSD_OPCODE_LEASE,
                                      .nsid = 1,
                                      .cdw10 = action,
                                      .cdw11 = seconds,
                                      .cdw12 = (uint32_t)key,
                                      .cdw13 = (uint32_t)(key >> 32),
                                      .cdw14 = (uint32_t)sequence,
                                      .cdw15 = (uint32_t)(sequence >> 32),
                                      .in = state,
                                      .in_bytes = sizeof *state};
  return ini_run(io, &command);
}

static int take_writer(struct ini_host *host, uint32_t seconds, uint64_t key,
                       struct csd_lease_state *state) {
  return lease(&host->io, CSD_LEASE_ACTION_TAKE_WRITER, seconds, key, 0, state).status;
}

static int write_block(struct ini_host *host) {
  static const uint8_t block[4096] = {1};
  const struct ini_command command = {
      .opcode = CSD_OPCODE_WRITE, .nsid = 1, .out = block, .out_bytes = sizeof block};
  return ini_run(&host->io, &command).status;
}

static int trim_block(struct ini_host *host) {
  static const uint8_t range[16] = {0, 0, 0, 0, 1};
  const struct ini_command command = {
      .opcode = CSD_OPCODE_TRIM, .nsid = 1, .cdw11 = 4, .out = range, .out_bytes = sizeof range};
  return ini_run(&host->io, &command).status;
}

static void one_host_writes(void) {
  struct ini_host a, b;
  struct csd_lease_state of_a, of_b;
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  CHECK(ini_host_open(&b, target.port, 0, "b"));
  CHECK_EQ(0, write_block(&a)); /* nobody has the lease */
  CHECK_EQ(0, write_block(&b));
  CHECK_EQ(0, take_writer(&a, 60, 11, &of_a));
  CHECK_EQ(11, (int)of_a.writer);
  CHECK(of_a.writer_seconds >= 59 && of_a.writer_seconds <= 60);
  CHECK_EQ(LOCKED, take_writer(&b, 60, 22, &of_b));
  CHECK_EQ(0, write_block(&a));
  CHECK_EQ(LOCKED, write_block(&b));
  CHECK_EQ(LOCKED, trim_block(&b));
  CHECK(ini_host_is_well(&b)); /* it may read */
  CHECK_EQ(0, take_writer(&a, 60, 11, &of_a));
  CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_DROP_WRITER, 0, 11, 0, &of_a).status);
  CHECK_EQ(0, take_writer(&b, 60, 22, &of_b));
  CHECK(of_b.generation == of_a.generation + 1);
  CHECK(of_b.boot == of_a.boot);
  CHECK_EQ(0, write_block(&b));
  CHECK_EQ(0, lease(&b.io, CSD_LEASE_ACTION_DROP_WRITER, 0, 22, 0, &of_b).status);
  /* Free again, but a has not written since b did, and does not know. */
  CHECK_EQ(LOCKED, write_block(&a));
  CHECK_EQ(0, take_writer(&a, 60, 11, &of_a));
  CHECK_EQ(0, write_block(&a));
  CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_DROP_WRITER, 0, 11, 0, &of_a).status);
  ini_host_close(&a);
  ini_host_close(&b);
}

/* Its connections end: others wait for some seconds, in which it can have the lease back. */
static void a_writer_dies(void) {
  struct ini_host a, b;
  struct csd_lease_state of_a, of_b;
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  CHECK(ini_host_open(&b, target.port, 0, "b"));
  CHECK_EQ(0, take_writer(&a, 60, 33, &of_a));
  ini_host_close(&a);
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  const uint64_t generation = of_a.generation;
  CHECK_EQ(LOCKED, write_block(&a)); /* not over the new connection, yet */
  CHECK_EQ(0, take_writer(&a, 60, 33, &of_a));
  CHECK(of_a.generation == generation);
  CHECK_EQ(0, write_block(&a));
  ini_host_close(&a);
  const int64_t begun = ini_now_ms();
  while (take_writer(&b, 60, 44, &of_b) == LOCKED && ini_now_ms() - begun < 50000) {
    usleep(20000);
  }
  CHECK(of_b.writer == 44);
  CHECK(of_b.generation == generation + 1);
  CHECK_EQ(0, lease(&b.io, CSD_LEASE_ACTION_DROP_WRITER, 0, 44, 0, &of_b).status);
  ini_host_close(&b);
}

static void readers_hold_what_they_read(void) {
  struct ini_host a, b;
  struct csd_lease_state state;
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  CHECK(ini_host_open(&b, target.port, 0, "b"));
  CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_REPORT, 0, 0, 0, &state).status);
  CHECK(state.least_sequence == UINT64_MAX && state.reader_count == 0);
  CHECK(state.grace_seconds <= CSD_MAX_LEASE_SECONDS);
  CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_TAKE_READER, 60, 5, 1000, &state).status);
  CHECK_EQ(0, lease(&b.io, CSD_LEASE_ACTION_TAKE_READER, 1, 6, 7, &state).status);
  CHECK(state.least_sequence == 7 && state.reader_count == 2);
  ini_host_close(&b); /* its lease stays until its time is over */
  const int64_t begun = ini_now_ms();
  do {
    CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_REPORT, 0, 0, 0, &state).status);
    usleep(20000);
  } while (state.reader_count == 2 && ini_now_ms() - begun < 50000);
  CHECK(state.least_sequence == 1000 && state.reader_count == 1);
  CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_TAKE_READER, 60, 5, 1001, &state).status);
  CHECK(state.least_sequence == 1001);
  CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_DROP_READER, 0, 5, 0, &state).status);
  CHECK(state.least_sequence == UINT64_MAX);
  /* There is an end to them. */
  int status = 0;
  uint64_t key = 1;
  for (; key < 1000 && status == 0; key++) {
    status = lease(&a.io, CSD_LEASE_ACTION_TAKE_READER, 60, key, 1, &state).status;
  }
  CHECK(key <= 1000);
  CHECK_EQ(0x700 | CSD_STATUS_NO_MEMORY, status);
  ini_host_close(&a);
}

static void bad_commands(void) {
  struct ini_host a;
  struct csd_lease_state state;
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  const struct {
    uint32_t action, seconds;
    uint64_t key, sequence;
  } bad[] = {
      {5, 0, 1, 0},
      {CSD_LEASE_ACTION_REPORT, 0, 1, 0},
      {CSD_LEASE_ACTION_REPORT, 1, 0, 0},
      {CSD_LEASE_ACTION_REPORT, 0, 0, 1},
      {CSD_LEASE_ACTION_TAKE_WRITER, 10, 0, 0},
      {CSD_LEASE_ACTION_TAKE_WRITER, 0, 1, 0},
      {CSD_LEASE_ACTION_TAKE_WRITER, CSD_MAX_LEASE_SECONDS + 1, 1, 0},
      {CSD_LEASE_ACTION_TAKE_WRITER, 10, 1, 1},
      {CSD_LEASE_ACTION_DROP_WRITER, 1, 1, 0},
      {CSD_LEASE_ACTION_TAKE_READER, 0, 1, 0},
      {CSD_LEASE_ACTION_DROP_READER, 0, 0, 0},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const struct ini_answer answer =
        lease(&a.io, bad[i].action, bad[i].seconds, bad[i].key, bad[i].sequence, &state);
    CHECK_EQ(INVALID_FIELD, answer.status);
  }
  struct ini_command small = {
      .opcode = CSD_OPCODE_LEASE, .nsid = 1, .in = &state, .in_bytes = sizeof state - 4};
  CHECK_EQ(INVALID_FIELD, ini_run(&a.io, &small).status);
  small.in_bytes = sizeof state, small.cdw2 = 1;
  CHECK_EQ(INVALID_FIELD, ini_run(&a.io, &small).status);
  CHECK(ini_host_is_well(&a));
  ini_host_close(&a);
}

int main(void) {
  CHECK(target_start(&target, "leases", NULL));
  RUN(one_host_writes);
  RUN(a_writer_dies);
  RUN(readers_hold_what_they_read);
  RUN(bad_commands);
  CHECK_EQ(0, target_stop(&target));
  return check_result();
}
