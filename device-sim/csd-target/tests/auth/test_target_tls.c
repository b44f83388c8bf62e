/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * TLS with pre-shared keys against the daemon: right, wrong and unknown keys, names that are not
 * the key's, clients that offer less, and bytes that are no TLS.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "auth_host.h"
#include "target_process.h"
#include "tests/support/check.h"
#include "tests/support/scratch.h"
#include "tls_relay.h"

#define KEY "NVMeTLSkey-1:01:WO1kJpK8ADI6xFh2u4riyaYng4wXuMN9ww1fk2/a+x3RyH2q:"
#define OTHER_KEY \
  "NVMeTLSkey-1:02:S305HpnaixMErExtzNN5dI4IlZ1DUKmQ2U8vigWQxz/0GUKn2Xpq5rV3z5Nr2FpXIFatZQ==:"
#define SECRET "DHHC-1:01:G55n6bhjgMLfRILNme5aONB+GcEl/ZHwk9tqnFRoDhvSaqvc:"
#define KEY_LINES INI_HOST " " KEY "\n" INI_OTHER_HOST " " OTHER_KEY "\n"

enum { BIG = 1 << 20, NO_SUCH_HOST = 0x4184 };

static struct target_process target;

static const char *key_file(const char *name, const char *lines) {
  const char *path = scratch_path(name);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const size_t bytes = strlen(lines);
  CHECK(file >= 0 && write(file, lines, bytes) == (ssize_t)bytes);
  close(file);
  return path;
}

static struct ini_answer connect_over(struct ini_connection *c, const struct tls_client *client,
                                      uint8_t digests, const char *host, uint16_t queue,
                                      uint16_t controller) {
  if (!tls_dial(c, target.port, client) || !ini_parameters(c, digests, 0)) {
    return (struct ini_answer){.status = INI_CLOSED};
  }
  return ini_connect_on(c, host, INI_SUBSYSTEM, queue, controller, 0);
}

/* A megabyte there and back, with data in capsules and apart. */
static void move_data(struct ini_connection *io, uint64_t seed) {
  static uint8_t out[BIG], in[BIG];
  for (uint32_t i = 0; i < BIG; i++) {
    out[i] = (uint8_t)(seed + i * 7 + (i >> 8));
  }
  const struct ini_command write = {
      .opcode = 1, .nsid = 1, .cdw12 = BIG / 4096 - 1, .out = out, .out_bytes = BIG, .apart = true};
  const struct ini_command read = {
      .opcode = 2, .nsid = 1, .cdw12 = BIG / 4096 - 1, .in = in, .in_bytes = BIG};
  const struct ini_command small = {.opcode = 1, .nsid = 1, .out = out + 4096, .out_bytes = 4096};
  CHECK_EQ(0, ini_run(io, &write).status);
  CHECK_EQ(0, ini_run(io, &read).status);
  CHECK(memcmp(out, in, BIG) == 0);
  CHECK_EQ(0, ini_run(io, &small).status);
  CHECK_EQ(0, ini_run(io, &read).status);
  CHECK(memcmp(out + 4096, in, 4096) == 0);
}

static void keys_of(const char *key, const char *host, int version, uint8_t digests) {
  struct tls_client client;
  struct ini_host queues;
  tls_client_make(&client, key, host, INI_SUBSYSTEM, version);
  struct ini_answer answer = connect_over(&queues.admin, &client, digests, host, 0, 0xFFFF);
  REQUIRE(CHECK_EQ(0, answer.status));
  queues.controller_id = (uint16_t)answer.result;
  CHECK_EQ(0, ini_set_cc(&queues.admin, 0x460001).status);
  answer = connect_over(&queues.io, &client, digests, host, 1, queues.controller_id);
  REQUIRE(CHECK_EQ(0, answer.status));
  move_data(&queues.io, (uint64_t)version);
  CHECK(ini_host_is_well(&queues));
  ini_host_close(&queues);
}

