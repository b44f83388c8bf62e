/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* What needs no library, or is made of what it has. */
#include "auth/crypto.h"

#include <string.h>
#include <sys/random.h>

uint32_t tgt_hash_bytes(uint32_t hash) {
  static const uint8_t bytes[] = {0, 32, 48, 64};
  return hash < sizeof bytes ? bytes[hash] : 0;
}

uint32_t tgt_group_bytes(uint32_t group) {
  static const uint16_t bytes[] = {0, 256, 384, 512, 768, 1024};
  return group < sizeof bytes / sizeof *bytes ? bytes[group] : 0;
}

bool tgt_random(void *to, size_t bytes) {
  return getrandom(to, bytes, 0) == (ssize_t)bytes; /* so few come whole */
}

bool tgt_same(const uint8_t *a, const uint8_t *b, size_t bytes) {
  const volatile uint8_t *x = a, *y = b;
  uint8_t difference = 0;
  for (size_t i = 0; i < bytes; i++) {
    difference |= (uint8_t)(x[i] ^ y[i]);
  }
  return difference == 0;
}

void tgt_wipe(void *secret, size_t bytes) { explicit_bzero(secret, bytes); }

bool tgt_hkdf_label(uint32_t hash, const uint8_t *key, size_t key_bytes, const char *label,
                    const char *context, uint8_t *out, uint32_t out_bytes) {
  static const uint8_t no_salt[TGT_MAX_HASH], first = 1;
  static const char prefix[] = "tls13 ";
  const uint32_t bytes = tgt_hash_bytes(hash);
  const size_t label_bytes = strlen(label), context_bytes = strlen(context);
  uint8_t extracted[TGT_MAX_HASH], block[TGT_MAX_HASH];
  if (out_bytes > bytes || label_bytes + 6 > 255 || context_bytes > 255) {
    return false;
  }
  const uint8_t front[3] = {(uint8_t)(out_bytes >> 8), (uint8_t)out_bytes,
                            (uint8_t)(label_bytes + 6)};
  const uint8_t middle = (uint8_t)context_bytes;
  const struct tgt_part input = {key, key_bytes};
  const struct tgt_part info[] = {{front, sizeof front},    {prefix, 6},
                                  {label, label_bytes},     {&middle, 1},
                                  {context, context_bytes}, {&first, 1}};
  const bool good = tgt_hmac(hash, no_salt, bytes, &input, 1, extracted) &&
                    tgt_hmac(hash, extracted, bytes, info, 6, block);
  if (good) {
    memcpy(out, block, out_bytes);
  }
  tgt_wipe(extracted, sizeof extracted);
  tgt_wipe(block, sizeof block);
  return good;
}
