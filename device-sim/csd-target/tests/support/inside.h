/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The target in this process, over socket pairs: for tests that reach into it. */
#ifndef INSIDE_H
#define INSIDE_H

#include "initiator.h"
#include "server.h"

struct inside {
  struct tgt_options options;
  struct tgt_server server;
  uint32_t configuration;          /* of the controller, CC */
  struct ini_connection admin, io; /* a host's, connected */
};

/** Options as a daemon has them, a scratch store of 64 LBAs, log lines of errors only. */
void inside_defaults(struct inside *inside, const char *name);

/** Opens the server and connects the host. */
void inside_open(struct inside *inside);

/**
 * Connects a host as one more controller; its connections take the place of those that are there.
 *
 * @return whether all went well
 */
bool inside_connect(struct inside *inside, const char *host);

/** Writes pages from an LBA on, one with each command. Ends the test if that fails. */
void inside_write(struct inside *inside, uint64_t lba, const uint8_t *pages, uint32_t count);

/** Closes the server. @return what it says: 0, or a negated status */
int inside_close(struct inside *inside);

#endif
