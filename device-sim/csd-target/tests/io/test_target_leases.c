/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Leases: one host writes, others are refused; several write, each in a scope of its own; what
   readers hold; how leases end; bad commands. */
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

static int take(struct ini_host *host, uint64_t scope, uint64_t key,
                struct csd_lease_state *state) {
  return lease(&host->io, CSD_LEASE_ACTION_TAKE_WRITER, 60, key, scope, state).status;
}

static int drop(struct ini_host *host, uint64_t scope, uint64_t key) {
  struct csd_lease_state state;
  return lease(&host->io, CSD_LEASE_ACTION_DROP_WRITER, 0, key, scope, &state).status;
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

enum { ARTICLES = 1000, LOGS = 2000, TABLE = 1 };

static void several_hosts_write(void) {
  struct ini_host a, b, c;
  struct csd_lease_state of_a, of_b;
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  CHECK(ini_host_open(&b, target.port, 0, "b"));
  CHECK(ini_host_open(&c, target.port, 0, "c"));
  CHECK_EQ(0, take(&a, ARTICLES, 101, &of_a));
  CHECK_EQ(0, take(&b, LOGS, 102, &of_b));
  CHECK_EQ(101, (int)of_a.writer);
  CHECK_EQ(1, (int)of_a.writer_count);
  CHECK_EQ(102, (int)of_b.writer);
  CHECK_EQ(2, (int)of_b.writer_count);
  CHECK_EQ(0, write_block(&a));
  CHECK_EQ(0, write_block(&b));
  CHECK_EQ(0, trim_block(&b));
  CHECK_EQ(LOCKED, write_block(&c)); /* somebody writes, and it has nothing */
  CHECK_EQ(LOCKED, take(&c, ARTICLES, 103, &of_b));
  CHECK_EQ(LOCKED, take(&c, 0, 103, &of_b)); /* the whole */
  CHECK_EQ(LOCKED, take(&a, 0, 101, &of_b)); /* nor by who has a part */
  CHECK_EQ(0, take(&a, ARTICLES, 101, &of_b));
  CHECK(of_b.generation == of_a.generation); /* what others take is nothing to it */
  /* The table goes from one to the other. */
  CHECK_EQ(0, take(&a, TABLE, 101, &of_a));
  CHECK_EQ(LOCKED, take(&b, TABLE, 102, &of_b));
  CHECK_EQ(0, write_block(&a));
  CHECK_EQ(0, write_block(&b));
  CHECK_EQ(0, drop(&a, TABLE, 101));
  CHECK_EQ(0, take(&b, TABLE, 102, &of_b));
  CHECK(of_b.generation == of_a.generation + 1);
  CHECK_EQ(0, write_block(&a)); /* it has given it up, and is not late */
  CHECK_EQ(0, drop(&b, TABLE, 102));
  CHECK_EQ(0, drop(&b, TABLE, 102));    /* harmless */
  CHECK_EQ(0, drop(&a, ARTICLES, 102)); /* not its key */
  CHECK_EQ(LOCKED, take(&c, ARTICLES, 103, &of_b));
  CHECK_EQ(LOCKED, write_block(&a)); /* it said itself that it has none any more */
  CHECK_EQ(0, take(&a, ARTICLES, 101, &of_a));
  CHECK_EQ(0, write_block(&a));
  CHECK_EQ(0, drop(&a, ARTICLES, 101));
  CHECK_EQ(0, drop(&b, LOGS, 102));
  CHECK_EQ(LOCKED, write_block(&a)); /* though nobody writes now */
  CHECK_EQ(0, write_block(&c));      /* but it has never asked for a lease */
  ini_host_close(&a);
  ini_host_close(&b);
  ini_host_close(&c);
}

/* A host that is late in one of its scopes may write nothing, until it gives that up. */
static void late_in_one_scope(void) {
  struct ini_host a, b;
  struct csd_lease_state of_a, of_b;
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  CHECK(ini_host_open(&b, target.port, 0, "b"));
  CHECK_EQ(0, take(&a, ARTICLES, 111, &of_a));
  CHECK_EQ(0, take(&b, LOGS, 112, &of_b));
  CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_TAKE_WRITER, 1, 111, TABLE, &of_a).status);
  const int64_t begun = ini_now_ms();
  while (take(&b, TABLE, 112, &of_b) == LOCKED && ini_now_ms() - begun < 50000) {
    usleep(20000);
  }
  CHECK(of_b.generation == of_a.generation + 1);
  CHECK_EQ(0, write_block(&b));
  CHECK_EQ(LOCKED, write_block(&a));
  CHECK_EQ(0, drop(&b, TABLE, 112));
  CHECK_EQ(LOCKED, write_block(&a));
  /* It does not get it back as if it had had it all the time: it may have sent writes already. */
  CHECK_EQ(LOCKED, take(&a, TABLE, 111, &of_a));
  CHECK_EQ(LOCKED, write_block(&a));
  CHECK_EQ(0, drop(&a, TABLE, 111));
  CHECK_EQ(0, write_block(&a));
  CHECK_EQ(0, take(&a, TABLE, 111, &of_a));
  CHECK_EQ(0, write_block(&a));
  CHECK_EQ(0, drop(&a, TABLE, 111));
  CHECK_EQ(0, drop(&a, ARTICLES, 111));
  CHECK_EQ(0, drop(&b, LOGS, 112));
  ini_host_close(&a);
  ini_host_close(&b);
}

