/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/io/test_target_compute.c */
#include "programs/programs.h"

#include <stdlib.h>
#include <string.h>

#include "controller/controller.h"
#include "csd/csd.h"
#include "directory.h"
#include "io/io_engine.h"
#include "io/owned.h"
#include "io/status_map.h"
#include "options.h"
#include "transport/connection.h"
#include "transport/reply.h"

struct tgt_programs *tgt_programs_make(uint64_t memory_bytes) {
  struct tgt_programs *p = calloc(1, sizeof *p);
  if (p == NULL || !tgt_local_memory_open(&p->memory, memory_bytes)) {
    free(p);
    return NULL;
  }
  pthread_mutex_init(&p->lock, NULL);
  return p;
}

void tgt_programs_free(struct tgt_programs *p) {
  if (p == NULL) {
    return;
  }
  tgt_local_memory_close(&p->memory);
  pthread_mutex_destroy(&p->lock);
  free(p);
}

void tgt_programs_reset(struct tgt_programs *p) {
  if (p == NULL) {
    return;
  }
  tgt_local_memory_clear(&p->memory);
  pthread_mutex_lock(&p->lock);
  memset(p->active, 0, sizeof p->active);
  memset(p->sets, 0, sizeof p->sets);
  pthread_mutex_unlock(&p->lock);
}

bool tgt_programs_are_on(const struct tgt_controller *c) {
  return c->programs != NULL && atomic_load(&c->programs->enabled);
}

uint16_t tgt_programs_status_of(int wire) {
  switch (wire) {
    case CSD_STATUS_NO_SESSION: return NVME_NO_RANGE_SET | NVME_DNR;
    case CSD_STATUS_TOO_MANY_SESSIONS: return NVME_TOO_MANY_RANGE_SETS;
    case CSD_STATUS_NO_MEMORY: return NVME_PROGRAM_RESOURCES;
    case CSD_STATUS_BUSY: return NVME_RANGE_SET_IN_USE;
    default: return tgt_status_of(wire, CSD_OPCODE_SUBMIT);
  }
}

/* An Execute Program under way. */
struct execution {
  struct tgt_connection *c;
  struct tgt_pending *command;
  enum tgt_program program;
  struct tgt_range_set set; /* id 0: none */
  uint8_t *data;            /* of the command; NULL: in the set's memory */
  uint32_t data_bytes;
  uint32_t first, first_high, second, second_high; /* CPARAM1, CPARAM2 */
};

/* Finds what a command names, and counts it as under way. */
static uint16_t begin(struct tgt_programs *p, const struct nvme_command *sqe, struct execution *e) {
  const uint32_t program = sqe->cdw2 & 0xFFFF, set = sqe->cdw2 >> 16;
  uint16_t status = NVME_OK;
  if (program >= TGT_PROGRAMS) {
    return NVME_NO_PROGRAM;
  }
  e->program = program;
  pthread_mutex_lock(&p->lock);
  for (uint32_t i = 0; set != 0 && i < TGT_MAX_RANGE_SETS; i++) {
    if (p->sets[i].id == set) {
      e->set = p->sets[i];
    }
  }
  if (!p->active[program]) {
    status = NVME_PROGRAM_INACTIVE;
  } else if (set != 0 && e->set.id == 0) {
    status = NVME_NO_RANGE_SET;
  } else {
    p->running[program]++;
  }
  pthread_mutex_unlock(&p->lock);
  return status;
}

static void end(struct tgt_programs *p, const struct execution *e) {
  pthread_mutex_lock(&p->lock);
  p->running[e->program]--;
  pthread_mutex_unlock(&p->lock);
}

/* What a program is to work on: data of the command, or a copy of what lies at the begin of the
   set's memory, which other queues may write meanwhile. */
static int load(const struct execution *e, uint32_t bytes, uint8_t **data) {
  if (e->data != NULL) {
    *data = e->data;
    return bytes <= e->data_bytes ? 0 : CSD_STATUS_INVALID_FIELD;
  }
  const uint32_t whole = (bytes + 3) / 4 * 4;
  if (bytes > e->set.bytes) {
    return CSD_STATUS_INVALID_FIELD;
  }
  if (whole > TGT_MAX_TRANSFER) {
    return CSD_STATUS_PLAN_TOO_LARGE;
  }
  *data = tgt_connection_out(e->c);
  if (*data == NULL) {
    return CSD_STATUS_NO_MEMORY;
  }
  tgt_local_memory_read(&e->c->controller->programs->memory, e->set.start, *data, whole);
  return 0;
}

/* The first bytes of a session's result page, or of the capabilities, into the connection's out. */
static int fetch(const struct execution *e, uint32_t session, uint32_t bytes, uint32_t *got) {
  struct csd_submission s = {.opcode = CSD_OPCODE_FETCH,
                             .nsid = NVME_NAMESPACE,
                             .data = (uint64_t)(uintptr_t)tgt_connection_out(e->c),
                             .data_bytes = bytes,
                             .cdw10 = session,
                             .cdw12 = bytes};
  return s.data == 0 ? CSD_STATUS_NO_MEMORY : tgt_owned_run(e->c, e->command, &s, got);
}

