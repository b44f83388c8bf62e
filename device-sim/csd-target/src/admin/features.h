/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Set Features and Get Features. */
#ifndef TGT_FEATURES_H
#define TGT_FEATURES_H

struct tgt_connection;
struct tgt_pending;
struct tgt_reply;

void tgt_features_set(struct tgt_connection *connection, struct tgt_pending *command,
                      struct tgt_reply *reply);
void tgt_features_get(struct tgt_connection *connection, struct tgt_pending *command,
                      struct tgt_reply *reply);

#endif
