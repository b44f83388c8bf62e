/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "io/io.h"

#include "controller/controller.h"
#include "csd/csd.h"
#include "directory.h"
#include "io/io_engine.h"
#include "io/vendor.h"
#include "log.h"
#include "options.h"
#include "programs/programs.h"
#include "transport/connection.h"
#include "transport/reply.h"

/* CDW12 of Read, Write and Write Zeroes: blocks - 1, then flags of which only FUA has a meaning
   here; protection information there is none. CDW13 and on are hints. */
enum { BLOCKS_MASK = 0xFFFF, FORCE_UNIT_ACCESS = 1 << 30, PROTECTION = 15 << 26 };
enum { RANGES_MASK = 0xFF, DEALLOCATE = 4, ZEROES_CHUNK = TGT_MAX_TRANSFER / CSD_LBA_BYTES };

uint32_t tgt_io_set_of(const struct tgt_connection *c, uint32_t nsid) {
  if (nsid < NVME_MEMORY_NAMESPACE || nsid > NVME_COMPUTE_NAMESPACE ||
      !tgt_programs_are_on(c->controller)) {
    return NVME_SET_NVM;
  }
  return nsid == NVME_MEMORY_NAMESPACE ? NVME_SET_MEMORY : NVME_SET_PROGRAMS;
}

bool tgt_io_knows(const struct tgt_connection *c, uint32_t set, uint8_t opcode) {
  if (set == NVME_SET_MEMORY) {
    return opcode == NVME_MEMORY_COPY || opcode == NVME_MEMORY_READ || opcode == NVME_MEMORY_FILL ||
           opcode == NVME_MEMORY_WRITE;
  }
  if (set == NVME_SET_PROGRAMS) {
    return opcode == NVME_EXECUTE_PROGRAM;
  }
  switch (opcode) {
    case NVME_IO_FLUSH:
    case NVME_IO_WRITE:
    case NVME_IO_READ:
    case NVME_IO_WRITE_ZEROES:
    case NVME_IO_DATASET_MANAGEMENT: return true;
    default: return tgt_vendor_opcode(c->server->options, opcode) != 0;
  }
}

static struct csd_submission lba_command(uint8_t opcode, const struct nvme_command *sqe) {
  return (struct csd_submission){.opcode = opcode,
                                 .nsid = NVME_NAMESPACE,
                                 .cdw10 = sqe->cdw10,
                                 .cdw11 = sqe->cdw11,
                                 .cdw12 = sqe->cdw12 & BLOCKS_MASK};
}

static uint32_t transfer_bytes(const struct nvme_command *sqe) {
  return ((sqe->cdw12 & BLOCKS_MASK) + 1) * CSD_LBA_BYTES;
}

static int flush(struct tgt_connection *c, struct tgt_pending *command) {
  const struct csd_submission s = {.opcode = CSD_OPCODE_FLUSH, .nsid = NVME_NAMESPACE};
  uint32_t dw0;
  return tgt_io_engine(c, command, &s, &dw0);
}

/* What a host may have asked for: that a write is durable when it is answered. */
static int settle(struct tgt_connection *c, struct tgt_pending *command) {
  struct tgt_controller *controller = c->controller;
  pthread_mutex_lock(&controller->lock);
  const bool cached = controller->features.write_cache;
  pthread_mutex_unlock(&controller->lock);
  const bool forced = command->sqe.opcode != NVME_IO_DATASET_MANAGEMENT &&
                      (command->sqe.cdw12 & FORCE_UNIT_ACCESS) != 0;
  return cached && !forced ? 0 : -csd_queue_sync(c->engine);
}

static int read_lbas(struct tgt_connection *c, struct tgt_pending *command,
                     struct tgt_reply *reply) {
  struct csd_submission s = lba_command(CSD_OPCODE_READ, &command->sqe);
  uint32_t dw0;
  s.data_bytes = transfer_bytes(&command->sqe);
  s.data = (uint64_t)(uintptr_t)tgt_connection_out(c);
  if (s.data == 0) {
    return CSD_STATUS_NO_MEMORY;
  }
  atomic_fetch_add(&c->server->reads, 1);
  const int status = tgt_io_engine(c, command, &s, &dw0);
  if (status == 0) {
    reply->data_bytes = (uint32_t)s.data_bytes;
  }
  return status;
}

/* @return 0, or LOCKED: another host writes, or has written since this one did */
static int check_writer(const struct tgt_connection *c) {
  return tgt_lease_lets_write(&c->server->leases, &c->controller->leases) ? 0 : CSD_STATUS_LOCKED;
}

static int write_lbas(struct tgt_connection *c, struct tgt_pending *command) {
  struct csd_submission s = lba_command(CSD_OPCODE_WRITE, &command->sqe);
  uint32_t dw0;
  s.data_bytes = transfer_bytes(&command->sqe);
  s.data = (uint64_t)(uintptr_t)command->data;
  atomic_fetch_add(&c->server->writes, 1);
  const int status = tgt_io_engine(c, command, &s, &dw0);
  return status == 0 ? settle(c, command) : status;
}

