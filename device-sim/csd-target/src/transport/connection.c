/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "transport/connection.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "controller/controller.h"
#include "csd/csd.h"
#include "log.h"
#include "options.h"
#include "queue/command.h"
#include "server.h"
#include "transport/pdu_reader.h"
#include "transport/pdu_writer.h"

enum { LINGER_MS = 500 };

struct tgt_connection *tgt_connection_make(struct tgt_server *server, int file, const char *peer) {
  struct tgt_connection *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  const uint32_t depth = server->options->queue_depth;
  c->ring_room = depth > TGT_ADMIN_QUEUE ? depth : TGT_ADMIN_QUEUE;
  c->ring = calloc(c->ring_room, sizeof *c->ring);
  if (c->ring == NULL) {
    free(c);
    return NULL;
  }
  pthread_mutex_init(&c->ring_lock, NULL);
  tgt_stream_open(&c->stream, file);
  c->server = server;
  c->state = TGT_WAIT_IC;
  c->depth = TGT_FIRST_DEPTH;
  c->alignment = 4;
  const uint32_t limit = server->options->io_timeout_ms;
  c->handshake_ms = limit < TGT_HANDSHAKE_MS ? limit : TGT_HANDSHAKE_MS;
  c->handshake_end = tgt_now_ms() + c->handshake_ms;
  snprintf(c->peer, sizeof c->peer, "%s", peer);
  return c;
}

void tgt_connection_free(struct tgt_connection *c) {
  tgt_commands_drop(c);
  tgt_stream_close(&c->stream);
  pthread_mutex_destroy(&c->ring_lock);
  free(c->ring);
  free(c->out);
  free(c);
}

uint8_t *tgt_connection_out(struct tgt_connection *c) {
  if (c->out == NULL) c->out = malloc(TGT_MOST_TRANSFER);
  return c->out;
}

bool tgt_connection_end(struct tgt_connection *c, const char *format, ...) {
  if (c->reason[0] != 0) return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->reason, sizeof c->reason, format, arguments);
  va_end(arguments);
  return false;
}

bool tgt_connection_fatal(struct tgt_connection *c, enum pdu_fatal fatal, const uint8_t *header,
                          uint32_t header_bytes, const char *format, ...) {
  if (c->reason[0] != 0) return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->reason, sizeof c->reason, format, arguments);
  va_end(arguments);
  c->fatal = (uint16_t)fatal;
  c->offender_bytes = header_bytes;
  memcpy(c->offender, header, header_bytes);
  return false;
}

void tgt_connection_kill(struct tgt_connection *c, const char *reason) {
  const char *none = NULL;
  atomic_compare_exchange_strong(&c->killed, &none, reason);
  tgt_stream_interrupt(&c->stream);
}

bool tgt_connection_abort(struct tgt_connection *c, uint16_t cid) {
  bool found = false;
  pthread_mutex_lock(&c->ring_lock);
  for (uint32_t i = 0; i < c->count && !found; i++) {
    struct tgt_pending *command = &c->ring[(c->head + i) % c->ring_room];
    if (command->sqe.cid != cid) continue;
    atomic_store(&command->aborted, true);
    found = true;
  }
  pthread_mutex_unlock(&c->ring_lock);
  return found;
}

bool tgt_connection_wanted(const struct tgt_connection *c) {
  return atomic_load(&c->killed) == NULL && !tgt_stream_gone(&c->stream);
}

void tgt_connection_name(const struct tgt_connection *c, char *text, uint32_t bytes) {
  if (c->controller == NULL) {
    snprintf(text, bytes, "%s", c->peer);
  } else {
    snprintf(text, bytes, "%s: controller %u, queue %u", c->peer, c->controller->id, c->queue_id);
  }
}

/* How long to wait for the next PDU; -1: for ever. */
static int64_t patience(struct tgt_connection *c) {
  if (c->state != TGT_LIVE) {
    const int64_t left = c->handshake_end - tgt_now_ms();
    return left > 0 ? left : 0;
  }
  if (c->queue_id == 0) return tgt_controller_patience(c->controller);
  if (!tgt_commands_awaited(c)) return -1;
  const int64_t left = c->progress_ms + c->server->options->io_timeout_ms - tgt_now_ms();
  return left > 0 ? left : 0;
}

static bool out_of_patience(struct tgt_connection *c) {
  if (c->state != TGT_LIVE) {
    return tgt_connection_end(c, "slow peer: no Connect within %u ms", c->handshake_ms);
  }
  if (c->queue_id == 0) return tgt_connection_end(c, "keep-alive timer expired");
  return tgt_connection_end(c, "slow peer: data that were asked for did not come within %u ms",
                            c->server->options->io_timeout_ms);
}

static bool step(struct tgt_connection *c) {
  bool idle;
  if (!tgt_commands_run(c) || !tgt_commands_ask(c)) return false;
  const int64_t timeout = patience(c);
  /* A peer that sends other things without end must not hold the time back. */
  if (timeout == 0) return out_of_patience(c);
  if (!tgt_pdu_read(c, timeout, &idle)) return false;
  return idle ? out_of_patience(c) : true;
}

static const char *end_of(struct tgt_connection *c) {
  const char *killed = atomic_load(&c->killed);
  if (killed != NULL && c->fatal == 0) return killed; /* what came after it is no cause */
  return c->reason;
}

void tgt_connection_serve(struct tgt_connection *c) {
  char name[128];
  while (atomic_load(&c->killed) == NULL && step(c)) {
  }
  tgt_connection_name(c, name, sizeof name);
  tgt_log(c->fatal != 0 ? TGT_WARNING : TGT_INFO, "%s: ended: %s", name, end_of(c));
  if (c->fatal != 0) tgt_write_termination(c);
  if (c->fatal != 0 || c->reason[0] != 0) tgt_stream_linger(&c->stream, c->fatal ? LINGER_MS : 0);
  csd_queue_destroy(c->engine);
  c->engine = NULL;
  if (c->controller == NULL) return;
  tgt_controller_leave(c->controller, c, "the controller's admin connection has gone");
  c->controller = NULL;
}
