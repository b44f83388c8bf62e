/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "initiator.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "core/kernels/crc32c.h"

enum { LIMIT_SECONDS = 60, MAX_PDU = 1 << 22 };
enum { TRIES = 3000, PAUSE_US = 20000 }; /* a minute */
enum { IC_REQ, IC_RESP, H2C_TERM, C2H_TERM, COMMAND, RESPONSE, H2C_DATA, C2H_DATA, R2T = 9 };
enum { F_HEADER = 1, F_DATA = 2, F_LAST = 4, F_SUCCESS = 8 };

int64_t ini_now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

uint16_t ini_get16(const uint8_t *from) { return (uint16_t)(from[0] | from[1] << 8); }

uint32_t ini_get32(const uint8_t *from) {
  return ini_get16(from) | (uint32_t)ini_get16(from + 2) << 16;
}

uint64_t ini_get64(const uint8_t *from) {
  return ini_get32(from) | (uint64_t)ini_get32(from + 4) << 32;
}

static void set16(uint8_t *to, uint32_t value) {
  to[0] = (uint8_t)value, to[1] = (uint8_t)(value >> 8);
}

static void set32(uint8_t *to, uint32_t value) { set16(to, value), set16(to + 2, value >> 16); }

bool ini_dial(struct ini_connection *c, uint16_t port) {
  *c = (struct ini_connection){.alignment = 4, .next_cid = 100};
  const struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const struct timeval limit = {.tv_sec = LIMIT_SECONDS};
  const int yes = 1;
  c->file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (c->file < 0) {
    return false;
  }
  setsockopt(c->file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(c->file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  setsockopt(c->file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (connect(c->file, (const struct sockaddr *)&address, sizeof address) == 0) {
    return true;
  }
  ini_close(c);
  return false;
}

void ini_close(struct ini_connection *c) {
  if (c->file > 0) {
    close(c->file);
  }
  c->file = -1;
}

bool ini_send(struct ini_connection *c, const void *bytes, size_t count) {
  const uint8_t *from = bytes;
  while (count > 0) {
    const ssize_t sent = send(c->file, from, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) { /* it was stopped, and goes on */
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    from += sent, count -= (size_t)sent;
  }
  return true;
}

/* @return 0, INI_CLOSED or INI_TIMEOUT */
static int read_all(struct ini_connection *c, void *to, size_t count) {
  uint8_t *at = to;
  for (size_t left = count; left > 0;) {
    const ssize_t got = recv(c->file, at, left, 0);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return INI_TIMEOUT;
    }
    if (got <= 0) {
      return INI_CLOSED;
    }
    at += got, left -= (size_t)got;
  }
  return 0;
}

static int broken(struct ini_connection *c, const char *what) {
  if (c->broken == NULL) {
    c->broken = what;
  }
  return INI_BROKEN;
}

static _Thread_local uint8_t room[MAX_PDU];

static int check_digests(struct ini_connection *c, const uint8_t *pdu, uint32_t header_bytes,
                         uint32_t total) {
  const uint32_t data_at = pdu[3];
  if (c->header_digest && csd_crc32c(0, pdu, header_bytes) != ini_get32(pdu + header_bytes)) {
    return broken(c, "a wrong header digest");
  }
  if (pdu[0] == C2H_DATA && c->data_digest) {
    if ((pdu[1] & F_DATA) == 0) {
      return broken(c, "data without their digest");
    }
    if (csd_crc32c(0, pdu + data_at, total - data_at - 4) != ini_get32(pdu + total - 4)) {
      return broken(c, "a wrong data digest");
    }
  }
  return 0;
}

int ini_receive(struct ini_connection *c, struct ini_pdu *pdu) {
  int status = read_all(c, room, 8);
  if (status != 0) {
    return status;
  }
  const uint32_t header_bytes = room[2], data_at = room[3], total = ini_get32(room + 4);
  if (header_bytes < 8 || header_bytes > 128 || total < header_bytes || total > MAX_PDU) {
    return broken(c, "lengths of a PDU");
  }
  status = read_all(c, room + 8, total - 8);
  if (status != 0) {
    return status;
  }
  memcpy(pdu->header, room, header_bytes);
  pdu->data_bytes = 0;
  if (room[0] == C2H_TERM) {
    c->fatal = ini_get16(room + 8);
    return INI_TERMINATED;
  }
  if (room[0] != IC_RESP) {
    if (((room[1] & F_HEADER) != 0) != c->header_digest) {
      return broken(c, "flag of header digests");
    }
    status = check_digests(c, room, header_bytes, total);
    if (status != 0) {
      return status;
    }
  }
  if (room[0] == C2H_DATA) {
    const uint32_t bytes = ini_get32(room + 16);
    if (data_at % c->alignment != 0) {
      return broken(c, "alignment of data");
    }
    if (data_at + bytes + (c->data_digest ? 4u : 0u) != total) {
      return broken(c, "length of data");
    }
    pdu->data = room + data_at;
    pdu->data_bytes = bytes;
  }
  return 0;
}

bool ini_parameters(struct ini_connection *c, uint8_t digests, uint8_t alignment) {
  uint8_t request[128] = {IC_REQ, 0, 128};
  struct ini_pdu pdu;
  set32(request + 4, sizeof request);
  request[10] = alignment;
  request[11] = digests;
  c->alignment = 4u * (alignment + 1u);
  if (!ini_send(c, request, sizeof request) || ini_receive(c, &pdu) != 0) {
    return false;
  }
  c->max_data = ini_get32(pdu.header + 12);
  c->header_digest = (digests & INI_HEADER_DIGEST) != 0;
  c->data_digest = (digests & INI_DATA_DIGEST) != 0;
  return pdu.header[0] == IC_RESP && pdu.header[2] == 128 && ini_get16(pdu.header + 8) == 0 &&
         pdu.header[11] == digests && c->max_data >= 4096 && c->max_data % 4 == 0;
}

/* Closes a PDU whose header stands in `pdu` and sends it with its data. */
static bool send_pdu(struct ini_connection *c, uint8_t *pdu, uint32_t header_bytes,
                     const void *data, uint32_t bytes) {
  uint8_t digest[4];
  uint32_t front = header_bytes, tail = 0;
  pdu[2] = (uint8_t)header_bytes;
  if (c->header_digest) {
    pdu[1] |= F_HEADER, front += 4;
  }
  if (c->data_digest && bytes > 0) {
    pdu[1] |= F_DATA, tail = 4;
  }
  pdu[3] = bytes > 0 ? (uint8_t)front : 0;
  set32(pdu + 4, front + bytes + tail);
  if (c->header_digest) {
    set32(pdu + header_bytes, csd_crc32c(0, pdu, header_bytes));
  }
  if (tail > 0) {
    set32(digest, csd_crc32c(0, data, bytes));
  }
  return ini_send(c, pdu, front) && (bytes == 0 || ini_send(c, data, bytes)) &&
         (tail == 0 || ini_send(c, digest, tail));
}

uint16_t ini_start(struct ini_connection *c, const struct ini_command *m) {
  uint8_t pdu[80] = {COMMAND};
  uint8_t *sqe = pdu + 8;
  const uint16_t cid = c->next_cid++;
  const bool in_capsule = m->out_bytes > 0 && !m->apart;
  sqe[0] = m->opcode;
  sqe[1] = 0x40; /* SGL */
  set16(sqe + 2, cid);
  set32(sqe + 4, m->nsid);
  set32(sqe + 8, m->cdw2);
  set32(sqe + 12, m->cdw3);
  set32(sqe + 16, m->cdw4);
  set32(sqe + 32, m->out_bytes + m->in_bytes);
  sqe[39] = in_capsule ? 0x01 : 0x5A;
  const uint32_t dwords[] = {m->cdw10, m->cdw11, m->cdw12, m->cdw13, m->cdw14, m->cdw15};
  for (int i = 0; i < 6; i++) {
    set32(sqe + 40 + 4 * i, dwords[i]);
  }
  send_pdu(c, pdu, 72, m->out, in_capsule ? m->out_bytes : 0);
  return cid;
}

bool ini_answer_r2t(struct ini_connection *c, const struct ini_pdu *r2t, const void *data,
                    uint32_t bytes) {
  const uint32_t offset = ini_get32(r2t->header + 12), length = ini_get32(r2t->header + 16);
  if (offset > bytes || length > bytes - offset) {
    return false;
  }
  for (uint32_t at = 0; at < length;) {
    uint8_t pdu[32] = {H2C_DATA};
    const uint32_t left = length - at, piece = left < c->max_data ? left : c->max_data;
    if (piece == left) {
      pdu[1] = F_LAST;
    }
    memcpy(pdu + 8, r2t->header + 8, 4);
    set32(pdu + 12, offset + at);
    set32(pdu + 16, piece);
    if (!send_pdu(c, pdu, 24, (const uint8_t *)data + offset + at, piece)) {
      return false;
    }
    at += piece;
  }
  return true;
}

/* Takes in data of an answer. They come in order, and LAST is with the last of them. */
static int take_data(struct ini_connection *c, const struct ini_command *m,
                     const struct ini_pdu *pdu, struct ini_answer *answer, bool *last) {
  if (*last) {
    return broken(c, "data after the last");
  }
  if (ini_get32(pdu->header + 12) != answer->in_bytes) {
    return broken(c, "offset of data");
  }
  if (pdu->data_bytes > m->in_bytes - answer->in_bytes) {
    return broken(c, "more data than room");
  }
  memcpy((uint8_t *)m->in + answer->in_bytes, pdu->data, pdu->data_bytes);
  answer->in_bytes += pdu->data_bytes;
  *last = (pdu->header[1] & F_LAST) != 0;
  return 0;
}

struct ini_answer ini_finish(struct ini_connection *c, const struct ini_command *m, uint16_t cid) {
  struct ini_answer answer = {0};
  struct ini_pdu pdu;
  bool last = false;
  for (;;) {
    answer.status = ini_receive(c, &pdu);
    if (answer.status != 0) {
      return answer;
    }
    const uint8_t type = pdu.header[0];
    if (ini_get16(pdu.header + (type == RESPONSE ? 20 : 8)) != cid) {
      answer.status = broken(c, "an answer to another command");
      return answer;
    }
    if (type == R2T) {
      const uint64_t end = (uint64_t)ini_get32(pdu.header + 12) + ini_get32(pdu.header + 16);
      if (!m->apart || end > m->out_bytes) {
        answer.status = broken(c, "an R2T out of place");
        return answer;
      }
      if (!ini_answer_r2t(c, &pdu, m->out, m->out_bytes)) {
        answer.status = INI_CLOSED;
        return answer;
      }
    } else if (type == C2H_DATA) {
      answer.status = take_data(c, m, &pdu, &answer, &last);
      if (answer.status != 0) {
        return answer;
      }
      if (pdu.header[1] & F_SUCCESS) {
        return answer;
      }
    } else if (type == RESPONSE) {
      answer.result = ini_get64(pdu.header + 8);
      answer.status = ini_get16(pdu.header + 22) >> 1;
      if (answer.in_bytes > 0 && !last) {
        answer.status = broken(c, "no last data");
      }
      return answer;
    } else {
      answer.status = broken(c, "type of a PDU");
      return answer;
    }
  }
}

struct ini_answer ini_run(struct ini_connection *c, const struct ini_command *command) {
  return ini_finish(c, command, ini_start(c, command));
}

struct ini_answer ini_connect_on(struct ini_connection *c, const char *host, const char *subsystem,
                                 uint16_t queue_id, uint16_t controller_id,
                                 uint32_t keep_alive_ms) {
  uint8_t data[1024] = {0};
  const struct ini_command command = {.opcode = 0x7F,
                                      .nsid = 1,
                                      .cdw10 = (uint32_t)queue_id << 16,
                                      .cdw11 = 31,
                                      .cdw12 = keep_alive_ms,
                                      .out = data,
                                      .out_bytes = sizeof data};
  memset(data, 0x11, 16);
  data[15] = (uint8_t)host[strlen(host) - 1];
  set16(data + 16, controller_id);
  strcpy((char *)data + 256, subsystem);
  strcpy((char *)data + 512, host);
  return ini_run(c, &command);
}

struct ini_answer ini_connect(struct ini_connection *c, uint16_t port, uint8_t digests,
                              const char *host, const char *subsystem, uint16_t queue_id,
                              uint16_t controller_id, uint32_t keep_alive_ms) {
  if (!ini_dial(c, port) || !ini_parameters(c, digests, 0)) {
    return (struct ini_answer){.status = INI_CLOSED};
  }
  return ini_connect_on(c, host, subsystem, queue_id, controller_id, keep_alive_ms);
}

struct ini_answer ini_set_cc(struct ini_connection *c, uint32_t value) {
  const struct ini_command command = {.opcode = 0x7F, .cdw11 = 0x14, .cdw12 = value};
  return ini_run(c, &command);
}

bool ini_host_open(struct ini_host *host, uint16_t port, uint8_t digests, const char *name) {
  struct ini_answer answer =
      ini_connect(&host->admin, port, digests, name, INI_SUBSYSTEM, 0, 0xFFFF, 0);
  host->io.file = -1;
  if (answer.status != 0) {
    return false;
  }
  host->controller_id = (uint16_t)answer.result;
  if (ini_set_cc(&host->admin, 0x460001).status != 0) {
    return false;
  }
  answer = ini_connect(&host->io, port, digests, name, INI_SUBSYSTEM, 1, host->controller_id, 0);
  return answer.status == 0 && answer.result == host->controller_id;
}

void ini_host_close(struct ini_host *host) {
  ini_close(&host->io);
  ini_close(&host->admin);
}

bool ini_host_is_well(struct ini_host *host) {
  static uint8_t lba[4096];
  const struct ini_command read = {.opcode = 2, .nsid = 1, .in = lba, .in_bytes = sizeof lba};
  const struct ini_command alive = {.opcode = 0x18};
  return ini_run(&host->io, &read).status == 0 && ini_run(&host->admin, &alive).status == 0;
}

bool ini_host_open_soon(struct ini_host *host, uint16_t port, uint8_t digests, const char *name) {
  for (int i = 0; i < TRIES; i++) {
    if (ini_host_open(host, port, digests, name)) {
      return true;
    }
    ini_host_close(host);
    usleep(PAUSE_US);
  }
  return false;
}
