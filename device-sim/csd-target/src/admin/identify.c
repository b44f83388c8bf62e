/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "admin/identify.h"

#include <stdio.h>

#include "controller/controller.h"
#include "csd/csd.h"
#include "directory.h"
#include "options.h"
#include "programs/describe.h"
#include "programs/programs.h"
#include "transport/connection.h"
#include "transport/reply.h"

enum cns {
  NAMESPACE = 0x00,
  CONTROLLER = 0x01,
  ACTIVE_NAMESPACES = 0x02,
  DESCRIPTORS = 0x03,
  NAMESPACE_OF_SET = 0x05,
  CONTROLLER_OF_SET = 0x06,
  ACTIVE_NAMESPACES_OF_SET = 0x07,
  NAMESPACE_OF_ANY_SET = 0x08,
  COMMAND_SETS = 0x1C,
};

enum { PAGE = 4096, LBA_SHIFT = 12, TRANSFER_SHIFT = 8 };
_Static_assert(CSD_LBA_BYTES == 1 << LBA_SHIFT, "LBADS says 4096");
_Static_assert(TGT_MAX_TRANSFER == PAGE << TRANSFER_SHIFT, "MDTS says TGT_MAX_TRANSFER");
_Static_assert(TGT_MAX_TRANSFER == CSD_MAX_TRANSFER_BYTES, "and the engine takes as much");

/* Text of a fixed field, padded by spaces. */
static void put_text(uint8_t *to, const char *text, uint32_t bytes) {
  memset(to, ' ', bytes);
  const size_t length = strlen(text);
  memcpy(to, text, length < bytes ? length : bytes);
}

static uint32_t namespace_count(const struct tgt_controller *c) {
  return tgt_programs_are_on(c) ? NVME_COMPUTE_NAMESPACE : NVME_NAMESPACE;
}

/* Command set of a namespace that is there. */
static uint32_t set_of(uint32_t nsid) {
  return nsid == NVME_NAMESPACE          ? NVME_SET_NVM
         : nsid == NVME_MEMORY_NAMESPACE ? NVME_SET_MEMORY
                                         : NVME_SET_PROGRAMS;
}

static void describe_controller(const struct tgt_controller *c, uint8_t *page) {
  const struct tgt_options *o = c->server->options;
  char version[9];
  snprintf(version, sizeof version, "wire%u", csd_wire_version());
  put_text(page + 4, c->server->identity.serial, 20);
  put_text(page + 24, "csd-target", 40);
  put_text(page + 64, version, 8);
  page[76] = o->shared ? 2 : 0;                /* CMIC: several controllers */
  page[77] = TRANSFER_SHIFT;                   /* MDTS */
  put16(page + 78, c->id);                     /* CNTLID */
  put32(page + 80, tgt_controller_version(c)); /* VER */
  put32(page + 96, 1);                         /* CTRATT: host IDs of 128 bits */
  page[111] = c->discovery ? 2 : 1;            /* CNTRLTYPE */
  page[258] = 3;                               /* ACL: four aborts at once */
  page[259] = TGT_MAX_EVENTS - 1;              /* AERL */
  page[260] = 3;                               /* FRMW: one slot, read-only */
  page[261] = c->discovery ? 4 : 6;            /* LPA: effects log, offsets and long pages */
  page[262] = TGT_ERROR_ENTRIES - 1;           /* ELPE */
  put16(page + 266, 343);                      /* WCTEMP, kelvin */
  put16(page + 268, 353);                      /* CCTEMP */
  put16(page + 320, 1);                        /* KAS: 100 ms */
  put16(page + 514, c->discovery ? TGT_ADMIN_QUEUE : o->queue_depth); /* MAXCMD */
  put32(page + 536, 1 | 1 << 20); /* SGLS: as they come; offsets in capsules */
  const char *subsystem = c->discovery ? NVME_DISCOVERY_NQN : c->server->identity.subsystem;
  memcpy(page + 768, subsystem, strlen(subsystem));
  page[1804] = 1;        /* OFCS: Disconnect */
  page[1803] = 1;        /* MSDBD */
  put32(page + 1796, 1); /* IORCSZ, 16 bytes */
  put32(page + 1792, (uint32_t)(sizeof(struct nvme_command) + TGT_IN_CAPSULE_BYTES) / 16);
  if (c->discovery) {
    return;
  }
  page[512] = 0x66;                      /* SQES */
  page[513] = 0x44;                      /* CQES */
  put32(page + 516, namespace_count(c)); /* NN */
  put16(page + 520, 4 | 8);              /* ONCS: Dataset Management, Write Zeroes */
  page[525] = 7;                         /* VWC: there; Flush of all namespaces */
  put16(page + 2048, 1);                 /* power state 0: maximum power, 10 mW */
}

