/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * What all connections share: the store, its names, the lists of connections and controllers, the
 * limits. Stores behind one port know each other.
 */
#ifndef TGT_DIRECTORY_H
#define TGT_DIRECTORY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "identity.h"
#include "io/lease.h"
#include "options.h"

struct csd_device;
struct tgt_connection;
struct tgt_controller;
struct tgt_tls_server;

/** A store that is served, and who is connected to it. */
struct tgt_server {
  const struct tgt_options *options;
  struct tgt_server *front, *next; /* of several stores: the first one, which takes connections over
                                      until they say which they are for; and one more */
  struct csd_device *device;
  struct tgt_identity identity;
  struct tgt_tls_server *tls;                   /* NULL: connections are as they come */
  _Atomic uint64_t reads, writes, media_errors; /* commands of all hosts, for the SMART log */
  _Atomic uint64_t refused; /* hosts: at Connect, by authentication, in a handshake of TLS */
  int64_t started_ms;
  struct tgt_leases leases;
  pthread_mutex_t lock; /* guards what follows; taken before a controller's lock */
  pthread_cond_t idle;  /* the last connection has gone */
  struct tgt_connection *connections;
  struct tgt_controller *controllers;
  uint32_t connection_count;
  uint32_t unassociated_count; /* without Connect, and not displaced */
  uint32_t controller_count;   /* not displaced */
  uint16_t last_controller_id; /* that was given, or would have been before the first */
  bool stopping;
};

/** The server behind the same port that has a subsystem of this name; NULL: none has. */
struct tgt_server *tgt_directory_named(const struct tgt_server *server, const char *subsystem);

/**
 * Hands a connection without Connect over to another server behind the same port; from its own
 * thread.
 *
 * @return NULL, or what is in the way: it then stays where it is
 */
const char *tgt_directory_move(struct tgt_connection *connection, struct tgt_server *to);

/**
 * Enters a connection into the list, if limits allow. Peers without Connect have at most half of
 * the room that queues leave. If they have it, the oldest of them is displaced: its connection
 * ends.
 *
 * @return NULL, or what is in the way
 */
const char *tgt_directory_enter(struct tgt_server *server, struct tgt_connection *connection);
/** Takes it out again. */
void tgt_directory_leave(struct tgt_server *server, struct tgt_connection *connection);
/** Notes that a connection has become a queue. */
void tgt_directory_associated(struct tgt_server *server, struct tgt_connection *connection);

#endif
