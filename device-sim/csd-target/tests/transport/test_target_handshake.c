/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * How long a peer may take until it has connected, and within a PDU. The target serves one end of a
 * socket pair on this thread; clock_gettime, poll and recv are wrapped by the linker: whenever the
 * target would wait, the peer sends its next byte, and the clock moves on by as much as the wait
 * took.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "initiator.h"
#include "inside.h"
#include "queue/serve.h"
#include "tests/support/check.h"
#include "transport/connection.h"

enum { DRIP_MS = 1000, HANDSHAKE_MS = 10000, MAX_BYTES = 4096 };

int __real_poll(struct pollfd *files, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *files, nfds_t count, int timeout);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
ssize_t __real_recv(int file, void *to, size_t room, int flags);
ssize_t __wrap_recv(int file, void *to, size_t room, int flags);

static int64_t now_ms = 1000000;

/** What the peer sends: some bytes at once, the others one by one. */
static struct peer {
  int file;
  uint8_t bytes[MAX_BYTES];
  size_t count, sent;
} peer;

int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
  (void)clock;
  *now = (struct timespec){.tv_sec = now_ms / 1000, .tv_nsec = now_ms % 1000 * 1000000};
  return 0;
}

int __wrap_poll(struct pollfd *files, nfds_t count, int timeout) {
  const bool drips = peer.sent < peer.count && (timeout < 0 || timeout >= DRIP_MS);
  if (!drips && timeout < 0) {
    abort(); /* nothing would ever come */
  }
  if (!drips) {
    now_ms += timeout + 1;
    return __real_poll(files, count, 0);
  }
  now_ms += DRIP_MS;
  if (send(peer.file, peer.bytes + peer.sent++, 1, MSG_NOSIGNAL) != 1) {
    abort();
  }
  return __real_poll(files, count, 0);
}

/* Who may sleep in recv() waits without a limit. */
ssize_t __wrap_recv(int file, void *to, size_t room, int flags) {
  for (;;) {
    const ssize_t got = __real_recv(file, to, room, flags | MSG_DONTWAIT);
    if (got >= 0 || errno != EAGAIN || (flags & MSG_DONTWAIT) != 0) {
      return got;
    }
    struct pollfd poll_one = {.fd = file, .events = POLLIN};
    (void)__wrap_poll(&poll_one, 1, -1);
  }
}

static void add_parameters(void) {
  static const uint8_t request[128] = {0, 0, 128, 0, 128};
  memcpy(peer.bytes + peer.count, request, sizeof request);
  peer.count += sizeof request;
}

/* The bytes of a command, as the initiator sends them. */
static void add_command(const struct ini_command *command) {
  int pair[2];
  struct ini_connection c = {.alignment = 4};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
    abort();
  }
  c.file = pair[0];
  ini_start(&c, command);
  const ssize_t got = recv(pair[1], peer.bytes + peer.count, sizeof peer.bytes - peer.count, 0);
  CHECK(got > 0);
  peer.count += (size_t)got;
  close(pair[0]);
  close(pair[1]);
}

static void add_connect_to(const char *subsystem) {
  uint8_t data[1024] = {0x11};
  memset(data + 16, 0xFF, 2); /* any controller */
  strcpy((char *)data + 256, subsystem);
  strcpy((char *)data + 512, INI_HOST);
  const struct ini_command connect = {
      .opcode = 0x7F, .nsid = 1, .cdw11 = 31, .out = data, .out_bytes = sizeof data};
  add_command(&connect);
}

static void add_connect(void) { add_connect_to(INI_SUBSYSTEM); }

/**
 * Serves the peer to its end.
 *
 * @param at_once  bytes that are there from the start; each other one takes a second
 * @return the time that it took, ms
 */