static void describe_namespace(const struct tgt_controller *c, uint8_t *page) {
  const struct tgt_options *o = c->server->options;
  const uint64_t count = o->capacity_bytes / CSD_LBA_BYTES;
  put64(page, count);                               /* NSZE */
  put64(page + 8, count);                           /* NCAP */
  put64(page + 16, count);                          /* NUSE */
  page[30] = o->shared ? 1 : 0;                     /* NMIC */
  put64(page + 48, o->capacity_bytes);              /* NVMCAP */
  page[99] = o->read_only ? 1 : 0;                  /* NSATTR: write protected */
  memcpy(page + 104, c->server->identity.uuid, 16); /* NGUID */
  page[128 + 2] = LBA_SHIFT;                        /* LBAF0: LBADS */
}

/* CNS 03h: NGUID, the same number as a UUID, then the command set. Memory and compute namespaces
   are a controller's own, and so are their numbers. */
static void describe_ids(const struct tgt_controller *c, uint32_t nsid, uint8_t *page) {
  page[0] = 2, page[1] = 16;
  memcpy(page + 4, c->server->identity.uuid, 16);
  if (nsid != NVME_NAMESPACE) {
    put16(page + 4, (uint16_t)(get16(page + 4) ^ c->id));
    page[6] ^= (uint8_t)nsid;
  }
  page[20] = 3, page[21] = 16;
  memcpy(page + 24, page + 4, 16);
  page[40] = 4, page[41] = 1;
  page[44] = (uint8_t)set_of(nsid);
}

static void list_namespaces(const struct tgt_controller *c, uint32_t above, bool of_all,
                            uint32_t set, uint8_t *page) {
  for (uint32_t nsid = NVME_NAMESPACE; nsid <= namespace_count(c); nsid++) {
    if (nsid > above && (of_all || set_of(nsid) == set)) {
      put32(page, nsid);
      page += 4;
    }
  }
}

/* Whether a page may be asked for with this namespace and command set. */
static uint16_t check(const struct tgt_controller *c, uint32_t cns, uint32_t nsid, uint32_t set) {
  const bool of_namespace = cns == NAMESPACE || cns == DESCRIPTORS || cns == NAMESPACE_OF_SET ||
                            cns == NAMESPACE_OF_ANY_SET;
  const bool is_set = set == NVME_SET_NVM || (tgt_programs_are_on(c) &&
                                              (set == NVME_SET_MEMORY || set == NVME_SET_PROGRAMS));
  if (c->discovery && cns != CONTROLLER) {
    return NVME_INVALID_FIELD;
  }
  if (of_namespace && (nsid < NVME_NAMESPACE || nsid > namespace_count(c))) {
    return NVME_INVALID_NAMESPACE;
  }
  if (cns >= NAMESPACE_OF_SET && cns <= ACTIVE_NAMESPACES_OF_SET && !is_set) {
    return NVME_INVALID_FIELD;
  }
  if (cns == NAMESPACE && set_of(nsid) != NVME_SET_NVM) {
    return NVME_INVALID_COMMAND_SET;
  }
  return cns == NAMESPACE_OF_SET && set_of(nsid) != set ? NVME_INVALID_COMMAND_SET : NVME_OK;
}

void tgt_identify_run(struct tgt_connection *connection, struct tgt_pending *command,
                      struct tgt_reply *reply) {
  const struct tgt_controller *c = connection->controller;
  const struct nvme_command *sqe = &command->sqe;
  uint8_t page[PAGE] = {0};
  const uint32_t cns = sqe->cdw10 & 0xFF, set = sqe->cdw11 >> 24;
  uint16_t status = check(c, cns, sqe->nsid, set);
  if (status == NVME_OK) {
    switch (cns) {
      case NAMESPACE: describe_namespace(c, page); break;
      case CONTROLLER: describe_controller(c, page); break;
      case ACTIVE_NAMESPACES:
      case ACTIVE_NAMESPACES_OF_SET:
        if (sqe->nsid >= 0xFFFFFFFE) {
          status = NVME_INVALID_NAMESPACE;
        }
        list_namespaces(c, sqe->nsid, cns == ACTIVE_NAMESPACES, set, page);
        break;
      case DESCRIPTORS: describe_ids(c, sqe->nsid, page); break;
      case NAMESPACE_OF_SET:
        if (set != NVME_SET_NVM) { /* of NVM zeros: nothing beyond the common page */
          tgt_programs_describe_namespace(c, set, page);
        }
        break;
      case CONTROLLER_OF_SET: break; /* zeros: no set has more than the common page */
      case NAMESPACE_OF_ANY_SET:
        page[1] = c->server->options->shared ? 1 : 0; /* NMIC */
        page[14] = 1;                                 /* NSTAT: ready */
        break;
      case COMMAND_SETS: /* combination 0: NVM, or that with memory and programs */
        put64(page, c->programs == NULL
                        ? 1 << NVME_SET_NVM
                        : 1 << NVME_SET_NVM | 1 << NVME_SET_MEMORY | 1 << NVME_SET_PROGRAMS);
        break;
      default: status = NVME_INVALID_FIELD; break;
    }
  }
  if (status != NVME_OK) {
    tgt_reply_status(reply, status | NVME_DNR);
  } else {
    tgt_reply_data(connection, command, reply, page, sizeof page, 0, sizeof page);
  }
}
