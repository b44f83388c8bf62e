/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** An I/O queue's way to the engine. */
#ifndef TGT_IO_ENGINE_H
#define TGT_IO_ENGINE_H

#include <stdint.h>

struct csd_submission;
struct tgt_connection;
struct tgt_pending;
struct tgt_reply;

/**
 * Runs a command of the engine to its end, on this thread. A program ends early, as aborted, if its
 * command is aborted or nobody waits for it any more.
 *
 * @return its status, positive; *dw0 is set
 */
int tgt_io_engine(struct tgt_connection *connection, struct tgt_pending *command,
                  const struct csd_submission *submission, uint32_t *dw0);

/** Counts and logs a failure; `opcode` is the wire's. */
void tgt_io_note(struct tgt_connection *connection, const struct tgt_pending *command,
                 uint8_t opcode, int status);

/** The same, and answers with the status. */
void tgt_io_fail(struct tgt_connection *connection, const struct tgt_pending *command,
                 uint8_t opcode, int status, struct tgt_reply *reply);

#endif
