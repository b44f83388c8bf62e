/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Too much of something ends the connection that does it, or is refused, and harms nobody else. */
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"

/* The limits of the target; each host has two connections. */
enum { CONNECTIONS = 20, CONTROLLERS = 10, BUSY = 0x181 };

static struct target_process target;
static struct ini_host neighbour;

static bool neighbour_is_well(void) {
  static uint8_t block[4096];
  const struct ini_command read = {.opcode = 2, .nsid = 1, .in = block, .in_bytes = sizeof block};
  return ini_run(&neighbour.io, &read).status == 0;
}

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
  CHECK(recv(host.io.file, &byte, 1, MSG_PEEK) < 0 && errno == EAGAIN); /* and no more */
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

static void silent_connections_are_limited(void) {
  enum { MANY = 60 };
  struct ini_connection c[MANY];
  struct ini_pdu pdu;
  for (int i = 0; i < MANY; i++) {
    CHECK(ini_dial(&c[i], target.port));
  }
  CHECK(neighbour_is_well());
  CHECK(target_logged(&target, "refused: too many without Connect"));
  CHECK_EQ(INI_CLOSED, ini_receive(&c[MANY - 1], &pdu));
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
static int admin(struct ini_connection *c) {
  return ini_connect(c, target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 0).status;
}

static void controllers_are_limited(void) {
  enum { MAX_OTHERS = CONTROLLERS - 1 }; /* beside the neighbour's */
  struct ini_host last;
  struct ini_connection c[MAX_OTHERS], one_more;
  int opened = 0;
  /* Once a host gets in, those of the test before are on their way out; each may take a while. */
  REQUIRE(ini_host_open_soon(&last, target.port, 0, INI_HOST));
  ini_host_close(&last);
  for (int tries = 0; opened < MAX_OTHERS && tries < 3000 /* a minute */; tries++) {
    if (admin(&c[opened]) == 0) {
      opened++;
    } else {
      ini_close(&c[opened]);
      usleep(20000);
    }
  }
  CHECK_EQ(MAX_OTHERS, opened);
  CHECK_EQ(BUSY, admin(&one_more)); /* may try again */
  CHECK(target_logged(&target, "no controller: all controllers are taken"));
  ini_close(&one_more);
  for (int i = 0; i < opened; i++) {
    ini_close(&c[i]);
  }
  CHECK(neighbour_is_well());
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
  const long grown = target_peak_kib(&target) - at_start;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK_MSG(grown < 40 << 10, "memory grew by %ld KiB", grown);
#endif
  printf("peak memory grew by %ld KiB\n", grown);
  ini_host_close(&neighbour);
  CHECK_EQ(0, target_stop(&target));
  return check_result();
}
