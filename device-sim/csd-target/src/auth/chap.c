/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "auth/chap.h"

#include <string.h>

#include "auth/response.h"
#include "transport/pdu.h"

/* Fields that messages have in common; offsets and numbers are the specification's. */
enum { TYPE = 0, ID = 1, TRANSACTION = 4, HEAD = 8, COMMON_TYPE = 0, CHAP_TYPE = 1 };
enum { NEGOTIATE = 0x00, CHALLENGE = 0x01, REPLY = 0x02, SUCCESS1 = 0x03, SUCCESS2 = 0x04 };
enum { FAILURE2 = 0xF0, FAILURE1 = 0xF1 };

/* AUTH_Negotiate: a descriptor for each protocol, in it lists of hashes and of groups. */
enum { SECURE_CHANNEL = 6, PROTOCOLS = 7, DESCRIPTOR = 64, PROTOCOL_CHAP = 1 };
enum { HASH_COUNT = 2, GROUP_COUNT = 3, HASHES = 4, GROUPS = 34, MAX_OF_EACH = 30 };

/* Challenge, Reply, Success1. */
enum { HASH_BYTES = 6, HASH_ID = 8, GROUP_ID = 9, VALID = 8, DH_BYTES = 10, SEQUENCE = 12 };
enum { VALUES = 16, SUCCESS2_BYTES = 16, FAILURE_BYTES = 8, REASON = 6, EXPLANATION = 7 };

enum { REASON_FAILED = 1 };
enum {
  FAILED = 1,
  PROTOCOL_UNUSABLE = 2,
  CONCATENATION_MISMATCH = 3,
  HASH_UNUSABLE = 4,
  GROUP_UNUSABLE = 5,
  INCORRECT_PAYLOAD = 6,
  INCORRECT_MESSAGE = 7,
};

void tgt_chap_begin(struct tgt_chap *chap, const struct tgt_key *key,
                    const struct tgt_chap_policy *policy, const char *host, const char *subsystem) {
  memset(chap, 0, sizeof *chap);
  chap->key = key;
  chap->policy = policy;
  memcpy(chap->host, host, strlen(host) + 1);
  memcpy(chap->subsystem, subsystem, strlen(subsystem) + 1);
}

void tgt_chap_end(struct tgt_chap *chap) {
  tgt_dh_free(chap->dh);
  chap->dh = NULL;
  tgt_wipe(chap->challenge, sizeof chap->challenge);
  tgt_wipe(chap->response, sizeof chap->response);
}

static void fail(struct tgt_chap *chap, uint8_t explanation, const char *fault) {
  tgt_chap_end(chap);
  chap->step = TGT_CHAP_FAILURE1;
  chap->reason = REASON_FAILED;
  chap->explanation = explanation;
  chap->fault = fault;
}

static bool offers(const uint8_t *list, uint8_t count, uint8_t what) {
  return memchr(list, what, count) != NULL;
}