static void right_keys(void) {
  for (int version = 0; version < 2; version++) {
    keys_of(KEY, INI_HOST, version, 0);
    keys_of(OTHER_KEY, INI_OTHER_HOST, version, INI_HEADER_DIGEST | INI_DATA_DIGEST);
  }
  struct tls_client client;
  struct ini_connection c;
  tls_client_make(&client, KEY, INI_HOST, INI_DISCOVERY, 1);
  REQUIRE(tls_dial(&c, target.port, &client) && ini_parameters(&c, 0, 0));
  CHECK_EQ(0, ini_connect_on(&c, INI_HOST, INI_DISCOVERY, 0, 0xFFFF, 0).status);
  CHECK_EQ(0, ini_set_cc(&c, 0x460001).status);
  uint8_t log[2048];
  const struct ini_command get = {
      .opcode = 2, .cdw10 = 0x70 | 511 << 16, .in = log, .in_bytes = sizeof log};
  CHECK_EQ(0, ini_run(&c, &get).status);
  CHECK_EQ(1, log[1024 + 3]);   /* a secure channel is required */
  CHECK_EQ(2, log[1024 + 768]); /* TLS 1.3 */
  ini_close(&c);
}

static void wrong_keys(void) {
  struct tls_client client;
  struct ini_connection c;
  tls_client_make(&client, KEY, INI_HOST, INI_SUBSYSTEM, 0);
  client.psk.key[0] ^= 1; /* a known name, another key */
  CHECK(!tls_dial(&c, target.port, &client));
  CHECK(target_logged(&target, "TLS handshake: "));
  tls_client_make(&client, KEY, "nqn.2026-11.org.example:stranger", INI_SUBSYSTEM, 0);
  CHECK(!tls_dial(&c, target.port, &client));
  CHECK(target_logged(&target, "(no known key was offered)"));
  tls_client_make(&client, KEY, INI_HOST, "nqn.2026-11.org.example:elsewhere", 0);
  CHECK(!tls_dial(&c, target.port, &client));
  client.without_key = true;
  CHECK(!tls_dial(&c, target.port, &client));
  CHECK(!ini_dial(&c, target.port) || !ini_parameters(&c, 0, 0)); /* in the clear */
  CHECK(target_logged(&target, "(what came is no TLS: a host without a key?)"));
  ini_close(&c);
}

/* Whoever has one key is that host, and no other. */
static void names_of_others(void) {
  struct tls_client client;
  struct ini_connection c;
  tls_client_make(&client, KEY, INI_HOST, INI_SUBSYSTEM, 0);
  CHECK_EQ(NO_SUCH_HOST, connect_over(&c, &client, 0, INI_OTHER_HOST, 0, 0xFFFF).status);
  ini_close(&c);
  REQUIRE(tls_dial(&c, target.port, &client) && ini_parameters(&c, 0, 0));
  CHECK_EQ(NO_SUCH_HOST, ini_connect_on(&c, INI_HOST, INI_DISCOVERY, 0, 0xFFFF, 0).status);
  ini_close(&c);
  CHECK(target_logged(&target, "the key of TLS is another host's"));
}

static void downgrades(void) {
  struct tls_client client;
  struct ini_connection c;
  tls_client_make(&client, KEY, INI_HOST, INI_SUBSYSTEM, 0);
  client.old = true;
  CHECK(!tls_dial(&c, target.port, &client));
  /* NVMe in the clear is no TLS: nothing is answered but an alert. */
  REQUIRE(ini_dial(&c, target.port));
  CHECK(!ini_parameters(&c, 0, 0));
  ini_close(&c);
}