/* Who has had the whole, and who has had a part, learn of each other. */
static void the_whole_and_its_parts(void) {
  struct ini_host a, b;
  struct csd_lease_state of_a, of_b;
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  CHECK(ini_host_open(&b, target.port, 0, "b"));
  CHECK_EQ(0, take(&a, 0, 121, &of_a));
  const uint64_t whole = of_a.generation;
  CHECK_EQ(LOCKED, take(&b, LOGS, 122, &of_b));
  CHECK_EQ(LOCKED, take(&a, LOGS, 121, &of_b)); /* who has all needs no part */
  CHECK_EQ(0, drop(&a, 0, 121));
  CHECK_EQ(0, write_block(&a)); /* as before there were scopes */
  CHECK_EQ(0, lease(&b.io, CSD_LEASE_ACTION_TAKE_WRITER, 1, 122, LOGS, &of_b).status);
  const uint64_t part = of_b.generation;
  CHECK_EQ(LOCKED, write_block(&a));
  const int64_t begun = ini_now_ms();
  while (take(&a, 0, 121, &of_a) == LOCKED && ini_now_ms() - begun < 50000) {
    usleep(20000);
  }
  CHECK(of_a.generation > whole); /* the same key has it again, but not without a break */
  CHECK_EQ(0, write_block(&a));
  CHECK_EQ(LOCKED, write_block(&b));
  CHECK_EQ(0, drop(&a, 0, 121));
  CHECK_EQ(LOCKED, write_block(&b));
  CHECK_EQ(LOCKED, take(&b, LOGS, 122, &of_b)); /* it is late */
  CHECK_EQ(0, drop(&b, LOGS, 122));
  CHECK_EQ(0, take(&b, LOGS, 122, &of_b));
  CHECK(of_b.generation > part);
  CHECK_EQ(0, write_block(&b));
  CHECK_EQ(0, drop(&b, LOGS, 122));
  ini_host_close(&a);
  ini_host_close(&b);
}

/* Who had the whole until its time was over is late, though the part went to the key that had it
   before. */
static void a_part_again_after_the_whole(void) {
  struct ini_host a, b;
  struct csd_lease_state of_a, of_b;
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  CHECK(ini_host_open(&b, target.port, 0, "b"));
  CHECK_EQ(0, take(&b, LOGS, 152, &of_b));
  CHECK_EQ(0, drop(&b, LOGS, 152));
  CHECK_EQ(0, take_writer(&a, 1, 151, &of_a));
  CHECK_EQ(0, write_block(&a));
  const int64_t begun = ini_now_ms();
  while (take(&b, LOGS, 152, &of_b) == LOCKED && ini_now_ms() - begun < 50000) {
    usleep(20000);
  }
  CHECK_EQ(0, write_block(&b));
  CHECK_EQ(LOCKED, write_block(&a));
  CHECK_EQ(0, drop(&b, LOGS, 152));
  CHECK_EQ(LOCKED, write_block(&a));
  CHECK_EQ(LOCKED, take_writer(&a, 60, 151, &of_a)); /* its renewal comes too late */
  CHECK_EQ(LOCKED, write_block(&a));
  CHECK_EQ(0, drop(&a, 0, 151));
  CHECK_EQ(LOCKED, write_block(&a)); /* it does not know yet */
  CHECK_EQ(0, take_writer(&a, 60, 151, &of_a));
  CHECK_EQ(0, write_block(&a));
  CHECK_EQ(0, drop(&a, 0, 151));
  ini_host_close(&a);
  ini_host_close(&b);
}

