/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <string.h>

#include "controller/controller.h"
#include "csd/csd.h"
#include "io/io_engine.h"
#include "io/owned.h"
#include "programs/programs.h"
#include "transport/connection.h"
#include "transport/reply.h"

enum { DEACTIVATE = 0, ACTIVATE = 1, CREATE = 0, DELETE = 1, SELECT_MASK = 15 };

/* A memory range descriptor. */
enum { RANGE_BYTES = 32, RANGE_LENGTH = 4, RANGE_START = 8 };

static uint16_t activate(struct tgt_programs *p, uint32_t program, uint32_t select) {
  uint16_t status = NVME_OK;
  if (select > ACTIVATE) {
    return NVME_INVALID_FIELD;
  }
  if (program >= TGT_PROGRAMS) {
    return NVME_NO_PROGRAM;
  }
  pthread_mutex_lock(&p->lock);
  if (select == DEACTIVATE && p->running[program] > 0) {
    status = NVME_PROGRAM_IN_USE;
  } else {
    p->active[program] = select == ACTIVATE;
  }
  pthread_mutex_unlock(&p->lock);
  return status;
}

void tgt_programs_activate(struct tgt_connection *c, struct tgt_pending *command,
                           struct tgt_reply *reply) {
  const struct nvme_command *sqe = &command->sqe;
  uint16_t status = NVME_INVALID_NAMESPACE;
  if (sqe->nsid == NVME_COMPUTE_NAMESPACE) {
    status = activate(c->controller->programs, sqe->cdw10 & 0xFFFF, sqe->cdw10 >> 16 & SELECT_MASK);
  }
  if (status != NVME_OK) {
    tgt_reply_status(reply, status == NVME_PROGRAM_IN_USE ? status : status | NVME_DNR);
  }
}

/* A set's place, by its ID; 0: a free one. The lock is held. */
static struct tgt_range_set *find(struct tgt_programs *p, uint16_t id) {
  for (uint32_t i = 0; i < TGT_MAX_RANGE_SETS; i++) {
    if (p->sets[i].id == id) {
      return &p->sets[i];
    }
  }
  return NULL;
}

/* Whether a range has bytes of a set's; the lock is held. */
static bool overlaps(const struct tgt_programs *p, uint64_t start, uint64_t bytes) {
  for (uint32_t i = 0; i < TGT_MAX_RANGE_SETS; i++) {
    const struct tgt_range_set *set = &p->sets[i];
    if (set->id != 0 && start < set->start + set->bytes && set->start < start + bytes) {
      return true;
    }
  }
  return false;
}

/* The one range of a new set. */
static uint16_t take_range(struct tgt_programs *p, const struct tgt_pending *command,
                           struct tgt_range_set *set) {
  const uint32_t count = command->sqe.cdw11 & 0xFF;
  const uint8_t *range = command->data;
  if (count != 1) {
    return count == 0 ? NVME_INVALID_FIELD : NVME_TOO_MANY_RANGES;
  }
  if (range == NULL || command->data_bytes < RANGE_BYTES) {
    return NVME_SGL_LENGTH_INVALID;
  }
  if (get32(range) != NVME_MEMORY_NAMESPACE) {
    return NVME_INVALID_MEMORY_NAMESPACE;
  }
  set->bytes = get32(range + RANGE_LENGTH);
  set->start = get64(range + RANGE_START);
  /* A grant has to have room for the session that it is to be. */
  if (set->bytes < CSD_MIN_GRANT_BYTES || set->bytes > CSD_MAX_GRANT_BYTES ||
      !tgt_local_memory_has(&p->memory, set->start, set->bytes)) {
    return NVME_INVALID_RANGE_SET;
  }
  return NVME_OK;
}

/* An ID that no set has; there are fewer sets than IDs. The lock is held. */
static uint16_t next_id(struct tgt_programs *p) {
  do {
    p->last_set++;
  } while (p->last_set == 0 || find(p, p->last_set) != NULL);
  return p->last_set;
}

static int session_command(struct tgt_connection *c, struct tgt_pending *command, uint8_t opcode,
                           uint32_t cdw10, uint32_t *dw0) {
  struct csd_submission s = {.opcode = opcode, .nsid = NVME_NAMESPACE, .cdw10 = cdw10};
  const int status = tgt_owned_run(c, command, &s, dw0);
  if (status != 0) {
    tgt_io_note(c, command, opcode, status);
  }
  return status;
}

/* Only this thread, the admin queue's, makes and ends sets. */
static uint16_t create(struct tgt_connection *c, struct tgt_pending *command, uint64_t *result) {
  struct tgt_programs *p = c->controller->programs;
  struct tgt_range_set set = {0};
  const uint16_t fault = take_range(p, command, &set);
  if (fault != NVME_OK) {
    return fault | NVME_DNR;
  }
  pthread_mutex_lock(&p->lock);
  const bool full = find(p, 0) == NULL;
  const bool taken = overlaps(p, set.start, set.bytes);
  pthread_mutex_unlock(&p->lock);
  if (taken || full) {
    return taken ? NVME_OVERLAPPING_RANGES | NVME_DNR : NVME_TOO_MANY_RANGE_SETS;
  }
  const int status = session_command(c, command, CSD_OPCODE_OPEN, set.bytes, &set.session);
  if (status != 0) {
    return tgt_programs_status_of(status);
  }
  pthread_mutex_lock(&p->lock);
  set.id = next_id(p);
  *find(p, 0) = set;
  pthread_mutex_unlock(&p->lock);
  *result = set.id;
  return NVME_OK;
}

static uint16_t delete(struct tgt_connection *c, struct tgt_pending *command) {
  struct tgt_programs *p = c->controller->programs;
  const uint16_t id = (uint16_t)(command->sqe.cdw10 >> 16);
  uint32_t dw0;
  pthread_mutex_lock(&p->lock);
  struct tgt_range_set *set = id == 0 ? NULL : find(p, id);
  const uint32_t session = set == NULL ? 0 : set->session;
  pthread_mutex_unlock(&p->lock);
  if (set == NULL) {
    return NVME_NO_RANGE_SET | NVME_DNR;
  }
  /* A session that made room for another one has gone already. */
  const int status = session_command(c, command, CSD_OPCODE_CLOSE, session, &dw0);
  if (status != 0 && status != CSD_STATUS_NO_SESSION) {
    return tgt_programs_status_of(status);
  }
  pthread_mutex_lock(&p->lock);
  *set = (struct tgt_range_set){0};
  pthread_mutex_unlock(&p->lock);
  return NVME_OK;
}

void tgt_programs_manage_sets(struct tgt_connection *c, struct tgt_pending *command,
                              struct tgt_reply *reply) {
  uint16_t status;
  if (command->sqe.nsid != NVME_COMPUTE_NAMESPACE) {
    status = NVME_INVALID_NAMESPACE | NVME_DNR;
  } else {
    switch (command->sqe.cdw10 & SELECT_MASK) {
      case CREATE: status = create(c, command, &reply->result); break;
      case DELETE: status = delete (c, command); break;
      default: status = NVME_INVALID_FIELD | NVME_DNR; break;
    }
  }
  if (status != NVME_OK) {
    tgt_reply_status(reply, status);
  }
}
