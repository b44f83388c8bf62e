/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Too much of something ends the connection that does it, or is refused, and harms nobody else. */
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "csd/csd.h"
#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"

/* The limits of the target; each host has two connections. */
enum { CONNECTIONS = 20, CONTROLLERS = 10, BUSY = 0x181 };
enum { MAX_OTHERS = CONTROLLERS - 1 }; /* controllers beside the neighbour's */

static struct target_process target;
static struct ini_host neighbour;

static bool neighbour_is_well(void) { return ini_host_is_well(&neighbour); }

/* A queue of 32 takes 32 commands that wait for their data, with memory for some of them. */
static void commands_beyond_the_depth_end_the_queue(void) {
  static uint8_t data[1 << 20];
  struct ini_host host;
  struct ini_pdu pdu;
  REQUIRE(ini_host_open_soon(&host, target.port, 0, INI_HOST));
  const struct ini_command write = {
      .opcode = 1, .nsid = 1, .cdw12 = 255, .out = data, .out_bytes = sizeof data, .apart = true};
  for (int i = 0; i < 32; i++) {
    ini_start(&host.io, &write);
  }
  for (int i = 0; i < 4; i++) {
    REQUIRE(ini_receive(&host.io, &pdu) == 0);
    CHECK_EQ(9, pdu.header[0]); /* 4 MiB of them */
  }
  const struct timeval soon = {.tv_usec = 100000};
  setsockopt(host.io.file, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon);
  uint8_t byte;
  ssize_t got;
  do {
    got = recv(host.io.file, &byte, 1, MSG_PEEK);
  } while (got < 0 && errno == EINTR);
  CHECK(got < 0 && errno == EAGAIN); /* and no more */
  CHECK(neighbour_is_well());
  ini_start(&host.io, &write);
  const struct timeval long_time = {.tv_sec = 60};
  setsockopt(host.io.file, SOL_SOCKET, SO_RCVTIMEO, &long_time, sizeof long_time);
  CHECK_EQ(INI_TERMINATED, ini_receive(&host.io, &pdu));
  CHECK_EQ(2, host.io.fatal);
  CHECK(target_logged(&target, "number of commands beyond the queue's depth is 32"));
  ini_host_close(&host);
  CHECK(neighbour_is_well());
}

/* Those that say nothing make room for those that come. */
static void silent_connections_are_limited(void) {
  enum { MANY = 60 };
  struct ini_connection c[MANY];
  struct ini_host host;
  struct ini_pdu pdu;
  for (int i = 0; i < MANY; i++) {
    CHECK(ini_dial(&c[i], target.port));
  }
  CHECK(neighbour_is_well());
  CHECK(target_logged(&target, "made room for others: no Connect yet"));
  CHECK_EQ(INI_CLOSED, ini_receive(&c[0], &pdu));
  REQUIRE(ini_host_open_soon(&host, target.port, 0, INI_HOST));
  ini_host_close(&host);
  for (int i = 0; i < MANY; i++) {
    ini_close(&c[i]);
  }
}

/*
 * There is room again once the target has noticed who has gone, but for no more hosts than there
 * may be.
 */
static void connections_are_limited(void) {
  enum { HOSTS = CONNECTIONS / 2 - 1 }; /* beside the neighbour */
  struct ini_host hosts[HOSTS], one_more;
  int opened = 0;
  while (opened < HOSTS && ini_host_open_soon(&hosts[opened], target.port, 0, INI_HOST)) {
    opened++;
  }
  CHECK_EQ(HOSTS, opened);
  CHECK(!ini_host_open(&one_more, target.port, 0, INI_HOST));
  ini_host_close(&one_more);
  CHECK(target_logged(&target, "refused: too many connections"));
  for (int i = 0; i < opened; i++) {
    ini_host_close(&hosts[i]);
  }
  CHECK(neighbour_is_well());
}

/* Connects as an admin queue. @return the status */
static int admin(struct ini_connection *c, uint32_t keep_alive_ms) {
  return ini_connect(c, target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, keep_alive_ms).status;
}

/* The same, tried for a minute. */
static bool admin_soon(struct ini_connection *c, uint32_t keep_alive_ms) {
  for (int tries = 0; tries < 3000; tries++) {
    if (admin(c, keep_alive_ms) == 0) {
      return true;
    }
    ini_close(c);
    usleep(20000);
  }
  return false;
}

static void controllers_are_limited(void) {
  enum { HOUR_MS = 3600000 };
  struct ini_host last;
  struct ini_connection c[MAX_OTHERS], one_more;
  int opened = 0;
  /* Once a host gets in, those of the test before are on their way out; each may take a while. */
  REQUIRE(ini_host_open_soon(&last, target.port, 0, INI_HOST));
  ini_host_close(&last);
  while (opened < MAX_OTHERS && admin_soon(&c[opened], HOUR_MS)) {
    opened++;
  }
  CHECK_EQ(MAX_OTHERS, opened);
  CHECK_EQ(BUSY, admin(&one_more, HOUR_MS)); /* may try again */
  CHECK(target_logged(&target, "no controller: all controllers are taken"));
  ini_close(&one_more);
  for (int i = 0; i < opened; i++) {
    ini_close(&c[i]);
  }
  CHECK(neighbour_is_well());
}

