/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* A build without OpenSSL. */
#include "transport/tls.h"

struct tgt_tls_server *tgt_tls_server_make(const struct tgt_keys *keys, const char *subsystem) {
  (void)keys, (void)subsystem;
  return NULL;
}

bool tgt_tls_server_add(struct tgt_tls_server *server, const struct tgt_keys *keys,
                        const char *subsystem) {
  (void)server, (void)keys, (void)subsystem;
  return false;
}

void tgt_tls_server_free(struct tgt_tls_server *server) { (void)server; }

struct tgt_tls *tgt_tls_begin(struct tgt_tls_server *server, int file) {
  (void)server, (void)file;
  return NULL;
}

void tgt_tls_close(struct tgt_tls *tls) { (void)tls; }

void tgt_tls_end(struct tgt_tls *tls) { (void)tls; }

enum tgt_tls_result tgt_tls_read(struct tgt_tls *tls, void *to, size_t room, size_t *bytes) {
  (void)tls, (void)to, (void)room, (void)bytes;
  return TGT_TLS_FAILED;
}

enum tgt_tls_result tgt_tls_write(struct tgt_tls *tls, const void *from, size_t count,
                                  size_t *bytes) {
  (void)tls, (void)from, (void)count, (void)bytes;
  return TGT_TLS_FAILED;
}

const char *tgt_tls_fault(const struct tgt_tls *tls) {
  (void)tls;
  return "this build has no TLS";
}

bool tgt_tls_is(const struct tgt_tls *tls, const char *host, const char *subsystem) {
  (void)tls, (void)host, (void)subsystem;
  return false;
}
