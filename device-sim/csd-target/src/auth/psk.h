/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Pre-shared keys of TLS, as the NVMe TCP Transport Specification derives them. */
#ifndef TGT_PSK_H
#define TGT_PSK_H

#include <stdbool.h>
#include <stdint.h>

#include "auth/crypto.h"
#include "auth/secret.h"
#include "nvme.h"

enum { TGT_IDENTITY_BYTES = 2 * NVME_NQN_BYTES + 90 };

struct tgt_psk {
  char identity[TGT_IDENTITY_BYTES];
  uint32_t hash; /* of the cipher suite, a tgt_hash: SHA-256 or SHA-384, as the key is long */
  uint32_t bytes;
  uint8_t key[TGT_MAX_HASH];
};

/**
 * Derives key and identity.
 *
 * @param version  of the identity: 0, or 1 with a digest of the key
 * @return false if the secret has neither 32 nor 48 bytes, or the library fails
 */
bool tgt_psk_derive(const struct tgt_secret *secret, const char *host, const char *subsystem,
                    int version, struct tgt_psk *psk);

#endif
