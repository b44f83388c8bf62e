/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "auth/psk.h"
#include "transport/tls.h"

/* A key under one of its identities. */
struct identity {
  struct tgt_psk psk;
  char host[NVME_NQN_BYTES];
  const char *subsystem; /* of the server's names */
};

struct tgt_tls_server {
  SSL_CTX *context;
  char subsystem[NVME_NQN_BYTES];
  struct identity *identities;
  uint32_t count;
};

struct tgt_tls {
  struct tgt_tls_server *server;
  SSL *ssl;
  const struct identity *identity; /* that was found last: the one of the handshake */
  bool looked, plain;              /* at the first byte; it begins no handshake */
  char fault[200];
};

/* OpenSSL looks for a key. None is no error: a host may offer several. */
static int find(SSL *ssl, const unsigned char *name, size_t bytes, SSL_SESSION **session) {
  static const unsigned char ids[2][2] = {{0x13, 0x01}, {0x13, 0x02}};
  struct tgt_tls *tls = SSL_get_app_data(ssl);
  const struct identity *found = NULL;
  *session = NULL;
  for (uint32_t i = 0; i < tls->server->count && found == NULL; i++) {
    const struct identity *one = &tls->server->identities[i];
    if (strlen(one->psk.identity) == bytes && memcmp(one->psk.identity, name, bytes) == 0) {
      found = one;
    }
  }
  if (found == NULL) {
    return 1;
  }
  const SSL_CIPHER *cipher = SSL_CIPHER_find(ssl, ids[found->psk.hash - TGT_SHA256]);
  SSL_SESSION *made = SSL_SESSION_new();
  if (made == NULL || cipher == NULL ||
      SSL_SESSION_set1_master_key(made, found->psk.key, found->psk.bytes) != 1 ||
      SSL_SESSION_set_cipher(made, cipher) != 1 ||
      SSL_SESSION_set_protocol_version(made, TLS1_3_VERSION) != 1) {
    SSL_SESSION_free(made);
    return 0;
  }
  tls->identity = found;
  *session = made;
  return 1;
}

static bool add(struct tgt_tls_server *server, const struct tgt_key *key, const char *subsystem) {
  for (int version = 0; version < 2; version++) {
    struct identity *one = &server->identities[server->count];
    if (!tgt_psk_derive(&key->secret, key->host, subsystem, version, &one->psk)) {
      return false;
    }
    memcpy(one->host, key->host, sizeof one->host);
    one->subsystem = subsystem;
    server->count++;
  }
  return true;
}

