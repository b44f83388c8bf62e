/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Metrics: what they say, who gets them, and that nobody holds them up. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "csd/csd.h"
#include "target_process.h"
#include "tests/support/check.h"

enum { TEXT = 1 << 17 };

static struct target_process target;
static uint16_t port;
static char text[TEXT];

static void get_with(const char *request, size_t bytes) {
  struct ini_connection c;
  size_t used = 0;
  ssize_t got;
  text[0] = 0;
  REQUIRE(ini_dial(&c, port));
  CHECK(ini_send(&c, request, bytes));
  while (used < sizeof text - 1 &&
         ((got = recv(c.file, text + used, sizeof text - 1 - used, 0)) > 0 ||
          (got < 0 && errno == EINTR))) {
    used += got > 0 ? (size_t)got : 0;
  }
  text[used] = 0;
  ini_close(&c);
}

static void get(const char *request) { get_with(request, strlen(request)); }

static bool says(const char *what) {
  const bool found = strstr(text, what) != NULL;
  if (!found) {
    fprintf(stderr, "no \"%s\" in:\n%.3000s\n", what, text);
  }
  return found;
}

static uint64_t value(const char *name) {
  char line[100];
  snprintf(line, sizeof line, "\ncsd_target_%s ", name);
  const char *at = strstr(text, line);
  CHECK_MSG(at != NULL, "no metric %s", name);
  return at == NULL ? 0 : strtoull(at + strlen(line), NULL, 10);
}

static void what_they_say(void) {
  struct ini_host host;
  uint8_t lba[4096];
  const struct ini_command open = {.opcode = CSD_OPCODE_OPEN, .nsid = 1};
  const struct ini_command read = {.opcode = 2, .nsid = 1, .in = lba, .in_bytes = sizeof lba};
  get("GET /metrics HTTP/1.1\r\n\r\n");
  CHECK(says("HTTP/1.1 200 OK\r\n") && says("version=0.0.4"));
  CHECK_EQ(0, value("connections"));
  CHECK_EQ(0, value("reads_total"));
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(0, ini_run(&host.io, &read).status);
  }
  CHECK_EQ(0, ini_run(&host.io, &open).status);
  get("GET /metrics?all HTTP/1.0\r\nHost: x\r\n\r\n");
  CHECK_EQ(2, value("connections"));
  CHECK_EQ(1, value("controllers"));
  CHECK_EQ(3, value("reads_total"));
  CHECK_EQ(1, value("sessions"));
  CHECK_EQ(0, value("hosts_refused_total"));
  char line[300];
  snprintf(line, sizeof line,
           "csd_target_controller_connections{host=\"%s\",controller=\"%u\"} 2\n", INI_HOST,
           host.controller_id);
  CHECK(says(line));
  ini_host_close(&host);
}

static void leases(void) {
  struct ini_host host;
  struct csd_lease_state state;
  get("GET /metrics HTTP/1.1\r\n\r\n");
  CHECK_EQ(0, value("writer_lease_seconds"));
  CHECK_EQ(0, value("writers_total"));
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  struct ini_command take = {.opcode = CSD_OPCODE_LEASE,
                             .nsid = 1,
                             .cdw10 = CSD_LEASE_ACTION_TAKE_WRITER,
                             .cdw11 = CSD_MAX_LEASE_SECONDS,
                             .cdw12 = 7,
                             .in = &state,
                             .in_bytes = sizeof state};
  CHECK_EQ(0, ini_run(&host.io, &take).status);
  take.cdw10 = CSD_LEASE_ACTION_TAKE_READER;
  for (take.cdw12 = 8; take.cdw12 < 11; take.cdw12++) {
    CHECK_EQ(0, ini_run(&host.io, &take).status);
  }
  get("GET /metrics HTTP/1.1\r\n\r\n");
  CHECK(value("writer_lease_seconds") > 0);
  CHECK(value("writer_lease_seconds") <= CSD_MAX_LEASE_SECONDS);
  CHECK_EQ(1, value("writers_total"));
  CHECK_EQ(3, value("reader_leases"));
  ini_host_close(&host);
}