/* Those that promise no sign of life, and do nothing, make room for those that come. */
static void idle_controllers_make_room(void) {
  struct ini_connection c[MAX_OTHERS], one_more;
  struct ini_pdu pdu;
  int opened = 0;
  while (opened < MAX_OTHERS && admin_soon(&c[opened], 0)) {
    opened++;
  }
  CHECK_EQ(MAX_OTHERS, opened);
  CHECK(admin_soon(&one_more, 0));
  CHECK(target_logged(&target, "made room for others: idle without keep-alive"));
  CHECK_EQ(INI_CLOSED, ini_receive(&c[0], &pdu)); /* the one that was idle longest */
  ini_close(&one_more);
  for (int i = 0; i < opened; i++) {
    ini_close(&c[i]);
  }
  CHECK(neighbour_is_well());
}

/* Runs a command until it fails. @return how often it succeeded */
static int run_until_it_fails(struct ini_host *host, const struct ini_command *command,
                              int failure) {
  enum { FAR_TOO_OFTEN = 100 };
  int count = 0;
  int status = 0;
  while (status == 0 && count < FAR_TOO_OFTEN) {
    status = ini_run(&host->io, command).status;
    count += status == 0;
  }
  CHECK_EQ(0x700 | failure, status);
  return count;
}

/* One host gets seven eighths; what is left is another one's. */
static void a_host_leaves_something_to_others(void) {
  static const uint8_t live[8];
  static const char *const options[] = {"--capacity",  "16M", "--sessions",       "16",
                                        "--live-docs", "8M",  "--session-memory", "64M",
                                        NULL};
  const struct ini_command small = {.opcode = CSD_OPCODE_OPEN, .nsid = 1};
  const struct ini_command large = {.opcode = CSD_OPCODE_OPEN, .nsid = 1, .cdw10 = 8 << 20};
  const struct ini_command put = {.opcode = CSD_OPCODE_PUT,
                                  .nsid = 1,
                                  .cdw10 = CSD_RESOURCE_LIVE_DOCS,
                                  .cdw11 = sizeof live,
                                  .cdw14 = 1 << 20,
                                  .out = live,
                                  .out_bytes = sizeof live};
  struct target_process own;
  struct ini_host host, other;
  REQUIRE(target_start(&own, "share", options));
  REQUIRE(ini_host_open(&host, own.port, 0, INI_HOST));
  REQUIRE(ini_host_open(&other, own.port, 0, INI_OTHER_HOST));
  CHECK_EQ(7, run_until_it_fails(&host, &large, CSD_STATUS_NO_MEMORY));
  CHECK_EQ(1, run_until_it_fails(&other, &large, CSD_STATUS_NO_MEMORY));
  CHECK_EQ(0, ini_set_cc(&host.admin, 0x460000).status); /* gives all back */
  CHECK_EQ(0, ini_set_cc(&other.admin, 0x460000).status);
  ini_host_close(&host);
  ini_host_close(&other);
  REQUIRE(ini_host_open(&host, own.port, 0, INI_HOST));
  REQUIRE(ini_host_open(&other, own.port, 0, INI_OTHER_HOST));
  CHECK_EQ(14, run_until_it_fails(&host, &small, CSD_STATUS_TOO_MANY_SESSIONS));
  CHECK_EQ(2, run_until_it_fails(&other, &small, CSD_STATUS_TOO_MANY_SESSIONS));
  CHECK_EQ(7, run_until_it_fails(&host, &put, CSD_STATUS_NO_MEMORY));
  CHECK_EQ(1, run_until_it_fails(&other, &put, CSD_STATUS_NO_MEMORY));
  ini_host_close(&host);
  ini_host_close(&other);
  CHECK_EQ(0, target_stop(&own));
}

int main(void) {
  const char *const options[] = {
      "--capacity", "16M", "--max-connections", "20", "--max-controllers", "10", NULL};
  if (!target_start(&target, "floods", options)) {
    return 1;
  }
  if (!ini_host_open(&neighbour, target.port, 0, INI_OTHER_HOST)) {
    return 1;
  }
  const long at_start = target_peak_kib(&target);
  RUN(commands_beyond_the_depth_end_the_queue);
  RUN(silent_connections_are_limited);
  RUN(connections_are_limited);
  RUN(controllers_are_limited);
  RUN(idle_controllers_make_room);
  RUN(a_host_leaves_something_to_others);
  target_check_growth(&target, at_start);
  ini_host_close(&neighbour);
  CHECK_EQ(0, target_stop(&target));
  return check_result();
}