static int write_zeroes(struct tgt_connection *c, struct tgt_pending *command) {
  struct csd_submission s = lba_command(CSD_OPCODE_WRITE, &command->sqe);
  const uint64_t capacity = c->server->options->capacity_bytes / CSD_LBA_BYTES;
  uint64_t lba = (uint64_t)s.cdw11 << 32 | s.cdw10, left = (uint64_t)s.cdw12 + 1;
  uint32_t dw0;
  if (lba >= capacity || left > capacity - lba) {
    return CSD_STATUS_OUT_OF_RANGE;
  }
  uint8_t *zeros = tgt_connection_out(c);
  if (zeros == NULL) {
    return CSD_STATUS_NO_MEMORY;
  }
  memset(zeros, 0, TGT_MAX_TRANSFER);
  s.data = (uint64_t)(uintptr_t)zeros;
  while (left > 0) {
    const uint32_t count = left < ZEROES_CHUNK ? (uint32_t)left : ZEROES_CHUNK;
    s.cdw10 = (uint32_t)lba, s.cdw11 = (uint32_t)(lba >> 32), s.cdw12 = count - 1;
    s.data_bytes = (uint64_t)count * CSD_LBA_BYTES;
    const int status = tgt_io_engine(c, command, &s, &dw0);
    if (status != 0) {
      return status;
    }
    lba += count, left -= count;
  }
  return settle(c, command);
}

static int deallocate(struct tgt_connection *c, struct tgt_pending *command) {
  const uint32_t count = (command->sqe.cdw10 & RANGES_MASK) + 1;
  uint32_t dw0;
  if ((command->sqe.cdw11 & DEALLOCATE) == 0) {
    return 0; /* hints only */
  }
  for (uint32_t i = 0; i < count; i++) {
    memset(command->data + i * sizeof(struct csd_trim_range), 0, 4); /* hints as well */
  }
  const struct csd_submission s = {.opcode = CSD_OPCODE_TRIM,
                                   .nsid = NVME_NAMESPACE,
                                   .data = (uint64_t)(uintptr_t)command->data,
                                   .data_bytes = count * sizeof(struct csd_trim_range),
                                   .cdw10 = count - 1,
                                   .cdw11 = DEALLOCATE};
  const int status = tgt_io_engine(c, command, &s, &dw0);
  return status == 0 ? settle(c, command) : status;
}

/* Fields that all block commands share, and the length of their data. */
static uint16_t check(const struct tgt_pending *command) {
  const struct nvme_command *sqe = &command->sqe;
  const bool all = sqe->opcode == NVME_IO_FLUSH && sqe->nsid == NVME_ALL_NAMESPACES;
  if (sqe->nsid != NVME_NAMESPACE && !all) {
    return NVME_INVALID_NAMESPACE;
  }
  switch (sqe->opcode) {
    case NVME_IO_READ:
    case NVME_IO_WRITE: {
      const uint32_t bytes = transfer_bytes(sqe);
      const uint32_t there = sqe->opcode == NVME_IO_READ ? sqe->sgl_length : command->data_bytes;
      if ((sqe->cdw12 & PROTECTION) != 0 || bytes > TGT_MAX_TRANSFER) {
        return NVME_INVALID_FIELD;
      }
      return there < bytes ? NVME_SGL_LENGTH_INVALID : NVME_OK;
    }
    case NVME_IO_WRITE_ZEROES: return (sqe->cdw12 & PROTECTION) != 0 ? NVME_INVALID_FIELD : NVME_OK;
    case NVME_IO_DATASET_MANAGEMENT: {
      const uint32_t bytes = ((sqe->cdw10 & RANGES_MASK) + 1) * 16;
      return command->data_bytes < bytes ? NVME_SGL_LENGTH_INVALID : NVME_OK;
    }
    default: return NVME_OK;
  }
}

/* @return a csd_status */
static int run_block(struct tgt_connection *c, struct tgt_pending *command,
                     struct tgt_reply *reply) {
  switch (command->sqe.opcode) {
    case NVME_IO_FLUSH: return flush(c, command);
    case NVME_IO_READ: return read_lbas(c, command, reply);
    case NVME_IO_WRITE: return write_lbas(c, command);
    case NVME_IO_WRITE_ZEROES: return write_zeroes(c, command);
    default: return deallocate(c, command);
  }
}

void tgt_io_run(struct tgt_connection *c, struct tgt_pending *command, struct tgt_reply *reply) {
  const struct nvme_command *sqe = &command->sqe;
  const uint32_t set = tgt_io_set_of(c, sqe->nsid);
  uint8_t opcode = sqe->opcode;
  int status;
  if (!tgt_io_knows(c, set, opcode)) {
    tgt_reply_status(reply, NVME_INVALID_OPCODE | NVME_DNR);
    return;
  }
  if (set != NVME_SET_NVM) {
    (set == NVME_SET_MEMORY ? tgt_memory_run : tgt_programs_execute)(c, command, reply);
    return;
  }
  const uint8_t vendor = tgt_vendor_opcode(c->server->options, opcode);
  const uint16_t fault = vendor != 0 ? NVME_OK : check(command);
  if (fault != NVME_OK) {
    tgt_reply_status(reply, fault | NVME_DNR);
    return;
  }
  if (vendor != 0) {
    opcode = vendor;
    status = tgt_vendor_run(c, command, vendor, reply);
  } else {
    status = opcode == NVME_IO_READ || opcode == NVME_IO_FLUSH ? 0 : check_writer(c);
    if (status == 0) {
      status = run_block(c, command, reply);
    }
  }
  if (status != 0) {
    tgt_io_fail(c, command, opcode, status, reply);
  }
}
