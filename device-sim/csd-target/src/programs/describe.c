/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "programs/describe.h"

#include "controller/controller.h"
#include "programs/programs.h"
#include "transport/pdu.h"

enum log { REACHABILITY_GROUPS = 0x1A, REACHABILITY_ASSOCIATIONS = 0x1B, PROGRAM_LIST = 0x82 };
enum { PROGRAM_BYTES = 64, GROUPS_HEAD = 16, GROUP_HEAD = 32, ASSOCIATION_HEAD = 32, GROUP = 1 };

/* A program descriptor: occupied by the device, active, its ID a unique one, its type a vendor's.
 */
enum { OCCUPIED = 1, ACTIVE = 1 << 2, UNIQUE_ID = 1 << 3, TYPE_VENDOR = 0xC0 };

void tgt_programs_describe_namespace(const struct tgt_controller *c, uint32_t set, uint8_t *page) {
  if (set == NVME_SET_MEMORY) {
    put64(page, c->programs->memory.bytes);
    return;
  }
  put16(page, TGT_PROGRAMS);           /* MAXACT */
  put16(page + 2, TGT_MAX_RANGE_SETS); /* MAXMEMRS */
  put16(page + 4, 2);                  /* MRSG: dwords */
  page[6] = 1;                         /* MAXMEMR */
}

static uint32_t list_programs(struct tgt_programs *p, uint8_t *to) {
  static const uint64_t ids[] = {TGT_PLAN_PROGRAM_ID, TGT_LIVE_DOCS_PROGRAM_ID};
  put16(to, TGT_PROGRAMS);
  pthread_mutex_lock(&p->lock);
  for (uint32_t i = 0; i < TGT_PROGRAMS; i++) {
    uint8_t *program = to + (i + 1) * PROGRAM_BYTES;
    program[0] = (uint8_t)(OCCUPIED | UNIQUE_ID | (p->active[i] ? ACTIVE : 0));
    program[1] = TYPE_VENDOR;
    put64(program + 8, ids[i]);
  }
  pthread_mutex_unlock(&p->lock);
  return (TGT_PROGRAMS + 1) * PROGRAM_BYTES;
}

/* One group, of all namespaces. */
static uint32_t list_groups(uint8_t *to) {
  uint8_t *group = to + GROUPS_HEAD;
  put16(to + 8, 1);
  put32(group, GROUP);
  put32(group + 4, NVME_COMPUTE_NAMESPACE);
  for (uint32_t nsid = NVME_NAMESPACE; nsid <= NVME_COMPUTE_NAMESPACE; nsid++) {
    put32(group + GROUP_HEAD + (nsid - 1) * 4, nsid);
  }
  return GROUPS_HEAD + GROUP_HEAD + NVME_COMPUTE_NAMESPACE * 4;
}

/* One association, of that group: its namespaces reach each other. */
static uint32_t list_associations(uint8_t *to) {
  uint8_t *association = to + GROUPS_HEAD;
  put16(to + 8, 1);
  put32(association, 1);
  put32(association + 4, 1);
  put32(association + ASSOCIATION_HEAD, GROUP);
  return GROUPS_HEAD + ASSOCIATION_HEAD + 4;
}

uint32_t tgt_programs_log(struct tgt_controller *c, uint32_t id, uint32_t nsid, uint8_t *to) {
  switch (id) {
    case PROGRAM_LIST: return nsid == NVME_COMPUTE_NAMESPACE ? list_programs(c->programs, to) : 0;
    case REACHABILITY_GROUPS: return list_groups(to);
    case REACHABILITY_ASSOCIATIONS: return list_associations(to);
    default: return 0;
  }
}
