/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "transport/pdu_writer.h"

#include "core/kernels/crc32c.h"
#include "options.h"
#include "transport/connection.h"

/* Room for a header, its digest, and the padding before data. */
enum { FRONT_BYTES = 160, ZERO = 0 };

/* Answers of commands that took so long since they came are not held back. */
enum { MAX_HOLD_MS = 1 };

static bool send_now(struct tgt_connection *c, struct iovec *parts, int count) {
  const uint32_t limit = c->options->io_timeout_ms;
  char text[80];
  switch (tgt_stream_write(&c->stream, parts, count, limit)) {
    case TGT_STREAM_OK: return true;
    case TGT_STREAM_TIMEOUT:
      return tgt_connection_end(c, "slow peer: did not take an answer in %u ms", limit);
    default:
      return tgt_connection_end(c, "writing: %s", tgt_stream_fault(&c->stream, text, sizeof text));
  }
}

bool tgt_write_flush(struct tgt_connection *c) {
  if (c->held_bytes == 0) {
    return true;
  }
  struct iovec part = {c->held, c->held_bytes};
  c->held_bytes = 0; /* what cannot be written is not tried again */
  return send_now(c, &part, 1);
}

/* Appends to what is held, or sends that and the parts. */
static bool send_parts(struct tgt_connection *c, struct iovec *parts, int count) {
  size_t bytes = 0;
  for (int i = 0; i < count; i++) {
    bytes += parts[i].iov_len;
  }
  if (bytes > sizeof c->held - c->held_bytes) {
    return tgt_write_flush(c) && send_now(c, parts, count);
  }
  for (int i = 0; i < count; i++) {
    memcpy(c->held + c->held_bytes, parts[i].iov_base, parts[i].iov_len);
    c->held_bytes += (uint32_t)parts[i].iov_len;
  }
  return tgt_now_ms() - c->read_ms <= MAX_HOLD_MS || tgt_write_flush(c);
}

/* Fills a common header and, once the header is complete, its digest. @return bytes */
static uint32_t begin(const struct tgt_connection *c, uint8_t *to, uint8_t type, uint8_t flags,
                      uint32_t header_bytes) {
  memset(to, ZERO, FRONT_BYTES);
  to[0] = type;
  to[1] = (uint8_t)(flags | (c->header_digest ? PDU_HDGST : 0));
  to[PDU_HLEN] = (uint8_t)header_bytes;
  const uint32_t front = header_bytes + (c->header_digest ? PDU_DIGEST_BYTES : 0);
  put32(to + PDU_PLEN, front);
  return front;
}

static void seal(const struct tgt_connection *c, uint8_t *to) {
  const uint32_t header_bytes = to[PDU_HLEN];
  if (c->header_digest) {
    put32(to + header_bytes, csd_crc32c(0, to, header_bytes));
  }
}

bool tgt_write_parameters(struct tgt_connection *c, uint8_t digests) {
  uint8_t pdu[FRONT_BYTES];
  const uint32_t bytes = begin(c, pdu, PDU_IC_RESP, 0, PDU_IC_BYTES); /* no digest yet */
  pdu[IC_DIGESTS] = digests;
  put32(pdu + IC_LIMIT, TGT_MAX_H2C_DATA);
  struct iovec part = {pdu, bytes};
  return send_parts(c, &part, 1);
}

bool tgt_write_ready(struct tgt_connection *c, uint16_t cid, uint16_t tag, uint32_t bytes) {
  uint8_t pdu[FRONT_BYTES];
  const uint32_t front = begin(c, pdu, PDU_R2T, 0, PDU_DATA_BYTES);
  put16(pdu + DATA_CID, cid);
  put16(pdu + DATA_TAG, tag);
  put32(pdu + DATA_LENGTH, bytes);
  seal(c, pdu);
  struct iovec part = {pdu, front};
  return send_parts(c, &part, 1);
}