/* What a dead writer held is another's soon; what others hold is not touched. */
static void a_writer_of_several_dies(void) {
  struct ini_host a, b;
  struct csd_lease_state of_a, of_b;
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  CHECK(ini_host_open(&b, target.port, 0, "b"));
  CHECK_EQ(0, take(&a, ARTICLES, 131, &of_a));
  CHECK_EQ(0, take(&a, TABLE, 131, &of_a));
  CHECK_EQ(0, take(&b, LOGS, 132, &of_b));
  ini_host_close(&a);
  CHECK_EQ(0, write_block(&b));
  const int64_t begun = ini_now_ms();
  while (take(&b, TABLE, 132, &of_b) == LOCKED && ini_now_ms() - begun < 50000) {
    CHECK_EQ(0, write_block(&b));
    usleep(20000);
  }
  CHECK_EQ(132, (int)of_b.writer);
  CHECK_EQ(0, write_block(&b));
  CHECK_EQ(0, take(&b, ARTICLES, 132, &of_b));
  CHECK_EQ(0, drop(&b, TABLE, 132));
  CHECK_EQ(0, drop(&b, ARTICLES, 132));
  CHECK_EQ(0, drop(&b, LOGS, 132));
  ini_host_close(&b);
}

/* More scopes than a controller, or the node, remembers. */
static void many_scopes(void) {
  enum { FIRST = 1 << 20, MAX_SCOPES = 5000 };
  struct ini_host a, b;
  struct csd_lease_state of_a, state;
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  CHECK(ini_host_open(&b, target.port, 0, "b"));
  CHECK_EQ(0, take(&a, ARTICLES, 141, &of_a));
  int status = 0;
  uint64_t scope = FIRST;
  for (; status == 0 && scope < FIRST + MAX_SCOPES; scope++) {
    status = take(&b, scope, 142, &state);
  }
  CHECK_EQ(0x700 | CSD_STATUS_NO_MEMORY, status);
  CHECK_EQ(0, write_block(&b));
  const uint64_t held = scope - 1 - FIRST;
  CHECK(held >= 64);
  for (uint64_t i = 0; i < held; i++) {
    CHECK_EQ(0, drop(&b, FIRST + i, 142));
  }
  /* One that was given up makes room, and one that is held does not. */
  for (uint64_t i = 0; i < 2000; i++) {
    if (take(&b, FIRST + MAX_SCOPES + i, 142, &state) != 0 ||
        drop(&b, FIRST + MAX_SCOPES + i, 142) != 0) {
      CHECK(false);
      break;
    }
  }
  CHECK_EQ(0, write_block(&a));
  CHECK_EQ(0, take(&a, ARTICLES, 141, &state));
  CHECK(state.generation == of_a.generation);
  CHECK_EQ(0, take(&b, FIRST, 142, &state)); /* long forgotten: it is told that it may be late */
  CHECK(state.generation > 1);
  CHECK_EQ(0, drop(&b, FIRST, 142));
  CHECK_EQ(0, drop(&a, ARTICLES, 141));
  ini_host_close(&a);
  ini_host_close(&b);
}

