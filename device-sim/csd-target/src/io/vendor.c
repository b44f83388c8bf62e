/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "io/vendor.h"

#include "controller/controller.h"
#include "csd/csd.h"
#include "directory.h"
#include "io/owned.h"
#include "options.h"
#include "transport/connection.h"

uint8_t tgt_vendor_opcode(const struct tgt_options *o, uint8_t opcode) {
  const uint8_t wire = o->wire_opcode[opcode];
  const bool model = wire == CSD_OPCODE_MODEL || wire == CSD_OPCODE_MODEL_FETCH;
  return model && !o->timing_model ? 0 : wire;
}

int tgt_vendor_run(struct tgt_connection *c, struct tgt_pending *command, uint8_t wire,
                   struct tgt_reply *reply) {
  const struct nvme_command *sqe = &command->sqe;
  struct csd_submission s = {.opcode = wire,
                             .command_id = sqe->cid,
                             .nsid = sqe->nsid,
                             .cdw2 = sqe->cdw2,
                             .cdw3 = sqe->cdw3,
                             .metadata = sqe->metadata,
                             .data = (uint64_t)(uintptr_t)command->data,
                             .data_bytes = command->data_bytes,
                             .cdw10 = sqe->cdw10,
                             .cdw11 = sqe->cdw11,
                             .cdw12 = sqe->cdw12,
                             .cdw13 = sqe->cdw13,
                             .cdw14 = sqe->cdw14,
                             .cdw15 = sqe->cdw15};
  const bool to_host = wire == CSD_OPCODE_FETCH || wire == CSD_OPCODE_MODEL_FETCH ||
                       wire == CSD_OPCODE_READ_IDX || wire == CSD_OPCODE_LEASE;
  uint32_t dw0 = 0;
  if (command->data == NULL) {
    s.data_bytes = sqe->sgl_length; /* none, unless it is to the host */
  }
  if (to_host) {
    s.data = (uint64_t)(uintptr_t)tgt_connection_out(c);
    if (s.data == 0) {
      return CSD_STATUS_NO_MEMORY;
    }
  }
  if (wire == CSD_OPCODE_LEASE) {
    return tgt_lease_run(&c->server->leases, &c->controller->leases, sqe, tgt_connection_out(c),
                         reply);
  }
  const int status = tgt_owned_run(c, command, &s, &dw0);
  if (status != 0) {
    return status;
  }
  reply->result = dw0;
  if (to_host) {
    reply->data_bytes = dw0;
  }
  return 0;
}