static int64_t serve(uint32_t io_timeout_ms, size_t at_once, char *reason) {
  struct inside inside;
  int pair[2];
  inside_defaults(&inside, "handshake");
  inside.options.io_timeout_ms = io_timeout_ms;
  if (tgt_server_open(&inside.server, &inside.options) != 0 ||
      socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
    abort();
  }
  peer.file = pair[1];
  peer.sent = at_once;
  CHECK_EQ(at_once, send(pair[1], peer.bytes, at_once, 0));
  struct tgt_connection *c =
      tgt_connection_make(&inside.server, &inside.options, pair[0], "the peer");
  if (c == NULL || tgt_directory_enter(&inside.server, c) != NULL) {
    abort();
  }
  const int64_t start = now_ms;
  tgt_serve(c);
  const int64_t took = now_ms - start;
  strcpy(reason, c->reason);
  tgt_directory_leave(&inside.server, c);
  close(pair[1]);
  peer.count = 0;
  CHECK_EQ(0, tgt_server_close(&inside.server));
  return took;
}

/* Within a second of the limit: that is how often something comes. */
#define CHECK_TOOK(limit_ms, took) \
  CHECK_MSG((took) >= (limit_ms) && (took) < (limit_ms) + DRIP_MS, "%lld ms", (long long)(took))

static void a_silent_peer_has_the_handshakes_time(void) {
  char reason[TGT_REASON_BYTES];
  const int64_t took = serve(30000, 0, reason);
  CHECK_TOOK(HANDSHAKE_MS, took);
  CHECK(strcmp(reason, "slow peer: no Connect within 10000 ms") == 0);
}

static void a_peer_that_drips_has_no_more(void) {
  char reason[TGT_REASON_BYTES];
  add_parameters();
  add_connect();
  int64_t took = serve(30000, 0, reason); /* from the first byte on */
  CHECK_TOOK(HANDSHAKE_MS, took);
  CHECK(strcmp(reason, "slow peer: no Connect within 10000 ms") == 0);
  add_parameters();
  add_connect();
  took = serve(30000, 128, reason); /* the Connect alone */
  CHECK_TOOK(HANDSHAKE_MS, took);
  CHECK(strcmp(reason, "slow peer: no Connect within 10000 ms") == 0);
  add_parameters();
  add_connect();
  took = serve(30000, 128 + 8 + 64 + 500, reason); /* the end of its data */
  CHECK_TOOK(HANDSHAKE_MS, took);
}

static void the_smaller_limit_holds(void) {
  char reason[TGT_REASON_BYTES];
  add_parameters();
  add_connect();
  const int64_t took = serve(4000, 128, reason);
  CHECK_TOOK(4000, took);
  CHECK(strcmp(reason, "slow peer: no Connect within 4000 ms") == 0);
}

/* Once connected a peer may be silent, but not within a part of a PDU: the first one here, its
   common header of 8 bytes, comes in time. */
static void a_queue_has_the_io_timeout(void) {
  char reason[TGT_REASON_BYTES];
  const struct ini_command alive = {.opcode = 0x18};
  add_parameters();
  add_connect();
  const size_t connected = peer.count;
  add_command(&alive);
  const int64_t took = serve(30000, connected, reason);
  CHECK_TOOK(8 * DRIP_MS + 30000, took);
  CHECK(strcmp(reason, "slow peer: a PDU's header did not come in 30000 ms") == 0);
}

/* A discovery controller without keep-alive is not kept for ever. */
static void an_idle_discovery_controller_has_two_minutes(void) {
  char reason[TGT_REASON_BYTES];
  add_parameters();
  add_connect_to(INI_DISCOVERY);
  const int64_t took = serve(30000, peer.count, reason);
  CHECK_TOOK(120000, took);
  CHECK(strcmp(reason, "keep-alive timer expired") == 0);
}

int main(void) {
  RUN(a_silent_peer_has_the_handshakes_time);
  RUN(a_peer_that_drips_has_no_more);
  RUN(the_smaller_limit_holds);
  RUN(a_queue_has_the_io_timeout);
  RUN(an_idle_discovery_controller_has_two_minutes);
  return check_result();
}
