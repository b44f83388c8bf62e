/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * TLS 1.3 with pre-shared keys, as the NVMe TCP Transport Specification has it, the server's side:
 * the identity of a key names host and subsystem, and whoever finishes the handshake has the key.
 * OpenSSL's libssl does the work; a build without it has none.
 */
#ifndef TGT_TLS_H
#define TGT_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "auth/keys.h"

enum { TGT_TLS_BYTES = 131072 }; /* more than a connection of it takes */

struct tgt_tls_server; /* keys of all hosts */
struct tgt_tls;        /* a connection */

/** What became of a call that does not wait. */
enum tgt_tls_result {
  TGT_TLS_OK = 0,
  TGT_TLS_WANTS_READ,  /* again, when there is something to read */
  TGT_TLS_WANTS_WRITE, /* again with the same bytes, when there is room to write */
  TGT_TLS_END,         /* the peer has ended it in order */
  TGT_TLS_FAILED,      /* tgt_tls_fault() says more */
};

/**
 * Makes the identities that hosts may use, for the I/O subsystem and for discovery: of version 0,
 * and of version 1 with the digest of the key.
 *
 * @return NULL if memory is short or a key has not the length of a hash
 */
struct tgt_tls_server *tgt_tls_server_make(const struct tgt_keys *keys, const char *subsystem);
/**
 * Adds the identities for one more I/O subsystem, whose name stays; before any connection.
 *
 * @return false if memory is short
 */
bool tgt_tls_server_add(struct tgt_tls_server *server, const struct tgt_keys *keys,
                        const char *subsystem);
void tgt_tls_server_free(struct tgt_tls_server *server);

/** TLS over a connected socket that does not block. @return NULL if memory is short */
struct tgt_tls *tgt_tls_begin(struct tgt_tls_server *server, int file);

/** Tells the peer that nothing more is sent, if that does not wait. */
void tgt_tls_close(struct tgt_tls *tls);

/** Frees it. */
void tgt_tls_end(struct tgt_tls *tls);

/** Reads what there is, at most `room`; the handshake comes first. */
enum tgt_tls_result tgt_tls_read(struct tgt_tls *tls, void *to, size_t room, size_t *bytes);

/** Writes some or all. */
enum tgt_tls_result tgt_tls_write(struct tgt_tls *tls, const void *from, size_t count,
                                  size_t *bytes);

/** Why it failed; static, or as long as it is there. */
const char *tgt_tls_fault(const struct tgt_tls *tls);

/** Whether the key that was used is one of this host for this subsystem. */
bool tgt_tls_is(const struct tgt_tls *tls, const char *host, const char *subsystem);

#endif
