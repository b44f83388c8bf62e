/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A TLS client for tests: a thread with OpenSSL between an initiator, which knows nothing of it,
 * and the target.
 */
#ifndef TLS_RELAY_H
#define TLS_RELAY_H

#include <stdbool.h>
#include <stdint.h>

#include "auth/psk.h"
#include "initiator.h"

struct tls_client {
  struct tgt_psk psk;
  bool old;         /* offers TLS 1.2 at most */
  bool without_key; /* offers none */
};

/** A client with a key in interchange format, for the subsystem. */
void tls_client_make(struct tls_client *client, const char *secret, const char *host,
                     const char *subsystem, int version);

/** Dials through TLS. @return whether the handshake went well; then as ini_dial() */
bool tls_dial(struct ini_connection *c, uint16_t port, const struct tls_client *client);

#endif
