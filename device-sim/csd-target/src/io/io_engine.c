/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "io/io_engine.h"

#include "csd/csd.h"
#include "directory.h"
#include "io/status_map.h"
#include "log.h"
#include "options.h"
#include "transport/connection.h"
#include "transport/reply.h"

int tgt_io_engine(struct tgt_connection *c, struct tgt_pending *command,
                  const struct csd_submission *submission, uint32_t *dw0) {
  struct csd_completion completion;
  const uint64_t budget = c->server->options->budget;
  int count = csd_queue_submit(c->engine, submission, 1);
  bool told = false;
  if (count < 0) {
    return -count;
  }
  while ((count = csd_queue_poll(c->engine, &completion, 1, budget)) == 0) {
    if (told || (!atomic_load(&command->aborted) && tgt_connection_wanted(c))) {
      continue;
    }
    csd_queue_abort(c->engine);
    told = true;
  }
  if (count < 0) {
    return -count;
  }
  *dw0 = completion.dw0;
  return csd_completion_status(&completion);
}

void tgt_io_note(struct tgt_connection *c, const struct tgt_pending *command, uint8_t opcode,
                 int status) {
  if (status == CSD_STATUS_IO_ERROR) {
    atomic_fetch_add(&c->server->media_errors, 1);
    tgt_log(TGT_ERROR, "opcode 0x%02X: %s: %s", opcode, csd_status_name(status), csd_last_error());
  } else {
    tgt_log(TGT_DEBUG, "%s: command %u, opcode 0x%02X: %s: %s", c->peer, command->sqe.cid, opcode,
            csd_status_name(status), csd_last_error());
  }
}

void tgt_io_fail(struct tgt_connection *c, const struct tgt_pending *command, uint8_t opcode,
                 int status, struct tgt_reply *reply) {
  tgt_io_note(c, command, opcode, status);
  tgt_reply_status(reply, tgt_status_of(status, opcode));
}
