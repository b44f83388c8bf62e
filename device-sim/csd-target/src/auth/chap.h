/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * DH-HMAC-CHAP (NVMe Base Specification 2.x, in-band authentication), the controller's side of one
 * transaction after the other on a queue. It knows messages only, not how they come.
 *
 *     host        AUTH_Negotiate ->   Reply ->     (Success2 ->, if the host asked the controller)
 *     controller                <- Challenge   <- Success1
 *
 * Whatever does not fit gets Failure1 as the answer, and the transaction has failed.
 */
#ifndef TGT_CHAP_H
#define TGT_CHAP_H

#include <stdbool.h>
#include <stdint.h>

#include "auth/crypto.h"
#include "auth/keys.h"

enum { TGT_CHAP_MESSAGE = 16 + 2 * TGT_MAX_HASH + TGT_MAX_GROUP }; /* longest message, bytes */

/** What comes next. */
enum tgt_chap_step {
  TGT_CHAP_NEGOTIATE, /* from the host */
  TGT_CHAP_CHALLENGE, /* to the host */
  TGT_CHAP_REPLY,     /* from the host */
  TGT_CHAP_SUCCESS1,  /* to the host */
  TGT_CHAP_SUCCESS2,  /* from the host */
  TGT_CHAP_DONE,      /* the host is who it says; it may negotiate anew */
  TGT_CHAP_FAILURE1,  /* to the host */
  TGT_CHAP_FAILED,    /* nothing: it has failed */
};

/** The least that a host must offer. */
struct tgt_chap_policy {
  uint8_t hash;  /* a tgt_hash */
  uint8_t group; /* a tgt_group; of those from here on the first that the host offers is taken */
};

struct tgt_chap {
  const struct tgt_key *key;
  const struct tgt_chap_policy *policy;
  char host[NVME_NQN_BYTES], subsystem[NVME_NQN_BYTES];
  enum tgt_chap_step step;
  uint8_t hash, group;
  uint16_t transaction;
  uint32_t sequence;               /* S1 */
  uint8_t challenge[TGT_MAX_HASH]; /* C1 */
  struct tgt_dh *dh;               /* NULL without a group */
  uint8_t public[TGT_MAX_GROUP];   /* of dh */
  bool mutual;                     /* the host has asked the controller */
  uint8_t response[TGT_MAX_HASH];  /* of the controller */
  uint8_t reason, explanation;     /* of Failure1 */
  const char *fault;               /* why it failed, for the log; NULL: it did not */
};

/**
 * Begins. Key and policy must stay; names are copied.
 *
 * @param host, subsystem  NQNs that Connect named
 */
void tgt_chap_begin(struct tgt_chap *chap, const struct tgt_key *key,
                    const struct tgt_chap_policy *policy, const char *host, const char *subsystem);

/** Takes in a message from the host, whatever it is. */
void tgt_chap_take(struct tgt_chap *chap, const uint8_t *message, uint32_t bytes);

/** Bytes of the message that the host is to get now; 0: none, it is the host's turn. */
uint32_t tgt_chap_due(const struct tgt_chap *chap);

/** Writes that message, and goes on as it has been received. */
void tgt_chap_give(struct tgt_chap *chap, uint8_t *message);

/** Forgets what is secret. */
void tgt_chap_end(struct tgt_chap *chap);

#endif
