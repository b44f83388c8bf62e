/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * DH-HMAC-CHAP against the daemon: right, wrong and missing secrets, replays, messages that are
 * truncated, malformed or out of their turn, and hosts that offer less than they must.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "auth_host.h"
#include "target_process.h"
#include "tests/support/check.h"
#include "tests/support/scratch.h"

#define SECRET "DHHC-1:01:G55n6bhjgMLfRILNme5aONB+GcEl/ZHwk9tqnFRoDhvSaqvc:"
#define OTHER_SECRET "DHHC-1:01:ochi59xCNLIBIv9yZUKUEv6+VhoigrofC8vel9vPr7VUG9hA:"
#define CONTROLLER_SECRET \
  "DHHC-1:02:pd5IdvyZ1xVhbjCyVqJODBTd1ERUz0sUH1gC2w2uEM4naO46thMTQ0VI6/8QDxDZ8E8NxQ==:"
#define KEY_LINES                                                                                  \
  "# two hosts\n" INI_HOST " " SECRET " " CONTROLLER_SECRET "\n\n" INI_OTHER_HOST " " OTHER_SECRET \
  "\n"
#define STRANGER "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-0000-0000-000000000003"

enum { REQUIRED = 0x4191, OUT_OF_ORDER = 0x400C, INVALID = 0x4002 };

static struct target_process target;

static const char *key_file(const char *name, const char *lines, mode_t mode) {
  const char *path = scratch_path(name);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const size_t bytes = strlen(lines);
  CHECK(file >= 0 && write(file, lines, bytes) == (ssize_t)bytes && fchmod(file, mode) == 0);
  close(file);
  return path;
}

/* An admin queue that has connected, and is asked for authentication. */
static bool connect_admin(struct ini_connection *c, const char *host) {
  const struct ini_answer answer =
      ini_connect(c, target.port, 0, host, INI_SUBSYSTEM, 0, 0xFFFF, 0);
  return CHECK_EQ(0, answer.status) && CHECK_EQ(AUTH_REQUIRED, answer.result & ~0xFFFFu);
}

static void check_ended(struct ini_connection *c) {
  struct ini_pdu pdu;
  CHECK_EQ(INI_CLOSED, ini_receive(c, &pdu));
  ini_close(c);
}

/*
 * Both queues of a host, for one group, one way or both ways. A machine on which the large numbers
 * of both sides take longer than the target waits for a peer has proved nothing.
 */
static void authenticate(uint8_t hash, uint8_t group, bool asks) {
  enum { LIMIT_MS = 10000, TRIES = 10 };
  struct auth_host host;
  struct ini_host queues;
  int status = -1;
  for (int tries = 0; tries < TRIES && status != 0; tries++) {
    auth_host_make(&host, INI_HOST, SECRET, group);
    host.hashes[0] = hash;
    host.hash_count = 1;
    host.asks = asks;
    CHECK(tgt_secret_parse(CONTROLLER_SECRET, strlen(CONTROLLER_SECRET), TGT_CHAP_SECRET,
                           &host.controller) == NULL);
    const int64_t begun = ini_now_ms();
    REQUIRE(connect_admin(&queues.admin, INI_HOST));
    status = auth_run(&queues.admin, &host);
    if (status != 0) {
      REQUIRE(ini_now_ms() - begun >= LIMIT_MS);
      ini_close(&queues.admin);
    }
  }
  CHECK_EQ(0, status);
  CHECK_EQ(hash, host.hash);
  CHECK_EQ(0, ini_set_cc(&queues.admin, 0x460001).status);
  struct ini_answer answer =
      ini_connect(&queues.io, target.port, 0, INI_HOST, INI_SUBSYSTEM, 1, 0xFFFF, 0);
  CHECK(answer.status != 0); /* of no such controller */
  ini_close(&queues.io);
  const struct ini_command alive = {.opcode = 0x18};
  CHECK_EQ(0, ini_run(&queues.admin, &alive).status);
  ini_close(&queues.admin);
}

