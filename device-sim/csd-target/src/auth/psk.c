/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "auth/psk.h"

#include <stdio.h>
#include <string.h>

static void base64(const uint8_t *bytes, uint32_t count, char *text) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (uint32_t i = 0; i < count; i += 3) {
    const uint32_t left = count - i;
    const uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                           (left > 2 ? bytes[i + 2] : 0);
    *text++ = digits[group >> 18];
    *text++ = digits[group >> 12 & 63];
    *text++ = left > 1 ? digits[group >> 6 & 63] : '=';
    *text++ = left > 2 ? digits[group & 63] : '=';
  }
  *text = 0;
}

/* The secret, or what the host's name makes of it. */
static bool retain(const struct tgt_secret *secret, const char *host, uint8_t *retained) {
  if (secret->hash == 0) {
    memcpy(retained, secret->key, secret->bytes);
    return true;
  }
  return tgt_hash_bytes(secret->hash) >= secret->bytes &&
         tgt_hkdf_label(secret->hash, secret->key, secret->bytes, "HostNQN", host, retained,
                        secret->bytes);
}

bool tgt_psk_derive(const struct tgt_secret *secret, const char *host, const char *subsystem,
                    int version, struct tgt_psk *psk) {
  static const char suffix[] = "NVMe-over-Fabrics";
  uint8_t retained[TGT_MAX_SECRET], mac[TGT_MAX_HASH];
  char digest[100], context[TGT_IDENTITY_BYTES];
  psk->hash = secret->bytes == 32 ? TGT_SHA256 : TGT_SHA384;
  psk->bytes = secret->bytes;
  if (tgt_hash_bytes(psk->hash) != secret->bytes || !retain(secret, host, retained)) {
    return false;
  }
  const struct tgt_part parts[] = {{host, strlen(host)},
                                   {" ", 1},
                                   {subsystem, strlen(subsystem)},
                                   {" ", 1},
                                   {suffix, sizeof suffix - 1}};
  bool good = tgt_hmac(psk->hash, retained, psk->bytes, parts, 5, mac);
  base64(mac, psk->bytes, digest);
  snprintf(psk->identity, sizeof psk->identity, "NVMe%dR%02u %s %s", version, psk->hash, host,
           subsystem);
  if (version == 0) {
    snprintf(context, sizeof context, "%s", psk->identity);
  } else {
    const size_t length = strlen(psk->identity);
    snprintf(psk->identity + length, sizeof psk->identity - length, " %s", digest);
    snprintf(context, sizeof context, "%02u %s", psk->hash, digest);
  }
  good = good && tgt_hkdf_label(psk->hash, retained, psk->bytes, "nvme-tls-psk", context, psk->key,
                                psk->bytes);
  tgt_wipe(retained, sizeof retained);
  return good;
}