/* Header of a C2HData up to its data. @return bytes */
static uint32_t data_front(const struct tgt_connection *c, uint8_t *to, uint16_t cid,
                           uint32_t offset, uint32_t bytes, uint8_t flags) {
  if (c->data_digest) {
    flags |= PDU_DDGST;
  }
  const uint32_t front = begin(c, to, PDU_C2H_DATA, flags, PDU_DATA_BYTES);
  const uint32_t data_at = (front + c->alignment - 1) / c->alignment * c->alignment;
  to[PDU_PDO] = (uint8_t)data_at;
  put32(to + PDU_PLEN, data_at + bytes + (c->data_digest ? PDU_DIGEST_BYTES : 0));
  put16(to + DATA_CID, cid);
  put32(to + DATA_OFFSET, offset);
  put32(to + DATA_LENGTH, bytes);
  seal(c, to);
  return data_at;
}

static uint32_t response(const struct tgt_connection *c, uint8_t *to,
                         const struct nvme_command *command, const struct tgt_reply *reply) {
  const struct nvme_completion completion = {.result = reply->result,
                                             .sq_head = c->no_flow_control ? 0xFFFF : c->sq_head,
                                             .sq_id = 0,
                                             .cid = command->cid,
                                             .status = (uint16_t)(reply->status << 1)};
  const uint32_t front = begin(c, to, PDU_CAPSULE_RESPONSE, 0, PDU_RESPONSE_BYTES);
  memcpy(to + PDU_COMMON_BYTES, &completion, sizeof completion);
  seal(c, to);
  return front;
}

bool tgt_write_reply(struct tgt_connection *c, const struct nvme_command *command,
                     const struct tgt_reply *reply) {
  uint8_t front[FRONT_BYTES], end[FRONT_BYTES], digest[PDU_DIGEST_BYTES];
  /* A host that does without flow control needs no completion that says nothing. */
  const bool implied = c->no_flow_control && reply->status == 0 && reply->result == 0;
  for (uint32_t offset = 0; offset < reply->data_bytes;) {
    const uint32_t left = reply->data_bytes - offset;
    const uint32_t bytes = left < TGT_MAX_C2H_DATA ? left : TGT_MAX_C2H_DATA;
    const bool last = bytes == left;
    const uint8_t flags = last ? (implied ? PDU_LAST | PDU_SUCCESS : PDU_LAST) : 0;
    struct iovec parts[4];
    int count = 0;
    parts[count++] =
        (struct iovec){front, data_front(c, front, command->cid, offset, bytes, flags)};
    parts[count++] = (struct iovec){c->out + offset, bytes};
    if (c->data_digest) {
      put32(digest, csd_crc32c(0, c->out + offset, bytes));
      parts[count++] = (struct iovec){digest, sizeof digest};
    }
    if (last && !implied) {
      parts[count++] = (struct iovec){end, response(c, end, command, reply)};
    }
    if (!send_parts(c, parts, count)) {
      return false;
    }
    offset += bytes;
  }
  if (reply->data_bytes > 0) {
    return true;
  }
  struct iovec part = {end, response(c, end, command, reply)};
  return send_parts(c, &part, 1);
}

void tgt_write_termination(struct tgt_connection *c) {
  uint8_t pdu[FRONT_BYTES];
  memset(pdu, ZERO, sizeof pdu);
  pdu[0] = PDU_C2H_TERM;
  pdu[PDU_HLEN] = PDU_TERM_BYTES;
  put32(pdu + PDU_PLEN, PDU_TERM_BYTES + c->offender_bytes);
  put16(pdu + TERM_STATUS, c->fatal);
  memcpy(pdu + PDU_TERM_BYTES, c->offender, c->offender_bytes);
  struct iovec part = {pdu, PDU_TERM_BYTES + c->offender_bytes};
  (void)tgt_stream_write(&c->stream, &part, 1, 1000);
}
