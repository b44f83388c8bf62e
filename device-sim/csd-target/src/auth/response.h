/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What host and controller answer to a challenge of DH-HMAC-CHAP. */
#ifndef TGT_RESPONSE_H
#define TGT_RESPONSE_H

#include <stdbool.h>
#include <stdint.h>

#include "auth/secret.h"

struct tgt_challenge {
  uint32_t hash;          /* a tgt_hash */
  const uint8_t *value;   /* of the challenge: as many bytes as the hash has */
  const uint8_t *session; /* shared secret of Diffie-Hellman; NULL without a group */
  uint32_t session_bytes; /* of it */
  uint32_t sequence;      /* S1 or S2 */
  uint16_t transaction;
};

/**
 * Computes a response.
 *
 * @param secret   of who responds
 * @param is_host  whether that is the host
 * @param response gets as many bytes as the hash has
 * @return false if the library fails
 */
bool tgt_respond(const struct tgt_challenge *challenge, const struct tgt_secret *secret,
                 bool is_host, const char *host, const char *subsystem, uint8_t *response);

#endif
