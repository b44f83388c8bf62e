/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The life of a store that is served: from its opening to its end, and how connections begin. */
#ifndef TGT_SERVER_H
#define TGT_SERVER_H

#include "directory.h"

/**
 * Opens the device and sets up the lists; listens to nothing yet.
 *
 * @param options  must stay
 * @return 0, or a negated csd_status; csd_last_error() says more
 */
int tgt_server_open(struct tgt_server *server, const struct tgt_options *options);

/**
 * The most memory that connections and controllers come to take, in bytes, with the stacks of their
 * threads. What sockets hold is the kernel's, and not in it.
 */
uint64_t tgt_server_connection_bytes(const struct tgt_server *server);

/**
 * Serves one more store behind the first one's port; before any connection is taken.
 *
 * @return NULL, or what is in the way
 */
const char *tgt_server_join(struct tgt_server *front, struct tgt_server *server);

/**
 * Ends all connections, waits for their threads, flushes and closes, with all that have joined.
 *
 * @return 0, or what failed
 */
int tgt_server_close(struct tgt_server *server);

/**
 * Takes over an accepted socket: a thread of its own serves it, unless a limit is reached, which is
 * logged; the socket is closed then.
 */
void tgt_server_take(struct tgt_server *server, int file, const char *peer);

#endif
