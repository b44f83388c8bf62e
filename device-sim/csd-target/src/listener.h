/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The listening socket. */
#ifndef TGT_LISTENER_H
#define TGT_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

struct tgt_server;

/**
 * Listens on a numeric address.
 *
 * @param trust_network  whether it may be another address than loopback: nothing but the network
 *                       keeps anybody from the store
 * @param port  0: any; set to the one it is
 * @return the socket, or -1 with what is wrong printed
 */
int tgt_listen(const char *address, bool trust_network, uint16_t *port);

/** Hands connections over to the server until `stop` can be read from. */
void tgt_accept(struct tgt_server *server, int listener, int stop);

#endif