static void right_secrets(void) {
  for (uint8_t hash = TGT_SHA256; hash <= TGT_SHA512; hash++) {
    authenticate(hash, TGT_GROUP_NULL, false);
    authenticate(hash, TGT_GROUP_NULL, true);
  }
  for (uint8_t group = TGT_FFDHE2048; group <= TGT_FFDHE8192; group++) {
    authenticate(TGT_SHA384, group, group % 2 == 0);
  }
}

static void every_queue_for_itself(void) {
  struct auth_host host;
  struct ini_host queues;
  uint8_t lba[4096];
  const struct ini_command read = {.opcode = 2, .nsid = 1, .in = lba, .in_bytes = sizeof lba};
  auth_host_make(&host, INI_HOST, SECRET, TGT_GROUP_NULL);
  REQUIRE(connect_admin(&queues.admin, INI_HOST));
  CHECK_EQ(0, auth_run(&queues.admin, &host));
  CHECK_EQ(0, ini_set_cc(&queues.admin, 0x460001).status);
  const struct ini_command identify = {.opcode = 6, .cdw10 = 1, .in = lba, .in_bytes = sizeof lba};
  CHECK_EQ(0, ini_run(&queues.admin, &identify).status);
  queues.controller_id = ini_get16(lba + 78);
  for (int turn = 0; turn < 2; turn++) {
    const struct ini_answer answer = ini_connect(&queues.io, target.port, 0, INI_HOST,
                                                 INI_SUBSYSTEM, 1, queues.controller_id, 0);
    REQUIRE(answer.status == 0);
    CHECK_EQ(AUTH_REQUIRED, answer.result & ~0xFFFFu);
    if (turn == 0) { /* a read, before */
      CHECK_EQ(REQUIRED, ini_run(&queues.io, &read).status);
      check_ended(&queues.io);
      CHECK(target_logged(&target, "queue 1: ended: not authenticated"));
    } else {
      CHECK_EQ(0, auth_run(&queues.io, &host));
      CHECK_EQ(0, auth_run(&queues.io, &host)); /* once more, when it is asked to */
      CHECK(ini_host_is_well(&queues));
    }
  }
  ini_host_close(&queues);
}

static void wrong_secret(void) {
  struct auth_host host;
  struct ini_connection c;
  const uint8_t groups[] = {TGT_GROUP_NULL, TGT_FFDHE2048};
  for (int i = 0; i < 2; i++) {
    auth_host_make(&host, INI_HOST, OTHER_SECRET, groups[i]);
    REQUIRE(connect_admin(&c, INI_HOST));
    CHECK_EQ(AUTH_FAILED, auth_run(&c, &host));
    check_ended(&c);
  }
  CHECK(target_logged(&target, INI_HOST " is not authenticated: the host has another secret"));
  /* The key of one host under the name of another. */
  auth_host_make(&host, INI_OTHER_HOST, SECRET, TGT_GROUP_NULL);
  REQUIRE(connect_admin(&c, INI_OTHER_HOST));
  CHECK_EQ(AUTH_FAILED, auth_run(&c, &host));
  check_ended(&c);
}

/* What the controller says to a host with a wrong secret: the status of Connect and what it asks,
   the Challenge up to its sequence number, the explanation of Failure1. */
struct said {
  int status, explanation;
  uint32_t asked;
  uint8_t challenge[12];
};

static struct said said_to(const char *name, bool asks) {
  struct auth_host host;
  struct ini_connection c;
  uint8_t m[AUTH_MESSAGE] = {0};
  struct said said = {0};
  auth_host_make(&host, name, OTHER_SECRET, TGT_FFDHE2048);
  host.asks = asks;
  host.controller = host.secret;
  const struct ini_answer answer =
      ini_connect(&c, target.port, 0, name, INI_SUBSYSTEM, 0, 0xFFFF, 0);
  said.status = answer.status;
  said.asked = (uint32_t)answer.result & ~0xFFFFu;
  CHECK_EQ(0, auth_send(&c, m, auth_negotiate(&host, m)));
  CHECK_EQ(0, auth_receive(&c, m, sizeof m));
  memcpy(said.challenge, m, sizeof said.challenge);
  CHECK(auth_take_challenge(&host, m));
  CHECK_EQ(0, auth_send(&c, m, auth_reply(&host, m)));
  said.explanation = auth_failure(&c);
  check_ended(&c);
  return said;
}

