/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "admin/features.h"

#include "controller/controller.h"
#include "directory.h"
#include "options.h"
#include "transport/connection.h"
#include "transport/reply.h"

enum feature {
  ARBITRATION = 0x01,
  POWER_MANAGEMENT = 0x02,
  TEMPERATURE_THRESHOLD = 0x04,
  ERROR_RECOVERY = 0x05,
  WRITE_CACHE = 0x06,
  NUMBER_OF_QUEUES = 0x07,
  ASYNC_EVENTS = 0x0B,
  KEEP_ALIVE = 0x0F,
  COMMAND_SET_PROFILE = 0x19,
  HOST_ID = 0x81,
};

enum { ID_MASK = 0xFF, SAVE = 1u << 31, SELECT_MASK = 7 << 8, MIN_KEEP_ALIVE_MS = 100 };

static uint32_t queue_counts(uint32_t count) { return (count - 1) << 16 | (count - 1); }

/* As many queues as are asked for, up to the limit; both kinds alike. */
static bool set_queues(struct tgt_controller *c, uint32_t asked, uint64_t *result) {
  const uint32_t submission = (asked & 0xFFFF) + 1, completion = (asked >> 16) + 1;
  if (submission > 0xFFFF || completion > 0xFFFF) {
    return false;
  }
  const uint32_t most = c->server->options->io_queues;
  const uint32_t wanted = submission > completion ? submission : completion;
  c->queue_limit = wanted < most ? wanted : most;
  *result = queue_counts(c->queue_limit);
  return true;
}

/* Over and under thresholds of the composite sensor; others there are none. */
static bool set_threshold(struct tgt_features *f, uint32_t value) {
  const uint32_t sensor = value >> 16 & 15, type = value >> 20 & 3;
  if ((sensor != 0 && sensor != 15) || type > 1) {
    return false;
  }
  if (type == 0) {
    f->temperature_over = value & 0xFFFF;
  } else {
    f->temperature_under = value & 0xFFFF;
  }
  return true;
}

static uint16_t set(struct tgt_controller *c, const struct nvme_command *sqe, uint64_t *result) {
  const uint32_t value = sqe->cdw11;
  bool good = true;
  switch (sqe->cdw10 & ID_MASK) {
    case ARBITRATION: c->features.arbitration = value; break;
    case POWER_MANAGEMENT: good = value == 0; break;
    case TEMPERATURE_THRESHOLD: good = set_threshold(&c->features, value); break;
    case ERROR_RECOVERY: c->features.error_recovery = value; break;
    case WRITE_CACHE: good = value <= 1, c->features.write_cache = value == 1; break;
    case NUMBER_OF_QUEUES: good = set_queues(c, value, result); break;
    case ASYNC_EVENTS: c->features.async_events = value; break;
    case KEEP_ALIVE:
      good = value == 0 || value >= MIN_KEEP_ALIVE_MS;
      if (good) {
        c->keep_alive_ms = value;
      }
      break;
    case COMMAND_SET_PROFILE: good = c->programs != NULL && value == 0; break; /* the only one */
    case HOST_ID: return NVME_SEQUENCE_ERROR; /* Connect has set it */
    default: good = false; break;
  }
  return good ? NVME_OK : NVME_INVALID_FIELD;
}

void tgt_features_set(struct tgt_connection *connection, struct tgt_pending *command,
                      struct tgt_reply *reply) {
  struct tgt_controller *c = connection->controller;
  uint16_t status = NVME_INVALID_FIELD; /* nothing can be saved */
  if ((command->sqe.cdw10 & SAVE) == 0) {
    pthread_mutex_lock(&c->lock);
    status = set(c, &command->sqe, &reply->result);
    pthread_mutex_unlock(&c->lock);
  }
  if (status != NVME_OK) {
    tgt_reply_status(reply, status | NVME_DNR);
  }
}

static bool get(const struct tgt_controller *c, const struct nvme_command *sqe, uint64_t *result) {
  switch (sqe->cdw10 & ID_MASK) {
    case ARBITRATION: *result = c->features.arbitration; break;
    case POWER_MANAGEMENT: *result = 0; break;
    case TEMPERATURE_THRESHOLD:
      *result = (sqe->cdw11 >> 20 & 3) == 0 ? c->features.temperature_over
                                            : c->features.temperature_under;
      break;
    case ERROR_RECOVERY: *result = c->features.error_recovery; break;
    case WRITE_CACHE: *result = c->features.write_cache; break;
    case NUMBER_OF_QUEUES: *result = queue_counts(c->queue_limit); break;
    case ASYNC_EVENTS: *result = c->features.async_events; break;
    case KEEP_ALIVE: *result = c->keep_alive_ms; break;
    case COMMAND_SET_PROFILE: *result = 0; return c->programs != NULL;
    default: return false;
  }
  return true;
}

void tgt_features_get(struct tgt_connection *connection, struct tgt_pending *command,
                      struct tgt_reply *reply) {
  struct tgt_controller *c = connection->controller;
  const struct nvme_command *sqe = &command->sqe;
  if ((sqe->cdw10 & SELECT_MASK) != 0) { /* only the current value */
    tgt_reply_status(reply, NVME_INVALID_FIELD | NVME_DNR);
    return;
  }
  if ((sqe->cdw10 & ID_MASK) == HOST_ID) { /* of 16 bytes, cdw11 bit 0 set */
    if ((sqe->cdw11 & 1) == 0) {
      tgt_reply_status(reply, NVME_INVALID_FIELD | NVME_DNR);
    } else {
      tgt_reply_data(connection, command, reply, c->host_id, sizeof c->host_id, 0,
                     sizeof c->host_id);
    }
    return;
  }
  pthread_mutex_lock(&c->lock);
  const bool good = get(c, sqe, &reply->result);
  pthread_mutex_unlock(&c->lock);
  if (!good) {
    tgt_reply_status(reply, NVME_INVALID_FIELD | NVME_DNR);
  }
}
