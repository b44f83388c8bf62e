/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "controller/controller.h"

#include <stdlib.h>
#include <string.h>

#include "csd/csd.h"
#include "directory.h"
#include "log.h"
#include "options.h"
#include "programs/programs.h"
#include "transport/connection.h"

enum { FIRST_ID = 1, LAST_ID = 0xFFEF };

int tgt_engine_run(struct csd_queue *queue, const struct csd_submission *command, uint32_t *dw0) {
  struct csd_completion completion;
  int status = csd_queue_submit(queue, command, 1);
  if (status == 0) {
    status = csd_queue_poll(queue, &completion, 1, CSD_BUDGET_UNLIMITED);
  }
  if (status < 0) {
    return -status;
  }
  *dw0 = completion.dw0;
  return csd_completion_status(&completion);
}

/* An ID that no controller has; the server's lock is held. There are fewer controllers than IDs. */
static uint16_t free_id(struct tgt_server *server) {
  for (;;) {
    server->last_controller_id =
        server->last_controller_id >= LAST_ID ? FIRST_ID : server->last_controller_id + 1;
    const struct tgt_controller *other = server->controllers;
    while (other != NULL && other->id != server->last_controller_id) {
      other = other->next;
    }
    if (other == NULL) {
      return server->last_controller_id;
    }
  }
}

static void link_controller(struct tgt_server *server, struct tgt_controller *c) {
  c->id = c->leases.controller = free_id(server);
  c->next = server->controllers;
  if (c->next != NULL) {
    c->next->previous = c;
  }
  server->controllers = c;
  server->controller_count++;
}

/* How long a controller has been idle, ms; 0 if it has I/O queues, keep-alive that an authenticated
   host promised, or is ending. */
static int64_t idle_ms(struct tgt_controller *c) {
  pthread_mutex_lock(&c->lock);
  const bool promised = c->keep_alive_ms > 0 && c->authenticated;
  const bool may_go = !promised && c->references == 1 && c->queues[0] != NULL;
  const int64_t idle = may_go ? tgt_now_ms() - c->alive_ms : 0;
  pthread_mutex_unlock(&c->lock);
  return idle;
}

/*
 * Ends the controller that has been idle for longest; the server's lock is held. Its host does not
 * promise to be there: discovery takes milliseconds, and a host in use has queues.
 */
static void displace_one(struct tgt_server *server) {
  struct tgt_controller *oldest = NULL;
  int64_t longest = TGT_DISPLACED_MS;
  for (struct tgt_controller *c = server->controllers; c != NULL; c = c->next) {
    const int64_t idle = c->displaced ? 0 : idle_ms(c);
    if (idle >= longest) {
      oldest = c;
      longest = idle;
    }
  }
  if (oldest == NULL) {
    return;
  }
  pthread_mutex_lock(&oldest->lock);
  if (oldest->queues[0] != NULL) { /* else it goes by itself */
    tgt_connection_kill(oldest->queues[0], "made room for others: idle without keep-alive");
    oldest->displaced = true;
    server->controller_count--;
  }
  pthread_mutex_unlock(&oldest->lock);
}

static void unlink_controller(struct tgt_controller *c) {
  struct tgt_server *server = c->server;
  pthread_mutex_lock(&server->lock);
  if (c->next != NULL) {
    c->next->previous = c->previous;
  }
  if (c->previous != NULL) {
    c->previous->next = c->next;
  }
  if (server->controllers == c) {
    server->controllers = c->next;
  }
  if (!c->displaced) {
    server->controller_count--;
  }
  pthread_mutex_unlock(&server->lock);
}

static void discard(struct tgt_controller *c) {
  tgt_programs_free(c->programs);
  csd_queue_destroy(c->engine);
  tgt_id_set_free(&c->sessions);
  tgt_id_set_free(&c->resources);
  pthread_cond_destroy(&c->left);
  pthread_mutex_destroy(&c->lock);
  free(c);
}

struct tgt_controller *tgt_controller_make(struct tgt_server *server,
                                           struct tgt_connection *connection, bool discovery,
                                           const char *host, const uint8_t *host_id,
                                           const char **why) {
  struct tgt_controller *c = calloc(1, sizeof *c);
  *why = "memory is short";
  if (c == NULL) {
    return NULL;
  }
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->left, NULL);
  c->server = server;
  c->discovery = discovery;
  memcpy(c->host, host, sizeof c->host);
  memcpy(c->host_id, host_id, sizeof c->host_id);
  c->leases.host = c->host;
  c->references = 1;
  c->queues[0] = connection;
  c->queue_limit = server->options->io_queues;
  c->features = (struct tgt_features){.temperature_over = 343, .write_cache = true};
  c->alive_ms = tgt_now_ms();
  const uint64_t memory_bytes = tgt_options_share(server->options, server->options->program_bytes);
  const bool programs = server->options->program_bytes > 0 && !discovery;
  c->programs = programs ? tgt_programs_make(memory_bytes) : NULL;
  if ((programs && c->programs == NULL) || csd_queue_create(server->device, 1, &c->engine) != 0) {
    discard(c);
    return NULL;
  }
  pthread_mutex_lock(&server->lock);
  if (server->controller_count >= server->options->max_controllers) {
    displace_one(server);
  }
  *why = server->stopping ? "the target stops"
         : server->controller_count >= server->options->max_controllers
             ? "all controllers are taken"
             : NULL;
  if (*why == NULL) {
    link_controller(server, c);
  }
  pthread_mutex_unlock(&server->lock);
  if (*why == NULL) {
    return c;
  }
  discard(c);
  return NULL;
}

