/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Whoever reads the log may stop reading: the target goes on, and says later what is missing. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"

enum { JUNK = 400, PIPE_BYTES = 4096, MAX_LOG = 1 << 20 };

static const char *const options[] = {"--capacity", "16M", "--subsystem", INI_SUBSYSTEM, NULL};

/* A connection that breaks the protocol at once gives a line of the log. */
static void send_junk(uint16_t port) {
  static const uint8_t junk[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  struct ini_connection c;
  struct ini_pdu pdu;
  REQUIRE(ini_dial(&c, port));
  ini_send(&c, junk, sizeof junk);
  const int status = ini_receive(&c, &pdu); /* the line is in the queue before the answer is out */
  ini_close(&c);
  REQUIRE(status == INI_TERMINATED || status == INI_CLOSED);
}

/* A target whose log goes into a pipe that holds a few dozen lines, of which `reader` is the end.
 */
static bool start(struct target_process *target, const char *name, int *reader) {
  int pipes[2];
  if (pipe2(pipes, O_CLOEXEC) != 0 || fcntl(pipes[1], F_SETPIPE_SZ, PIPE_BYTES) < 0) {
    return false;
  }
  const bool started = target_start_logging(target, name, options, pipes[1]);
  close(pipes[1]);
  *reader = pipes[0];
  return started;
}

static void a_reader_that_stops_stops_nothing(void) {
  struct target_process target;
  struct ini_host host, late;
  static uint8_t block[4096];
  const struct ini_command read = {.opcode = 2, .nsid = 1, .in = block, .in_bytes = sizeof block};
  int log;
  REQUIRE(start(&target, "deaf", &log));
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  for (int i = 0; i < JUNK; i++) {
    send_junk(target.port);
  }
  REQUIRE(ini_host_open(&late, target.port, 0, INI_OTHER_HOST));
  CHECK_EQ(0, ini_run(&host.io, &read).status);
  CHECK_EQ(0, ini_run(&late.io, &read).status);
  CHECK_EQ(0, target_stop(&target));
  ini_host_close(&host);
  ini_host_close(&late);
  close(log);
}

/* Adds what there is to read, of which some comes within a moment. */
static void read_more(int file, char *text, size_t *bytes) {
  struct pollfd poll_one = {.fd = file, .events = POLLIN};
  while (*bytes < MAX_LOG - 1 && poll(&poll_one, 1, 50) > 0) {
    const ssize_t got = read(file, text + *bytes, MAX_LOG - 1 - *bytes);
    if (got <= 0) {
      break;
    }
    *bytes += (size_t)got;
  }
  text[*bytes] = 0;
}

/* Lines with that text. */
static int count_lines(const char *text, const char *part) {
  int count = 0;
  while ((text = strstr(text, part)) != NULL) {
    text++, count++;
  }
  return count;
}

/* Lines that the log says are missing. */
static int count_left_out(const char *text) {
  int count = 0;
  for (; (text = strstr(text, "warning: ")) != NULL; text++) {
    int number, end = 0;
    if (sscanf(text, "warning: %d log lines were left out%n", &number, &end) == 1 && end > 0) {
      count += number;
    }
  }
  return count;
}

static void what_is_missing_is_counted(void) {
  static const char *const of_junk = "a type that may not come now is 255";
  struct target_process target;
  static char text[MAX_LOG];
  size_t bytes = 0;
  int log, sent = JUNK;
  REQUIRE(start(&target, "late", &log));
  for (int i = 0; i < JUNK; i++) {
    send_junk(target.port);
  }
  /* It is said by the next line that there is room for: in another second at the latest. */
  for (; count_left_out(text) == 0 && bytes < MAX_LOG - 1; sent++) {
    read_more(log, text, &bytes);
    send_junk(target.port);
  }
  for (int i = 0; i < 200 && count_lines(text, of_junk) + count_left_out(text) < sent; i++) {
    read_more(log, text, &bytes);
  }
  CHECK_MSG(count_lines(text, of_junk) + count_left_out(text) == sent,
            "%d lines, %d left out, of %d", count_lines(text, of_junk), count_left_out(text), sent);
  CHECK_EQ(0, target_stop(&target));
  close(log);
}

int main(void) {
  RUN(a_reader_that_stops_stops_nothing);
  RUN(what_is_missing_is_counted);
  return check_result();
}
