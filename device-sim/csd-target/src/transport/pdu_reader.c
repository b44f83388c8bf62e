/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "transport/pdu_reader.h"

#include <stdlib.h>

#include "core/kernels/crc32c.h"
#include "options.h"
#include "transport/connection.h"
#include "transport/pdu_writer.h"

struct header {
  uint8_t bytes[PDU_MAX_HEADER];
  uint32_t length;     /* of the header, by its type */
  uint32_t total;      /* PLEN */
  uint32_t data_bytes; /* that the PDU carries */
};

static bool fatal(struct tgt_connection *c, enum pdu_fatal status, const struct header *h,
                  const char *what, uint64_t value) {
  static const char *const names[] = {"ICReq",      "ICResp",      "H2CTermReq", "C2HTermReq",
                                      "CapsuleCmd", "CapsuleResp", "H2CData",    "C2HData",
                                      "type 8",     "R2T"};
  const uint8_t type = h->bytes[0];
  return tgt_connection_fatal(c, status, h->bytes, h->length, "%s PDU: %s is %llu",
                              type < 10 ? names[type] : "unknown", what, (unsigned long long)value);
}

/* Until then a peer has what is left of the handshake's time: no part of a PDU adds to it. */
static int64_t time_for_reading(const struct tgt_connection *c) {
  const int64_t limit = c->options->io_timeout_ms;
  if (c->state == TGT_LIVE) {
    return limit;
  }
  const int64_t left = c->handshake_end - tgt_now_ms();
  return left <= 0 ? 0 : left < limit ? left : limit;
}

static bool too_slow(struct tgt_connection *c, const char *what) {
  if (c->state != TGT_LIVE && tgt_now_ms() >= c->handshake_end) {
    return tgt_connection_end(c, "slow peer: no %s within %u ms", tgt_connection_awaits(c),
                              c->handshake_ms);
  }
  return tgt_connection_end(c, "slow peer: %s did not come in %u ms", what,
                            c->options->io_timeout_ms);
}

static bool read_bytes(struct tgt_connection *c, void *to, size_t bytes, const char *what) {
  switch (tgt_stream_read(&c->stream, to, bytes, time_for_reading(c))) {
    case TGT_STREAM_OK: return true;
    case TGT_STREAM_TIMEOUT: return too_slow(c, what);
    case TGT_STREAM_FAILED: {
      char text[80];
      return tgt_connection_end(c, "reading %s: %s", what,
                                tgt_stream_fault(&c->stream, text, sizeof text));
    }
    case TGT_STREAM_END: break;
  }
  return tgt_connection_end(c, "the peer closed in the middle of %s", what);
}

/* Length of the header of the types that a host may send in this state; 0: none. */
static uint32_t header_length(const struct tgt_connection *c, uint8_t type) {
  switch (type) {
    case PDU_IC_REQ: return c->state == TGT_WAIT_IC ? PDU_IC_BYTES : 0;
    case PDU_H2C_TERM: return PDU_TERM_BYTES;
    case PDU_CAPSULE_COMMAND: return c->state != TGT_WAIT_IC ? PDU_COMMAND_BYTES : 0;
    case PDU_H2C_DATA: return c->state == TGT_LIVE ? PDU_DATA_BYTES : 0;
    default: return 0;
  }
}

static uint32_t max_total(const struct tgt_connection *c, uint8_t type) {
  switch (type) {
    case PDU_IC_REQ: return PDU_IC_BYTES;
    case PDU_H2C_TERM: return PDU_MAX_TERM;
    case PDU_CAPSULE_COMMAND:
      return PDU_COMMAND_BYTES + 2 * PDU_DIGEST_BYTES +
             (uint32_t)(c->queue_id == 0 ? TGT_ADMIN_CAPSULE_BYTES : TGT_IN_CAPSULE_BYTES);
    default: return PDU_DATA_BYTES + 2 * PDU_DIGEST_BYTES + TGT_MAX_H2C_DATA;
  }
}

static bool is_known(uint8_t type) { return type <= PDU_R2T && type != 8; }

/* The common header, before anything else is read: nothing is skipped or awaited on its word. */
static bool check_common(struct tgt_connection *c, struct header *h) {
  const uint8_t type = h->bytes[0];
  h->length = PDU_COMMON_BYTES;
  h->total = get32(h->bytes + PDU_PLEN);
  const uint32_t length = header_length(c, type);
  if (length == 0) {
    return fatal(c, is_known(type) ? FATAL_SEQUENCE : FATAL_INVALID_HEADER, h,
                 "a type that may not come now", type);
  }
  if (h->bytes[PDU_HLEN] != length) {
    return fatal(c, FATAL_INVALID_HEADER, h, "HLEN", h->bytes[PDU_HLEN]);
  }
  if (h->total < length || h->total > max_total(c, type)) {
    return fatal(c, FATAL_INVALID_HEADER, h, "PLEN", h->total);
  }
  return true;
}