uint32_t tgt_controller_version(const struct tgt_controller *c) {
  return c->programs != NULL ? NVME_VERSION_OF_SETS : NVME_VERSION;
}

const char *tgt_controller_join(struct tgt_server *server, struct tgt_connection *connection,
                                uint16_t id, uint16_t queue_id, const char *host,
                                const uint8_t *host_id, struct tgt_controller **controller) {
  const char *why = NULL;
  pthread_mutex_lock(&server->lock);
  struct tgt_controller *c = server->controllers;
  while (c != NULL && c->id != id) {
    c = c->next;
  }
  if (c == NULL) {
    pthread_mutex_unlock(&server->lock);
    return "no such controller";
  }
  pthread_mutex_lock(&c->lock);
  if (c->ended) {
    why = "the controller has ended";
  } else if (c->discovery) {
    why = "a discovery controller has no I/O queues";
  } else if (strcmp(c->host, host) != 0 || memcmp(c->host_id, host_id, sizeof c->host_id) != 0) {
    why = "another host's controller";
  } else if ((c->state & 1) == 0) {
    why = "the controller is not enabled";
  } else if (queue_id == 0 || queue_id > c->queue_limit) {
    why = "no such queue";
  } else if (c->queues[queue_id] != NULL) {
    why = "the queue is connected already";
  }
  if (why == NULL) {
    c->queues[queue_id] = connection;
    c->references++;
    *controller = c;
  }
  pthread_mutex_unlock(&c->lock);
  pthread_mutex_unlock(&server->lock);
  return why;
}

/* Closes what the host left open; the lock is held, and no I/O connection is there. */
static void release_all(struct tgt_controller *c) {
  struct csd_submission command = {.nsid = NVME_NAMESPACE};
  uint32_t dw0;
  command.opcode = CSD_OPCODE_CLOSE;
  while ((command.cdw10 = tgt_id_set_take(&c->sessions)) != 0) {
    tgt_engine_run(c->engine, &command, &dw0);
  }
  command.opcode = CSD_OPCODE_DROP;
  while ((command.cdw10 = tgt_id_set_take(&c->resources)) != 0) {
    tgt_engine_run(c->engine, &command, &dw0);
  }
}

static void kill_queues(struct tgt_controller *c, const char *reason) {
  for (uint32_t i = 1; i <= TGT_MAX_QUEUES; i++) {
    if (c->queues[i] != NULL) {
      tgt_connection_kill(c->queues[i], reason);
    }
  }
}

void tgt_controller_reset(struct tgt_controller *c, const char *reason) {
  pthread_mutex_lock(&c->lock);
  c->state = 0; /* so that no queue is connected meanwhile */
  kill_queues(c, reason);
  while (c->references > 1) {
    pthread_cond_wait(&c->left, &c->lock);
  }
  release_all(c);
  c->memory_bytes = 0;
  pthread_mutex_unlock(&c->lock);
  tgt_programs_reset(c->programs);
}

void tgt_controller_leave(struct tgt_controller *c, struct tgt_connection *connection,
                          const char *reason) {
  const uint16_t queue_id = connection->queue_id;
  pthread_mutex_lock(&c->lock);
  c->queues[queue_id] = NULL;
  c->live -= connection->admitted;
  if (queue_id == 0) {
    c->ended = true;
    kill_queues(c, reason);
    tgt_lease_left(&c->server->leases, &c->leases);
  }
  const bool last = --c->references == 0;
  if (last) {
    release_all(c);
  }
  pthread_cond_broadcast(&c->left);
  pthread_mutex_unlock(&c->lock);
  /* The admin connection has gone before the last, so nobody joins any more. */
  if (!last) {
    return;
  }
  unlink_controller(c);
  discard(c);
}

int tgt_controller_flush(struct tgt_controller *c) {
  const struct csd_submission command = {.opcode = CSD_OPCODE_FLUSH, .nsid = NVME_NAMESPACE};
  uint32_t dw0;
  pthread_mutex_lock(&c->lock);
  const int status = tgt_engine_run(c->engine, &command, &dw0);
  pthread_mutex_unlock(&c->lock);
  return -status;
}

int64_t tgt_controller_patience(struct tgt_controller *c) {
  pthread_mutex_lock(&c->lock);
  int64_t left = -1;
  /* NVMe over Fabrics: without keep-alive a discovery controller has a limit of its own. */
  const int64_t limit = c->keep_alive_ms == 0 && c->discovery ? TGT_DISCOVERY_MS : c->keep_alive_ms;
  if (limit > 0) {
    left = c->alive_ms + limit - tgt_now_ms();
    if (left < 0) {
      left = 0;
    }
  }
  pthread_mutex_unlock(&c->lock);
  return left;
}

void tgt_controller_alive(struct tgt_controller *c) {
  pthread_mutex_lock(&c->lock);
  c->alive_ms = tgt_now_ms();
  pthread_mutex_unlock(&c->lock);
}

void tgt_controller_note_error(struct tgt_controller *c, uint16_t queue_id,
                               const struct nvme_command *command, uint16_t status) {
  pthread_mutex_lock(&c->lock);
  c->error_count++;
  c->errors[c->error_count % TGT_ERROR_ENTRIES] =
      (struct tgt_error){.number = c->error_count,
                         .lba = (uint64_t)command->cdw11 << 32 | command->cdw10,
                         .nsid = command->nsid,
                         .queue_id = queue_id,
                         .cid = command->cid,
                         .status = status};
  pthread_mutex_unlock(&c->lock);
}
