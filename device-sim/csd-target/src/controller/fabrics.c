/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "controller/fabrics.h"

#include "controller/authenticate.h"
#include "controller/controller.h"
#include "controller/properties.h"
#include "controller/share.h"
#include "csd/csd.h"
#include "directory.h"
#include "log.h"
#include "options.h"
#include "transport/connection.h"
#include "transport/reply.h"

/* Fields of Connect: in the command (bytes of the entry), and in its data. */
enum { CONNECT_QID = 42, CONNECT_SQSIZE = 44 };
enum {
  DATA_HOST_ID = 0,
  DATA_CNTLID = 16,
  DATA_SUBSYSTEM = 256,
  DATA_HOST = 512,
  CONNECT_DATA = 1024
};
enum { ANY_CONTROLLER = 0xFFFF, INVALID_IN_DATA = 1 << 16, DISABLE_FLOW_CONTROL = 4 };

struct connect {
  uint16_t queue_id;
  uint32_t depth;
  uint16_t controller_id;
  bool discovery;
  char subsystem[NVME_NQN_FIELD], host[NVME_NQN_FIELD];
  uint8_t host_id[16];
};

static void invalid(struct tgt_reply *reply, uint32_t where, bool in_data) {
  tgt_reply_status(reply, NVME_CONNECT_INVALID_PARAMETERS | NVME_DNR);
  reply->result = where | (in_data ? (uint32_t)INVALID_IN_DATA : 0);
}

/* A name that ends within its field. */
static bool take_name(const uint8_t *field, char *name) {
  memcpy(name, field, NVME_NQN_FIELD);
  return memchr(name, 0, NVME_NQN_BYTES) != NULL && name[0] != 0;
}

/* Goes over to the store that is asked for. @return false with the reply set */
static bool find_store(struct tgt_connection *c, const struct connect *p, struct tgt_reply *reply) {
  struct tgt_server *to = tgt_directory_named(c->server, p->subsystem);
  if (to == NULL) {
    tgt_log(TGT_WARNING, "%s: host %s asks for subsystem %s, which is not here", c->peer, p->host,
            p->subsystem);
    return invalid(reply, DATA_SUBSYSTEM, true), false;
  }
  const char *why = to == c->server ? NULL : tgt_directory_move(c, to);
  if (why != NULL) {
    tgt_log(TGT_WARNING, "%s: host %s: subsystem %s: %s", c->peer, p->host, p->subsystem, why);
    tgt_reply_status(reply, NVME_CONNECT_CONTROLLER_BUSY);
  }
  return why == NULL;
}

/* Takes the parameters apart. @return false with the reply set */
static bool take_connect(struct tgt_connection *c, const struct tgt_pending *command,
                         struct connect *p, struct tgt_reply *reply) {
  const struct nvme_command *sqe = &command->sqe;
  const struct tgt_options *o = c->server->options;
  if ((sqe->cdw10 & 0xFFFF) != 0) {
    tgt_reply_status(reply, NVME_CONNECT_INCOMPATIBLE_FORMAT | NVME_DNR);
    return false;
  }
  if (command->data == NULL || command->data_bytes != CONNECT_DATA) {
    tgt_reply_status(reply, NVME_SGL_LENGTH_INVALID | NVME_DNR);
    return false;
  }
  p->queue_id = (uint16_t)(sqe->cdw10 >> 16);
  p->depth = (sqe->cdw11 & 0xFFFF) + 1;
  p->controller_id = get16(command->data + DATA_CNTLID);
  memcpy(p->host_id, command->data + DATA_HOST_ID, sizeof p->host_id);
  const uint32_t most = p->queue_id == 0 ? TGT_ADMIN_QUEUE : o->queue_depth;
  if (p->queue_id > TGT_MAX_QUEUES) {
    return invalid(reply, CONNECT_QID, false), false;
  }
  if (p->depth < TGT_MIN_QUEUE || p->depth > most) {
    return invalid(reply, CONNECT_SQSIZE, false), false;
  }
  if (!take_name(command->data + DATA_SUBSYSTEM, p->subsystem)) {
    return invalid(reply, DATA_SUBSYSTEM, true), false;
  }
  if (!take_name(command->data + DATA_HOST, p->host)) {
    return invalid(reply, DATA_HOST, true), false;
  }
  p->discovery = strcmp(p->subsystem, NVME_DISCOVERY_NQN) == 0;
  if (!p->discovery && !find_store(c, p, reply)) {
    return false;
  }
  const char *refusal = tgt_authenticate_refusal(c, p->host, p->subsystem);
  if (refusal != NULL) {
    tgt_log(TGT_WARNING, "%s: host %s is not allowed: %s", c->peer, p->host, refusal);
    atomic_fetch_add(&c->server->refused, 1);
    tgt_reply_status(reply, NVME_CONNECT_INVALID_HOST | NVME_DNR);
    return false;
  }
  return true;
}

