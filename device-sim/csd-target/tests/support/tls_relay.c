/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tls_relay.h"

#include <openssl/ssl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/check.h"

enum { CHUNK = 16384, WAIT_MS = 60000 };

struct relay {
  SSL_CTX *context;
  SSL *ssl;
  int network, initiator;
};

void tls_client_make(struct tls_client *client, const char *secret, const char *host,
                     const char *subsystem, int version) {
  struct tgt_secret parsed;
  *client = (struct tls_client){0};
  if (tgt_secret_parse(secret, strlen(secret), TGT_TLS_SECRET, &parsed) != NULL ||
      !tgt_psk_derive(&parsed, host, subsystem, version, &client->psk)) {
    abort();
  }
}

static int use(SSL *ssl, const EVP_MD *hash, const unsigned char **id, size_t *id_bytes,
               SSL_SESSION **session) {
  static const unsigned char ids[2][2] = {{0x13, 0x01}, {0x13, 0x02}};
  const struct tls_client *client = SSL_get_app_data(ssl);
  (void)hash;
  *session = NULL;
  if (client->without_key) {
    return 1;
  }
  *session = SSL_SESSION_new();
  *id = (const unsigned char *)client->psk.identity;
  *id_bytes = strlen(client->psk.identity);
  return SSL_SESSION_set1_master_key(*session, client->psk.key, client->psk.bytes) &&
         SSL_SESSION_set_cipher(*session, SSL_CIPHER_find(ssl, ids[client->psk.hash - 1])) &&
         SSL_SESSION_set_protocol_version(*session, TLS1_3_VERSION);
}

static bool write_all(int file, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    const ssize_t sent = send(file, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) {
      return false;
    }
    bytes += sent, count -= (size_t)sent;
  }
  return true;
}

/* Both ways until one side ends. OpenSSL's socket blocks, but is read when it has something. */
static void *run(void *argument) {
  struct relay *r = argument;
  uint8_t chunk[CHUNK];
  size_t bytes;
  bool open = true;
  while (open) {
    struct pollfd files[2] = {{.fd = r->network, .events = POLLIN},
                              {.fd = r->initiator, .events = POLLIN}};
    if (SSL_pending(r->ssl) == 0 && poll(files, 2, WAIT_MS) <= 0) {
      break;
    }
    if (SSL_pending(r->ssl) > 0 || files[0].revents != 0) {
      open = SSL_read_ex(r->ssl, chunk, sizeof chunk, &bytes) == 1 &&
             write_all(r->initiator, chunk, bytes);
    }
    if (open && files[1].revents != 0) {
      const ssize_t got = recv(r->initiator, chunk, sizeof chunk, 0);
      open = got > 0 && SSL_write_ex(r->ssl, chunk, (size_t)got, &bytes) == 1;
    }
  }
  SSL_shutdown(r->ssl);
  SSL_free(r->ssl);
  SSL_CTX_free(r->context);
  close(r->network);
  close(r->initiator);
  free(r);
  return NULL;
}

bool tls_dial(struct ini_connection *c, uint16_t port, const struct tls_client *client) {
  struct relay *r = calloc(1, sizeof *r);
  int pair[2];
  pthread_t thread;
  if (r == NULL || !ini_dial(c, port)) {
    abort();
  }
  r->network = c->file;
  r->context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_max_proto_version(r->context, client->old ? TLS1_2_VERSION : TLS1_3_VERSION);
  SSL_CTX_set_psk_use_session_callback(r->context, use);
  SSL_CTX_set_ciphersuites(r->context, client->psk.hash == TGT_SHA256 ? "TLS_AES_128_GCM_SHA256"
                                                                      : "TLS_AES_256_GCM_SHA384");
  r->ssl = SSL_new(r->context);
  SSL_set_app_data(r->ssl, (char *)(uintptr_t)client);
  SSL_set_fd(r->ssl, r->network);
  if (SSL_connect(r->ssl) != 1 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
    SSL_free(r->ssl);
    SSL_CTX_free(r->context);
    free(r);
    ini_close(c);
    return false;
  }
  r->initiator = pair[1];
  c->file = pair[0];
  if (pthread_create(&thread, NULL, run, r) != 0) {
    abort();
  }
  pthread_detach(thread);
  return true;
}
