/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * What one host may have of what all share: connections, controllers, sessions, live docs, and
 * their memory, memory namespaces; of leases io/lease.c sees to it. A host is its NQN, with all its
 * controllers; with keys that is the NQN that was proved, so that nobody uses up what is another's.
 */
#ifndef TGT_SHARE_H
#define TGT_SHARE_H

#include <stdbool.h>
#include <stdint.h>

struct tgt_connection;
struct tgt_controller;

/**
 * Makes a connection of a controller a queue that takes commands, as its host has authenticated, or
 * need not.
 *
 * @return false if the host has its share: the connection ends
 */
bool tgt_share_admit(struct tgt_connection *connection);

/**
 * Takes so much more of the memory that memory namespaces share.
 *
 * @return false if there is no more, or the host has its share; nothing is taken then
 */
bool tgt_share_memory(struct tgt_controller *controller, uint64_t bytes);

/** Takes a session, or else a resource, into a controller's set. @return 0, or a csd_status */
int tgt_share_remember(struct tgt_controller *controller, bool session, uint32_t number,
                       uint32_t bytes);

#endif