static void names_of_hosts(void) {
  struct ini_connection c, refused;
  CHECK_EQ(
      0,
      ini_connect(&c, target.port, 0, "nqn.x\"} 1\n\\evil 2", INI_SUBSYSTEM, 0, 0xFFFF, 0).status);
  CHECK(ini_connect(&refused, target.port, 0, "nqn.not", INI_SUBSYSTEM, 0, 0xFFFF, 0).status != 0);
  get("GET /metrics HTTP/1.1\r\n\r\n");
  CHECK(says("{host=\"nqn.x?}?1??evil?2\",controller="));
  CHECK_EQ(1, value("hosts_refused_total"));
  ini_close(&c);
  ini_close(&refused);
}

static void other_requests(void) {
  static char large[4096];
  get("GET / HTTP/1.1\r\n\r\n");
  CHECK(says("HTTP/1.1 404 "));
  get("POST /metrics HTTP/1.1\r\n\r\n");
  CHECK(says("HTTP/1.1 405 "));
  get("GET /metricsx HTTP/1.1\r\n\r\n");
  CHECK(says("HTTP/1.1 404 "));
  memset(large, 'a', sizeof large);
  get_with(large, sizeof large);
  get_with("\0\r\n\r\n", 5);
  CHECK(says("HTTP/1.1 405 "));
  get("GET /metrics HTTP/1.1\r\n\r\n");
  CHECK(says("HTTP/1.1 200 "));
}

/* Silent readers are left after a second; queues go on meanwhile. */
static void silence(void) {
  struct ini_connection silent[3];
  struct ini_host host;
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  for (int i = 0; i < 3; i++) {
    REQUIRE(ini_dial(&silent[i], port));
  }
  ini_send(&silent[1], "GET ", 4);
  for (int i = 0; i < 100; i++) {
    CHECK(ini_host_is_well(&host));
  }
  get("GET /metrics HTTP/1.1\r\n\r\n");
  CHECK(says("HTTP/1.1 200 "));
  for (int i = 0; i < 3; i++) {
    ini_close(&silent[i]);
  }
  ini_host_close(&host);
}

/* A request is answered though many others have connected before it and not asked yet. */
static void slow_clients(void) {
  enum { SLOW = 20, TRIALS = 20 };
  struct ini_connection slow[SLOW];
  bool waiting = false;
  char byte;
  for (int trial = 0; trial < TRIALS && !waiting; trial++) { /* their second may be over */
    for (int i = 0; i < SLOW; i++) {
      REQUIRE(ini_dial(&slow[i], port));
      ini_send(&slow[i], "GET ", 4);
    }
    get("GET /metrics HTTP/1.1\r\n\r\n");
    CHECK(says("HTTP/1.1 200 "));
    waiting = true;
    for (int i = 0; i < SLOW; i++) {
      waiting &= recv(slow[i].file, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
      ini_close(&slow[i]);
    }
  }
  CHECK(waiting);
}

static void status_command(void) {
  char command[600];
  snprintf(command, sizeof command, "%s status %u", CSD_TARGET_BINARY, port);
  FILE *out = popen(command, "r");
  REQUIRE(out != NULL);
  const size_t bytes = fread(text, 1, sizeof text - 1, out);
  text[bytes] = 0;
  CHECK_EQ(0, pclose(out));
  CHECK(strncmp(text, "# HELP csd_target_uptime_seconds", 32) == 0);
  snprintf(command, sizeof command, "%s status 1 2>/dev/null", CSD_TARGET_BINARY);
  CHECK(system(command) != 0);
  snprintf(command, sizeof command, "%s status x 2>/dev/null", CSD_TARGET_BINARY);
  CHECK(system(command) != 0);
}

int main(void) {
  static const char *const options[] = {
      "--metrics", "0", "--allow-host", INI_HOST, "--allow-host", "nqn.x\"} 1\n\\evil 2", NULL};
  char line[1000];
  unsigned number = 0;
  if (!target_start(&target, "metrics", options)) {
    return 1;
  }
  CHECK(target_logged(&target, "metrics on 127.0.0.1 port"));
  FILE *log = fopen(target.log, "r");
  while (log != NULL && fgets(line, sizeof line, log) != NULL) {
    const char *at = strstr(line, "metrics on 127.0.0.1 port ");
    if (at != NULL) {
      sscanf(at, "metrics on 127.0.0.1 port %u", &number);
    }
  }
  if (log != NULL) {
    fclose(log);
  }
  port = (uint16_t)number;
  RUN(what_they_say);
  RUN(leases);
  RUN(names_of_hosts);
  RUN(other_requests);
  RUN(silence);
  RUN(slow_clients);
  RUN(status_command);
  CHECK_EQ(0, target_stop(&target));
  return check_result();
}
