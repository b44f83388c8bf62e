/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "controller/controller.h"
#include "csd/csd.h"
#include "device/session/resource.h"
#include "log.h"
#include "programs/programs.h"
#include "queue/serve.h"
#include "transport/connection.h"
#include "transport/tls.h"

enum { STACK_BYTES = 1 << 20 };

/* Hosts may outlive the target, and may know another one by the same NQN: numbers that begin
   anywhere mean nothing to who has them from elsewhere. */
static uint32_t random_number(void) {
  uint32_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) {
    number = (uint32_t)tgt_now_ms();
  }
  return number;
}

int tgt_server_open(struct tgt_server *server, const struct tgt_options *o) {
  memset(server, 0, sizeof *server);
  const struct csd_device_options device = {.path = o->store,
                                            .task_threads = o->task_threads,
                                            .task_windows = o->task_windows,
                                            .raw_percent = o->raw_percent,
                                            .capacity_bytes = o->capacity_bytes,
                                            .dram_bytes = o->dram_bytes,
                                            .index_bytes = o->index_bytes,
                                            .max_sessions = o->sessions,
                                            .session_bytes = o->session_bytes,
                                            .resource_bytes = o->resource_bytes,
                                            .model = "csd-target",
                                            .kernels = o->kernels,
                                            .read_only = o->read_only,
                                            .boot = o->boot != 0 ? o->boot : random_number()};
  int status = csd_device_open(&device, &server->device);
  if (status < 0) {
    return status;
  }
  status = tgt_identity_open(&server->identity, o);
  if (status < 0) {
    csd_device_close(server->device);
    return status;
  }
  if (o->tls_keys.count > 0) {
    server->tls = tgt_tls_server_make(&o->tls_keys, server->identity.subsystem);
    if (server->tls == NULL) {
      csd_device_close(server->device);
      return -CSD_STATUS_INTERNAL;
    }
  }
  server->options = o;
  server->front = server;
  server->started_ms = tgt_now_ms();
  tgt_leases_open(&server->leases, o);
  server->last_controller_id =
      (uint16_t)(o->first_controller != 0 ? o->first_controller - 1u : random_number());
  pthread_mutex_init(&server->lock, NULL);
  pthread_cond_init(&server->idle, NULL);
  return 0;
}

uint64_t tgt_server_connection_bytes(const struct tgt_server *server) {
  const struct tgt_options *o = server->options;
  /* Sets of numbers, sessions and resources: four slots for each, and two more while growing. */
  const uint64_t numbers =
      ((uint64_t)o->sessions + CSD_MAX_RESOURCES) * 6 * sizeof(struct tgt_id_slot);
  /* A controller that makes room is there until its admin connection has gone: so one for each. */
  const uint64_t controller =
      sizeof(struct tgt_controller) + (o->program_bytes > 0 ? sizeof(struct tgt_programs) : 0);
  const uint64_t tls = server->tls != NULL ? TGT_TLS_BYTES : 0;
  return o->max_connections * (tgt_connection_bytes(o) + STACK_BYTES + controller + tls) + numbers +
         o->program_bytes;
}

const char *tgt_server_join(struct tgt_server *front, struct tgt_server *server) {
  const char *name = server->identity.subsystem;
  if (tgt_directory_named(front, name) != NULL) {
    return "another store has the same subsystem";
  }
  if (front->tls != NULL && !tgt_tls_server_add(front->tls, &front->options->tls_keys, name)) {
    return "memory is short";
  }
  struct tgt_server *last = front;
  while (last->next != NULL) {
    last = last->next;
  }
  server->front = front;
  last->next = server;
  return NULL;
}

static void stop(struct tgt_server *server) {
  pthread_mutex_lock(&server->lock);
  server->stopping = true;
  for (struct tgt_connection *c = server->connections; c != NULL; c = c->next) {
    tgt_connection_kill(c, "the target stops");
  }
  pthread_mutex_unlock(&server->lock);
}

/* Closes one that has been stopped. */
static int close_one(struct tgt_server *server) {
  pthread_mutex_lock(&server->lock);
  while (server->connection_count > 0) {
    pthread_cond_wait(&server->idle, &server->lock);
  }
  pthread_mutex_unlock(&server->lock);
  const struct csd_submission flush = {.opcode = CSD_OPCODE_FLUSH, .nsid = NVME_NAMESPACE};
  struct csd_queue *queue;
  uint32_t dw0;
  int status = csd_queue_create(server->device, 1, &queue);
  if (status == 0) {
    status = -tgt_engine_run(queue, &flush, &dw0);
    csd_queue_destroy(queue);
  }
  csd_device_close(server->device);
  tgt_tls_server_free(server->tls);
  tgt_leases_close(&server->leases);
  pthread_cond_destroy(&server->idle);
  pthread_mutex_destroy(&server->lock);
  return status;
}

int tgt_server_close(struct tgt_server *server) {
  int status = 0;
  /* All of them first: connections move from one to another. */
  for (struct tgt_server *s = server; s != NULL; s = s->next) {
    stop(s);
  }
  for (struct tgt_server *s = server, *next; s != NULL; s = next) {
    next = s->next;
    const int closed = close_one(s);
    status = status == 0 ? closed : status;
  }
  return status;
}

static void *serve(void *argument) {
  struct tgt_connection *c = argument;
  tgt_serve(c);
  tgt_directory_leave(c->server, c); /* which it may have come to meanwhile */
  return NULL;
}

static bool start(struct tgt_connection *c) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0) {
    return false;
  }
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  const int status = pthread_create(&thread, &attributes, serve, c);
  pthread_attr_destroy(&attributes);
  return status == 0;
}

/* Answers go out at once; a peer whose machine has vanished is noticed in about a minute. */
static void tune(int file) {
  const int yes = 1, idle_s = 30, interval_s = 10, probes = 3;
  setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  setsockopt(file, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
  setsockopt(file, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
  setsockopt(file, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
  setsockopt(file, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

void tgt_server_take(struct tgt_server *server, int file, const char *peer) {
  tune(file);
  struct tgt_connection *c = tgt_connection_make(server, server->options, file, peer);
  struct tgt_tls *tls = c != NULL && server->tls != NULL ? tgt_tls_begin(server->tls, file) : NULL;
  if (c == NULL || (server->tls != NULL && tls == NULL)) {
    tgt_log(TGT_WARNING, "%s: refused: memory is short", peer);
    if (c == NULL) {
      close(file);
    } else {
      tgt_connection_free(c);
    }
    return;
  }
  tgt_stream_seal(&c->stream, tls);
  const char *why = tgt_directory_enter(server, c);
  if (why != NULL) {
    tgt_log(TGT_WARNING, "%s: refused: %s", peer, why);
    tgt_connection_free(c);
  } else if (!start(c)) {
    tgt_log(TGT_WARNING, "%s: refused: no thread to be had", peer);
    tgt_directory_leave(server, c);
  }
}
