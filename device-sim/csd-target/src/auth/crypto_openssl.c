/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The part of crypto.h that OpenSSL does. */
#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/evp.h>
#include <string.h>

#include "auth/crypto.h"

enum { HMAC_INPUT = 2048 };

struct tgt_dh {
  EVP_PKEY *pair;
  uint32_t bytes;
};

bool tgt_crypto_available(void) { return true; }

static const char *name_of(uint32_t hash) {
  static const char *const names[] = {NULL, "SHA256", "SHA384", "SHA512"};
  return hash < 4 ? names[hash] : NULL;
}

bool tgt_digest(uint32_t hash, const void *bytes, size_t count, uint8_t *out) {
  size_t made = 0;
  return name_of(hash) != NULL &&
         EVP_Q_digest(NULL, name_of(hash), NULL, bytes, count, out, &made) == 1;
}

bool tgt_hmac(uint32_t hash, const uint8_t *key, size_t key_bytes, const struct tgt_part *parts,
              int count, uint8_t *out) {
  uint8_t input[HMAC_INPUT];
  size_t bytes = 0, made = 0;
  for (int i = 0; i < count; i++) {
    if (parts[i].count > sizeof input - bytes) {
      return false;
    }
    memcpy(input + bytes, parts[i].bytes, parts[i].count);
    bytes += parts[i].count;
  }
  const bool good =
      name_of(hash) != NULL && EVP_Q_mac(NULL, "HMAC", NULL, name_of(hash), NULL, key, key_bytes,
                                         input, bytes, out, TGT_MAX_HASH, &made) != NULL;
  tgt_wipe(input, bytes);
  return good;
}

struct tgt_dh *tgt_dh_make(uint32_t group, uint8_t *public) {
  static const char *const names[] = {NULL,        "ffdhe2048", "ffdhe3072",
                                      "ffdhe4096", "ffdhe6144", "ffdhe8192"};
  struct tgt_dh *dh = OPENSSL_zalloc(sizeof *dh);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "DH", NULL);
  size_t made = 0;
  bool good = dh != NULL && context != NULL && tgt_group_bytes(group) > 0;
  if (good) {
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME,
                                         (char *)(uintptr_t)names[group], 0),
        OSSL_PARAM_construct_end()};
    dh->bytes = tgt_group_bytes(group);
    good = EVP_PKEY_keygen_init(context) == 1 &&
           EVP_PKEY_CTX_set_params(context, parameters) == 1 &&
           EVP_PKEY_generate(context, &dh->pair) == 1 &&
           EVP_PKEY_get_octet_string_param(dh->pair, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, public,
                                           dh->bytes, &made) == 1 &&
           made == dh->bytes;
  }
  EVP_PKEY_CTX_free(context);
  if (good) {
    return dh;
  }
  tgt_dh_free(dh);
  return NULL;
}

bool tgt_dh_agree(struct tgt_dh *dh, const uint8_t *peer, uint8_t *secret) {
  EVP_PKEY *other = EVP_PKEY_new();
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, dh->pair, NULL);
  size_t made = dh->bytes;
  /* Setting the peer checks that its value is one of the group, and neither 1 nor -1. */
  const bool good =
      other != NULL && context != NULL && EVP_PKEY_copy_parameters(other, dh->pair) == 1 &&
      EVP_PKEY_set1_encoded_public_key(other, peer, dh->bytes) == 1 &&
      EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_CTX_set_dh_pad(context, 1) == 1 &&
      EVP_PKEY_derive_set_peer(context, other) == 1 &&
      EVP_PKEY_derive(context, secret, &made) == 1 && made == dh->bytes;
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(other);
  return good;
}

void tgt_dh_free(struct tgt_dh *dh) {
  if (dh != NULL) {
    EVP_PKEY_free(dh->pair);
    OPENSSL_free(dh);
  }
}
