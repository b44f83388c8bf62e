/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Answers of commands. */
#ifndef TGT_REPLY_H
#define TGT_REPLY_H

#include <stdint.h>

struct tgt_connection;
struct tgt_pending;
struct tgt_reply;

/** A status as an answer. */
void tgt_reply_status(struct tgt_reply *reply, uint16_t status);

/**
 * Answers with `bytes` of `page` from `offset` on, zeros beyond `page_bytes`; as the host's buffer
 * has room, else NVME_SGL_LENGTH_INVALID.
 */
void tgt_reply_data(struct tgt_connection *connection, const struct tgt_pending *command,
                    struct tgt_reply *reply, const void *page, uint64_t page_bytes, uint64_t offset,
                    uint32_t bytes);

#endif