/* A host that does not know a secret does not learn which hosts have one. */
static void no_key(void) {
  for (int asks = 0; asks < 2; asks++) {
    const struct said known = said_to(INI_HOST, asks != 0), other = said_to(STRANGER, asks != 0);
    CHECK_EQ(0, known.status);
    CHECK_EQ(AUTH_REQUIRED, known.asked);
    CHECK_EQ(AUTH_FAILED, known.explanation);
    CHECK_EQ(known.status, other.status);
    CHECK_EQ(known.asked, other.asked);
    CHECK_EQ(known.explanation, other.explanation);
    CHECK_EQ(0, memcmp(known.challenge, other.challenge, sizeof known.challenge));
  }
  CHECK(target_logged(&target, STRANGER " has no key here, or is not allowed"));
  CHECK(target_logged(&target, STRANGER " is not authenticated: the host has another secret"));
}

static void nothing_before(void) {
  static const struct ini_command others[] = {
      {.opcode = 0x06, .cdw10 = 1, .in_bytes = 4096},
      {.opcode = 0x18},
      {.opcode = 0x7F, .nsid = 0, .cdw11 = 0x14, .cdw12 = 0x460001},
      {.opcode = 0x7F, .nsid = 4, .cdw11 = 0x1C},
      {.opcode = 0x7F, .nsid = 8},
      {.opcode = 0x02, .nsid = 1}};
  uint8_t page[4096];
  struct ini_connection c;
  for (uint32_t i = 0; i < sizeof others / sizeof *others; i++) {
    struct ini_command command = others[i];
    command.in = page;
    REQUIRE(connect_admin(&c, INI_HOST));
    CHECK_EQ(REQUIRED, ini_run(&c, &command).status);
    check_ended(&c);
  }
  const struct ini_answer answer =
      ini_connect(&c, target.port, 0, INI_HOST, INI_DISCOVERY, 0, 0xFFFF, 0);
  CHECK_EQ(AUTH_REQUIRED, answer.result & ~0xFFFFu); /* names are told to nobody else */
  ini_close(&c);
}

static void controller_without_secret(void) {
  struct auth_host host;
  struct ini_connection c;
  auth_host_make(&host, INI_OTHER_HOST, OTHER_SECRET, TGT_GROUP_NULL);
  host.asks = true;
  host.controller = host.secret;
  REQUIRE(connect_admin(&c, INI_OTHER_HOST));
  CHECK_EQ(AUTH_FAILED, auth_run(&c, &host));
  check_ended(&c);
}

/* A host finds that the controller is not who it says, and says so. */
static void refused_controller(void) {
  static const uint8_t failure[8] = {1, 0xF0, 0, 0, AUTH_T & 0xFF, AUTH_T >> 8, 1, 1};
  uint8_t m[AUTH_MESSAGE];
  struct auth_host host;
  struct ini_connection c;
  auth_host_make(&host, INI_HOST, SECRET, TGT_GROUP_NULL);
  host.asks = true;
  host.controller = host.secret;
  REQUIRE(connect_admin(&c, INI_HOST));
  CHECK_EQ(0, auth_send(&c, m, auth_negotiate(&host, m)));
  CHECK_EQ(0, auth_receive(&c, m, sizeof m));
  CHECK(auth_take_challenge(&host, m));
  CHECK_EQ(0, auth_send(&c, m, auth_reply(&host, m)));
  CHECK_EQ(0, auth_receive(&c, m, sizeof m));
  CHECK_EQ(3, m[1]);
  CHECK_EQ(0, auth_send(&c, failure, sizeof failure));
  check_ended(&c);
  CHECK(target_logged(&target, "the host ends it with Failure2"));
}