static bool connect_admin(struct tgt_connection *c, const struct connect *p, uint32_t keep_alive_ms,
                          struct tgt_reply *reply) {
  const char *why;
  if (p->controller_id != ANY_CONTROLLER) {
    return invalid(reply, DATA_CNTLID, true), false;
  }
  c->queue_id = 0;
  c->controller = tgt_controller_make(c->server, c, p->discovery, p->host, p->host_id, &why);
  if (c->controller == NULL) {
    tgt_log(TGT_WARNING, "%s: host %s: no controller: %s", c->peer, p->host, why);
    tgt_reply_status(reply, NVME_CONNECT_CONTROLLER_BUSY);
    return false;
  }
  /* Memory range sets are the admin queue's, and sessions of the engine. */
  if (c->controller->programs != NULL && csd_queue_create(c->server->device, 1, &c->engine) != 0) {
    tgt_controller_leave(c->controller, c, "memory is short");
    c->controller = NULL;
    tgt_reply_status(reply, NVME_INTERNAL);
    return false;
  }
  pthread_mutex_lock(&c->controller->lock);
  c->controller->keep_alive_ms = keep_alive_ms;
  pthread_mutex_unlock(&c->controller->lock);
  tgt_log(TGT_INFO, "%s: host %s: controller %u%s, keep-alive %u ms%s%s", c->peer, p->host,
          c->controller->id, p->discovery ? " for discovery" : "", keep_alive_ms,
          c->header_digest ? ", header digests" : "", c->data_digest ? ", data digests" : "");
  return true;
}

static bool connect_io(struct tgt_connection *c, const struct connect *p, struct tgt_reply *reply) {
  if (csd_queue_create(c->server->device, 1, &c->engine) != 0) {
    tgt_reply_status(reply, NVME_INTERNAL);
    return false;
  }
  c->queue_id = p->queue_id;
  const char *why = p->discovery ? "a discovery controller has no I/O queues"
                                 : tgt_controller_join(c->server, c, p->controller_id, p->queue_id,
                                                       p->host, p->host_id, &c->controller);
  if (why == NULL) {
    tgt_log(TGT_DEBUG, "%s: queue %u of controller %u", c->peer, c->queue_id, p->controller_id);
    return true;
  }
  tgt_log(TGT_WARNING, "%s: host %s: queue %u of controller %u: %s", c->peer, p->host, p->queue_id,
          p->controller_id, why);
  c->queue_id = 0;
  csd_queue_destroy(c->engine);
  c->engine = NULL;
  invalid(reply, DATA_CNTLID, true);
  return false;
}

static void run_connect(struct tgt_connection *c, struct tgt_pending *command,
                        struct tgt_reply *reply) {
  struct connect p;
  if (c->state != TGT_WAIT_CONNECT) {
    tgt_reply_status(reply, NVME_SEQUENCE_ERROR | NVME_DNR);
    return;
  }
  if (!take_connect(c, command, &p, reply)) {
    return;
  }
  const bool good =
      p.queue_id == 0 ? connect_admin(c, &p, command->sqe.cdw12, reply) : connect_io(c, &p, reply);
  if (!good) {
    return;
  }
  c->no_flow_control = (command->sqe.cdw11 >> 16 & DISABLE_FLOW_CONTROL) != 0;
  c->depth = p.depth;
  c->sq_head = (uint16_t)(1 % p.depth);
  reply->result = c->controller->id;
  const uint32_t required = tgt_authenticate_begin(c, p.host, p.subsystem);
  if (required != 0) {
    reply->result |= required;
  } else if (!tgt_share_admit(c)) {
    tgt_reply_status(reply, NVME_CONNECT_CONTROLLER_BUSY);
  }
}

static void run_property(struct tgt_connection *c, const struct nvme_command *sqe, bool set,
                         struct tgt_reply *reply) {
  const bool wide = (sqe->cdw10 & 7) == 1;
  const uint64_t value = (uint64_t)sqe->cdw13 << 32 | sqe->cdw12;
  if (c->state != TGT_LIVE || c->queue_id != 0) {
    tgt_reply_status(reply, NVME_SEQUENCE_ERROR | NVME_DNR);
  } else if ((sqe->cdw10 & 7) > 1 ||
             !(set ? tgt_property_set(c->controller, sqe->cdw11, wide, value)
                   : tgt_property_get(c->controller, sqe->cdw11, wide, &reply->result))) {
    tgt_reply_status(reply, NVME_INVALID_FIELD | NVME_DNR);
  }
}

void tgt_fabrics_run(struct tgt_connection *c, struct tgt_pending *command,
                     struct tgt_reply *reply) {
  if (c->controller != NULL && c->queue_id == 0) {
    tgt_controller_alive(c->controller);
  }
  switch (command->sqe.nsid & 0xFF) {
    case NVME_FABRICS_CONNECT: run_connect(c, command, reply); break;
    case NVME_FABRICS_PROPERTY_SET: run_property(c, &command->sqe, true, reply); break;
    case NVME_FABRICS_PROPERTY_GET: run_property(c, &command->sqe, false, reply); break;
    case NVME_FABRICS_DISCONNECT:
      if (c->state != TGT_LIVE || c->queue_id == 0) {
        tgt_reply_status(reply, NVME_SEQUENCE_ERROR | NVME_DNR);
      } else {
        reply->last = true;
      }
      break;
    default: tgt_reply_status(reply, NVME_INVALID_OPCODE | NVME_DNR); break;
  }
}
