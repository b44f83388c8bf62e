/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "admin/admin.h"

#include "admin/features.h"
#include "admin/identify.h"
#include "admin/log_pages.h"
#include "controller/controller.h"
#include "programs/programs.h"
#include "transport/connection.h"
#include "transport/pdu_writer.h"
#include "transport/reply.h"

/* Holds the request: the target has no event to tell of. */
static void hold_event(struct tgt_connection *c, const struct nvme_command *sqe,
                       struct tgt_reply *reply) {
  if (c->event_count == TGT_MAX_EVENTS) {
    tgt_reply_status(reply, NVME_ASYNC_LIMIT_EXCEEDED | NVME_DNR);
    return;
  }
  c->events[c->event_count++] = sqe->cid;
  reply->held = true;
}

/* Answers a held request as aborted. @return whether it was held */
static bool abort_event(struct tgt_connection *c, uint16_t cid) {
  for (uint32_t i = 0; i < c->event_count; i++) {
    if (c->events[i] != cid) {
      continue;
    }
    const struct nvme_command sqe = {.opcode = NVME_ADMIN_ASYNC_EVENT, .cid = cid};
    const struct tgt_reply reply = {.status = NVME_ABORT_REQUESTED | NVME_DNR};
    c->events[i] = c->events[--c->event_count];
    (void)tgt_write_reply(c, &sqe, &reply); /* if it fails, its reason is noted */
    return true;
  }
  return false;
}

static void run_abort(struct tgt_connection *c, const struct nvme_command *sqe,
                      struct tgt_reply *reply) {
  const uint16_t queue_id = (uint16_t)sqe->cdw10, cid = (uint16_t)(sqe->cdw10 >> 16);
  bool aborted = false;
  if (queue_id == 0) {
    aborted = abort_event(c, cid);
  } else if (queue_id <= TGT_MAX_QUEUES) {
    pthread_mutex_lock(&c->controller->lock);
    struct tgt_connection *queue = c->controller->queues[queue_id];
    aborted = queue != NULL && tgt_connection_abort(queue, cid);
    pthread_mutex_unlock(&c->controller->lock);
  }
  reply->result = aborted ? 0 : 1;
}

static bool is_enabled(struct tgt_controller *controller) {
  pthread_mutex_lock(&controller->lock);
  const bool enabled = (controller->state & 1) != 0;
  pthread_mutex_unlock(&controller->lock);
  return enabled;
}

void tgt_admin_run(struct tgt_connection *c, struct tgt_pending *command, struct tgt_reply *reply) {
  const struct nvme_command *sqe = &command->sqe;
  tgt_controller_alive(c->controller);
  if (!is_enabled(c->controller) && sqe->opcode != NVME_ADMIN_KEEP_ALIVE) {
    tgt_reply_status(reply, NVME_SEQUENCE_ERROR | NVME_DNR);
    return;
  }
  switch (sqe->opcode) {
    case NVME_ADMIN_GET_LOG_PAGE: tgt_log_pages_run(c, command, reply); break;
    case NVME_ADMIN_IDENTIFY: tgt_identify_run(c, command, reply); break;
    case NVME_ADMIN_ABORT: run_abort(c, sqe, reply); break;
    case NVME_ADMIN_SET_FEATURES: tgt_features_set(c, command, reply); break;
    case NVME_ADMIN_GET_FEATURES: tgt_features_get(c, command, reply); break;
    case NVME_ADMIN_ASYNC_EVENT: hold_event(c, sqe, reply); break;
    case NVME_ADMIN_KEEP_ALIVE: break;
    default:
      if (!tgt_programs_are_on(c->controller)) {
        tgt_reply_status(reply, NVME_INVALID_OPCODE | NVME_DNR);
      } else if (sqe->opcode == NVME_ADMIN_PROGRAM_ACTIVATION) {
        tgt_programs_activate(c, command, reply);
      } else if (sqe->opcode == NVME_ADMIN_MEMORY_RANGE_SETS) {
        tgt_programs_manage_sets(c, command, reply);
      } else {
        tgt_reply_status(reply, NVME_INVALID_OPCODE | NVME_DNR);
      }
      break;
  }
}
