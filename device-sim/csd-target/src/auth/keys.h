/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Key files: a line for each host, its NQN and its secret, for DH-HMAC-CHAP a second one too. */
#ifndef TGT_KEYS_H
#define TGT_KEYS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "auth/secret.h"
#include "nvme.h"

enum { TGT_MAX_KEYS = 1024 };

struct tgt_key {
  char host[NVME_NQN_BYTES];
  struct tgt_secret secret; /* of the host */
  bool mutual;              /* the controller has one, too, for hosts that ask for it */
  struct tgt_secret controller;
};

struct tgt_keys {
  struct tgt_key *keys;
  uint32_t count;
  bool none;               /* the file says that there is none */
  struct tgt_key stranger; /* a secret that is drawn, to answer a host without key as one with it */
};

/**
 * Reads a key file: "HOSTNQN SECRET [CONTROLLER-SECRET]" on a line, "#" begins a comment; or "none"
 * alone, which says that there is no key. A file that tgt_keys_are_open() is refused. Says on
 * standard error what is wrong, and where.
 *
 * @param kind  TGT_CHAP_SECRET or TGT_TLS_SECRET, which has no second secret
 * @return false with nothing read
 */
bool tgt_keys_read(const char *path, const char *kind, struct tgt_keys *keys);

/**
 * Returns whether a key file is open to others: they may write it; or they may read it, although it
 * neither belongs to root and is for a group, nor lies where secrets are mounted.
 *
 * @param secrets  it lies in $CREDENTIALS_DIRECTORY or /run/secrets
 */
bool tgt_keys_are_open(const struct stat *about, bool secrets);

/** The key of a host. @return NULL if it has none */
const struct tgt_key *tgt_keys_of(const struct tgt_keys *keys, const char *host);

/** Forgets them. */
void tgt_keys_free(struct tgt_keys *keys);

#endif
