/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Get Log Page. */
#ifndef TGT_LOG_PAGES_H
#define TGT_LOG_PAGES_H

struct tgt_connection;
struct tgt_pending;
struct tgt_reply;

void tgt_log_pages_run(struct tgt_connection *connection, struct tgt_pending *command,
                       struct tgt_reply *reply);

#endif
