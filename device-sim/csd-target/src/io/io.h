/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Commands of an I/O queue: those of the NVM command set here, the vendor's by vendor.h, those of
 * memory and programs by programs/programs.h. They become commands of the engine.
 */
#ifndef TGT_IO_H
#define TGT_IO_H

#include <stdbool.h>
#include <stdint.h>

struct tgt_connection;
struct tgt_pending;
struct tgt_reply;

/** Whether an opcode is one of a command set, an nvme_command_set. */
bool tgt_io_knows(const struct tgt_connection *connection, uint32_t set, uint8_t opcode);

/** Command set of a namespace; NVM of those that are not there. */
uint32_t tgt_io_set_of(const struct tgt_connection *connection, uint32_t nsid);

void tgt_io_run(struct tgt_connection *connection, struct tgt_pending *command,
                struct tgt_reply *reply);

#endif
