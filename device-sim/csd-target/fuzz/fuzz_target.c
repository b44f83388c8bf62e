/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Property: whatever bytes a peer sends, the target ends its connection, keeps within its memory,
 * and has no session, resource, connection or controller left of it.
 *
 * Input: a byte that says how far the connection has come (see fuzz_target.h), then what the peer
 * sends; then it closes its side. The target serves it over a socket pair, on this thread.
 */
#include "fuzz_target.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "csd/csd.h"
#include "log.h"
#include "queue/serve.h"
#include "server.h"
#include "tests/support/scratch.h"
#include "transport/connection.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CAPACITY = 64 * CSD_LBA_BYTES, SOCKET_BYTES = 1 << 20 };

static struct tgt_options options;

static void set_options(void) {
  if (options.store != NULL) {
    return;
  }
  tgt_options_defaults(&options);
  options.store = scratch_path("fuzz_target");
  options.capacity_bytes = CAPACITY;
  options.dram_bytes = 1 << 18;
  options.sessions = 4;
  options.io_timeout_ms = 2000;
  options.timing_model = true;
  options.program_bytes = 64 << 20;
  options.boot = FUZZ_BOOT;
  options.first_controller = 1; /* as the streams have it */
  options.subsystem = FUZZ_SUBSYSTEM;
  options.uuid = "00000000-0000-4000-8000-000000000001"; /* the store is made anew each time */
  tgt_log_set_level(TGT_ERROR);
}

static void *drain(void *argument) {
  static _Thread_local uint8_t bytes[1 << 16];
  while (recv(*(const int *)argument, bytes, sizeof bytes, 0) > 0) {
  }
  return NULL;
}

static void send_all(int file, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    const ssize_t sent = send(file, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) {
      return; /* the target has had enough */
    }
    bytes += sent, count -= (size_t)sent;
  }
}

/* A peer: sends its bytes, closes its side, takes what comes. */
struct peer {
  int file;
  const uint8_t *prefix, *bytes;
  size_t prefix_bytes, count;
};

static void *play(void *argument) {
  const struct peer *peer = argument;
  pthread_t reader;
  int file = peer->file;
  if (pthread_create(&reader, NULL, drain, &file) != 0) {
    abort();
  }
  send_all(file, peer->prefix, peer->prefix_bytes);
  send_all(file, peer->bytes, peer->count);
  shutdown(file, SHUT_WR);
  pthread_join(reader, NULL);
  return NULL;
}

static struct tgt_connection *connect_to(struct tgt_server *server, int *peer) {
  int pair[2];
  const int room = SOCKET_BYTES;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
    abort();
  }
  setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  struct tgt_connection *c = tgt_connection_make(server, server->options, pair[0], "peer");
  if (c == NULL || tgt_directory_enter(server, c) != NULL) {
    abort();
  }
  *peer = pair[1];
  return c;
}

static void *serve(void *argument) {
  struct tgt_connection *c = argument;
  struct tgt_server *server = c->server;
  tgt_serve(c);
  tgt_directory_leave(server, c);
  return NULL;
}

/* One connection from its first byte to its last. */
static void run(struct tgt_server *server, const uint8_t *prefix, size_t prefix_bytes,
                const uint8_t *data, size_t size) {
  struct peer peer = {.prefix = prefix, .bytes = data, .prefix_bytes = prefix_bytes, .count = size};
  pthread_t player;
  struct tgt_connection *c = connect_to(server, &peer.file);
  if (pthread_create(&player, NULL, play, &peer) != 0) {
    abort();
  }
  serve(c);
  pthread_join(player, NULL);
  close(peer.file);
}

/* The same on a queue: beside it a controller's admin connection, which has ID 1. */
static void run_queue(struct tgt_server *server, uint8_t stage, const uint8_t *data, size_t size) {
  static uint8_t admin_bytes[FUZZ_PREFIX_BYTES], queue_bytes[FUZZ_PREFIX_BYTES];
  const bool sets = stage == FUZZ_SETS_QUEUE;
  const size_t admin_count = fuzz_prefix(sets ? FUZZ_SETS : FUZZ_ADMIN, admin_bytes);
  const size_t queue_count = fuzz_prefix(stage, queue_bytes);
  uint8_t answers[128 + 6 * 24]; /* ICResp, and completions */
  const size_t answer_bytes = 128 + (sets ? 6 : 2) * 24;
  size_t got = 0;
  int file;
  pthread_t server_thread;
  struct tgt_connection *admin = connect_to(server, &file);
  if (pthread_create(&server_thread, NULL, serve, admin) != 0) {
    abort();
  }
  send_all(file, admin_bytes, admin_count);
  while (got < answer_bytes) {
    const ssize_t more = recv(file, answers + got, answer_bytes - got, 0);
    if (more <= 0) {
      abort();
    }
    got += (size_t)more;
  }
  run(server, queue_bytes, queue_count, data, size);
  shutdown(file, SHUT_WR);
  pthread_join(server_thread, NULL);
  close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t prefix[FUZZ_PREFIX_BYTES];
  struct tgt_server server;
  struct csd_device_stats stats;
  if (size == 0) {
    return 0;
  }
  set_options();
  if (tgt_server_open(&server, &options) != 0) {
    abort();
  }
  unlink(options.store); /* the next one starts empty */
  const uint8_t stage = data[0] % FUZZ_STAGES;
  if (stage == FUZZ_QUEUE || stage == FUZZ_QUEUE_DIGESTS || stage == FUZZ_SETS_QUEUE) {
    run_queue(&server, stage, data + 1, size - 1);
  } else {
    run(&server, prefix, fuzz_prefix(stage, prefix), data + 1, size - 1);
  }
  csd_device_get_stats(server.device, &stats);
  if (stats.sessions_open != 0 || stats.resources != 0) {
    abort();
  }
  if (server.controllers != NULL || server.connections != NULL) {
    abort();
  }
  if (server.unassociated_count != 0 || server.controller_count != 0) {
    abort();
  }
  if (tgt_server_close(&server) != 0) {
    abort();
  }
  return 0;
}