static void take_negotiate(struct tgt_chap *chap, const uint8_t *m, uint32_t bytes) {
  const uint8_t *offer = NULL;
  if (bytes < HEAD || bytes != HEAD + (uint32_t)DESCRIPTOR * m[PROTOCOLS]) {
    fail(chap, INCORRECT_PAYLOAD, "AUTH_Negotiate has a wrong length");
    return;
  }
  if (m[SECURE_CHANNEL] != 0) {
    fail(chap, CONCATENATION_MISMATCH, "the host asks for a secure channel made of it");
    return;
  }
  for (uint32_t i = 0; i < m[PROTOCOLS] && offer == NULL; i++) {
    const uint8_t *one = m + HEAD + i * DESCRIPTOR;
    offer = one[0] == PROTOCOL_CHAP ? one : NULL;
  }
  if (offer == NULL) {
    fail(chap, PROTOCOL_UNUSABLE, "the host does not offer DH-HMAC-CHAP");
    return;
  }
  const uint8_t hashes = offer[HASH_COUNT], groups = offer[GROUP_COUNT];
  if (hashes > MAX_OF_EACH || groups > MAX_OF_EACH) {
    fail(chap, INCORRECT_PAYLOAD, "AUTH_Negotiate has lists that are too long");
    return;
  }
  /* The strongest hash, as it costs nothing; of the groups the smallest that is one. */
  chap->hash = TGT_SHA512;
  while (chap->hash >= chap->policy->hash && !offers(offer + HASHES, hashes, chap->hash)) {
    chap->hash--;
  }
  if (chap->hash < chap->policy->hash || chap->hash == 0) {
    fail(chap, HASH_UNUSABLE, "the host offers no hash that is strong enough");
    return;
  }
  chap->group = chap->policy->group > TGT_FFDHE2048 ? chap->policy->group : TGT_FFDHE2048;
  while (chap->group <= TGT_FFDHE8192 && !offers(offer + GROUPS, groups, chap->group)) {
    chap->group++;
  }
  if (chap->group > TGT_FFDHE8192) {
    if (chap->policy->group != TGT_GROUP_NULL || !offers(offer + GROUPS, groups, TGT_GROUP_NULL)) {
      fail(chap, GROUP_UNUSABLE, "the host offers no Diffie-Hellman group that is strong enough");
      return;
    }
    chap->group = TGT_GROUP_NULL;
  }
  chap->transaction = get16(m + TRANSACTION);
  bool good = tgt_random(chap->challenge, tgt_hash_bytes(chap->hash));
  do {
    good = good && tgt_random(&chap->sequence, sizeof chap->sequence);
  } while (good && chap->sequence == 0); /* 0 would say that nothing is asked */
  if (good && chap->group != TGT_GROUP_NULL) {
    tgt_dh_free(chap->dh);
    chap->dh = tgt_dh_make(chap->group, chap->public);
    good = chap->dh != NULL;
  }
  if (!good) {
    fail(chap, FAILED, "no random numbers or no memory");
    return;
  }
  chap->step = TGT_CHAP_CHALLENGE;
}

static void check_reply(struct tgt_chap *chap, const uint8_t *m, const uint8_t *session) {
  const uint32_t bytes = tgt_hash_bytes(chap->hash);
  uint8_t expected[TGT_MAX_HASH];
  struct tgt_challenge challenge = {.hash = chap->hash,
                                    .value = chap->challenge,
                                    .session = session,
                                    .session_bytes = tgt_group_bytes(chap->group),
                                    .sequence = chap->sequence,
                                    .transaction = chap->transaction};
  const bool good =
      tgt_respond(&challenge, &chap->key->secret, true, chap->host, chap->subsystem, expected) &&
      tgt_same(expected, m + VALUES, bytes);
  tgt_wipe(expected, sizeof expected);
  if (!good) {
    fail(chap, FAILED, "the host has another secret");
    return;
  }
  chap->mutual = m[VALID] != 0;
  if (chap->mutual) {
    challenge.value = m + VALUES + bytes;
    challenge.sequence = get32(m + SEQUENCE);
    if (!chap->key->mutual) {
      fail(chap, FAILED, "the host asks who the controller is, which has no secret for this host");
      return;
    }
    if (challenge.sequence == 0) {
      fail(chap, INCORRECT_PAYLOAD, "Reply asks the controller with a sequence number of 0");
      return;
    }
    /* One challenge for both would let a host answer with what it has been told. */
    if (memcmp(challenge.value, chap->challenge, bytes) == 0 ||
        !tgt_respond(&challenge, &chap->key->controller, false, chap->host, chap->subsystem,
                     chap->response)) {
      fail(chap, FAILED, "the host gives the controller's challenge back");
      return;
    }
  }
  chap->step = TGT_CHAP_SUCCESS1;
}

static void take_reply(struct tgt_chap *chap, const uint8_t *m, uint32_t bytes) {
  const uint32_t hash = tgt_hash_bytes(chap->hash), group = tgt_group_bytes(chap->group);
  uint8_t session[TGT_MAX_GROUP];
  if (bytes != VALUES + 2 * hash + group || m[HASH_BYTES] != hash || get16(m + DH_BYTES) != group ||
      m[VALID] > 1) {
    fail(chap, INCORRECT_PAYLOAD, "Reply has wrong lengths");
    return;
  }
  if (group > 0 && !tgt_dh_agree(chap->dh, m + VALUES + 2 * hash, session)) {
    fail(chap, INCORRECT_PAYLOAD, "Reply has no public value of the group");
    return;
  }
  check_reply(chap, m, group > 0 ? session : NULL);
  tgt_wipe(session, sizeof session);
  tgt_dh_free(chap->dh);
  chap->dh = NULL;
  tgt_wipe(chap->challenge, sizeof chap->challenge);
}