/* However many indexes are written to, the file table can be. */
static void many_scopes_leave_room_for_the_table(void) {
  enum { HOSTS = 5, FIRST = 1 << 20, MAX_SCOPES = 2000 };
  struct ini_host hosts[HOSTS];
  struct csd_lease_state state;
  const int64_t begun = ini_now_ms();
  uint64_t scope = FIRST, from[HOSTS + 1] = {FIRST};
  for (int h = 0; h < HOSTS; h++) {
    int status;
    CHECK(ini_host_open(&hosts[h], target.port, 0, "many"));
    while ((status = take(&hosts[h], scope, 151 + h, &state)) == 0 && scope < FIRST + MAX_SCOPES) {
      scope++;
    }
    from[h + 1] = scope;
    CHECK_EQ(0x700 | CSD_STATUS_NO_MEMORY, status);
    CHECK_EQ(0, take(&hosts[h], TABLE, 151 + h, &state));
    CHECK_EQ(0, write_block(&hosts[h]));
    CHECK_EQ(0, drop(&hosts[h], TABLE, 151 + h));
  }
  /* The last one met the node's limit, not its own, unless leases have ended meanwhile. */
  CHECK(from[HOSTS] - from[HOSTS - 1] < from[1] - FIRST || ini_now_ms() - begun > 50000);
  CHECK_EQ(0, take(&hosts[0], TABLE, 151, &state));
  CHECK_EQ(0, drop(&hosts[0], TABLE, 151));
  for (int h = 0; h < HOSTS; h++) {
    for (scope = from[h]; scope < from[h + 1]; scope++) {
      CHECK_EQ(0, drop(&hosts[h], scope, 151 + h));
    }
    ini_host_close(&hosts[h]);
  }
}

static void readers_hold_what_they_read(void) {
  struct ini_host a, b;
  struct csd_lease_state state;
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  CHECK(ini_host_open(&b, target.port, 0, "b"));
  CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_REPORT, 0, 0, 0, &state).status);
  CHECK(state.min_sequence == UINT64_MAX && state.reader_count == 0);
  CHECK(state.grace_seconds <= CSD_MAX_LEASE_SECONDS);
  CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_TAKE_READER, 60, 5, 1000, &state).status);
  CHECK_EQ(0, lease(&b.io, CSD_LEASE_ACTION_TAKE_READER, 1, 6, 7, &state).status);
  CHECK(state.min_sequence == 7 && state.reader_count == 2);
  ini_host_close(&b); /* its lease stays until its time is over */
  const int64_t begun = ini_now_ms();
  do {
    CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_REPORT, 0, 0, 0, &state).status);
    usleep(20000);
  } while (state.reader_count == 2 && ini_now_ms() - begun < 50000);
  CHECK(state.min_sequence == 1000 && state.reader_count == 1);
  CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_TAKE_READER, 60, 5, 1001, &state).status);
  CHECK(state.min_sequence == 1001);
  CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_DROP_READER, 0, 5, 0, &state).status);
  CHECK(state.min_sequence == UINT64_MAX);
  /* There is an end to them. */
  int status = 0;
  uint64_t key = 1;
  for (; key < 1000 && status == 0; key++) {
    status = lease(&a.io, CSD_LEASE_ACTION_TAKE_READER, 60, key, 1, &state).status;
  }
  CHECK(key <= 1000);
  CHECK_EQ(0x700 | CSD_STATUS_NO_MEMORY, status);
  for (; key > 0; key--) {
    CHECK_EQ(0, lease(&a.io, CSD_LEASE_ACTION_DROP_READER, 0, key, 0, &state).status);
  }
  CHECK_EQ(0, state.reader_count);
  ini_host_close(&a);
}

