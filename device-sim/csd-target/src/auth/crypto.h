/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Hashes, HMAC, key derivation and Diffie-Hellman, as DH-HMAC-CHAP and TLS keys need them.
 * OpenSSL's libcrypto does the work; a build without it has none of them, and says so.
 */
#ifndef TGT_CRYPTO_H
#define TGT_CRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Hash functions by the number that NVMe gives them. */
enum tgt_hash { TGT_SHA256 = 1, TGT_SHA384 = 2, TGT_SHA512 = 3 };

/** Groups by the number that NVMe gives them: none, and the ffdhe groups of RFC 7919. */
enum tgt_group {
  TGT_GROUP_NULL = 0,
  TGT_FFDHE2048 = 1,
  TGT_FFDHE3072 = 2,
  TGT_FFDHE4096 = 3,
  TGT_FFDHE6144 = 4,
  TGT_FFDHE8192 = 5,
};

enum { TGT_MAX_HASH = 64, TGT_MAX_GROUP = 1024 };

struct tgt_part {
  const void *bytes;
  size_t count;
};

struct tgt_dh;

/** Whether this build has any of what follows. */
bool tgt_crypto_available(void);

/** Bytes of a hash; 0: there is no such function. */
uint32_t tgt_hash_bytes(uint32_t hash);

/** Bytes of a group's values; 0: TGT_GROUP_NULL, or no such group. */
uint32_t tgt_group_bytes(uint32_t group);

/** Hash of some bytes. @return false if the library fails; so do the next ones */
bool tgt_digest(uint32_t hash, const void *bytes, size_t count, uint8_t *out);

/** HMAC of all parts, one after the other: at most 2048 bytes. */
bool tgt_hmac(uint32_t hash, const uint8_t *key, size_t key_bytes, const struct tgt_part *parts,
              int count, uint8_t *out);

/**
 * HKDF-Extract without salt, then HKDF-Expand-Label of RFC 8446 (its label gets "tls13 " in front).
 *
 * @param out  gets `out_bytes`: as many as a hash has, or less
 */
bool tgt_hkdf_label(uint32_t hash, const uint8_t *key, size_t key_bytes, const char *label,
                    const char *context, uint8_t *out, uint32_t out_bytes);

/** Bytes that nobody can guess. */
bool tgt_random(void *to, size_t bytes);

/** Whether two secrets are equal, in a time that does not depend on where they differ. */
bool tgt_same(const uint8_t *a, const uint8_t *b, size_t bytes);

/** Overwrites a secret. */
void tgt_wipe(void *secret, size_t bytes);

/** A new key pair; its public value goes to `public`. @return NULL if the library fails */
struct tgt_dh *tgt_dh_make(uint32_t group, uint8_t *public);

/** The shared secret, as long as the group's values. @return false: no public value of the group */
bool tgt_dh_agree(struct tgt_dh *dh, const uint8_t *peer, uint8_t *secret);

void tgt_dh_free(struct tgt_dh *dh);

#endif
