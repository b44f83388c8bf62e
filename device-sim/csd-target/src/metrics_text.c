/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "metrics_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "controller/controller.h"
#include "csd/csd.h"
#include "directory.h"
#include "transport/stream.h"

struct text {
  char *to;
  size_t room, used;
};

/* Appends a line, or nothing if there is no room for all of it. */
static void put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int bytes = vsnprintf(t->to + t->used, t->room - t->used, format, arguments);
  va_end(arguments);
  if (bytes > 0 && (size_t)bytes < t->room - t->used) {
    t->used += (size_t)bytes;
  }
  t->to[t->used] = 0;
}

static void put_metric(struct text *t, const char *name, const char *kind, const char *help,
                       uint64_t value) {
  put(t, "# HELP csd_target_%s %s\n# TYPE csd_target_%s %s\ncsd_target_%s %llu\n", name, help, name,
      kind, name, (unsigned long long)value);
}

static void put_engine(struct text *t, struct tgt_server *server) {
  struct csd_device_stats s;
  csd_device_get_stats(server->device, &s);
  put_metric(t, "commands_total", "counter", "commands of the engine", s.commands);
  put_metric(t, "commands_failed_total", "counter", "of these not OK", s.commands_failed);
  put_metric(t, "programs_total", "counter", "plans run to their end", s.programs);
  put_metric(t, "lbas_read_total", "counter", "LBAs of READ", s.lbas_read);
  put_metric(t, "lbas_written_total", "counter", "LBAs of WRITE", s.lbas_written);
  put_metric(t, "lbas_trimmed_total", "counter", "LBAs trimmed", s.lbas_trimmed);
  put_metric(t, "result_bytes_total", "counter", "bytes handed out by FETCH", s.result_bytes);
  put_metric(t, "page_hits_total", "counter", "pages found in memory", s.page_hits);
  put_metric(t, "page_loads_total", "counter", "pages read from the store", s.page_loads);
  put_metric(t, "page_evictions_total", "counter", "pages that left memory", s.page_evictions);
  put_metric(t, "page_rejects_total", "counter", "corrupt or stale pages", s.page_rejects);
  put_metric(t, "sessions", "gauge", "open sessions of all hosts", s.sessions_open);
  put_metric(t, "resources", "gauge", "live docs and sets of all hosts", s.resources);
  put_metric(t, "resource_bytes", "gauge", "their bytes", s.resource_bytes);
}

static void put_leases(struct text *t, struct tgt_server *server) {
  struct csd_lease_state state;
  tgt_lease_look(&server->leases, &state);
  put_metric(t, "writer_lease_seconds", "gauge", "left of the lease of who writes; 0: nobody does",
             state.writer_seconds);
  put_metric(t, "writer_leases", "gauge", "leases of who writes: of indexes, or of the whole store",
             state.writer_count);
  put_metric(t, "writers_total", "counter", "times that another host than before took such a lease",
             state.generation);
  put_metric(t, "reader_leases", "gauge", "leases of who reads", state.reader_count);
}

/* A name as the value of a label. Names come from peers. */
static const char *label(const char *name, char *to) {
  size_t i = 0;
  for (; name[i] != 0 && i < NVME_NQN_BYTES - 1; i++) {
    const bool plain = name[i] > 0x20 && name[i] < 0x7F && name[i] != '"' && name[i] != '\\';
    to[i] = plain ? name[i] : '?';
  }
  to[i] = 0;
  return to;
}

enum per_controller { CONNECTIONS, SESSIONS, SESSION_BYTES, RESOURCE_BYTES };

static uint64_t value_of(struct tgt_controller *c, enum per_controller what) {
  uint64_t value;
  pthread_mutex_lock(&c->lock);
  switch (what) {
    case CONNECTIONS: value = c->live; break;
    case SESSIONS: value = c->sessions.count; break;
    case SESSION_BYTES: value = c->sessions.bytes; break;
    default: value = c->resources.bytes; break;
  }
  pthread_mutex_unlock(&c->lock);
  return value;
}

/* One metric of all controllers; the server's lock is held. */
static void put_controllers(struct text *t, struct tgt_server *server, const char *metric,
                            const char *help, enum per_controller what) {
  char name[NVME_NQN_BYTES];
  put(t, "# HELP csd_target_%s %s\n# TYPE csd_target_%s gauge\n", metric, help, metric);
  for (struct tgt_controller *c = server->controllers; c != NULL; c = c->next) {
    put(t, "csd_target_%s{host=\"%s\",controller=\"%u\"} %llu\n", metric, label(c->host, name),
        c->id, (unsigned long long)value_of(c, what));
  }
}

void tgt_metrics_write(struct tgt_server *server, char *text, size_t room) {
  struct text t = {text, room, 0};
  put_metric(&t, "uptime_seconds", "gauge", "since it was started",
             (uint64_t)(tgt_now_ms() - server->started_ms) / 1000);
  put_metric(&t, "reads_total", "counter", "READ commands", atomic_load(&server->reads));
  put_metric(&t, "writes_total", "counter", "WRITE commands", atomic_load(&server->writes));
  put_metric(&t, "media_errors_total", "counter", "reads and writes that the store failed",
             atomic_load(&server->media_errors));
  put_metric(&t, "hosts_refused_total", "counter",
             "Connects refused, authentications and TLS handshakes that failed",
             atomic_load(&server->refused));
  put_engine(&t, server);
  put_leases(&t, server);
  pthread_mutex_lock(&server->lock);
  put_metric(&t, "connections", "gauge", "TCP connections", server->connection_count);
  put_metric(&t, "connections_limit", "gauge", "at most", server->options->max_connections);
  put_metric(&t, "connections_waiting", "gauge", "of these not yet a queue",
             server->unassociated_count);
  put_metric(&t, "controllers", "gauge", "controllers of hosts", server->controller_count);
  put_controllers(&t, server, "controller_connections", "queues that are served", CONNECTIONS);
  put_controllers(&t, server, "controller_sessions", "open sessions", SESSIONS);
  put_controllers(&t, server, "controller_session_bytes", "their memory", SESSION_BYTES);
  put_controllers(&t, server, "controller_resource_bytes", "of live docs and sets", RESOURCE_BYTES);
  pthread_mutex_unlock(&server->lock);
}
