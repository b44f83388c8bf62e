/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The host's side of DH-HMAC-CHAP, for tests: message by message, so that each can be spoilt. */
#ifndef AUTH_HOST_H
#define AUTH_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "auth/crypto.h"
#include "auth/secret.h"
#include "initiator.h"

enum { AUTH_MESSAGE = 2048, AUTH_SEND = 5, AUTH_RECEIVE = 6, AUTH_T = 0x1234 };
enum { AUTH_REQUIRED = 1 << 17 }; /* in the answer to Connect */

/** Explanations of Failure1, as the specification numbers them. */
enum {
  AUTH_FAILED = 1,
  AUTH_PROTOCOL = 2,
  AUTH_CONCATENATION = 3,
  AUTH_HASH = 4,
  AUTH_GROUP = 5,
  AUTH_PAYLOAD = 6,
  AUTH_MESSAGE_KIND = 7,
};

struct auth_host {
  const char *name, *subsystem;
  struct tgt_secret secret;
  bool asks; /* the controller, which has this one */
  struct tgt_secret controller;
  uint8_t hashes[3], hash_count, groups[6], group_count; /* that it offers */
  /* What the controller chose and said. */
  uint8_t hash, group;
  uint32_t sequence, expects_bytes;
  uint8_t challenge[TGT_MAX_HASH], expects[TGT_MAX_HASH]; /* the latter of the controller */
  uint8_t public[TGT_MAX_GROUP];
};

/** A host that offers all hashes and one group. Secrets are in interchange format. */
void auth_host_make(struct auth_host *host, const char *name, const char *secret, uint8_t group);

/** Writes AUTH_Negotiate, or the Reply to what auth_take_challenge() has read. @return bytes */
uint32_t auth_negotiate(const struct auth_host *host, uint8_t *message);
uint32_t auth_reply(struct auth_host *host, uint8_t *message);
/** Reads a Challenge. @return whether it is one that fits */
bool auth_take_challenge(struct auth_host *host, const uint8_t *message);

/** Authentication Send and Receive. @return the status of the command */
int auth_send(struct ini_connection *c, const uint8_t *message, uint32_t bytes);
int auth_receive(struct ini_connection *c, uint8_t *message, uint32_t room);

/** Receives Failure1. @return its explanation; a status if none comes, + 1000 for another message
 */
int auth_failure(struct ini_connection *c);

/** All of it. @return 0, the explanation of a Failure1, or -1 if the controller has not proved who
    it is, or a command failed */
int auth_run(struct ini_connection *c, struct auth_host *host);

#endif