/* Records that are cut off, too long or no records. */
static void malformed(void) {
  static const uint8_t starts[][8] = {{22, 3, 1, 0xFF, 0xFF, 1, 0, 0},
                                      {22, 3, 1, 0, 0},
                                      {23, 3, 3, 0, 3, 1, 2, 3},
                                      {21, 3, 3, 0, 2, 2, 40},
                                      {22, 3, 1, 0, 3, 1, 0xFF, 0xFF},
                                      {0, 0, 128, 0, 128},
                                      {20, 3, 3, 0, 1, 1}};
  uint8_t bytes[600];
  uint64_t seed = 7;
  struct ini_connection c;
  struct ini_pdu pdu;
  for (uint32_t i = 0; i < 60; i++) {
    for (uint32_t k = 0; k < sizeof bytes; k++) {
      bytes[k] = (uint8_t)check_random_below(&seed, 256);
    }
    memcpy(bytes, starts[i % 7], sizeof starts[0]);
    REQUIRE(ini_dial(&c, target.port));
    ini_send(&c, bytes, 5 + check_random_below(&seed, sizeof bytes - 5));
    shutdown(c.file, SHUT_WR);
    const int status = ini_receive(&c, &pdu);
    CHECK_MSG(status == INI_CLOSED || status == INI_BROKEN, "%u: %d", i, status); /* an alert */
    ini_close(&c);
  }
  keys_of(KEY, INI_HOST, 0, 0);
}

static void silence(void) {
  const char *options[] = {"--tls-key-file", key_file("tls_slow.keys", KEY_LINES), "--io-timeout",
                           "1", NULL};
  static const uint8_t start[] = {22, 3, 1, 1, 0, 1};
  struct ini_connection c;
  struct ini_pdu pdu;
  REQUIRE(target_start(&target, "tls_slow", options));
  REQUIRE(ini_dial(&c, target.port));
  ini_send(&c, start, sizeof start);
  CHECK_EQ(INI_CLOSED, ini_receive(&c, &pdu));
  ini_close(&c);
  CHECK(target_logged(&target, "slow peer: no Connect within 1000 ms"));
  CHECK_EQ(0, target_stop(&target));
}

/* Both at once: the key of TLS and the secret are one host's. */
static void with_authentication(void) {
  const char *options[] = {"--tls-key-file", key_file("tls_both.keys", KEY_LINES),
                           "--auth-key-file", key_file("tls_auth.keys", INI_HOST " " SECRET "\n"),
                           NULL};
  struct tls_client client;
  struct auth_host host;
  struct ini_connection c;
  REQUIRE(target_start(&target, "tls_both", options));
  tls_client_make(&client, KEY, INI_HOST, INI_SUBSYSTEM, 1);
  auth_host_make(&host, INI_HOST, SECRET, TGT_FFDHE2048);
  const struct ini_answer answer = connect_over(&c, &client, 0, INI_HOST, 0, 0xFFFF);
  CHECK_EQ(0, answer.status);
  CHECK_EQ(AUTH_REQUIRED, answer.result & ~0xFFFFu);
  CHECK_EQ(0, auth_run(&c, &host));
  CHECK_EQ(0, ini_set_cc(&c, 0x460001).status);
  ini_close(&c);
  CHECK_EQ(0, target_stop(&target));
}

/* With keys it may listen to others without a word of trust. */
static void listens(void) {
  const char *options[] = {"--listen", "0.0.0.0", "--tls-key-file",
                           key_file("tls_open.keys", KEY_LINES), NULL};
  REQUIRE(target_start(&target, "tls_open", options));
  keys_of(KEY, INI_HOST, 0, 0);
  CHECK_EQ(0, target_log_count(&target, "whoever reaches"));
  CHECK_EQ(0, target_stop(&target));
}

int main(void) {
  const char *options[] = {"--tls-key-file", key_file("tls.keys", KEY_LINES), NULL};
  signal(SIGPIPE, SIG_IGN);
  if (!target_start(&target, "tls", options)) {
    return 1;
  }
  RUN(right_keys);
  RUN(wrong_keys);
  RUN(names_of_others);
  RUN(downgrades);
  RUN(malformed);
  CHECK_EQ(0, target_stop(&target));
  RUN(silence);
  RUN(with_authentication);
  RUN(listens);
  return check_result();
}
