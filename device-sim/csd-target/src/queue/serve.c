/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "queue/serve.h"

#include <errno.h>
#include <stdio.h>

#include "controller/controller.h"
#include "csd/csd.h"
#include "directory.h"
#include "log.h"
#include "options.h"
#include "queue/commands.h"
#include "transport/connection.h"
#include "transport/pdu_reader.h"
#include "transport/pdu_writer.h"

enum { LINGER_MS = 500 };

/* "127.0.0.1:5000", and the controller and queue that it has become. */
static void name_of(const struct tgt_connection *c, char *text, uint32_t bytes) {
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
  if (c->queue_id == 0) {
    return tgt_controller_patience(c->controller);
  }
  if (!tgt_commands_awaited(c)) {
    return -1;
  }
  const int64_t left = c->progress_ms + c->options->io_timeout_ms - tgt_now_ms();
  return left > 0 ? left : 0;
}

static bool out_of_patience(struct tgt_connection *c) {
  if (c->state != TGT_LIVE) {
    return tgt_connection_end(c, "slow peer: no %s within %u ms", tgt_connection_awaits(c),
                              c->handshake_ms);
  }
  if (c->queue_id == 0) {
    return tgt_connection_end(c, "keep-alive timer expired");
  }
  return tgt_connection_end(c, "slow peer: data that were asked for did not come within %u ms",
                            c->options->io_timeout_ms);
}

/* Reads what has come as a whole, so that all of it can be aborted and none waits for answers. */
static bool gather(struct tgt_connection *c) {
  bool idle;
  while (c->state == TGT_LIVE && tgt_pdu_is_command(c)) {
    tgt_commands_admit(c);
    if (!tgt_pdu_read(c, 0, &idle)) {
      return false;
    }
  }
  return true;
}

static bool step(struct tgt_connection *c) {
  bool idle;
  if (!tgt_commands_run(c) || !tgt_commands_ask(c)) {
    return false;
  }
  const bool here = tgt_pdu_is_here(c);
  if (!here && !tgt_write_flush(c)) {
    return false;
  }
  const int64_t timeout = patience(c);
  /* A peer that sends other things without end must not hold the time back. */
  if (timeout == 0) {
    return out_of_patience(c);
  }
  if (!tgt_pdu_read(c, timeout, &idle)) {
    return false;
  }
  if (idle) {
    return out_of_patience(c);
  }
  if (!here) {
    c->read_ms = tgt_now_ms();
  }
  return gather(c);
}

static const char *end_of(struct tgt_connection *c) {
  const char *killed = atomic_load(&c->killed);
  if (killed != NULL && c->fatal == 0) {
    return killed; /* what came after it is no cause */
  }
  return c->reason;
}

void tgt_serve(struct tgt_connection *c) {
  char name[128];
  while (atomic_load(&c->killed) == NULL && step(c)) {
  }
  (void)tgt_write_flush(c); /* if it fails, there was a reason before */
  name_of(c, name, sizeof name);
  tgt_log(c->fatal != 0 ? TGT_WARNING : TGT_INFO, "%s: ended: %s", name, end_of(c));
  if (c->stream.tls != NULL && c->stream.error == EPROTO && c->state == TGT_WAIT_IC) {
    atomic_fetch_add(&c->server->refused, 1);
  }
  if (c->fatal != 0) {
    tgt_write_termination(c);
  }
  if (c->fatal != 0 || c->reason[0] != 0) {
    tgt_stream_linger(&c->stream, c->fatal ? LINGER_MS : 0);
  }
  csd_queue_destroy(c->engine);
  c->engine = NULL;
  if (c->controller == NULL) {
    return;
  }
  tgt_controller_leave(c->controller, c, "the controller's admin connection has gone");
  c->controller = NULL;
}