/* PDO, flags and PLEN of a PDU that may have digests and data, against what was agreed. */
static bool check_parts(struct tgt_connection *c, struct header *h) {
  const uint8_t type = h->bytes[0], flags = h->bytes[1], offset = h->bytes[PDU_PDO];
  const uint32_t front = h->length + (c->header_digest ? PDU_DIGEST_BYTES : 0);
  const bool has_data = h->total > front;
  const uint32_t tail = has_data && c->data_digest ? PDU_DIGEST_BYTES : 0;
  uint8_t wanted = 0;
  if (c->header_digest) {
    wanted |= PDU_HDGST;
  }
  if (has_data && c->data_digest) {
    wanted |= PDU_DDGST;
  }
  const uint8_t free_flags = type == PDU_H2C_DATA ? PDU_LAST : 0;
  if ((flags & ~free_flags) != wanted) {
    return fatal(c, FATAL_INVALID_HEADER, h, "FLAGS", flags);
  }
  /* CPDA is 0: data follow the header at once, as its length is a multiple of 4. */
  if (h->total < front || offset != (has_data ? front : 0)) {
    return fatal(c, FATAL_INVALID_HEADER, h, "PDO", offset);
  }
  if (has_data && h->total <= front + tail) {
    return fatal(c, FATAL_INVALID_HEADER, h, "PLEN", h->total);
  }
  h->data_bytes = has_data ? h->total - front - tail : 0;
  return true;
}

static bool check_header_digest(struct tgt_connection *c, const struct header *h) {
  uint8_t digest[PDU_DIGEST_BYTES];
  if (!c->header_digest) {
    return true;
  }
  if (!read_bytes(c, digest, sizeof digest, "a header digest")) {
    return false;
  }
  if (get32(digest) == csd_crc32c(0, h->bytes, h->length)) {
    return true;
  }
  return fatal(c, FATAL_HEADER_DIGEST, h, "the header digest", get32(digest));
}

/* Data and their digest. A wrong digest is that command's error, not the connection's. */
static bool read_data(struct tgt_connection *c, uint8_t *to, uint32_t bytes,
                      struct tgt_pending *command) {
  uint8_t digest[PDU_DIGEST_BYTES];
  if (!read_bytes(c, to, bytes, "data")) {
    return false;
  }
  if (!c->data_digest) {
    return true;
  }
  if (!read_bytes(c, digest, sizeof digest, "a data digest")) {
    return false;
  }
  if (get32(digest) != csd_crc32c(0, to, bytes)) {
    command->refusal = NVME_TRANSIENT_TRANSPORT_ERROR;
  }
  return true;
}

static bool take_parameters(struct tgt_connection *c, const struct header *h) {
  const uint8_t *b = h->bytes;
  if (b[1] != 0) {
    return fatal(c, FATAL_INVALID_HEADER, h, "FLAGS", b[1]);
  }
  if (b[PDU_PDO] != 0) {
    return fatal(c, FATAL_INVALID_HEADER, h, "PDO", b[PDU_PDO]);
  }
  if (get16(b + IC_PFV) != 0) {
    return fatal(c, FATAL_UNSUPPORTED, h, "PFV", get16(b + IC_PFV));
  }
  if (b[IC_ALIGNMENT] > IC_MAX_ALIGNMENT) {
    return fatal(c, FATAL_INVALID_HEADER, h, "HPDA", b[IC_ALIGNMENT]);
  }
  if ((b[IC_DIGESTS] & ~(IC_DIGEST_HEADER | IC_DIGEST_DATA)) != 0) {
    return fatal(c, FATAL_INVALID_HEADER, h, "DGST", b[IC_DIGESTS]);
  }
  for (uint32_t i = IC_LIMIT + 4; i < PDU_IC_BYTES; i++) {
    if (b[i] != 0) {
      return fatal(c, FATAL_INVALID_HEADER, h, "a reserved byte", b[i]);
    }
  }
  c->alignment = ((uint32_t)b[IC_ALIGNMENT] + 1) * 4;
  if (!tgt_write_parameters(c, b[IC_DIGESTS])) {
    return false;
  }
  c->header_digest = (b[IC_DIGESTS] & IC_DIGEST_HEADER) != 0;
  c->data_digest = (b[IC_DIGESTS] & IC_DIGEST_DATA) != 0;
  c->state = TGT_WAIT_CONNECT;
  return true;
}

static bool take_termination(struct tgt_connection *c, const struct header *h) {
  uint8_t rest[PDU_MAX_TERM];
  if (!read_bytes(c, rest, h->total - h->length, "a H2CTermReq")) {
    return false;
  }
  return tgt_connection_end(c, "the host ended it, fatal error status %u, information 0x%08X",
                            get16(h->bytes + TERM_STATUS), get32(h->bytes + TERM_INFO));
}

