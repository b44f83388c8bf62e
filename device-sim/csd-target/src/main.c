/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The daemon: options, store, listening, and an orderly end at SIGTERM or SIGINT. */
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "csd/csd.h"
#include "listener.h"
#include "log.h"
#include "metrics.h"
#include "options.h"
#include "server.h"

/* Store and identity may just have been created: after a power failure they are to be found. */
static void sync_folder(const char *path) {
  char copy[PATH_MAX];
  if (realpath(path, copy) == NULL) {
    return;
  }
  const int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    return;
  }
  (void)fsync(folder);
  close(folder);
}

static int stop_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a limit of the file's size is an error of a write */
  if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0) {
    return -1;
  }
  return signalfd(-1, &signals, SFD_CLOEXEC);
}

/* What there is to hold all limits against: what peers can make the daemon take at most. */
static void tell_memory(const struct tgt_server *server) {
  enum { MIB = 1 << 20 };
  struct csd_device_memory m;
  csd_device_get_memory(server->device, &m);
  const uint64_t connections = tgt_server_connection_bytes(server);
  const uint64_t all = m.pages + m.index + m.resources + m.sessions + connections;
  tgt_log(TGT_INFO,
          "memory at most %llu MiB: posting pages %llu, page index %llu, live docs %llu, "
          "sessions %llu, connections %llu",
          (unsigned long long)(all / MIB + 1), (unsigned long long)(m.pages / MIB),
          (unsigned long long)(m.index / MIB), (unsigned long long)(m.resources / MIB),
          (unsigned long long)(m.sessions / MIB), (unsigned long long)(connections / MIB));
}

static struct tgt_server servers[TGT_MAX_STORES];

/* Opens a store; says what is in the way. @return whether it is served */
static bool open_store(struct tgt_server *server, const struct tgt_options *options) {
  const int status = tgt_server_open(server, options);
  if (status < 0) {
    fprintf(stderr, "csd-target: %s: %s: %s\n", options->store, csd_status_name(status),
            csd_last_error());
    return false;
  }
  sync_folder(options->store);
  const char *why = server == servers ? NULL : tgt_server_join(servers, server);
  if (why != NULL) {
    fprintf(stderr, "csd-target: %s: %s\n", options->store, why);
    (void)tgt_server_close(server);
    return false;
  }
  return true;
}

static void announce(const struct tgt_server *server, uint16_t port) {
  const struct tgt_options *o = server->options;
  printf("csd-target: %s on %s port %u\n", server->identity.subsystem, o->address, port);
  tgt_log(TGT_INFO, "serving %s, %llu bytes, as %s on %s port %u", o->store,
          (unsigned long long)o->capacity_bytes, server->identity.subsystem, o->address, port);
  tell_memory(server);
}

/* Serves until a stop signal. @return the exit status */
static int serve(const struct tgt_options *options, int listener, uint16_t port, int stop,
                 struct tgt_metrics *metrics) {
  static struct tgt_options others[TGT_MAX_STORES];
  bool good = open_store(&servers[0], options);
  const bool opened = good;
  for (uint32_t i = 0; good && i < options->other_count; i++) {
    others[i] = tgt_options_of(options, &options->others[i]);
    good = open_store(&servers[i + 1], &others[i]);
  }
  if (!good) {
    if (opened) {
      (void)tgt_server_close(&servers[0]);
    }
    return 1;
  }
  if (metrics != NULL && !tgt_metrics_start(metrics, &servers[0])) {
    tgt_log(TGT_ERROR, "no metrics: there is no thread to be had");
  }
  for (const struct tgt_server *s = servers; s != NULL; s = s->next) {
    announce(s, port);
  }
  fflush(stdout);
  tgt_accept(&servers[0], listener, stop);
  close(listener);
  tgt_log(TGT_INFO, "stopping");
  tgt_metrics_stop(metrics);
  const int status = tgt_server_close(&servers[0]);
  if (status < 0) {
    tgt_log(TGT_ERROR, "closing: %s: %s", csd_status_name(status), csd_last_error());
    return 1;
  }
  tgt_log(TGT_INFO, "stopped");
  return 0;
}

/* "status PORT". @return whether that is what it is */
static bool is_status(int count, char **arguments, int *status) {
  char *end = NULL;
  if (count < 2 || strcmp(arguments[1], "status") != 0) {
    return false;
  }
  const long port = count == 3 ? strtol(arguments[2], &end, 10) : 0;
  if (port < 1 || port > 65535 || *end != 0) {
    fprintf(stderr, "csd-target: status takes the port that --metrics has\n");
    *status = 2;
  } else {
    *status = tgt_metrics_print((uint16_t)port);
  }
  return true;
}

int main(int count, char **arguments) {
  struct tgt_options options;
  int asked;
  if (is_status(count, arguments, &asked)) {
    return asked;
  }
  const int parsed = tgt_options_parse(&options, count, arguments);
  if (parsed != 0) {
    return parsed == 1 ? 0 : 2;
  }
  tgt_log_set_level(options.log_level);
  const int stop = stop_signals();
  const bool keyed = options.chap_keys.count + options.tls_keys.count > 0,
             trusted = options.trust_network || keyed;
  uint16_t port = options.port;
  const int listener = stop < 0 ? -1 : tgt_listen(options.address, trusted, &port);
  if (listener < 0) {
    return 1;
  }
  if (!tgt_log_start()) {
    fprintf(stderr, "csd-target: no thread to be had\n");
    return 1;
  }
  if (options.trust_network && !keyed) {
    tgt_log(TGT_WARNING, "no TLS and no authentication: whoever reaches %s port %u has the store",
            options.address, port);
  } else if (keyed && options.tls_keys.count == 0) {
    tgt_log(TGT_INFO,
            "hosts authenticate, but without TLS what follows is neither hidden nor sealed");
  }
  struct tgt_metrics *metrics = NULL;
  if (options.metrics) {
    uint16_t metrics_port = options.metrics_port;
    metrics = tgt_metrics_listen(&metrics_port);
    if (metrics == NULL) {
      return 1;
    }
    tgt_log(TGT_INFO, "metrics on 127.0.0.1 port %u", metrics_port);
  }
  const int status = serve(&options, listener, port, stop, metrics);
  tgt_keys_free(&options.chap_keys);
  tgt_keys_free(&options.tls_keys);
  tgt_log_stop();
  return status;
}
