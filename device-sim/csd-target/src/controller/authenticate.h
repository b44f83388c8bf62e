/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Authentication of a queue's host: when it has to, and the commands that carry its messages. */
#ifndef TGT_AUTHENTICATE_H
#define TGT_AUTHENTICATE_H

#include <stdbool.h>
#include <stdint.h>

struct tgt_connection;
struct tgt_pending;
struct tgt_reply;

/**
 * Returns why a host may not connect at all, or NULL: over TLS it must be the one whose key it was;
 * without keys, one of those that are named. With keys the answer is the same for every host.
 */
const char *tgt_authenticate_refusal(const struct tgt_connection *connection, const char *host,
                                     const char *subsystem);

/**
 * Makes a connection that has just become a queue wait for authentication, if there are keys. That
 * of a host without key, or that is not named, fails as with a wrong secret, so that no answer says
 * which hosts have a key.
 *
 * @return what Connect's answer says of it, in its place; 0: no authentication
 */
uint32_t tgt_authenticate_begin(struct tgt_connection *connection, const char *host,
                                const char *subsystem);

/** Whether a command is one of those that carry messages of authentication. */
bool tgt_authenticate_is(const struct tgt_pending *command);

/** Authentication Send and Receive. */
void tgt_authenticate_run(struct tgt_connection *connection, struct tgt_pending *command,
                          struct tgt_reply *reply);

/** Any other command before the host has authenticated: its answer, the last one. */
void tgt_authenticate_refuse(struct tgt_connection *connection, struct tgt_reply *reply);

#endif
