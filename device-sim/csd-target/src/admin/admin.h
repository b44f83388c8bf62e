/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Admin commands of a live admin queue. */
#ifndef TGT_ADMIN_H
#define TGT_ADMIN_H

struct tgt_connection;
struct tgt_pending;
struct tgt_reply;

void tgt_admin_run(struct tgt_connection *connection, struct tgt_pending *command,
                   struct tgt_reply *reply);

#endif
