/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Messages of authentication in any order: as a host sends them, altered, or made of nothing. A
 * host is accepted only after an answer to the last challenge that was made with the secret.
 *
 * An input is a row of steps: what to do, a count, then as many pairs of place and value that are
 * XORed into the message; for RAW the bytes of it.
 */
#include <stdlib.h>
#include <string.h>

#include "auth/chap.h"
#include "auth_host.h"

#define SECRET "DHHC-1:01:G55n6bhjgMLfRILNme5aONB+GcEl/ZHwk9tqnFRoDhvSaqvc:"
#define CONTROLLER_SECRET \
  "DHHC-1:02:pd5IdvyZ1xVhbjCyVqJODBTd1ERUz0sUH1gC2w2uEM4naO46thMTQ0VI6/8QDxDZ8E8NxQ==:"

enum { NEGOTIATE, REPLY, REPLY_AND_ASK, SUCCESS2, FAILURE2, GIVE, RAW, STEPS };
enum { MAX_STEPS = 12, MAX_GROUPS = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tgt_secret parse(const char *text) {
  struct tgt_secret secret;
  if (tgt_secret_parse(text, strlen(text), TGT_CHAP_SECRET, &secret) != NULL) {
    abort();
  }
  return secret;
}

/* A message of a good host. @return its bytes */
static uint32_t write_message(struct auth_host *host, uint8_t what, uint8_t *message) {
  memset(message, 0, AUTH_MESSAGE);
  switch (what) {
    case NEGOTIATE: return auth_negotiate(host, message);
    case REPLY:
    case REPLY_AND_ASK:
      host->asks = what == REPLY_AND_ASK;
      return host->hash == 0 ? 16 : auth_reply(host, message);
    default:
      message[0] = 1, message[1] = what == SUCCESS2 ? 4 : 0xF0;
      message[4] = AUTH_T & 0xFF, message[5] = AUTH_T >> 8;
      return what == SUCCESS2 ? 16 : 8;
  }
}

static void give(struct tgt_chap *chap, struct auth_host *host) {
  uint8_t message[TGT_CHAP_MESSAGE];
  const uint32_t bytes = tgt_chap_due(chap);
  if (bytes > sizeof message) {
    abort();
  }
  if (bytes > 0) {
    tgt_chap_give(chap, message);
    if (message[1] == 1) {
      (void)auth_take_challenge(host, message);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char name[] = INI_HOST;
  struct tgt_key key = {
      .secret = parse(SECRET), .mutual = true, .controller = parse(CONTROLLER_SECRET)};
  const struct tgt_chap_policy policy = {.hash = TGT_SHA256, .group = TGT_GROUP_NULL};
  struct tgt_chap chap;
  struct auth_host host;
  uint8_t message[AUTH_MESSAGE];
  if (size < 1 || !tgt_crypto_available()) {
    return 0;
  }
  memcpy(key.host, name, sizeof name);
  auth_host_make(&host, name, SECRET, data[0] % MAX_GROUPS);
  host.controller = key.controller;
  tgt_chap_begin(&chap, &key, &policy, name, INI_SUBSYSTEM);
  size_t at = 1;
  bool proved = false; /* since the last AUTH_Negotiate */
  for (int i = 0; i < MAX_STEPS && at + 2 <= size; i++) {
    const uint8_t what = data[at] % STEPS, count = data[at + 1];
    const enum tgt_chap_step before = chap.step;
    uint32_t bytes = 0;
    bool answers = what == REPLY || what == REPLY_AND_ASK; /* the challenge */
    at += 2;
    if (what == GIVE) {
      give(&chap, &host);
      continue;
    }
    if (what == RAW) {
      bytes = count < size - at ? count : (uint32_t)(size - at);
      memcpy(message, data + at, bytes);
      at += bytes;
    } else {
      uint8_t original[AUTH_MESSAGE];
      const uint32_t hash = tgt_hash_bytes(host.hash), group = tgt_group_bytes(host.group);
      bytes = write_message(&host, what, message);
      memcpy(original, message, bytes);
      for (uint8_t k = 0; k < count && at + 2 <= size; k++, at += 2) {
        message[data[at] * 7u % bytes] ^= data[at + 1];
      }
      /* Response and public value are what counts; of the rest some says nothing. */
      answers = answers && hash > 0 && memcmp(original + 16, message + 16, hash) == 0 &&
                memcmp(original + 16 + 2 * hash, message + 16 + 2 * hash, group) == 0;
    }
    tgt_chap_take(&chap, message, bytes);
    if (before == TGT_CHAP_REPLY) {
      proved = answers;
    } else if (before == TGT_CHAP_DONE || before == TGT_CHAP_NEGOTIATE) {
      proved &= chap.step == TGT_CHAP_DONE;
    }
    const bool accepted = chap.step == TGT_CHAP_SUCCESS1 || chap.step == TGT_CHAP_SUCCESS2 ||
                          chap.step == TGT_CHAP_DONE;
    if (accepted && !proved) {
      abort();
    }
  }
  tgt_chap_end(&chap);
  return 0;
}