static void replay(void) {
  uint8_t m[AUTH_MESSAGE], recorded[AUTH_MESSAGE];
  struct auth_host host;
  struct ini_connection c;
  auth_host_make(&host, INI_HOST, SECRET, TGT_GROUP_NULL);
  uint32_t bytes = 0;
  for (int turn = 0; turn < 2; turn++) {
    REQUIRE(connect_admin(&c, INI_HOST));
    CHECK_EQ(0, auth_send(&c, m, auth_negotiate(&host, m)));
    CHECK_EQ(0, auth_receive(&c, m, sizeof m));
    CHECK(auth_take_challenge(&host, m));
    if (turn == 0) {
      bytes = auth_reply(&host, recorded);
    }
    CHECK_EQ(0, auth_send(&c, recorded, bytes));
    if (turn == 0) {
      CHECK_EQ(0, auth_receive(&c, m, sizeof m));
      CHECK_EQ(3, m[1]);
      CHECK_EQ(0, auth_send(&c, m, auth_negotiate(&host, m))); /* a new transaction: */
      CHECK_EQ(0, auth_receive(&c, m, sizeof m));
      CHECK_EQ(0, auth_send(&c, recorded, bytes)); /* the old reply */
      CHECK_EQ(AUTH_FAILED, auth_failure(&c));
    } else {
      CHECK_EQ(AUTH_FAILED, auth_failure(&c));
    }
    check_ended(&c);
  }
}

/* A spoilt message is answered with Failure1, and the connection ends. */
static void spoilt_negotiate(uint32_t bytes, int at, uint8_t value, int explanation) {
  uint8_t m[AUTH_MESSAGE] = {0};
  struct auth_host host;
  struct ini_connection c;
  auth_host_make(&host, INI_HOST, SECRET, TGT_GROUP_NULL);
  auth_negotiate(&host, m);
  m[at] = value;
  REQUIRE(connect_admin(&c, INI_HOST));
  CHECK_EQ(0, auth_send(&c, m, bytes));
  CHECK_MSG(auth_failure(&c) == explanation, "%u bytes, %u at %d", bytes, value, at);
  check_ended(&c);
}

static void spoilt_reply(int shorter, int at, uint8_t flip, int explanation) {
  uint8_t m[AUTH_MESSAGE];
  struct auth_host host;
  struct ini_connection c;
  auth_host_make(&host, INI_HOST, SECRET, TGT_FFDHE2048);
  REQUIRE(connect_admin(&c, INI_HOST));
  CHECK_EQ(0, auth_send(&c, m, auth_negotiate(&host, m)));
  CHECK_EQ(0, auth_receive(&c, m, sizeof m));
  CHECK(auth_take_challenge(&host, m));
  const uint32_t bytes = auth_reply(&host, m);
  if (at >= 0) {
    m[at] ^= flip;
  } else { /* a public value of 0, of 1, or beyond the prime */
    memset(m + 16 + 128, at == -3 ? 0xFF : 0, 256);
    m[bytes - 1] = at == -2 ? 1 : at == -3 ? 0xFF : 0;
  }
  CHECK_EQ(0, auth_send(&c, m, (uint32_t)((int)bytes - shorter)));
  CHECK_MSG(auth_failure(&c) == explanation, "-%d bytes, %u at %d", shorter, flip, at);
  check_ended(&c);
}

