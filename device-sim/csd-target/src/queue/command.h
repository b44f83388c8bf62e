/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The life of a command between its capsule and its answer. */
#ifndef TGT_COMMAND_H
#define TGT_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

struct tgt_connection;
struct tgt_pending;
struct tgt_reply;

/**
 * Checks a command that has just come as to its data: whether it may have any, where they are, how
 * many. What breaks a rule is refused with a status (`refusal`), in its turn.
 */
void tgt_command_admit(struct tgt_connection *connection, struct tgt_pending *command);

/** Asks for data of commands, as far as memory allows. @return false at the end */
bool tgt_commands_ask(struct tgt_connection *connection);

/** Runs and answers what stands first and has all its data. @return false at the end */
bool tgt_commands_run(struct tgt_connection *connection);

/** Whether data of a command are on their way. */
bool tgt_commands_awaited(const struct tgt_connection *connection);

/** Frees what the ring holds. */
void tgt_commands_drop(struct tgt_connection *connection);

/** A status as an answer. */
void tgt_reply_status(struct tgt_reply *reply, uint16_t status);

/**
 * Answers with `bytes` of `page` from `offset` on, zeros beyond `page_bytes`; as the host's buffer
 * has room, else NVME_SGL_LENGTH_INVALID.
 */
void tgt_reply_data(struct tgt_connection *connection, const struct tgt_pending *command,
                    struct tgt_reply *reply, const void *page, uint64_t page_bytes,
                    uint64_t offset, uint32_t bytes);

#endif
