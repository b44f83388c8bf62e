/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Identify. */
#ifndef TGT_IDENTIFY_H
#define TGT_IDENTIFY_H

struct tgt_connection;
struct tgt_pending;
struct tgt_reply;

void tgt_identify_run(struct tgt_connection *connection, struct tgt_pending *command,
                      struct tgt_reply *reply);

#endif
