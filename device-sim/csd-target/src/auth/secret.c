/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "auth/secret.h"

#include <stdbool.h>
#include <string.h>

#include "auth/crypto.h"

enum { CRC_BYTES = 4, MAX_RAW = TGT_MAX_SECRET + CRC_BYTES };

/* The CRC-32 of IEEE 802.3, bit by bit: keys are short, and read once. */
static uint32_t crc32_of(const uint8_t *bytes, size_t count) {
  uint32_t crc = ~UINT32_C(0);
  for (size_t i = 0; i < count; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) {
      crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xEDB88320) : 0);
    }
  }
  return ~crc;
}

static int digit_of(char c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = c == 0 ? NULL : strchr(digits, c);
  return at == NULL ? -1 : (int)(at - digits);
}

/* Strict: padded to four, no bit set that says nothing. @return bytes; -1: none of it, or too long
 */
static int decode(const char *text, size_t length, uint8_t *to) {
  int bytes = 0;
  if (length == 0 || length % 4 != 0 || length / 4 * 3 > MAX_RAW + 2) {
    return -1;
  }
  for (size_t i = 0; i < length; i += 4) {
    const bool end = i + 4 == length;
    const int pads = !end || text[i + 3] != '=' ? 0 : text[i + 2] != '=' ? 1 : 2;
    uint32_t group = 0;
    for (int k = 0; k < 4; k++) {
      const int digit = k >= 4 - pads ? 0 : digit_of(text[i + (size_t)k]);
      if (digit < 0) {
        return -1;
      }
      group = group << 6 | (uint32_t)digit;
    }
    if ((group & ((1u << 8 * pads) - 1)) != 0 || bytes + 3 - pads > MAX_RAW) {
      return -1;
    }
    for (int k = 0; k < 3 - pads; k++) {
      to[bytes++] = (uint8_t)(group >> (16 - 8 * k));
    }
  }
  return bytes;
}

const char *tgt_secret_parse(const char *text, size_t length, const char *kind,
                             struct tgt_secret *secret) {
  const size_t front = strlen(kind);
  uint8_t raw[MAX_RAW];
  if (length < front + 5 || memcmp(text, kind, front) != 0 || text[front] != ':' ||
      text[front + 3] != ':' || text[length - 1] != ':') {
    return "it is not KIND:NN:BASE64:";
  }
  if (text[front + 1] != '0' || text[front + 2] < '0' || text[front + 2] > '3') {
    return "its hash is none of 00 to 03";
  }
  const int bytes = decode(text + front + 4, length - front - 5, raw);
  const char *fault = NULL;
  if (bytes < 0) {
    fault = "it is not in Base64, or too long";
  } else if (bytes != 32 + CRC_BYTES && bytes != 48 + CRC_BYTES && bytes != 64 + CRC_BYTES) {
    fault = "it has neither 32 nor 48 nor 64 bytes";
  } else {
    const uint8_t *crc = raw + bytes - CRC_BYTES;
    const uint32_t told =
        (uint32_t)crc[0] | (uint32_t)crc[1] << 8 | (uint32_t)crc[2] << 16 | (uint32_t)crc[3] << 24;
    if (told != crc32_of(raw, (size_t)bytes - CRC_BYTES)) {
      fault = "its CRC-32 is wrong: a letter was mistaken or lost";
    }
  }
  if (fault == NULL) {
    secret->hash = (uint8_t)(text[front + 2] - '0');
    secret->bytes = (uint8_t)(bytes - CRC_BYTES);
    memcpy(secret->key, raw, secret->bytes);
  }
  tgt_wipe(raw, sizeof raw);
  return fault;
}
