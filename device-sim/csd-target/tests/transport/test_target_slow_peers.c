/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Who is too slow is cut off after the time limit of a second, and harms nobody else. Where a test
 * goes on with something that must not prolong the limit, it has at least ten times as long.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"

enum { GAP_US = 400000 }; /* less than the limit, so that no gap by itself exceeds it */

static struct target_process target;
static struct ini_host neighbour;
static uint8_t data[1 << 20];

static bool neighbour_is_well(void) { return ini_host_is_well(&neighbour); }

static struct ini_command transfer(uint8_t opcode, uint32_t count) {
  struct ini_command command = {.opcode = opcode, .nsid = 1, .cdw12 = count - 1};
  if (opcode == 1) {
    command.out = data, command.out_bytes = count * 4096, command.apart = true;
  } else {
    command.in = data, command.in_bytes = count * 4096;
  }
  return command;
}

/* Receives until the connection ends. @return how it ended */
static int end_of(struct ini_connection *c) {
  struct ini_pdu pdu;
  int status = 0;
  while (status == 0) {
    status = ini_receive(c, &pdu);
  }
  return status;
}

static void who_says_nothing_is_cut_off(void) {
  static const char reason[] = "slow peer: no Connect within 1000 ms";
  struct ini_connection c;
  const int before = target_log_count(&target, reason);
  REQUIRE(ini_dial(&c, target.port));
  CHECK_EQ(INI_CLOSED, end_of(&c));
  CHECK(target_logged_again(&target, reason, before));
  ini_close(&c);
}

/* To be busy without Connect gives no more time than to be silent. */
static void who_does_not_connect_is_cut_off(void) {
  static const char reason[] = "slow peer: no Connect within 1000 ms";
  enum { ON_THEIR_WAY = 6 }; /* so that there is always one to read */
  struct ini_connection c;
  const struct ini_command command = {.opcode = 0x0A, .cdw10 = 7};
  const int before = target_log_count(&target, reason);
  REQUIRE(ini_dial(&c, target.port) && ini_parameters(&c, 0, 0));
  uint16_t cids[ON_THEIR_WAY];
  int status = 0x400C;
  for (int i = 0; i < ON_THEIR_WAY; i++) {
    cids[i] = ini_start(&c, &command);
  }
  const time_t end = time(NULL) + 60;
  for (int i = 0; status == 0x400C && time(NULL) < end; i = (i + 1) % ON_THEIR_WAY) {
    status = ini_finish(&c, &command, cids[i]).status;
    cids[i] = ini_start(&c, &command);
  }
  CHECK_EQ(INI_CLOSED, status);
  CHECK(target_logged_again(&target, reason, before));
  ini_close(&c);
}

static const uint8_t command_head[40] = {4, 0, 72, 0, 72};
static const char no_header[] = "slow peer: a PDU's header did not come in 1000 ms";

static void who_stops_in_the_middle_is_cut_off(void) {
  struct ini_host host;
  const int before = target_log_count(&target, no_header);
  REQUIRE(ini_host_open_soon(&host, target.port, 0, INI_HOST));
  ini_send(&host.io, command_head, sizeof command_head);
  CHECK_EQ(INI_CLOSED, end_of(&host.io));
  CHECK(target_logged_again(&target, no_header, before));
  CHECK(neighbour_is_well());
  ini_host_close(&host);
}

/* Nor does it help to send a byte now and then. */
static void who_sends_single_bytes_is_cut_off(void) {
  enum { HEADER = 72 };
  struct ini_host host;
  const int before = target_log_count(&target, no_header);
  REQUIRE(ini_host_open_soon(&host, target.port, 0, INI_HOST));
  ini_send(&host.io, command_head, sizeof command_head);
  bool cut_off = false;
  for (int i = (int)sizeof command_head; i < HEADER - 1 && !cut_off; i++) {
    usleep(GAP_US);
    ini_send(&host.io, "", 1);
    cut_off = target_log_count(&target, no_header) > before;
  }
  CHECK(cut_off);
  CHECK(neighbour_is_well());
  ini_host_close(&host);
}

/* Nor to send other commands instead of the data that were asked for. */
static void who_does_not_send_its_data_is_cut_off(void) {
  static const char reason[] = "slow peer: data that were asked for did not come within 1000 ms";
  enum { DEPTH = 32 };
  struct ini_host host;
  const struct ini_command write = transfer(1, 64), flush = {.nsid = 1};
  REQUIRE(ini_host_open_soon(&host, target.port, 0, INI_HOST));
  ini_start(&host.io, &write);
  bool cut_off = false;
  for (int i = 1; i < DEPTH && !cut_off; i++) {
    usleep(GAP_US);
    ini_start(&host.io, &flush);
    cut_off = target_log_count(&target, reason) > 0;
  }
  CHECK(cut_off);
  CHECK(end_of(&host.io) < 0);
  CHECK(neighbour_is_well());
  ini_host_close(&host);
}

static void who_takes_no_answers_is_cut_off(void) {
  struct ini_host host;
  const struct ini_command read = transfer(2, 256);
  REQUIRE(ini_host_open_soon(&host, target.port, 0, INI_HOST));
  for (int i = 0; i < 30; i++) {
    ini_start(&host.io, &read); /* far more than sockets hold */
  }
  for (int i = 0; i < 20; i++) {
    usleep(10000);
    CHECK(neighbour_is_well());
  }
  CHECK(target_logged(&target, "slow peer: did not take an answer in 1000 ms"));
  CHECK(neighbour_is_well());
  ini_host_close(&host);
}

int main(void) {
  const char *const options[] = {"--capacity", "16M", "--io-timeout", "1", NULL};
  if (!target_start(&target, "slow_peers", options)) {
    return 1;
  }
  if (!ini_host_open_soon(&neighbour, target.port, 0, INI_OTHER_HOST)) {
    return 1;
  }
  const long at_start = target_peak_kib(&target);
  RUN(who_says_nothing_is_cut_off);
  RUN(who_does_not_connect_is_cut_off);
  RUN(who_stops_in_the_middle_is_cut_off);
  RUN(who_sends_single_bytes_is_cut_off);
  RUN(who_does_not_send_its_data_is_cut_off);
  RUN(who_takes_no_answers_is_cut_off);
  target_check_growth(&target, at_start);
  ini_host_close(&neighbour);
  CHECK_EQ(0, target_stop(&target));
  return check_result();
}
