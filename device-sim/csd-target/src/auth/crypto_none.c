/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The part of crypto.h that OpenSSL does, in a build without it: nothing works. */
#include "auth/crypto.h"

bool tgt_crypto_available(void) { return false; }

bool tgt_digest(uint32_t hash, const void *bytes, size_t count, uint8_t *out) {
  (void)hash, (void)bytes, (void)count, (void)out;
  return false;
}

bool tgt_hmac(uint32_t hash, const uint8_t *key, size_t key_bytes, const struct tgt_part *parts,
              int count, uint8_t *out) {
  (void)hash, (void)key, (void)key_bytes, (void)parts, (void)count, (void)out;
  return false;
}

struct tgt_dh *tgt_dh_make(uint32_t group, uint8_t *public) {
  (void)group, (void)public;
  return NULL;
}

bool tgt_dh_agree(struct tgt_dh *dh, const uint8_t *peer, uint8_t *secret) {
  (void)dh, (void)peer, (void)secret;
  return false;
}

void tgt_dh_free(struct tgt_dh *dh) { (void)dh; }
