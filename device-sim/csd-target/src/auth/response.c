/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "auth/response.h"

#include <string.h>

#include "auth/crypto.h"
#include "transport/pdu.h"

/* The secret as one side uses it. @return its bytes; 0: the library failed */
static uint32_t transform(const struct tgt_secret *secret, const char *name, uint8_t *key) {
  static const char suffix[] = "NVMe-over-Fabrics";
  if (secret->hash == 0) {
    memcpy(key, secret->key, secret->bytes);
    return secret->bytes;
  }
  const struct tgt_part parts[] = {{name, strlen(name)}, {suffix, sizeof suffix - 1}};
  return tgt_hmac(secret->hash, secret->key, secret->bytes, parts, 2, key)
             ? tgt_hash_bytes(secret->hash)
             : 0;
}

bool tgt_respond(const struct tgt_challenge *challenge, const struct tgt_secret *secret,
                 bool is_host, const char *host, const char *subsystem, uint8_t *response) {
  static const uint8_t zero;
  const char *first = is_host ? host : subsystem, *second = is_host ? subsystem : host;
  const char *role = is_host ? "HostHost" : "Controller";
  const uint32_t bytes = tgt_hash_bytes(challenge->hash);
  uint8_t key[TGT_MAX_HASH], hashed[TGT_MAX_HASH], augmented[TGT_MAX_HASH];
  uint8_t numbers[7] = {0}; /* sequence, transaction, and that no secure channel is made of it */
  const uint32_t key_bytes = transform(secret, first, key);
  bool good = key_bytes > 0;
  memcpy(augmented, challenge->value, bytes);
  if (good && challenge->session != NULL) {
    const struct tgt_part plain = {challenge->value, bytes};
    good = tgt_digest(challenge->hash, challenge->session, challenge->session_bytes, hashed) &&
           tgt_hmac(challenge->hash, hashed, bytes, &plain, 1, augmented);
  }
  put32(numbers, challenge->sequence);
  put16(numbers + 4, challenge->transaction);
  const struct tgt_part parts[] = {{augmented, bytes},   {numbers, sizeof numbers},
                                   {role, strlen(role)}, {first, strlen(first)},
                                   {&zero, 1},           {second, strlen(second)}};
  good = good && tgt_hmac(challenge->hash, key, key_bytes, parts, 6, response);
  tgt_wipe(key, sizeof key);
  tgt_wipe(hashed, sizeof hashed);
  tgt_wipe(augmented, sizeof augmented);
  return good;
}
