/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Fabrics commands: Connect, Property Get and Set, Disconnect. */
#ifndef TGT_FABRICS_H
#define TGT_FABRICS_H

struct tgt_connection;
struct tgt_pending;
struct tgt_reply;

void tgt_fabrics_run(struct tgt_connection *connection, struct tgt_pending *command,
                     struct tgt_reply *reply);

#endif
