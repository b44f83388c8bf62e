/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The life of a command between its capsule and its answer. */
#ifndef TGT_COMMANDS_H
#define TGT_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

struct tgt_connection;

/** Asks for data of commands, as far as memory allows. @return false if the connection ends */
bool tgt_commands_ask(struct tgt_connection *connection);

/**
 * Checks the command that came last, if that has not been done: whether it may have data, where
 * they are, how many. At most one command may come between two calls.
 */
void tgt_commands_admit(struct tgt_connection *connection);

/**
 * Checks the command that came last, then runs and answers what stands first and has all its data.
 * A command that breaks a rule is answered with a status in its turn.
 *
 * @return false if the connection ends
 */
bool tgt_commands_run(struct tgt_connection *connection);

/** Whether data of a command are on their way. */
bool tgt_commands_awaited(const struct tgt_connection *connection);

#endif
