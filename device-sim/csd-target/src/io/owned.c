/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "io/owned.h"

#include "controller/controller.h"
#include "controller/share.h"
#include "csd/csd.h"
#include "csd/csd_ops.h"
#include "directory.h"
#include "io/io_engine.h"
#include "log.h"
#include "options.h"
#include "transport/connection.h"

/* Numbers that the engine never gives: sessions have low bits that are not 0, resources high ones.
   They stand for another controller's, so that the engine refuses those in its order of checks. */
enum { NOBODYS_SESSION = 0x10000, NOBODYS_RESOURCE = 1 };

static uint32_t now_s(void) { return (uint32_t)(tgt_now_ms() / 1000); }

static bool has(struct tgt_controller *c, struct tgt_id_set *set, uint32_t number) {
  pthread_mutex_lock(&c->lock);
  const bool found = tgt_id_set_use(set, number, now_s());
  pthread_mutex_unlock(&c->lock);
  return found;
}

/* The number, if the controller has it, else nobody's; 0 stays. */
static uint32_t own_session(struct tgt_controller *c, uint32_t number) {
  return number == 0 || has(c, &c->sessions, number) ? number : NOBODYS_SESSION;
}

static uint32_t own_resource(struct tgt_controller *c, uint32_t number) {
  return number == 0 || has(c, &c->resources, number) ? number : NOBODYS_RESOURCE;
}

/* Sets of docs, and norms, that a plan refers to. */
static void own_doc_sets(struct tgt_controller *c, uint8_t *plan, uint32_t bytes) {
  const uint32_t nodes = get16(plan + offsetof(struct csd_plan_header, node_count));
  uint8_t *node = plan + sizeof(struct csd_plan_header);
  const uint32_t room =
      (bytes - (uint32_t)sizeof(struct csd_plan_header)) / (uint32_t)sizeof(struct csd_plan_node);
  for (uint32_t i = 0; i < nodes && i < room; i++, node += sizeof(struct csd_plan_node)) {
    const struct csd_op_rule *rule = csd_op_rule(node[offsetof(struct csd_plan_node, op)]);
    if (rule != NULL && rule->list.to == CSD_REFERS_RESOURCE) {
      uint8_t *resource = node + offsetof(struct csd_plan_node, list);
      put32(resource, own_resource(c, get32(resource)));
    }
  }
}

/* Live docs and sets that a plan refers to. */
static void own_resources(struct tgt_controller *c, uint8_t *plan, uint32_t bytes) {
  const size_t at = offsetof(struct csd_plan_header, live_docs);
  if (plan == NULL || bytes < sizeof(struct csd_plan_header)) {
    return; /* refused as truncated */
  }
  put32(plan + at, own_resource(c, get32(plan + at)));
  own_doc_sets(c, plan, bytes);
}

static void check_owner(struct tgt_controller *c, struct csd_submission *s) {
  switch (s->opcode) {
    case CSD_OPCODE_SUBMIT:
    case CSD_OPCODE_INIT_TSK:
      own_resources(c, (uint8_t *)(uintptr_t)s->data, (uint32_t)s->data_bytes);
      s->cdw10 = own_session(c, s->cdw10);
      break;
    case CSD_OPCODE_FETCH:
    case CSD_OPCODE_MODEL_FETCH:
    case CSD_OPCODE_READ_PROC:
    case CSD_OPCODE_READ_FILT:
    case CSD_OPCODE_FINAL:
    case CSD_OPCODE_CLOSE: s->cdw10 = own_session(c, s->cdw10); break;
    case CSD_OPCODE_PUT: s->cdw12 = own_resource(c, s->cdw12); break;
    case CSD_OPCODE_READ_IDX: s->cdw13 = own_resource(c, s->cdw13); break;
    case CSD_OPCODE_DROP: s->cdw10 = own_resource(c, s->cdw10); break;
    default: break;
  }
}

static void forget(struct tgt_controller *c, struct tgt_id_set *set, uint32_t number) {
  pthread_mutex_lock(&c->lock);
  tgt_id_set_remove(set, number);
  pthread_mutex_unlock(&c->lock);
}

/* What a command that succeeded has made or ended. @return 0, or a csd_status, with it undone */
static int note(struct tgt_connection *c, struct tgt_pending *command,
                const struct csd_submission *s, uint32_t dw0) {
  struct tgt_controller *owner = c->controller;
  struct csd_submission undo = {.nsid = NVME_NAMESPACE, .cdw10 = dw0};
  int status = 0;
  switch (s->opcode) {
    case CSD_OPCODE_OPEN:
      status =
          tgt_share_remember(owner, true, dw0, s->cdw10 != 0 ? s->cdw10 : CSD_DEFAULT_GRANT_BYTES);
      undo.opcode = CSD_OPCODE_CLOSE;
      break;
    case CSD_OPCODE_PUT:
      if (s->cdw12 == 0) {
        status = tgt_share_remember(owner, false, dw0, s->cdw14);
      }
      undo.opcode = CSD_OPCODE_DROP;
      break;
    case CSD_OPCODE_CLOSE: forget(owner, &owner->sessions, s->cdw10); break;
    case CSD_OPCODE_DROP: forget(owner, &owner->resources, s->cdw10); break;
    default: break;
  }
  if (status != 0) {
    (void)tgt_io_engine(c, command, &undo, &dw0);
  }
  return status;
}

/* Runs a command and notes what it has made or ended. @return a csd_status */
static int run(struct tgt_connection *c, struct tgt_pending *command,
               const struct csd_submission *s, uint32_t *dw0) {
  const int status = tgt_io_engine(c, command, s, dw0);
  return status == 0 ? note(c, command, s, *dw0) : status;
}

/* Closes the session that the controller has not used for longest, if that is long enough: Linux
   does not tell of a process that died with sessions open. */
static bool make_room(struct tgt_connection *c, struct tgt_pending *command) {
  struct tgt_controller *owner = c->controller;
  const uint32_t idle_s = c->server->options->idle_session_s, now = now_s();
  struct csd_submission close = {.opcode = CSD_OPCODE_CLOSE, .nsid = NVME_NAMESPACE};
  uint32_t dw0;
  if (idle_s == 0 || idle_s > now) {
    return false;
  }
  pthread_mutex_lock(&owner->lock);
  /* Seconds are whole ones: a difference of idle_s may be almost a second less. */
  close.cdw10 = tgt_id_set_oldest(&owner->sessions, now - idle_s);
  const uint32_t bytes = tgt_id_set_remove(&owner->sessions, close.cdw10);
  pthread_mutex_unlock(&owner->lock);
  if (close.cdw10 == 0) {
    return false;
  }
  tgt_log(TGT_INFO, "controller %u: session %u makes room, unused for %u s or more", owner->id,
          close.cdw10, idle_s);
  const int status = tgt_io_engine(c, command, &close, &dw0);
  if (status == CSD_STATUS_BUSY) {
    (void)tgt_share_remember(owner, true, close.cdw10, bytes);
  }
  return status == 0;
}

static bool is_full(const struct csd_submission *s, int status) {
  return s->opcode == CSD_OPCODE_OPEN &&
         (status == CSD_STATUS_TOO_MANY_SESSIONS || status == CSD_STATUS_NO_MEMORY);
}

int tgt_owned_run(struct tgt_connection *c, struct tgt_pending *command, struct csd_submission *s,
                  uint32_t *dw0) {
  check_owner(c->controller, s);
  const int status = run(c, command, s, dw0);
  return is_full(s, status) && make_room(c, command) ? run(c, command, s, dw0) : status;
}