/* The message that is awaited in this step; -1: none. */
static int awaited(enum tgt_chap_step step) {
  switch (step) {
    case TGT_CHAP_NEGOTIATE:
    case TGT_CHAP_DONE: return COMMON_TYPE << 8 | NEGOTIATE;
    case TGT_CHAP_REPLY: return CHAP_TYPE << 8 | REPLY;
    case TGT_CHAP_SUCCESS2: return CHAP_TYPE << 8 | SUCCESS2;
    default: return -1;
  }
}

void tgt_chap_take(struct tgt_chap *chap, const uint8_t *m, uint32_t bytes) {
  if (chap->step == TGT_CHAP_FAILED || chap->step == TGT_CHAP_FAILURE1) {
    return;
  }
  if (bytes < HEAD) {
    fail(chap, INCORRECT_PAYLOAD, "a message is too short");
    return;
  }
  const int kind = m[TYPE] << 8 | m[ID], expected = awaited(chap->step);
  const bool negotiates = expected == (COMMON_TYPE << 8 | NEGOTIATE);
  if (!negotiates && expected >= 0 && get16(m + TRANSACTION) != chap->transaction) {
    fail(chap, INCORRECT_PAYLOAD, "a message is of another transaction");
  } else if (!negotiates && expected >= 0 && kind == (CHAP_TYPE << 8 | FAILURE2)) {
    tgt_chap_end(chap);
    chap->step = TGT_CHAP_FAILED;
    chap->fault = "the host ends it with Failure2: it does not accept what the controller said";
  } else if (kind != expected) {
    fail(chap, INCORRECT_MESSAGE, "a message is not the one that is due");
  } else if (negotiates) {
    take_negotiate(chap, m, bytes);
  } else if (chap->step == TGT_CHAP_REPLY) {
    take_reply(chap, m, bytes);
  } else if (bytes != SUCCESS2_BYTES) {
    fail(chap, INCORRECT_PAYLOAD, "Success2 has a wrong length");
  } else {
    chap->step = TGT_CHAP_DONE;
  }
}

uint32_t tgt_chap_due(const struct tgt_chap *chap) {
  const uint32_t hash = tgt_hash_bytes(chap->hash);
  switch (chap->step) {
    case TGT_CHAP_CHALLENGE: return VALUES + hash + tgt_group_bytes(chap->group);
    case TGT_CHAP_SUCCESS1: return chap->mutual ? VALUES + hash : VALUES;
    case TGT_CHAP_FAILURE1: return FAILURE_BYTES;
    default: return 0;
  }
}

void tgt_chap_give(struct tgt_chap *chap, uint8_t *m) {
  const uint32_t hash = tgt_hash_bytes(chap->hash), group = tgt_group_bytes(chap->group);
  memset(m, 0, tgt_chap_due(chap));
  m[TYPE] = CHAP_TYPE;
  put16(m + TRANSACTION, chap->transaction);
  if (chap->step == TGT_CHAP_CHALLENGE) {
    m[ID] = CHALLENGE;
    m[HASH_BYTES] = (uint8_t)hash;
    m[HASH_ID] = chap->hash;
    m[GROUP_ID] = chap->group;
    put16(m + DH_BYTES, group);
    put32(m + SEQUENCE, chap->sequence);
    memcpy(m + VALUES, chap->challenge, hash);
    memcpy(m + VALUES + hash, chap->public, group);
    chap->step = TGT_CHAP_REPLY;
  } else if (chap->step == TGT_CHAP_SUCCESS1) {
    m[ID] = SUCCESS1;
    m[HASH_BYTES] = (uint8_t)hash;
    m[VALID] = chap->mutual;
    if (chap->mutual) {
      memcpy(m + VALUES, chap->response, hash);
    }
    chap->step = chap->mutual ? TGT_CHAP_SUCCESS2 : TGT_CHAP_DONE;
  } else if (chap->step == TGT_CHAP_FAILURE1) {
    m[ID] = FAILURE1;
    m[REASON] = chap->reason;
    m[EXPLANATION] = chap->explanation;
    chap->step = TGT_CHAP_FAILED;
  }
}