static bool take_command(struct tgt_connection *c, struct header *h) {
  if (!check_parts(c, h) || !check_header_digest(c, h)) {
    return false;
  }
  if (c->count == c->depth) {
    return fatal(c, FATAL_SEQUENCE, h, "number of commands beyond the queue's depth", c->depth);
  }
  struct tgt_pending *command = &c->ring[(c->head + c->count) % c->ring_room];
  memcpy(&command->sqe, h->bytes + PDU_COMMON_BYTES, sizeof command->sqe);
  command->data = NULL;
  command->data_bytes = command->received = 0;
  command->refusal = 0;
  command->admitted = command->asked = false;
  atomic_store(&command->aborted, false);
  if (h->data_bytes > 0) {
    command->data = malloc(h->data_bytes);
    if (command->data == NULL) {
      return tgt_connection_end(c, "memory for data is short");
    }
    command->data_bytes = command->received = h->data_bytes;
    c->buffered += h->data_bytes;
  }
  pthread_mutex_lock(&c->ring_lock);
  c->count++; /* from here on it is the ring's, to be answered or freed */
  pthread_mutex_unlock(&c->ring_lock);
  if (h->data_bytes > 0 && !read_data(c, command->data, h->data_bytes, command)) {
    return false;
  }
  return true;
}

/* The command that a H2CData is for; the tag is its place in the ring. */
static struct tgt_pending *asked_command(struct tgt_connection *c, uint16_t tag) {
  if (tag >= c->ring_room) {
    return NULL;
  }
  if ((tag + c->ring_room - c->head) % c->ring_room >= c->count) {
    return NULL;
  }
  struct tgt_pending *command = &c->ring[tag];
  return command->asked && command->received < command->data_bytes ? command : NULL;
}

static bool take_data(struct tgt_connection *c, struct header *h) {
  const uint8_t *b = h->bytes;
  if (!check_parts(c, h) || !check_header_digest(c, h)) {
    return false;
  }
  const uint32_t offset = get32(b + DATA_OFFSET), bytes = get32(b + DATA_LENGTH);
  struct tgt_pending *command = asked_command(c, get16(b + DATA_TAG));
  if (command == NULL) {
    return fatal(c, FATAL_SEQUENCE, h, "TTAG", get16(b + DATA_TAG));
  }
  if (get16(b + DATA_CID) != command->sqe.cid) {
    return fatal(c, FATAL_INVALID_HEADER, h, "CCCID", get16(b + DATA_CID));
  }
  if (bytes == 0 || bytes != h->data_bytes) {
    return fatal(c, FATAL_INVALID_HEADER, h, "DATAL", bytes);
  }
  if (bytes > TGT_MAX_H2C_DATA) {
    return fatal(c, FATAL_LIMIT_EXCEEDED, h, "DATAL", bytes);
  }
  if (offset != command->received) {
    return fatal(c, FATAL_OUT_OF_RANGE, h, "DATAO", offset);
  }
  const uint32_t left = command->data_bytes - command->received;
  if (bytes > left) {
    return fatal(c, FATAL_OUT_OF_RANGE, h, "DATAL", bytes);
  }
  const bool last = (b[1] & PDU_LAST) != 0;
  if (last != (bytes == left)) {
    return fatal(c, FATAL_INVALID_HEADER, h, "FLAGS", b[1]);
  }
  if (!read_data(c, command->data + offset, bytes, command)) {
    return false;
  }
  command->received += bytes;
  c->progress_ms = tgt_now_ms();
  return true;
}

bool tgt_pdu_read(struct tgt_connection *c, int64_t timeout_ms, bool *idle) {
  struct header h = {.length = 0};
  *idle = false;
  const enum tgt_stream_result result = tgt_stream_wait(&c->stream, timeout_ms);
  if (result == TGT_STREAM_TIMEOUT) {
    *idle = true;
    return true;
  }
  if (result == TGT_STREAM_END) {
    return tgt_connection_end(c, "the peer closed");
  }
  if (!read_bytes(c, h.bytes, PDU_COMMON_BYTES, "a PDU's common header")) {
    return false;
  }
  if (!check_common(c, &h)) {
    return false;
  }
  const uint32_t length = h.bytes[PDU_HLEN];
  if (!read_bytes(c, h.bytes + PDU_COMMON_BYTES, length - PDU_COMMON_BYTES, "a PDU's header")) {
    return false;
  }
  h.length = length;
  switch (h.bytes[0]) {
    case PDU_IC_REQ: return take_parameters(c, &h);
    case PDU_H2C_TERM: return take_termination(c, &h);
    case PDU_CAPSULE_COMMAND: return take_command(c, &h);
    default: return take_data(c, &h);
  }
}

bool tgt_pdu_is_here(const struct tgt_connection *c) {
  const struct tgt_stream *stream = &c->stream;
  const uint32_t bytes = stream->end - stream->start;
  return bytes >= PDU_COMMON_BYTES && get32(stream->buffer + stream->start + PDU_PLEN) <= bytes;
}

bool tgt_pdu_is_command(const struct tgt_connection *c) {
  return tgt_pdu_is_here(c) && c->count < c->depth &&
         c->stream.buffer[c->stream.start] == PDU_CAPSULE_COMMAND;
}
