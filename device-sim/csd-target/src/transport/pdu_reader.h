/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Reading: one PDU at a time, checked against all that NVMe/TCP says of it and against what may
 * come in this state. A PDU that breaks a rule ends the connection (tgt_connection_fatal).
 */
#ifndef TGT_PDU_READER_H
#define TGT_PDU_READER_H

#include <stdbool.h>
#include <stdint.h>

struct tgt_connection;

/**
 * Reads a PDU and takes it in: parameters of the connection, a command into the ring, or data of a
 * command of the ring.
 *
 * @param timeout_ms  for its first byte; -1: for ever
 * @param idle        set to true if there was none in that time; else false
 * @return false if the connection ends; its reason is noted
 */
bool tgt_pdu_read(struct tgt_connection *connection, int64_t timeout_ms, bool *idle);

/** Whether the next PDU has come as a whole, so that nobody has to wait for it. */
bool tgt_pdu_is_here(const struct tgt_connection *connection);

/** Whether that PDU is a command's capsule, and the ring has room for it. */
bool tgt_pdu_is_command(const struct tgt_connection *connection);

#endif
