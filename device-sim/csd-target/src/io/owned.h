/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The wire's commands as a controller may give them, whatever NVMe commands they come as. Sessions
 * and resources are those of the controller: another one's numbers are as good as numbers that do
 * not exist.
 */
#ifndef TGT_OWNED_H
#define TGT_OWNED_H

#include <stdint.h>

struct csd_submission;
struct tgt_connection;
struct tgt_pending;

/**
 * Runs a command of the wire, but LEASE, and notes what it has made or ended. A plan in its data is
 * the target's own copy, and is changed where it names what is another controller's.
 *
 * @return a csd_status, positive; *dw0 is set if it is 0
 */
int tgt_owned_run(struct tgt_connection *connection, struct tgt_pending *command,
                  struct csd_submission *submission, uint32_t *dw0);

#endif
