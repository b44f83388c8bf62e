/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The life of a connection on its thread: reads PDUs, runs commands in the order in which they
 * came, one at a time, writes the answers, and keeps the limits of time.
 */
#ifndef TGT_SERVE_H
#define TGT_SERVE_H

struct tgt_connection;

/** Serves until the connection ends, on the calling thread; logs why, once. */
void tgt_serve(struct tgt_connection *connection);

#endif