static void malformed(void) {
  spoilt_negotiate(7, 0, 0, AUTH_PAYLOAD);
  spoilt_negotiate(71, 0, 0, AUTH_PAYLOAD);
  spoilt_negotiate(73, 0, 0, AUTH_PAYLOAD);
  spoilt_negotiate(72, 7, 0, AUTH_PAYLOAD);   /* no descriptor */
  spoilt_negotiate(72, 7, 255, AUTH_PAYLOAD); /* more than there are */
  spoilt_negotiate(8, 7, 0, AUTH_PROTOCOL);
  spoilt_negotiate(72, 6, 1, AUTH_CONCATENATION);
  spoilt_negotiate(72, 8, 2, AUTH_PROTOCOL);
  spoilt_negotiate(72, 10, 31, AUTH_PAYLOAD);
  spoilt_negotiate(72, 11, 255, AUTH_PAYLOAD);
  spoilt_negotiate(72, 10, 0, AUTH_HASH);
  spoilt_negotiate(72, 11, 0, AUTH_GROUP);
  spoilt_negotiate(72, 0, 1, AUTH_MESSAGE_KIND);
  spoilt_negotiate(72, 1, 2, AUTH_MESSAGE_KIND);
  spoilt_reply(1, 0, 0, AUTH_PAYLOAD);
  spoilt_reply(256, 0, 0, AUTH_PAYLOAD);
  spoilt_reply(392, 0, 0, AUTH_PAYLOAD);
  spoilt_reply(0, 0, 1, AUTH_MESSAGE_KIND);
  spoilt_reply(0, 1, 4, AUTH_MESSAGE_KIND);
  spoilt_reply(0, 4, 1, AUTH_PAYLOAD);  /* another transaction */
  spoilt_reply(0, 6, 96, AUTH_PAYLOAD); /* HL of 32 */
  spoilt_reply(0, 8, 2, AUTH_PAYLOAD);
  spoilt_reply(0, 11, 1, AUTH_PAYLOAD);
  spoilt_reply(0, 8, 1, AUTH_PAYLOAD); /* asks, with a sequence number of 0 */
  spoilt_reply(0, 16, 1, AUTH_FAILED);
  spoilt_reply(0, 79, 128, AUTH_FAILED);
  spoilt_reply(0, -1, 0, AUTH_PAYLOAD);
  spoilt_reply(0, -2, 0, AUTH_PAYLOAD);
  spoilt_reply(0, -3, 0, AUTH_PAYLOAD);
}

/* Commands whose fields are wrong, or that come out of turn. */
static void malformed_commands(void) {
  uint8_t m[AUTH_MESSAGE];
  struct auth_host host;
  struct ini_connection c;
  auth_host_make(&host, INI_HOST, SECRET, TGT_GROUP_NULL);
  auth_negotiate(&host, m);
  for (int i = 0; i < 6; i++) {
    struct ini_command command = {.opcode = 0x7F,
                                  .nsid = AUTH_SEND,
                                  .cdw10 = 0xE9010100,
                                  .cdw11 = 72,
                                  .out = m,
                                  .out_bytes = 72};
    int expected = INVALID;
    switch (i) {
      case 0: command.cdw10 = 0xE9010200; break;
      case 1: command.cdw10 = 0xEA010100; break;
      case 2: command.cdw11 = 71, expected = 0x400F; break;
      case 3: command.out_bytes = 0, command.cdw11 = 0, expected = 0x400F; break;
      case 4: /* receives when it is the host's turn */
        command.nsid = AUTH_RECEIVE, command.out_bytes = 0, expected = OUT_OF_ORDER;
        break;
      default: command.apart = true, expected = 0x400F; break; /* data that nobody asks for */
    }
    REQUIRE(connect_admin(&c, INI_HOST));
    CHECK_MSG(ini_run(&c, &command).status == expected, "command %d", i);
    check_ended(&c);
  }
  /* No room for the Challenge. */
  REQUIRE(connect_admin(&c, INI_HOST));
  CHECK_EQ(0, auth_send(&c, m, 72));
  CHECK_EQ(INVALID, auth_receive(&c, m, 16));
  check_ended(&c);
}

static void nobody_asked(void) {
  uint8_t m[AUTH_MESSAGE];
  struct auth_host host;
  struct ini_host queues;
  auth_host_make(&host, INI_HOST, SECRET, TGT_GROUP_NULL);
  REQUIRE(target_start(&target, "auth_none", NULL));
  REQUIRE(ini_host_open(&queues, target.port, 0, INI_HOST));
  CHECK_EQ(0x4001, auth_send(&queues.admin, m, auth_negotiate(&host, m)));
  CHECK(ini_host_is_well(&queues));
  ini_host_close(&queues);
  CHECK_EQ(0, target_stop(&target));
}

