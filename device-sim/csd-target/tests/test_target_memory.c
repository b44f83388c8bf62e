/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The daemon says how much memory it takes at most, and hosts cannot make it take more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csd/csd.h"
#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"

enum { NO_MEMORY = 0x700 | CSD_STATUS_NO_MEMORY, CHUNK = 1 << 20 };

static const char *const options[] = {"--capacity",
                                      "16M",
                                      "--dram",
                                      "4M",
                                      "--live-docs",
                                      "6M",
                                      "--sessions",
                                      "64",
                                      "--session-memory",
                                      "8M",
                                      "--queue-depth",
                                      "32",
                                      "--max-connections",
                                      "8",
                                      "--max-controllers",
                                      "4",
                                      NULL};

static struct target_process target;
static uint8_t bytes[CHUNK];

/* The numbers of the log's line: all, then its parts, MiB. */
static int told(long *parts) {
  char line[1024];
  int count = 0;
  CHECK(target_logged(&target, "memory at most"));
  FILE *log = fopen(target.log, "r");
  while (log != NULL && count <= 0 && fgets(line, sizeof line, log) != NULL) {
    const char *at = strstr(line, "memory at most");
    count = at == NULL
                ? 0
                : sscanf(at,
                         "memory at most %ld MiB: posting pages %ld, page index %ld, live docs "
                         "%ld, sessions %ld, connections %ld",
                         &parts[0], &parts[1], &parts[2], &parts[3], &parts[4], &parts[5]);
  }
  if (log != NULL) {
    fclose(log);
  }
  return count;
}

static void hosts_take_no_more_than_was_told(void) {
  struct ini_host hosts[3];
  long parts[6];
  static const char *const names[] = {INI_HOST, INI_OTHER_HOST, INI_HOST "3"};
  REQUIRE(told(parts) == 6);
  CHECK(parts[1] >= 4 && parts[1] <= 5);
  CHECK(parts[3] >= 6 && parts[3] <= 6 + 34); /* a page of memory for the smallest resource */
  CHECK_EQ(8, parts[4]);
  CHECK(parts[5] >= 8 * 8); /* 8 connections: 2 MiB in capsules, 4 and 1 of data, 1 of stack */
  CHECK(parts[0] <= 4 + 1 + 40 + 8 + 70 + 4);
  for (int i = 0; i < 3; i++) {
    REQUIRE(ini_host_open(&hosts[i], target.port, 0, names[i]));
  }
  /* Sessions of all hosts share their memory, whatever their number and size. */
  const struct ini_command open = {.opcode = CSD_OPCODE_OPEN, .nsid = 1};
  const struct ini_command large = {.opcode = CSD_OPCODE_OPEN, .nsid = 1, .cdw10 = 6 << 20};
  CHECK_EQ(0, ini_run(&hosts[0].io, &large).status);
  CHECK_EQ(0, ini_run(&hosts[1].io, &open).status);
  CHECK_EQ(0, ini_run(&hosts[1].io, &open).status);
  CHECK_EQ(NO_MEMORY, ini_run(&hosts[2].io, &open).status);
  /* So do live docs. */
  int whole = 0;
  for (int status = 0; status == 0 && whole < 10; whole += status == 0) {
    const struct ini_command put = {.opcode = CSD_OPCODE_PUT,
                                    .nsid = 1,
                                    .cdw10 = 1,
                                    .cdw11 = CHUNK,
                                    .cdw14 = CHUNK,
                                    .out = bytes,
                                    .out_bytes = CHUNK,
                                    .apart = true};
    status = ini_run(&hosts[whole % 3].io, &put).status;
    CHECK(status == 0 || status == NO_MEMORY);
  }
  CHECK_EQ(6, whole);
  /* And all the data that queues can hold. */
  memset(bytes, 0xFF, sizeof bytes);
  for (int i = 0; i < 3; i++) {
    const struct ini_command write = {
        .opcode = 1, .nsid = 1, .cdw12 = 255, .out = bytes, .out_bytes = CHUNK, .apart = true};
    for (int k = 0; k < 16; k++) {
      CHECK_EQ(0, ini_run(&hosts[i].io, &write).status);
    }
  }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const long own_kib = 8 << 10; /* the program itself and its libraries */
  const long peak_kib = target_peak_kib(&target);
  CHECK_MSG(peak_kib <= (parts[0] << 10) + own_kib, "%ld KiB, told were %ld MiB", peak_kib,
            parts[0]);
#endif
  /* What a host had is there again when it has gone. */
  ini_host_close(&hosts[0]);
  int status = NO_MEMORY;
  for (int i = 0; i < 6000 && status == NO_MEMORY; i++) { /* a minute */
    status = ini_run(&hosts[2].io, &open).status;
    if (status != 0) {
      usleep(10000);
    }
  }
  CHECK_EQ(0, status);
  ini_host_close(&hosts[1]);
  ini_host_close(&hosts[2]);
}

static void the_model_names_the_daemon(void) {
  struct ini_host host;
  struct csd_device_info info;
  const struct ini_command fetch = {.opcode = CSD_OPCODE_FETCH,
                                    .nsid = 1,
                                    .cdw12 = sizeof info,
                                    .in = &info,
                                    .in_bytes = sizeof info};
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  CHECK_EQ(0, ini_run(&host.io, &fetch).status);
  CHECK(strcmp((const char *)info.model, "csd-target") == 0);
  ini_host_close(&host);
}

int main(void) {
  if (!target_start(&target, "memory", options)) {
    return 1;
  }
  RUN(the_model_names_the_daemon);
  RUN(hosts_take_no_more_than_was_told);
  CHECK_EQ(0, target_stop(&target));
  return check_result();
}
