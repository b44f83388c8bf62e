/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "transport/connection.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"

static uint32_t ring_room(const struct tgt_options *options) {
  return options->queue_depth > TGT_ADMIN_QUEUE ? options->queue_depth : TGT_ADMIN_QUEUE;
}

uint64_t tgt_connection_bytes(const struct tgt_options *options) {
  const uint64_t room = ring_room(options);
  const uint64_t capsules = room * (sizeof(struct tgt_pending) + TGT_IN_CAPSULE_BYTES);
  return sizeof(struct tgt_connection) + capsules + TGT_MAX_BUFFERED + TGT_MAX_TRANSFER +
         TGT_QUEUE_BYTES;
}

struct tgt_connection *tgt_connection_make(struct tgt_server *server,
                                           const struct tgt_options *options, int file,
                                           const char *peer) {
  struct tgt_connection *c = calloc(1, sizeof *c);
  if (c == NULL) {
    return NULL;
  }
  c->ring_room = ring_room(options);
  c->ring = calloc(c->ring_room, sizeof *c->ring);
  if (c->ring == NULL) {
    free(c);
    return NULL;
  }
  pthread_mutex_init(&c->ring_lock, NULL);
  tgt_stream_open(&c->stream, file);
  tgt_stream_spin(&c->stream, options->spin_us);
  c->server = server;
  c->options = options;
  c->state = TGT_WAIT_IC;
  c->depth = TGT_FIRST_DEPTH;
  c->alignment = 4;
  const uint32_t limit = options->io_timeout_ms;
  c->handshake_ms = limit < TGT_HANDSHAKE_MS ? limit : TGT_HANDSHAKE_MS;
  c->handshake_end = tgt_now_ms() + c->handshake_ms;
  snprintf(c->peer, sizeof c->peer, "%s", peer);
  return c;
}

void tgt_connection_pop(struct tgt_connection *c) {
  struct tgt_pending *command = tgt_connection_at(c, 0);
  if (command->data != NULL) {
    c->buffered -= command->data_bytes;
  }
  free(command->data);
  command->data = NULL;
  pthread_mutex_lock(&c->ring_lock);
  c->head = (c->head + 1) % c->ring_room;
  c->count--;
  pthread_mutex_unlock(&c->ring_lock);
}

void tgt_connection_free(struct tgt_connection *c) {
  while (c->count > 0) {
    tgt_connection_pop(c);
  }
  tgt_stream_close(&c->stream);
  tgt_chap_end(&c->chap);
  pthread_mutex_destroy(&c->ring_lock);
  free(c->ring);
  free(c->out);
  free(c);
}

uint8_t *tgt_connection_out(struct tgt_connection *c) {
  if (c->out == NULL) {
    c->out = malloc(TGT_MAX_TRANSFER);
  }
  return c->out;
}

bool tgt_connection_end(struct tgt_connection *c, const char *format, ...) {
  if (c->reason[0] != 0) {
    return false;
  }
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->reason, sizeof c->reason, format, arguments);
  va_end(arguments);
  return false;
}

bool tgt_connection_fatal(struct tgt_connection *c, enum pdu_fatal fatal, const uint8_t *header,
                          uint32_t header_bytes, const char *format, ...) {
  if (c->reason[0] != 0) {
    return false;
  }
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
    struct tgt_pending *command = tgt_connection_at(c, i);
    if (command->sqe.cid != cid) {
      continue;
    }
    atomic_store(&command->aborted, true);
    found = true;
  }
  pthread_mutex_unlock(&c->ring_lock);
  return found;
}

bool tgt_connection_wanted(const struct tgt_connection *c) {
  return atomic_load(&c->killed) == NULL && !tgt_stream_gone(&c->stream);
}
