/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* What one host gets at most, with all its controllers, and that nobody takes it under its name. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "auth_host.h"
#include "csd/csd.h"
#include "target_process.h"
#include "tests/support/check.h"
#include "tests/support/scratch.h"

#define SECRET "DHHC-1:01:G55n6bhjgMLfRILNme5aONB+GcEl/ZHwk9tqnFRoDhvSaqvc:"
#define OTHER_SECRET "DHHC-1:01:ochi59xCNLIBIv9yZUKUEv6+VhoigrofC8vel9vPr7VUG9hA:"

enum { BUSY = 0x181, SHARE_CONNECTIONS = 8, SHARE_SESSIONS = 8 };

static struct target_process target;

static int open_sessions(struct ini_host *host) {
  const struct ini_command open = {.opcode = CSD_OPCODE_OPEN, .nsid = 1};
  int count = 0, status;
  while ((status = ini_run(&host->io, &open).status) == 0) {
    count++;
  }
  CHECK_EQ(0x700 | CSD_STATUS_TOO_MANY_SESSIONS, status & ~0x4000);
  return count;
}

/* Half of everything, whatever the number of controllers. */
static void all_controllers_together(void) {
  static const char *const options[] = {
      "--sessions", "16", "--max-connections", "16", "--max-controllers", "64", "--host-share",
      "50",         NULL};
  struct ini_host first, second, other;
  struct ini_connection more[4], one;
  REQUIRE(target_start(&target, "shares", options));
  REQUIRE(ini_host_open(&first, target.port, 0, INI_HOST));
  REQUIRE(ini_host_open(&second, target.port, 0, INI_HOST));
  REQUIRE(ini_host_open(&other, target.port, 0, INI_OTHER_HOST));
  CHECK_EQ(SHARE_SESSIONS, open_sessions(&first));
  CHECK_EQ(0, open_sessions(&second));
  CHECK_EQ(16 - SHARE_SESSIONS, open_sessions(&other));
  for (int i = 0; i < SHARE_CONNECTIONS - 4; i++) {
    CHECK_EQ(0,
             ini_connect(&more[i], target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 0).status);
  }
  CHECK_EQ(BUSY, ini_connect(&one, target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 0).status);
  ini_close(&one);
  CHECK(target_logged(&target, INI_HOST " is refused: it has its share of the connections"));
  CHECK(ini_host_is_well(&first) && ini_host_is_well(&other));
  ini_close(&more[0]); /* gives its place back */
  struct ini_answer again;
  do {
    again = ini_connect(&one, target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 0);
    if (again.status != 0) {
      ini_close(&one);
      usleep(10000);
    }
  } while (again.status == BUSY);
  CHECK_EQ(0, again.status);
  ini_close(&one);
  for (int i = 1; i < SHARE_CONNECTIONS - 4; i++) {
    ini_close(&more[i]);
  }
  ini_host_close(&first);
  ini_host_close(&second);
  ini_host_close(&other);
  CHECK_EQ(0, target_stop(&target));
}

/* Controllers are fewer than connections. */
static void controllers(void) {
  static const char *const options[] = {"--max-controllers", "4", "--host-share", "50", NULL};
  struct ini_connection mine[3], other;
  REQUIRE(target_start(&target, "controllers", options));
  for (int i = 0; i < 3; i++) {
    const int status =
        ini_connect(&mine[i], target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 60000).status;
    CHECK_EQ(i < 2 ? 0 : BUSY, status);
  }
  CHECK_EQ(
      0,
      ini_connect(&other, target.port, 0, INI_OTHER_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 60000).status);
  ini_close(&other);
  for (int i = 0; i < 3; i++) {
    ini_close(&mine[i]);
  }
  CHECK_EQ(0, target_stop(&target));
}

static const char *key_file(void) {
  static const char lines[] = INI_HOST " " SECRET "\n" INI_OTHER_HOST " " OTHER_SECRET "\n";
  const char *path = scratch_path("shares.keys");
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  CHECK(file >= 0 && write(file, lines, sizeof lines - 1) == (ssize_t)sizeof lines - 1);
  close(file);
  return path;
}

/* Whoever only claims a name uses up nothing of whose it is. */
static void claimed_names(void) {
  const char *options[] = {
      "--auth-key-file", key_file(), "--max-controllers", "4", "--host-share", "50", NULL};
  struct ini_connection liars[3], c;
  struct auth_host host;
  auth_host_make(&host, INI_HOST, SECRET, TGT_GROUP_NULL);
  REQUIRE(target_start(&target, "claimed", options));
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(
        0,
        ini_connect(&liars[i], target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 60000).status);
  }
  REQUIRE(ini_connect(&c, target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 60000).status == 0);
  CHECK_EQ(0, auth_run(&c, &host));
  CHECK_EQ(0, ini_set_cc(&c, 0x460001).status);
  /* All controllers are taken: of those without proof one makes room, keep-alive or not. */
  usleep(1100000);
  struct ini_connection second;
  REQUIRE(ini_connect(&second, target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 60000).status ==
          0);
  CHECK_EQ(0, auth_run(&second, &host));
  CHECK_EQ(0, ini_set_cc(&second, 0x460001).status);
  const struct ini_command alive = {.opcode = 0x18};
  CHECK_EQ(0, ini_run(&c, &alive).status);
  ini_close(&c);
  ini_close(&second);
  for (int i = 0; i < 3; i++) {
    ini_close(&liars[i]);
  }
  CHECK_EQ(0, target_stop(&target));
}

int main(void) {
  RUN(all_controllers_together);
  RUN(controllers);
  if (tgt_crypto_available()) {
    RUN(claimed_names);
  } else {
    printf("skipped: claimed names: the build has no OpenSSL 3\n");
  }
  return check_result();
}