/* Who offers less than the node wants, or is made to, gets no further. */
static void downgrades(void) {
  const char *keys = key_file("auth_strong.keys", KEY_LINES, 0600);
  const char *options[] = {"--auth-key-file", keys,        "--auth-hash", "sha384",
                           "--auth-dh-group", "ffdhe3072", NULL};
  struct auth_host host;
  struct ini_connection c;
  REQUIRE(target_start(&target, "auth_strong", options));
  const uint8_t weak[] = {TGT_GROUP_NULL, TGT_FFDHE2048};
  for (int i = 0; i < 2; i++) {
    auth_host_make(&host, INI_HOST, SECRET, weak[i]);
    REQUIRE(connect_admin(&c, INI_HOST));
    CHECK_EQ(AUTH_GROUP, auth_run(&c, &host));
    check_ended(&c);
  }
  auth_host_make(&host, INI_HOST, SECRET, TGT_FFDHE3072);
  host.hash_count = 1; /* SHA-256 */
  REQUIRE(connect_admin(&c, INI_HOST));
  CHECK_EQ(AUTH_HASH, auth_run(&c, &host));
  check_ended(&c);
  auth_host_make(&host, INI_HOST, SECRET, TGT_GROUP_NULL);
  host.groups[1] = TGT_FFDHE4096, host.groups[2] = TGT_FFDHE3072, host.group_count = 3;
  REQUIRE(connect_admin(&c, INI_HOST));
  CHECK_EQ(0, auth_run(&c, &host));
  CHECK_EQ(TGT_FFDHE3072, host.group);
  CHECK_EQ(TGT_SHA512, host.hash);
  ini_close(&c);
  CHECK_EQ(0, target_stop(&target));
}

static void refused_start(const char *keys, const char *said) {
  const char *options[] = {"--auth-key-file", keys, NULL};
  int status = -1;
  CHECK(!target_start(&target, "auth_refused", options));
  CHECK(waitpid(target.pid, &status, 0) == target.pid && WIFEXITED(status));
  CHECK_EQ(2, WEXITSTATUS(status));
  CHECK(target_logged(&target, said));
}

static void key_files(void) {
  refused_start(key_file("auth_1", KEY_LINES, 0660), "chmod 600");
  refused_start(key_file("auth_2", KEY_LINES, 0604), "chmod 600");
  refused_start("/dev/null", "not a regular file");
  refused_start("/nowhere/keys", "No such file");
  refused_start(key_file("auth_3", "# none\n", 0600), "no key");
  refused_start(key_file("auth_9", "none\n", 0600), "have none");
  refused_start(key_file("auth_10", "none\n" KEY_LINES, 0600), "has keys");
  refused_start(key_file("auth_4", INI_HOST " " SECRET " x\n", 0600), "line 1: it is not KIND");
  refused_start(key_file("auth_5", "\n" INI_HOST "\n", 0600), "line 2: it is not KIND");
  refused_start(key_file("auth_6", KEY_LINES KEY_LINES, 0600), "a line already");
  refused_start(key_file("auth_7", INI_HOST " " SECRET " " SECRET "\n", 0600), "are the same");
  refused_start(key_file("auth_8", "host " SECRET "\n", 0600), "the NQN of a host");
}

int main(void) {
  const char *keys = key_file("auth.keys", KEY_LINES, 0600);
  const char *options[] = {"--auth-key-file", keys, NULL};
  if (!tgt_crypto_available()) {
    refused_start(keys, "this build has neither authentication nor TLS");
    printf("skipped: authentication: the build has no OpenSSL 3\n");
    return check_result();
  }
  if (!target_start(&target, "auth", options)) {
    return 1;
  }
  RUN(right_secrets);
  RUN(every_queue_for_itself);
  RUN(wrong_secret);
  RUN(no_key);
  RUN(nothing_before);
  RUN(controller_without_secret);
  RUN(refused_controller);
  RUN(replay);
  RUN(malformed);
  RUN(malformed_commands);
  CHECK_EQ(0, target_stop(&target));
  RUN(nobody_asked);
  RUN(downgrades);
  RUN(key_files);
  return check_result();
}