/* Puts a result page, or the capabilities, into the set's memory. */
static int store(const struct execution *e, uint32_t session, uint32_t bytes, uint64_t *result) {
  const uint64_t to = e->set.start + e->second;
  uint32_t got;
  if (bytes > e->set.bytes - e->second) {
    return CSD_STATUS_PLAN_TOO_LARGE; /* as one whose hits do not fit */
  }
  const int status = fetch(e, session, bytes, &got);
  if (status != 0) {
    return status;
  }
  *result = got;
  return tgt_local_memory_write(e->c->controller, to, tgt_connection_out(e->c), got)
             ? 0
             : CSD_STATUS_NO_MEMORY;
}

/* What is wanted of the plan program: CPARAM2, high. */
enum { PAGE, COUNT_ALONE, CAPABILITIES };

/* CPARAM1: bytes of the plan. CPARAM2: where in the set's memory the result goes, and what it is.
 */
static int run_plan(const struct execution *e, uint64_t *result) {
  const bool counts = e->second_high == COUNT_ALONE;
  uint8_t *plan;
  uint32_t bytes;
  if (e->set.id == 0) {
    return CSD_STATUS_NO_SESSION;
  }
  if (e->first_high != 0 || e->second_high > CAPABILITIES || e->second % 4 != 0 ||
      e->second > e->set.bytes) {
    return CSD_STATUS_INVALID_FIELD;
  }
  if (e->second_high == CAPABILITIES) {
    return e->first != 0 ? CSD_STATUS_INVALID_FIELD
                         : store(e, 0, sizeof(struct csd_device_info), result);
  }
  int status = load(e, e->first, &plan);
  if (status != 0) {
    return status;
  }
  if (counts && (e->first < sizeof(struct csd_plan_header) ||
                 plan[offsetof(struct csd_plan_header, mode)] != CSD_MODE_COUNT)) {
    return CSD_STATUS_INVALID_FIELD;
  }
  struct csd_submission s = {.opcode = CSD_OPCODE_SUBMIT,
                             .nsid = NVME_NAMESPACE,
                             .data = (uint64_t)(uintptr_t)plan,
                             .data_bytes = e->first,
                             .cdw10 = e->set.session,
                             .cdw11 = e->first};
  status = tgt_owned_run(e->c, e->command, &s, &bytes);
  if (status != 0) {
    return status;
  }
  if (!counts) {
    return store(e, e->set.session, bytes, result);
  }
  status = fetch(e, e->set.session, sizeof(struct csd_result_header), &bytes);
  if (status == 0) {
    *result = get64(tgt_connection_out(e->c) + offsetof(struct csd_result_header, match_count));
  }
  return status;
}

/* CPARAM1: bytes of this part, of all; CPARAM2: the resource, 0 for a new one, and where in it the
   part begins. Without bytes: the resource is dropped. */
static int run_live_docs(const struct execution *e, uint64_t *result) {
  struct csd_submission s = {.opcode = CSD_OPCODE_DROP, .nsid = NVME_NAMESPACE, .cdw10 = e->second};
  uint32_t dw0 = 0;
  if (e->first == 0) {
    return e->first_high != 0 || e->second_high != 0 ? CSD_STATUS_INVALID_FIELD
                                                     : tgt_owned_run(e->c, e->command, &s, &dw0);
  }
  uint8_t *data;
  int status = load(e, e->first, &data);
  if (status != 0) {
    return status;
  }
  s = (struct csd_submission){.opcode = CSD_OPCODE_PUT,
                              .nsid = NVME_NAMESPACE,
                              .data = (uint64_t)(uintptr_t)data,
                              .data_bytes = e->first,
                              .cdw10 = CSD_RESOURCE_LIVE_DOCS,
                              .cdw11 = e->first,
                              .cdw12 = e->second,
                              .cdw13 = e->second_high,
                              .cdw14 = e->first_high};
  status = tgt_owned_run(e->c, e->command, &s, &dw0);
  *result = dw0;
  return status;
}

void tgt_programs_execute(struct tgt_connection *c, struct tgt_pending *command,
                          struct tgt_reply *reply) {
  const struct nvme_command *sqe = &command->sqe;
  struct tgt_programs *p = c->controller->programs;
  const uint32_t data_bytes = (uint32_t)sqe->metadata; /* CDW4 */
  struct execution e = {.c = c,
                        .command = command,
                        .data = data_bytes > 0 ? command->data : NULL,
                        .data_bytes = data_bytes,
                        .first = sqe->cdw10,
                        .first_high = sqe->cdw11,
                        .second = sqe->cdw12,
                        .second_high = sqe->cdw13};
  if (data_bytes > command->data_bytes) {
    tgt_reply_status(reply, NVME_SGL_LENGTH_INVALID | NVME_DNR);
    return;
  }
  if (sqe->cdw3 != 0) { /* ranges of the command itself, which have no session */
    tgt_reply_status(reply, NVME_INVALID_FIELD | NVME_DNR);
    return;
  }
  const uint16_t fault = begin(p, sqe, &e);
  if (fault != NVME_OK) {
    tgt_reply_status(reply, fault | NVME_DNR);
    return;
  }
  const int status = e.program == TGT_PLAN_PROGRAM ? run_plan(&e, &reply->result)
                                                   : run_live_docs(&e, &reply->result);
  end(p, &e);
  if (status != 0) {
    tgt_io_note(c, command, CSD_OPCODE_SUBMIT, status);
    tgt_reply_status(reply, tgt_programs_status_of(status));
  }
}
