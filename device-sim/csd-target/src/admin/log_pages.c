/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "admin/log_pages.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

#include "controller/controller.h"
#include "csd/csd.h"
#include "directory.h"
#include "io/io.h"
#include "options.h"
#include "programs/describe.h"
#include "programs/programs.h"
#include "transport/connection.h"
#include "transport/reply.h"

enum page { ERRORS = 0x01, HEALTH = 0x02, FIRMWARE = 0x03, EFFECTS = 0x05, DISCOVERY = 0x70 };
enum { MAX_LOG_BYTES = 4096, ERROR_BYTES = 64, HEALTH_BYTES = 512, FIRMWARE_BYTES = 512 };
enum { ENTRY = 1024, DISCOVERY_BYTES = (TGT_MAX_STORES + 1) * ENTRY }; /* head, and a record each */
/* A secure channel, and its kind. */
enum { TREQ_REQUIRED = 1, TREQ_NOT_REQUIRED = 2, SECURITY_TYPE = 768, SECURITY_TLS13 = 2 };
enum { SUPPORTED = 1, CHANGES_BLOCKS = 2, IO_EFFECTS = 1024 };

/* The newest first. */
static uint32_t errors(struct tgt_controller *c, uint8_t *to) {
  pthread_mutex_lock(&c->lock);
  for (uint64_t i = 0; i < TGT_ERROR_ENTRIES && i < c->error_count; i++) {
    const struct tgt_error *e = &c->errors[(c->error_count - i) % TGT_ERROR_ENTRIES];
    uint8_t *entry = to + i * ERROR_BYTES;
    put64(entry, e->number);
    put16(entry + 8, e->queue_id);
    put16(entry + 10, e->cid);
    put16(entry + 12, (uint16_t)(e->status << 1));
    put16(entry + 14, 0xFFFF); /* no location in the command */
    put64(entry + 16, e->lba);
    put32(entry + 24, e->nsid);
  }
  pthread_mutex_unlock(&c->lock);
  return TGT_ERROR_ENTRIES * ERROR_BYTES;
}

static uint32_t health(struct tgt_controller *c, uint8_t *to) {
  struct tgt_server *server = c->server;
  struct csd_device_stats stats;
  csd_device_get_stats(server->device, &stats);
  const uint64_t unit = 512000; /* data units: thousands of 512 bytes, rounded up */
  to[0] = server->options->read_only ? 8 : 0;
  put16(to + 1, 300); /* kelvin; there is no sensor */
  to[3] = 100, to[4] = 10;
  put64(to + 32, (stats.lbas_read * CSD_LBA_BYTES + unit - 1) / unit);
  put64(to + 48, (stats.lbas_written * CSD_LBA_BYTES + unit - 1) / unit);
  put64(to + 64, atomic_load(&server->reads));
  put64(to + 80, atomic_load(&server->writes));
  put64(to + 128, (uint64_t)(tgt_now_ms() - server->started_ms) / 3600000);
  put64(to + 160, atomic_load(&server->media_errors));
  pthread_mutex_lock(&c->lock);
  put64(to + 176, c->error_count);
  pthread_mutex_unlock(&c->lock);
  return HEALTH_BYTES;
}

static uint32_t firmware(uint8_t *to) {
  to[0] = 1; /* slot 1 is active */
  snprintf((char *)to + 8, 9, "%-8.8s", "wire");
  to[12] = (uint8_t)('0' + csd_wire_version() % 10);
  return FIRMWARE_BYTES;
}

static uint32_t effects(const struct tgt_connection *c, uint32_t set, uint8_t *to) {
  static const uint8_t admin[] = {NVME_ADMIN_GET_LOG_PAGE, NVME_ADMIN_IDENTIFY,
                                  NVME_ADMIN_ABORT,        NVME_ADMIN_SET_FEATURES,
                                  NVME_ADMIN_GET_FEATURES, NVME_ADMIN_ASYNC_EVENT,
                                  NVME_ADMIN_KEEP_ALIVE};
  for (uint32_t i = 0; i < sizeof admin; i++) {
    put32(to + admin[i] * 4u, SUPPORTED);
  }
  if (tgt_programs_are_on(c->controller)) {
    put32(to + NVME_ADMIN_PROGRAM_ACTIVATION * 4u, SUPPORTED);
    put32(to + NVME_ADMIN_MEMORY_RANGE_SETS * 4u, SUPPORTED);
  }
  for (uint32_t opcode = 0; opcode < 256; opcode++) {
    const bool blocks = set == NVME_SET_NVM;
    const bool writes = opcode == NVME_IO_WRITE || opcode == NVME_IO_WRITE_ZEROES ||
                        opcode == NVME_IO_DATASET_MANAGEMENT;
    if (!tgt_io_knows(c, set, (uint8_t)opcode)) {
      continue;
    }
    put32(to + IO_EFFECTS + opcode * 4, SUPPORTED | (blocks && writes ? CHANGES_BLOCKS : 0));
  }
  return MAX_LOG_BYTES;
}

