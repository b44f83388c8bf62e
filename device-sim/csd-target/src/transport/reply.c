/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "transport/reply.h"

#include "transport/connection.h"

void tgt_reply_status(struct tgt_reply *reply, uint16_t status) {
  *reply = (struct tgt_reply){.status = status};
}

void tgt_reply_data(struct tgt_connection *c, const struct tgt_pending *command,
                    struct tgt_reply *reply, const void *page, uint64_t page_bytes, uint64_t offset,
                    uint32_t bytes) {
  uint8_t *out = tgt_connection_out(c);
  if (command->sqe.sgl_type != NVME_SGL_TRANSPORT || command->sqe.sgl_length < bytes) {
    tgt_reply_status(reply, NVME_SGL_LENGTH_INVALID | NVME_DNR);
  } else if (out == NULL) {
    tgt_reply_status(reply, NVME_INTERNAL);
  } else {
    memset(out, 0, bytes);
    if (offset < page_bytes) {
      const uint64_t there = page_bytes - offset;
      memcpy(out, (const uint8_t *)page + offset, there < bytes ? there : bytes);
    }
    reply->data_bytes = bytes;
  }
}
