/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "controller/share.h"

#include <string.h>

#include "controller/controller.h"
#include "csd/csd.h"
#include "device/session/resource.h"
#include "directory.h"
#include "log.h"
#include "options.h"
#include "transport/connection.h"

/* What one host has, with all controllers of its name. */
struct usage {
  uint32_t controllers, connections, sessions, resources;
  uint64_t session_bytes, resource_bytes, memory_bytes;
};

/* The server's lock is held, so that looking and taking are one. @param host  NULL: all of them */
static struct usage usage_of(const struct tgt_server *server, const char *host) {
  struct usage all = {0};
  for (struct tgt_controller *c = server->controllers; c != NULL; c = c->next) {
    if (host != NULL && strcmp(c->host, host) != 0) {
      continue;
    }
    pthread_mutex_lock(&c->lock);
    all.controllers += c->authenticated; /* others bear a name that is not proved */
    all.connections += c->live;
    all.sessions += c->sessions.count;
    all.session_bytes += c->sessions.bytes;
    all.resources += c->resources.count;
    all.resource_bytes += c->resources.bytes;
    all.memory_bytes += c->memory_bytes;
    pthread_mutex_unlock(&c->lock);
  }
  return all;
}

/* @return NULL if the connection is counted now */
static const char *admit(struct tgt_connection *connection) {
  struct tgt_controller *c = connection->controller;
  struct tgt_server *server = c->server;
  const char *why = NULL;
  pthread_mutex_lock(&server->lock);
  const struct usage host = usage_of(server, c->host);
  if (host.connections >= tgt_options_share(server->options, server->options->max_connections)) {
    why = "it has its share of the connections";
  } else if (connection->queue_id == 0 &&
             host.controllers >=
                 tgt_options_share(server->options, server->options->max_controllers)) {
    why = "it has its share of the controllers";
  } else {
    pthread_mutex_lock(&c->lock);
    c->live++;
    c->authenticated = true;
    connection->admitted = true;
    pthread_mutex_unlock(&c->lock);
  }
  pthread_mutex_unlock(&server->lock);
  return why;
}

bool tgt_share_admit(struct tgt_connection *c) {
  const char *why = admit(c);
  if (why != NULL) {
    tgt_log(TGT_WARNING, "%s: host %s is refused: %s", c->peer, c->controller->host, why);
    return tgt_connection_end(c, "refused: the host has its share");
  }
  c->state = TGT_LIVE;
  tgt_directory_associated(c->server, c);
  return true;
}

int tgt_share_remember(struct tgt_controller *c, bool session, uint32_t number, uint32_t bytes) {
  struct tgt_server *server = c->server;
  const struct tgt_options *o = server->options;
  int status = 0;
  pthread_mutex_lock(&server->lock);
  const struct usage host = usage_of(server, c->host);
  const uint64_t count = session ? host.sessions : host.resources;
  const uint64_t taken = session ? host.session_bytes : host.resource_bytes;
  if (count >= tgt_options_share(o, session ? o->sessions : CSD_MAX_RESOURCES)) {
    status = session ? CSD_STATUS_TOO_MANY_SESSIONS : CSD_STATUS_NO_MEMORY;
  } else if (taken + bytes > tgt_options_share(o, session ? o->session_bytes : o->resource_bytes)) {
    status = CSD_STATUS_NO_MEMORY;
  } else {
    pthread_mutex_lock(&c->lock);
    if (!tgt_id_set_add(session ? &c->sessions : &c->resources, number, bytes,
                        (uint32_t)(tgt_now_ms() / 1000))) {
      status = CSD_STATUS_NO_MEMORY;
    }
    pthread_mutex_unlock(&c->lock);
  }
  pthread_mutex_unlock(&server->lock);
  return status;
}

bool tgt_share_memory(struct tgt_controller *c, uint64_t bytes) {
  struct tgt_server *server = c->server;
  const uint64_t all = server->options->program_bytes;
  pthread_mutex_lock(&server->lock);
  const bool fits =
      usage_of(server, NULL).memory_bytes + bytes <= all &&
      usage_of(server, c->host).memory_bytes + bytes <= tgt_options_share(server->options, all);
  if (fits) {
    pthread_mutex_lock(&c->lock);
    c->memory_bytes += bytes;
    pthread_mutex_unlock(&c->lock);
  }
  pthread_mutex_unlock(&server->lock);
  return fits;
}
