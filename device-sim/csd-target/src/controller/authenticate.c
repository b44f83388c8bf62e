/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "controller/authenticate.h"

#include <stdlib.h>
#include <string.h>

#include "auth/chap.h"
#include "controller/controller.h"
#include "controller/share.h"
#include "directory.h"
#include "log.h"
#include "options.h"
#include "transport/connection.h"
#include "transport/reply.h"
#include "transport/tls.h"

/* SECP E9h with 01h in both bytes of SPSP; in Connect's answer: authentication is required. */
enum { PROTOCOL = 0xE9010100, ATR = 1 << 17 };

/* Whether --allow-host names a host, or none. */
static bool named(const struct tgt_options *o, const char *host) {
  bool found = o->host_count == 0;
  for (uint32_t i = 0; i < o->host_count && !found; i++) {
    found = strcmp(o->hosts[i], host) == 0;
  }
  return found;
}

const char *tgt_authenticate_refusal(const struct tgt_connection *c, const char *host,
                                     const char *subsystem) {
  const struct tgt_options *o = c->options;
  if (o->chap_keys.count == 0 && !named(o, host)) {
    return "--allow-host names others";
  }
  if (c->stream.tls != NULL && !tgt_tls_is(c->stream.tls, host, subsystem)) {
    return "the key of TLS is another host's, or for another subsystem";
  }
  return NULL;
}

uint32_t tgt_authenticate_begin(struct tgt_connection *c, const char *host, const char *subsystem) {
  const struct tgt_options *o = c->options;
  const struct tgt_key *key = named(o, host) ? tgt_keys_of(&o->chap_keys, host) : NULL;
  if (o->chap_keys.count == 0) {
    return 0;
  }
  if (key == NULL) {
    tgt_log(TGT_WARNING, "%s: host %s has no key here, or is not allowed", c->peer, host);
    key = &o->chap_keys.stranger;
  }
  tgt_chap_begin(&c->chap, key, &o->chap_policy, host, subsystem);
  c->state = TGT_WAIT_AUTHENTICATION;
  return ATR;
}

bool tgt_authenticate_is(const struct tgt_pending *command) {
  const uint32_t type = command->sqe.nsid & 0xFF;
  return command->sqe.opcode == NVME_FABRICS &&
         (type == NVME_FABRICS_AUTH_SEND || type == NVME_FABRICS_AUTH_RECEIVE);
}

void tgt_authenticate_refuse(struct tgt_connection *c, struct tgt_reply *reply) {
  tgt_reply_status(reply, NVME_AUTHENTICATION_REQUIRED | NVME_DNR);
  atomic_fetch_add(&c->server->refused, 1);
  tgt_log(TGT_WARNING, "%s: host %s sent a command before it had authenticated", c->peer,
          c->controller->host);
  tgt_connection_end(c, "not authenticated");
}

/* After each message: the transaction may have come to an end. */
static void settle(struct tgt_connection *c) {
  const char *host = c->controller->host;
  if (c->chap.step == TGT_CHAP_FAILED) {
    atomic_fetch_add(&c->server->refused, 1);
    tgt_log(TGT_WARNING, "%s: host %s is not authenticated: %s", c->peer, host, c->chap.fault);
    tgt_connection_end(c, "authentication failed: %s", c->chap.fault);
  } else if (c->chap.step == TGT_CHAP_DONE && c->state == TGT_WAIT_AUTHENTICATION) {
    tgt_log(c->queue_id == 0 ? TGT_INFO : TGT_DEBUG, "%s: host %s is authenticated%s, queue %u",
            c->peer, host, c->chap.mutual ? ", and has asked the controller" : "", c->queue_id);
    (void)tgt_share_admit(c);
  }
}

static void run_send(struct tgt_connection *c, const struct tgt_pending *command,
                     struct tgt_reply *reply) {
  if (command->data == NULL || command->data_bytes != command->sqe.cdw11) {
    tgt_reply_status(reply, NVME_SGL_LENGTH_INVALID | NVME_DNR);
    return;
  }
  tgt_chap_take(&c->chap, command->data, command->data_bytes);
}

static void run_receive(struct tgt_connection *c, const struct tgt_pending *command,
                        struct tgt_reply *reply) {
  uint8_t message[TGT_CHAP_MESSAGE];
  const uint32_t bytes = tgt_chap_due(&c->chap), room = command->sqe.cdw11;
  if (bytes == 0) {
    tgt_reply_status(reply, NVME_SEQUENCE_ERROR | NVME_DNR);
  } else if (room < bytes || room > TGT_MAX_TRANSFER) {
    tgt_reply_status(reply, NVME_INVALID_FIELD | NVME_DNR);
  } else {
    tgt_chap_give(&c->chap, message);
    tgt_reply_data(c, command, reply, message, bytes, 0, room);
  }
}

void tgt_authenticate_run(struct tgt_connection *c, struct tgt_pending *command,
                          struct tgt_reply *reply) {
  const struct nvme_command *sqe = &command->sqe;
  if (c->options->chap_keys.count == 0) {
    tgt_reply_status(reply, NVME_INVALID_OPCODE | NVME_DNR); /* nobody has been asked to */
    return;
  }
  if (c->state != TGT_WAIT_AUTHENTICATION && c->state != TGT_LIVE) {
    tgt_reply_status(reply, NVME_SEQUENCE_ERROR | NVME_DNR);
    return;
  }
  if (sqe->cdw10 != PROTOCOL) {
    tgt_reply_status(reply, NVME_INVALID_FIELD | NVME_DNR);
  } else if ((sqe->nsid & 0xFF) == NVME_FABRICS_AUTH_SEND) {
    run_send(c, command, reply);
  } else {
    run_receive(c, command, reply);
  }
  /* What is wrong with a command here is no way to try again. */
  if (reply->status != 0 && c->state == TGT_WAIT_AUTHENTICATION) {
    tgt_log(TGT_WARNING, "%s: host %s: a command of authentication is malformed", c->peer,
            c->controller->host);
    tgt_connection_end(c, "authentication failed: a command of it is malformed");
    return;
  }
  settle(c);
}
