/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The vendor's commands, which are the wire's. */
#ifndef TGT_VENDOR_H
#define TGT_VENDOR_H

#include <stdint.h>

struct tgt_connection;
struct tgt_options;
struct tgt_pending;
struct tgt_reply;

/** Opcode of the wire that a vendor opcode stands for; 0: none. */
uint8_t tgt_vendor_opcode(const struct tgt_options *options, uint8_t opcode);

/** Runs one; `wire` is its opcode there. @return a csd_status, positive */
int tgt_vendor_run(struct tgt_connection *connection, struct tgt_pending *command, uint8_t wire,
                   struct tgt_reply *reply);

#endif