/* Address and port that the host has come to. */
static bool local_address(const struct tgt_connection *c, char *text, uint32_t bytes,
                          uint16_t *port) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(c->stream.file, (struct sockaddr *)&address, &length) != 0) {
    return false;
  }
  const bool v6 = address.ss_family == AF_INET6;
  const struct sockaddr_in6 *six = (const void *)&address;
  const struct sockaddr_in *four = (const void *)&address;
  *port = ntohs(v6 ? six->sin6_port : four->sin_port);
  const void *from = v6 ? (const void *)&six->sin6_addr : (const void *)&four->sin_addr;
  return inet_ntop(address.ss_family, from, text, bytes) != NULL && !v6;
}

/* One entry of the discovery log. */
static void discovery_entry(const struct tgt_server *server, const char *address, bool v4,
                            const char *port, uint8_t *entry) {
  entry[0] = 3;          /* TCP */
  entry[1] = v4 ? 1 : 2; /* address family */
  entry[2] = 2;          /* an NVM subsystem */
  entry[3] = server->tls != NULL ? TREQ_REQUIRED : TREQ_NOT_REQUIRED;
  entry[SECURITY_TYPE] = server->tls != NULL ? SECURITY_TLS13 : 0;
  put16(entry + 4, 1);      /* port ID */
  put16(entry + 6, 0xFFFF); /* controllers are made at Connect */
  put16(entry + 8, TGT_ADMIN_QUEUE);
  memset(entry + 32, ' ', 32);
  memcpy(entry + 32, port, strlen(port));
  memcpy(entry + 256, server->identity.subsystem, strlen(server->identity.subsystem));
  memset(entry + 512, ' ', 256);
  memcpy(entry + 512, address, strlen(address));
}

static uint32_t discovery(const struct tgt_connection *c, uint8_t *to) {
  const struct tgt_options *o = c->server->options;
  char address[64] = "", port[8];
  uint16_t number = 0;
  uint32_t records = 0;
  bool v4 = local_address(c, address, sizeof address, &number);
  if (o->advertise != NULL) {
    snprintf(address, sizeof address, "%s", o->advertise);
    v4 = strchr(address, ':') == NULL;
  }
  snprintf(port, sizeof port, "%u", number);
  for (const struct tgt_server *s = c->server->front; s != NULL; s = s->next) {
    records++;
    discovery_entry(s, address, v4, port, to + records * (uint32_t)ENTRY);
  }
  put64(to, 1); /* generation: the log never changes */
  put64(to + 8, records);
  return (records + 1) * (uint32_t)ENTRY;
}

static bool is_ours(uint32_t set) { return set == NVME_SET_MEMORY || set == NVME_SET_PROGRAMS; }

void tgt_log_pages_run(struct tgt_connection *connection, struct tgt_pending *command,
                       struct tgt_reply *reply) {
  struct tgt_controller *c = connection->controller;
  const struct nvme_command *sqe = &command->sqe;
  const uint64_t dwords = ((uint64_t)(sqe->cdw11 & 0xFFFF) << 16 | sqe->cdw10 >> 16) + 1;
  const uint64_t offset = (uint64_t)sqe->cdw13 << 32 | sqe->cdw12;
  const uint32_t id = sqe->cdw10 & 0xFF, set = sqe->cdw14 >> 24;
  const bool programs = tgt_programs_are_on(c);
  uint8_t page[DISCOVERY_BYTES] = {0}; /* the longest */
  uint32_t bytes = 0;
  if (id == ERRORS) {
    bytes = errors(c, page);
  } else if (id == DISCOVERY && c->discovery) {
    bytes = discovery(connection, page);
  } else if (id == HEALTH && !c->discovery) {
    bytes = health(c, page);
  } else if (id == FIRMWARE && !c->discovery) {
    bytes = firmware(page);
  } else if (id == EFFECTS && !c->discovery &&
             (set == NVME_SET_NVM || (programs && is_ours(set)))) {
    bytes = effects(connection, set, page);
  } else if (programs) {
    bytes = tgt_programs_log(c, id, sqe->nsid, page);
  }
  if (bytes == 0) {
    tgt_reply_status(reply, NVME_INVALID_LOG_PAGE | NVME_DNR);
  } else if (dwords * 4 > TGT_MAX_TRANSFER || offset % 4 != 0 || offset > bytes) {
    tgt_reply_status(reply, NVME_INVALID_FIELD | NVME_DNR);
  } else {
    tgt_reply_data(connection, command, reply, page, bytes, offset, (uint32_t)dwords * 4);
  }
}
