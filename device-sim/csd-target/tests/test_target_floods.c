/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Too much, too slow: it ends the connection that does it, in time, and harms nobody else. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"

static struct target_process target;
static struct ini_host neighbour;
static uint8_t data[1 << 20];

static bool neighbour_is_well(void) {
  static uint8_t block[4096];
  const struct ini_command read = {.opcode = 2, .nsid = 1, .in = block, .in_bytes = sizeof block};
  return ini_run(&neighbour.io, &read).status == 0;
}

static struct ini_command transfer(uint8_t opcode, uint32_t count) {
  struct ini_command command = {.opcode = opcode, .nsid = 1, .cdw12 = count - 1};
  if (opcode == 1) {
    command.out = data, command.out_bytes = count * 4096, command.apart = true;
  } else {
    command.in = data, command.in_bytes = count * 4096;
  }
  return command;
}

/* Peak memory of the target, KiB. */
static long peak_kib(void) {
  char path[64], line[256];
  long kib = -1;
  snprintf(path, sizeof path, "/proc/%d/status", (int)target.pid);
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    sscanf(line, "VmHWM: %ld", &kib);
  }
  if (file != NULL) {
    fclose(file);
  }
  return kib;
}

/* A queue of 32 takes 32 commands that wait for their data, with memory for some of them. */
static void commands_beyond_the_depth_end_the_queue(void) {
  struct ini_host host;
  struct ini_pdu pdu;
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  const struct ini_command write = transfer(1, 256);
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
  const struct timeval long_time = {.tv_sec = 10};
  setsockopt(host.io.file, SOL_SOCKET, SO_RCVTIMEO, &long_time, sizeof long_time);
  CHECK_EQ(INI_TERMINATED, ini_receive(&host.io, &pdu));
  CHECK_EQ(2, host.io.fatal);
  CHECK(target_logged(&target, "number of commands beyond the queue's depth is 32"));
  ini_host_close(&host);
  CHECK(neighbour_is_well());
}

static void connections_are_limited(void) {
  enum { MANY = 60 };
  struct ini_connection c[MANY];
  struct ini_pdu pdu;
  for (int i = 0; i < MANY; i++) {
    CHECK(ini_dial(&c[i], target.port));
  }
  CHECK(neighbour_is_well());
  CHECK(target_logged(&target, "refused: too many without Connect"));
  /* The last of them was closed at once; the first will be, as it says nothing. */
  CHECK_EQ(INI_CLOSED, ini_receive(&c[MANY - 1], &pdu));
  CHECK_EQ(INI_CLOSED, ini_receive(&c[0], &pdu));
  CHECK(target_logged(&target, "ended: slow peer: no Connect within 1000 ms"));
  for (int i = 0; i < MANY; i++) {
    ini_close(&c[i]);
  }
  /* There is room again soon, but for no more hosts than there may be. */
  struct ini_host hosts[20];
  int opened = 0;
  for (int i = 0; i < 100 && !ini_host_open(&hosts[0], target.port, 0, INI_HOST); i++) {
    ini_host_close(&hosts[0]);
    usleep(20000);
  }
  for (opened = 1; opened < 20; opened++) {
    if (!ini_host_open(&hosts[opened], target.port, 0, INI_HOST)) {
      break;
    }
  }
  CHECK_EQ(9, opened); /* 20 connections, two a host, the neighbour's two */
  CHECK(target_logged(&target, "refused: too many connections"));
  for (int i = 0; i <= opened && i < 20; i++) {
    ini_host_close(&hosts[i]);
  }
  CHECK(neighbour_is_well());
}

static void controllers_are_limited(void) {
  struct ini_connection c[12];
  int opened = 0, status = 0;
  usleep(100000);
  for (; opened < 12 && status == 0; opened++) {
    status = ini_connect(&c[opened], target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 0).status;
  }
  CHECK_EQ(0x181, status); /* busy: may try again */
  CHECK(opened >= 10);     /* the tenth or, with the neighbour's, the eleventh */
  CHECK(target_logged(&target, "no controller: all controllers are taken"));
  for (int i = 0; i < opened; i++) {
    ini_close(&c[i]);
  }
}

