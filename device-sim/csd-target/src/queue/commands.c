/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "queue/commands.h"

#include <stdlib.h>

#include "admin/admin.h"
#include "controller/authenticate.h"
#include "controller/controller.h"
#include "controller/fabrics.h"
#include "io/io.h"
#include "transport/connection.h"
#include "transport/pdu_writer.h"
#include "transport/reply.h"

enum direction { NO_DATA, TO_CONTROLLER, TO_HOST };

/* By bit 0 first, as Linux has it, which takes 11b for data to the controller. */
static enum direction direction_of(const struct nvme_command *sqe) {
  const uint32_t bits = sqe->opcode == NVME_FABRICS ? sqe->nsid & 0xFF : sqe->opcode;
  if (bits & 1) {
    return TO_CONTROLLER;
  }
  return bits & 2 ? TO_HOST : NO_DATA;
}

static bool knows(const struct tgt_connection *c, const struct nvme_command *sqe) {
  return c->state == TGT_LIVE && c->queue_id != 0 &&
         tgt_io_knows(c, tgt_io_set_of(c, sqe->nsid), sqe->opcode);
}

static uint16_t check_pointer(const struct tgt_connection *c, struct tgt_pending *command) {
  const struct nvme_command *sqe = &command->sqe;
  const enum direction direction = direction_of(sqe);
  const uint8_t kind = sqe->flags & NVME_FLAGS_SGL_MASK;
  if ((sqe->flags & ~NVME_FLAGS_SGL_MASK) != 0 || kind == 0 || kind == NVME_FLAGS_SGL_MASK) {
    return NVME_INVALID_FIELD | NVME_DNR;
  }
  if (sqe->sgl_type == NVME_SGL_IN_CAPSULE) {
    if (sqe->sgl_address != 0) {
      return NVME_SGL_OFFSET_INVALID | NVME_DNR;
    }
    if (sqe->sgl_length != command->data_bytes) {
      return NVME_SGL_LENGTH_INVALID | NVME_DNR;
    }
    if (sqe->sgl_length > 0 && direction != TO_CONTROLLER) {
      return NVME_SGL_TYPE_INVALID | NVME_DNR;
    }
    return 0;
  }
  if (sqe->sgl_type != NVME_SGL_TRANSPORT || command->data_bytes > 0) {
    return NVME_SGL_TYPE_INVALID | NVME_DNR;
  }
  if (sqe->sgl_length > TGT_MAX_TRANSFER) {
    return NVME_INVALID_FIELD | NVME_DNR;
  }
  if (direction != TO_CONTROLLER || sqe->sgl_length == 0) {
    return 0;
  }
  /* Data that come apart from their capsule: only I/O commands have them here. */
  if (c->queue_id == 0) {
    return 0; /* what an admin command does without them, it says itself */
  }
  if (!knows(c, sqe)) {
    return NVME_INVALID_OPCODE | NVME_DNR;
  }
  command->data_bytes = sqe->sgl_length;
  return 0;
}

void tgt_commands_admit(struct tgt_connection *c) {
  struct tgt_pending *command = c->count > 0 ? tgt_connection_at(c, c->count - 1) : NULL;
  if (command == NULL || command->admitted) {
    return;
  }
  command->admitted = true;
  c->sq_head = (uint16_t)((c->sq_head + 1) % c->depth);
  const uint16_t status = check_pointer(c, command);
  if (command->refusal == 0) {
    command->refusal = status;
  }
}

static bool needs_data(const struct tgt_pending *command) {
  return command->received < command->data_bytes;
}

bool tgt_commands_ask(struct tgt_connection *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    struct tgt_pending *command = tgt_connection_at(c, i);
    if (command->asked || command->refusal != 0 || !needs_data(command)) {
      continue;
    }
    /* The first one always may, or it would wait for ever. */
    if (i > 0 && c->buffered + command->data_bytes > TGT_MAX_BUFFERED) {
      return true;
    }
    command->data = malloc(command->data_bytes);
    if (command->data == NULL) {
      return tgt_connection_end(c, "memory for data is short");
    }
    c->buffered += command->data_bytes;
    command->asked = true;
    c->progress_ms = tgt_now_ms();
    const uint16_t tag = (uint16_t)(command - c->ring);
    if (!tgt_write_ready(c, command->sqe.cid, tag, command->data_bytes)) {
      return false;
    }
  }
  return true;
}

bool tgt_commands_awaited(const struct tgt_connection *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    if (tgt_connection_at(c, i)->asked && needs_data(tgt_connection_at(c, i))) {
      return true;
    }
  }
  return false;
}

static bool ready(const struct tgt_pending *command) {
  if (!needs_data(command)) {
    return true;
  }
  return !command->asked && (command->refusal != 0 || atomic_load(&command->aborted));
}

static void run(struct tgt_connection *c, struct tgt_pending *command, struct tgt_reply *reply) {
  if (c->state == TGT_WAIT_AUTHENTICATION && !tgt_authenticate_is(command)) {
    tgt_authenticate_refuse(c, reply);
  } else if (command->refusal != 0) {
    tgt_reply_status(reply, command->refusal);
  } else if (atomic_load(&command->aborted)) {
    tgt_reply_status(reply, NVME_ABORT_REQUESTED | NVME_DNR);
  } else if (tgt_authenticate_is(command)) {
    tgt_authenticate_run(c, command, reply);
  } else if (command->sqe.opcode == NVME_FABRICS) {
    tgt_fabrics_run(c, command, reply);
  } else if (c->state != TGT_LIVE) {
    tgt_reply_status(reply, NVME_SEQUENCE_ERROR | NVME_DNR);
  } else if (c->queue_id == 0) {
    tgt_admin_run(c, command, reply);
  } else {
    tgt_io_run(c, command, reply);
  }
}

bool tgt_commands_run(struct tgt_connection *c) {
  tgt_commands_admit(c);
  while (c->count > 0 && ready(tgt_connection_at(c, 0))) {
    struct tgt_pending *command = tgt_connection_at(c, 0);
    struct tgt_reply reply = {0};
    run(c, command, &reply);
    if (reply.status != 0) {
      reply.data_bytes = 0;
      if (c->controller != NULL) {
        tgt_controller_note_error(c->controller, c->queue_id, &command->sqe, reply.status);
      }
    }
    const struct nvme_command sqe = command->sqe;
    tgt_connection_pop(c); /* before the answer: the host may send its next one at once */
    if (!reply.held && !tgt_write_reply(c, &sqe, &reply)) {
      return false;
    }
    if (reply.last && c->reason[0] == 0) {
      return tgt_connection_end(c, "disconnected by the host");
    }
    if (c->reason[0] != 0) {
      return false;
    }
    if (atomic_load(&c->killed) != NULL) {
      return false;
    }
  }
  return true;
}