struct tgt_tls_server *tgt_tls_server_make(const struct tgt_keys *keys, const char *subsystem) {
  struct tgt_tls_server *server = calloc(1, sizeof *server);
  if (server == NULL) {
    return NULL;
  }
  strncpy(server->subsystem, subsystem, sizeof server->subsystem - 1);
  server->context = SSL_CTX_new(TLS_server_method());
  server->identities = calloc((size_t)keys->count * 4, sizeof *server->identities);
  bool good = server->context != NULL && server->identities != NULL;
  for (uint32_t i = 0; i < keys->count && good; i++) {
    good = add(server, &keys->keys[i], server->subsystem) &&
           add(server, &keys->keys[i], NVME_DISCOVERY_NQN);
  }
  /* Keys with Diffie-Hellman alone, which OpenSSL does unless it is told otherwise; without a
     certificate nothing but a key gets through. */
  good = good && SSL_CTX_set_min_proto_version(server->context, TLS1_3_VERSION) == 1 &&
         SSL_CTX_set_ciphersuites(server->context,
                                  "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384") == 1 &&
         SSL_CTX_set_num_tickets(server->context, 0) == 1;
  if (!good) {
    tgt_tls_server_free(server);
    return NULL;
  }
  SSL_CTX_set_session_cache_mode(server->context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(server->context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(server->context,
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_psk_find_session_callback(server->context, find);
  return server;
}

bool tgt_tls_server_add(struct tgt_tls_server *server, const struct tgt_keys *keys,
                        const char *subsystem) {
  const size_t all = server->count + (size_t)keys->count * 2;
  struct identity *grown = realloc(server->identities, all * sizeof *grown);
  if (grown == NULL) {
    return false;
  }
  server->identities = grown;
  bool good = true;
  for (uint32_t i = 0; i < keys->count && good; i++) {
    good = add(server, &keys->keys[i], subsystem);
  }
  return good;
}

void tgt_tls_server_free(struct tgt_tls_server *server) {
  if (server == NULL) {
    return;
  }
  SSL_CTX_free(server->context);
  if (server->identities != NULL) {
    tgt_wipe(server->identities, server->count * sizeof *server->identities);
  }
  free(server->identities);
  free(server);
}

struct tgt_tls *tgt_tls_begin(struct tgt_tls_server *server, int file) {
  struct tgt_tls *tls = calloc(1, sizeof *tls);
  if (tls == NULL) {
    return NULL;
  }
  tls->server = server;
  tls->ssl = SSL_new(server->context);
  if (tls->ssl == NULL || SSL_set_fd(tls->ssl, file) != 1 || SSL_set_app_data(tls->ssl, tls) != 1) {
    SSL_free(tls->ssl);
    free(tls);
    return NULL;
  }
  SSL_set_accept_state(tls->ssl);
  return tls;
}

void tgt_tls_close(struct tgt_tls *tls) {
  if (SSL_is_init_finished(tls->ssl) && tls->fault[0] == 0) {
    (void)SSL_shutdown(tls->ssl);
  }
  ERR_clear_error();
}

void tgt_tls_end(struct tgt_tls *tls) {
  if (tls == NULL) {
    return;
  }
  SSL_free(tls->ssl);
  free(tls);
}

static enum tgt_tls_result outcome(struct tgt_tls *tls, int status) {
  if (status == 1) {
    return TGT_TLS_OK;
  }
  switch (SSL_get_error(tls->ssl, status)) {
    case SSL_ERROR_WANT_READ: return TGT_TLS_WANTS_READ;
    case SSL_ERROR_WANT_WRITE: return TGT_TLS_WANTS_WRITE;
    case SSL_ERROR_ZERO_RETURN: return TGT_TLS_END;
    default: break;
  }
  const unsigned long error = ERR_get_error();
  const char *reason = error != 0 ? ERR_reason_error_string(error) : NULL;
  const bool early = !SSL_is_init_finished(tls->ssl);
  snprintf(tls->fault, sizeof tls->fault, "TLS%s: %s%s", early ? " handshake" : "",
           reason != NULL ? reason : "the connection is lost",
           tls->plain                       ? " (what came is no TLS: a host without a key?)"
           : early && tls->identity == NULL ? " (no known key was offered)"
                                            : "");
  ERR_clear_error();
  return TGT_TLS_FAILED;
}

/* A host that speaks no TLS is to be told from one with a wrong key. */
static void look(struct tgt_tls *tls) {
  uint8_t first;
  if (recv(SSL_get_fd(tls->ssl), &first, 1, MSG_PEEK | MSG_DONTWAIT) == 1) {
    tls->looked = true;
    tls->plain = first != SSL3_RT_HANDSHAKE;
  }
}

enum tgt_tls_result tgt_tls_read(struct tgt_tls *tls, void *to, size_t room, size_t *bytes) {
  if (!tls->looked) {
    look(tls);
  }
  ERR_clear_error();
  return outcome(tls, SSL_read_ex(tls->ssl, to, room, bytes));
}

enum tgt_tls_result tgt_tls_write(struct tgt_tls *tls, const void *from, size_t count,
                                  size_t *bytes) {
  ERR_clear_error();
  return outcome(tls, SSL_write_ex(tls->ssl, from, count, bytes));
}

const char *tgt_tls_fault(const struct tgt_tls *tls) { return tls->fault; }

bool tgt_tls_is(const struct tgt_tls *tls, const char *host, const char *subsystem) {
  return tls->identity != NULL && strcmp(tls->identity->host, host) == 0 &&
         strcmp(tls->identity->subsystem, subsystem) == 0;
}