static int ends_with(struct ini_connection *c, const char *logged) {
  struct ini_pdu pdu;
  int status = 0;
  for (int i = 0; i < 10000 && status == 0; i++) {
    status = ini_receive(c, &pdu);
  }
  CHECK(target_logged(&target, logged));
  CHECK(neighbour_is_well());
  return status;
}

static void who_stops_in_the_middle_is_cut_off(void) {
  struct ini_host host;
  const uint8_t head[40] = {4, 0, 72, 0, 72};
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  ini_send(&host.io, head, sizeof head);
  CHECK_EQ(INI_CLOSED, ends_with(&host.io, "slow peer: a PDU's header did not come in 1000 ms"));
  ini_host_close(&host);
  /* Nor does it help to send a byte now and then. */
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  ini_send(&host.io, head, 20);
  const int before = target_log_count(&target, "a PDU's header did not come");
  for (int i = 0; i < 8; i++) {
    usleep(200000);
    ini_send(&host.io, head + 20 + i, 1);
  }
  CHECK(target_log_count(&target, "a PDU's header did not come") > before);
  ini_host_close(&host);
}

/* To be busy without Connect gives no more time than to be silent. */
static void who_does_not_connect_is_cut_off(void) {
  struct ini_connection c;
  const struct ini_command command = {.opcode = 0x0A, .cdw10 = 7};
  REQUIRE(ini_dial(&c, target.port) && ini_parameters(&c, 0, 0));
  const int before = target_log_count(&target, "slow peer: no Connect within 1000 ms");
  uint16_t cids[6]; /* always some on their way, so that there is always one to read */
  int status = 0x400C;
  for (int i = 0; i < 6; i++) {
    cids[i] = ini_start(&c, &command);
  }
  const time_t end = time(NULL) + 5;
  for (int i = 0; status == 0x400C && time(NULL) < end; i = (i + 1) % 6) {
    status = ini_finish(&c, &command, cids[i]).status;
    cids[i] = ini_start(&c, &command);
  }
  CHECK_EQ(INI_CLOSED, status);
  CHECK(target_log_count(&target, "slow peer: no Connect within 1000 ms") > before);
  ini_close(&c);
}

static void who_does_not_send_its_data_is_cut_off(void) {
  struct ini_host host;
  const struct ini_command write = transfer(1, 64), flush = {.nsid = 1};
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  ini_start(&host.io, &write);
  /* Nor does it help to send other commands meanwhile. */
  for (int i = 0; i < 7; i++) {
    usleep(200000);
    ini_start(&host.io, &flush);
  }
  CHECK(ends_with(&host.io, "slow peer: data that were asked for did not come within 1000 ms") < 0);
  ini_host_close(&host);
}

static void who_takes_no_answers_is_cut_off(void) {
  struct ini_host host;
  const struct ini_command read = transfer(2, 256);
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  for (int i = 0; i < 30; i++) {
    ini_start(&host.io, &read); /* far more than sockets hold */
  }
  for (int i = 0; i < 20; i++) {
    usleep(70000);
    CHECK(neighbour_is_well());
  }
  CHECK(target_logged(&target, "slow peer: did not take an answer in 1000 ms"));
  ini_host_close(&host);
}

int main(void) {
  const char *const options[] = {
      "--capacity", "16M", "--io-timeout", "1", "--max-connections", "20", "--max-controllers",
      "10",         NULL};
  if (!target_start(&target, "floods", options)) {
    return 1;
  }
  if (!ini_host_open(&neighbour, target.port, 0, INI_OTHER_HOST)) {
    return 1;
  }
  const long at_start = peak_kib();
  RUN(commands_beyond_the_depth_end_the_queue);
  RUN(connections_are_limited);
  RUN(controllers_are_limited);
  RUN(who_stops_in_the_middle_is_cut_off);
  RUN(who_does_not_connect_is_cut_off);
  RUN(who_does_not_send_its_data_is_cut_off);
  RUN(who_takes_no_answers_is_cut_off);
  const long grown = peak_kib() - at_start;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK_MSG(grown < 40 << 10, "memory grew by %ld KiB", grown);
#endif
  printf("peak memory grew by %ld KiB\n", grown);
  ini_host_close(&neighbour);
  CHECK_EQ(0, target_stop(&target));
  return check_result();
}
