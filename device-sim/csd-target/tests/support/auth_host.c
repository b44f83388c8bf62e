/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "auth_host.h"

#include <stdlib.h>
#include <string.h>

#include "auth/response.h"
#include "tests/support/check.h"

enum { PROTOCOL = 0xE9010100 };

static void set16(uint8_t *to, uint32_t value) {
  to[0] = (uint8_t)value, to[1] = (uint8_t)(value >> 8);
}

void auth_host_make(struct auth_host *host, const char *name, const char *secret, uint8_t group) {
  *host = (struct auth_host){.name = name,
                             .subsystem = INI_SUBSYSTEM,
                             .hashes = {TGT_SHA256, TGT_SHA384, TGT_SHA512},
                             .hash_count = 3,
                             .groups = {group},
                             .group_count = 1};
  if (tgt_secret_parse(secret, strlen(secret), TGT_CHAP_SECRET, &host->secret) != NULL) {
    abort();
  }
}

uint32_t auth_negotiate(const struct auth_host *host, uint8_t *m) {
  memset(m, 0, 72);
  set16(m + 4, AUTH_T);
  m[7] = 1;
  m[8] = 1; /* DH-HMAC-CHAP */
  m[10] = host->hash_count;
  m[11] = host->group_count;
  memcpy(m + 12, host->hashes, host->hash_count);
  memcpy(m + 42, host->groups, host->group_count);
  return 72;
}

bool auth_take_challenge(struct auth_host *host, const uint8_t *m) {
  const uint32_t hash = tgt_hash_bytes(m[8]), group = tgt_group_bytes(m[9]);
  if (m[0] != 1 || m[1] != 1 || ini_get16(m + 4) != AUTH_T || hash == 0 || m[6] != hash ||
      ini_get16(m + 10) != group) {
    return false;
  }
  host->hash = m[8], host->group = m[9];
  host->sequence = ini_get32(m + 12);
  memcpy(host->challenge, m + 16, hash);
  memcpy(host->public, m + 16 + hash, group);
  return host->sequence != 0;
}

uint32_t auth_reply(struct auth_host *host, uint8_t *m) {
  const uint32_t hash = tgt_hash_bytes(host->hash), group = tgt_group_bytes(host->group);
  uint8_t session[TGT_MAX_GROUP];
  uint8_t *asked = m + 16 + hash;
  const uint32_t bytes = 16 + 2 * hash + group;
  memset(m, 0, bytes);
  m[0] = 1, m[1] = 2;
  set16(m + 4, AUTH_T);
  m[6] = (uint8_t)hash;
  set16(m + 10, group);
  if (group > 0) {
    struct tgt_dh *dh = tgt_dh_make(host->group, asked + hash);
    CHECK(dh != NULL && tgt_dh_agree(dh, host->public, session));
    tgt_dh_free(dh);
  }
  struct tgt_challenge challenge = {.hash = host->hash,
                                    .value = host->challenge,
                                    .session = group > 0 ? session : NULL,
                                    .session_bytes = group,
                                    .sequence = host->sequence,
                                    .transaction = AUTH_T};
  CHECK(tgt_respond(&challenge, &host->secret, true, host->name, host->subsystem, m + 16));
  if (host->asks) {
    m[8] = 1;
    m[12] = 77;
    CHECK(tgt_random(asked, hash));
    challenge.value = asked;
    challenge.sequence = 77;
    CHECK(tgt_respond(&challenge, &host->controller, false, host->name, host->subsystem,
                      host->expects));
    host->expects_bytes = hash;
  }
  return bytes;
}

int auth_send(struct ini_connection *c, const uint8_t *message, uint32_t bytes) {
  const struct ini_command command = {.opcode = 0x7F,
                                      .nsid = AUTH_SEND,
                                      .cdw10 = PROTOCOL,
                                      .cdw11 = bytes,
                                      .out = message,
                                      .out_bytes = bytes};
  return ini_run(c, &command).status;
}

int auth_receive(struct ini_connection *c, uint8_t *message, uint32_t room) {
  const struct ini_command command = {.opcode = 0x7F,
                                      .nsid = AUTH_RECEIVE,
                                      .cdw10 = PROTOCOL,
                                      .cdw11 = room,
                                      .in = message,
                                      .in_bytes = room};
  return ini_run(c, &command).status;
}

int auth_failure(struct ini_connection *c) {
  uint8_t m[AUTH_MESSAGE];
  const int status = auth_receive(c, m, sizeof m);
  if (status != 0) {
    return status;
  }
  return m[0] == 1 && m[1] == 0xF1 && m[6] == 1 ? m[7] : 1000 + m[1];
}

int auth_run(struct ini_connection *c, struct auth_host *host) {
  uint8_t m[AUTH_MESSAGE];
  if (auth_send(c, m, auth_negotiate(host, m)) != 0 || auth_receive(c, m, sizeof m) != 0) {
    return -1;
  }
  if (m[1] == 0xF1) {
    return m[7];
  }
  if (!auth_take_challenge(host, m) || auth_send(c, m, auth_reply(host, m)) != 0 ||
      auth_receive(c, m, sizeof m) != 0) {
    return -1;
  }
  if (m[1] == 0xF1) {
    return m[7];
  }
  if (m[0] != 1 || m[1] != 3 || m[6] != tgt_hash_bytes(host->hash) || m[8] != host->asks) {
    return -1;
  }
  if (!host->asks) {
    return 0;
  }
  if (!tgt_same(m + 16, host->expects, host->expects_bytes)) {
    return -1;
  }
  const uint8_t success[16] = {1, 4, 0, 0, AUTH_T & 0xFF, AUTH_T >> 8};
  return auth_send(c, success, sizeof success);
}
