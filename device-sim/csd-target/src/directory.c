/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "directory.h"

#include <string.h>

#include "transport/connection.h"

struct tgt_server *tgt_directory_named(const struct tgt_server *server, const char *subsystem) {
  struct tgt_server *s = server->front;
  while (s != NULL && strcmp(s->identity.subsystem, subsystem) != 0) {
    s = s->next;
  }
  return s;
}

/* Ends the connection that has been without Connect for longest; the lock is held. A host needs
   milliseconds for it, so that this is a peer which has no use for its place. */
static void displace_one(struct tgt_server *server) {
  struct tgt_connection *oldest = NULL;
  for (struct tgt_connection *c = server->connections; c != NULL; c = c->next) {
    if (!c->associated && !c->displaced) {
      oldest = c; /* new ones are put in front */
    }
  }
  if (oldest != NULL) {
    oldest->displaced = true;
    server->unassociated_count--;
    tgt_connection_kill(oldest, "made room for others: no Connect yet");
  }
}

/* Puts a connection without Connect into the list, if limits allow; the lock is held. */
static const char *enter(struct tgt_server *server, struct tgt_connection *c) {
  const uint32_t limit = server->options->max_connections;
  if (server->stopping) {
    return "the target stops";
  }
  if (server->connection_count >= limit) {
    return "too many connections";
  }
  const uint32_t room = limit - (server->connection_count - server->unassociated_count);
  if (server->unassociated_count >= (room + 1) / 2) {
    displace_one(server);
  }
  c->previous = NULL;
  c->next = server->connections;
  if (c->next != NULL) {
    c->next->previous = c;
  }
  server->connections = c;
  server->connection_count++;
  server->unassociated_count += c->displaced ? 0 : 1;
  return NULL;
}

/* Takes a connection out of the list, where it is still counted; the lock is held. */
static void unlink_one(struct tgt_server *server, struct tgt_connection *c) {
  if (c->next != NULL) {
    c->next->previous = c->previous;
  }
  if (c->previous != NULL) {
    c->previous->next = c->next;
  }
  if (server->connections == c) {
    server->connections = c->next;
  }
  if (!c->associated && !c->displaced) {
    server->unassociated_count--;
  }
}

const char *tgt_directory_enter(struct tgt_server *server, struct tgt_connection *c) {
  pthread_mutex_lock(&server->lock);
  const char *why = enter(server, c);
  pthread_mutex_unlock(&server->lock);
  return why;
}

/* The one whose address is lower is locked first, by whoever needs two. */
static void lock_both(struct tgt_server *a, struct tgt_server *b) {
  pthread_mutex_lock((uintptr_t)a < (uintptr_t)b ? &a->lock : &b->lock);
  pthread_mutex_lock((uintptr_t)a < (uintptr_t)b ? &b->lock : &a->lock);
}

const char *tgt_directory_move(struct tgt_connection *c, struct tgt_server *to) {
  struct tgt_server *from = c->server;
  lock_both(from, to);
  unlink_one(from, c);
  const char *why = enter(to, c);
  if (why != NULL) { /* back: there it had a place */
    c->previous = NULL;
    c->next = from->connections;
    if (c->next != NULL) {
      c->next->previous = c;
    }
    from->connections = c;
    from->unassociated_count += c->displaced ? 0 : 1;
  } else {
    c->server = to;
    c->options = to->options;
    if (--from->connection_count == 0) {
      pthread_cond_signal(&from->idle);
    }
  }
  pthread_mutex_unlock(&from->lock);
  pthread_mutex_unlock(&to->lock);
  return why;
}

void tgt_directory_associated(struct tgt_server *server, struct tgt_connection *c) {
  pthread_mutex_lock(&server->lock);
  if (!c->displaced) { /* else it is being ended, and is counted no more */
    c->associated = true;
    server->unassociated_count--;
  }
  pthread_mutex_unlock(&server->lock);
}

void tgt_directory_leave(struct tgt_server *server, struct tgt_connection *c) {
  pthread_mutex_lock(&server->lock);
  unlink_one(server, c);
  pthread_mutex_unlock(&server->lock);
  tgt_connection_free(c);
  /* Last of all: the server may be gone as soon as nobody is counted. */
  pthread_mutex_lock(&server->lock);
  if (--server->connection_count == 0) {
    pthread_cond_signal(&server->idle);
  }
  pthread_mutex_unlock(&server->lock);
}