/* One host does not use up what all share. */
static void a_host_has_its_share(void) {
  enum { READERS = 256, SCOPES = 1024, FIRST = 1 << 21, CONTROLLERS = 4 };
  struct ini_host b, many[CONTROLLERS];
  struct csd_lease_state state;
  uint32_t readers = 0, scopes = 0;
  CHECK(ini_host_open(&b, target.port, 0, "b"));
  for (int h = 0; h < CONTROLLERS; h++) {
    CHECK(ini_host_open(&many[h], target.port, 0, "greedy"));
    while (readers < READERS &&
           lease(&many[h].io, CSD_LEASE_ACTION_TAKE_READER, 60, readers + 1, 7, &state).status ==
               0) {
      readers++;
    }
    while (scopes < SCOPES && take(&many[h], FIRST + scopes, 161, &state) == 0) {
      scopes++;
    }
  }
  CHECK_EQ(READERS - READERS / 8, readers);
  CHECK_EQ(SCOPES - SCOPES / 8, scopes);
  CHECK_EQ(0, lease(&b.io, CSD_LEASE_ACTION_TAKE_READER, 60, 1, 9, &state).status);
  CHECK_EQ(READERS - READERS / 8 + 1, state.reader_count); /* the same key, and another's lease */
  CHECK_EQ(0, lease(&b.io, CSD_LEASE_ACTION_DROP_READER, 0, 2, 0, &state).status);
  CHECK_EQ(READERS - READERS / 8 + 1, state.reader_count);
  CHECK_EQ(0, take(&b, LOGS, 162, &state));
  CHECK_EQ(0, take(&b, TABLE, 162, &state));
  CHECK_EQ(0, drop(&b, TABLE, 162));
  CHECK_EQ(0, take(&many[0], FIRST, 161, &state)); /* it renews what it has */
  CHECK_EQ(0, take(&many[0], TABLE, 161, &state));
  CHECK_EQ(0, drop(&many[0], TABLE, 161));
  for (uint32_t i = 0; i < scopes; i++) {
    CHECK_EQ(0, drop(&many[0], FIRST + i, 161));
  }
  CHECK_EQ(0, drop(&b, LOGS, 162));
  ini_host_close(&b);
  for (int h = 0; h < CONTROLLERS; h++) {
    ini_host_close(&many[h]);
  }
}

/* The key alone proves nothing: a lease is that of the host which took it. */
static void a_lease_is_its_hosts(void) {
  struct ini_host a, again, thief;
  struct csd_lease_state of_a, state;
  CHECK(ini_host_open(&a, target.port, 0, "a"));
  CHECK(ini_host_open(&again, target.port, 0, "a"));
  CHECK(ini_host_open(&thief, target.port, 0, "thief"));
  CHECK_EQ(0, take_writer(&a, 60, 171, &of_a));
  CHECK_EQ(0, lease(&thief.io, CSD_LEASE_ACTION_REPORT, 0, 0, 0, &state).status);
  CHECK(state.writer == UINT64_MAX && state.writer_count == 1); /* no key of another's */
  CHECK_EQ(LOCKED, take_writer(&thief, 60, 171, &state));
  CHECK_EQ(LOCKED, drop(&thief, 0, 171));
  CHECK_EQ(LOCKED, write_block(&thief));
  CHECK_EQ(0, write_block(&a));
  CHECK_EQ(0, lease(&again.io, CSD_LEASE_ACTION_REPORT, 0, 0, 0, &state).status);
  CHECK_EQ(171, state.writer);
  CHECK_EQ(0, drop(&again, 0, 171)); /* of the same host */
  CHECK_EQ(0, take(&a, ARTICLES, 171, &of_a));
  CHECK_EQ(LOCKED, take(&thief, ARTICLES, 171, &state));
  CHECK_EQ(LOCKED, drop(&thief, ARTICLES, 171));
  CHECK_EQ(0, write_block(&a));
  CHECK_EQ(0, drop(&a, ARTICLES, 171));
  CHECK_EQ(0, take(&thief, ARTICLES, 171, &state)); /* free: as another key's */
  CHECK(state.generation == of_a.generation + 1);
  CHECK_EQ(0, drop(&thief, ARTICLES, 171));
  ini_host_close(&a);
  ini_host_close(&again);
  ini_host_close(&thief);
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
      {CSD_LEASE_ACTION_DROP_WRITER, 1, 1, 0},
      {CSD_LEASE_ACTION_TAKE_READER, 0, 1, 0},
      {CSD_LEASE_ACTION_DROP_READER, 0, 0, 0},
      {CSD_LEASE_ACTION_DROP_READER, 0, 1, 1},
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
  RUN(several_hosts_write);
  RUN(late_in_one_scope);
  RUN(the_whole_and_its_parts);
  RUN(a_part_again_after_the_whole);
  RUN(a_writer_of_several_dies);
  RUN(many_scopes);
  RUN(many_scopes_leave_room_for_the_table);
  RUN(readers_hold_what_they_read);
  RUN(a_host_has_its_share);
  RUN(a_lease_is_its_hosts);
  RUN(bad_commands);
  CHECK_EQ(0, target_stop(&target));
  return check_result();
}
