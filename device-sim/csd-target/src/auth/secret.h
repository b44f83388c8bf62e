/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Secrets in the interchange formats of NVMe: "DHHC-1:NN:BASE64:", "NVMeTLSkey-1:NN:BASE64:". */
#ifndef TGT_SECRET_H
#define TGT_SECRET_H

#include <stddef.h>
#include <stdint.h>

#define TGT_CHAP_SECRET "DHHC-1"
#define TGT_TLS_SECRET "NVMeTLSkey-1"

enum { TGT_MAX_SECRET = 64 };

struct tgt_secret {
  uint8_t hash;  /* NN: that the secret is transformed with, a tgt_hash; 0: used as it is */
  uint8_t bytes; /* 32, 48 or 64 */
  uint8_t key[TGT_MAX_SECRET];
};

/**
 * Reads a secret; its CRC-32 is checked.
 *
 * @param kind  TGT_CHAP_SECRET or TGT_TLS_SECRET
 * @return NULL, or what is wrong with it, which tells nothing of the secret
 */
const char *tgt_secret_parse(const char *text, size_t length, const char *kind,
                             struct tgt_secret *secret);

#endif
