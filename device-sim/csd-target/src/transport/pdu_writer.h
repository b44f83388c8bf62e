/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Writing: each function sends whole PDUs. @return false if the connection ends; reason noted.
 *
 * What is short is held back, so that answers that are ready together take one system call and wake
 * the host once: whoever is about to wait for the host calls tgt_write_flush().
 */
#ifndef TGT_PDU_WRITER_H
#define TGT_PDU_WRITER_H

#include <stdbool.h>
#include <stdint.h>

struct nvme_command;
struct tgt_connection;
struct tgt_reply;

/** ICResp; `digests` are granted as they were asked for. */
bool tgt_write_parameters(struct tgt_connection *connection, uint8_t digests);

/** R2T for all data of a command. */
bool tgt_write_ready(struct tgt_connection *connection, uint16_t cid, uint16_t tag, uint32_t bytes);

/** Data, if there are any, then the completion. */
bool tgt_write_reply(struct tgt_connection *connection, const struct nvme_command *command,
                     const struct tgt_reply *reply);

/** Sends what is held back. */
bool tgt_write_flush(struct tgt_connection *connection);

/** C2HTermReq with what the connection noted; errors do not matter any more. */
void tgt_write_termination(struct tgt_connection *connection);

#endif
