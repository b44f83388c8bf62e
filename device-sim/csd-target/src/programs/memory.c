/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "controller/controller.h"
#include "csd/csd.h"
#include "io/io_engine.h"
#include "io/status_map.h"
#include "programs/programs.h"
#include "transport/connection.h"
#include "transport/reply.h"

/* A source of Memory Copy; its format says whether it is in LBAs or in bytes. */
enum { SOURCE_BYTES = 32, SOURCE_FROM = 8, SOURCE_COUNT = 16 };
enum { FORMAT_LBAS = 2, FORMAT_LBAS_AND_TAGS = 3, FORMAT_BYTES = 4, MAX_COPY_BYTES = 16 << 20 };

struct copy {
  uint32_t format, count; /* of sources */
  uint64_t to, bytes;
};

static bool is_in_bytes(const struct copy *copy) { return copy->format == FORMAT_BYTES; }

static uint64_t bytes_of(const struct copy *copy, const uint8_t *source) {
  return is_in_bytes(copy) ? get32(source + SOURCE_COUNT)
                           : ((uint64_t)get16(source + SOURCE_COUNT) + 1) * CSD_LBA_BYTES;
}

static uint16_t check_source(struct tgt_local_memory *m, const struct copy *copy,
                             const uint8_t *source) {
  const uint32_t nsid = get32(source);
  const uint64_t from = get64(source + SOURCE_FROM), bytes = bytes_of(copy, source);
  const uint32_t wanted = is_in_bytes(copy) ? NVME_MEMORY_NAMESPACE : NVME_NAMESPACE;
  if (nsid != wanted) {
    return nsid == NVME_NAMESPACE || nsid == NVME_MEMORY_NAMESPACE ? NVME_INCOMPATIBLE_NAMESPACE
                                                                   : NVME_INVALID_NAMESPACE;
  }
  if (!is_in_bytes(copy)) {
    return NVME_OK; /* the engine knows which LBAs there are */
  }
  if (!tgt_local_memory_has(m, from, bytes)) {
    return NVME_INVALID_FIELD;
  }
  return from < copy->to + copy->bytes && copy->to < from + bytes ? NVME_OVERLAPPING_COPY : NVME_OK;
}

static uint16_t check_copy(struct tgt_local_memory *m, const struct tgt_pending *command,
                           const struct copy *copy) {
  uint64_t sum = 0;
  if (copy->format < FORMAT_LBAS || copy->format > FORMAT_BYTES) {
    return NVME_INVALID_FIELD;
  }
  if (command->data == NULL || command->data_bytes < copy->count * SOURCE_BYTES) {
    return NVME_SGL_LENGTH_INVALID;
  }
  if (copy->bytes > MAX_COPY_BYTES) {
    return NVME_COPY_TOO_LARGE;
  }
  if (!tgt_local_memory_has(m, copy->to, copy->bytes)) {
    return NVME_INVALID_FIELD;
  }
  for (uint32_t i = 0; i < copy->count; i++) {
    const uint8_t *source = command->data + i * SOURCE_BYTES;
    const uint16_t status = check_source(m, copy, source);
    if (status != NVME_OK) {
      return status;
    }
    sum += bytes_of(copy, source);
  }
  return sum == copy->bytes ? NVME_OK : NVME_INVALID_FIELD;
}

/* Reads LBAs into memory. @return a csd_status */
static int copy_lbas(struct tgt_connection *c, struct tgt_pending *command, uint64_t to,
                     uint64_t lba, uint64_t bytes) {
  uint8_t *out = tgt_connection_out(c);
  uint32_t dw0;
  while (bytes > 0) {
    const uint64_t part = bytes < TGT_MAX_TRANSFER ? bytes : TGT_MAX_TRANSFER;
    const struct csd_submission s = {.opcode = CSD_OPCODE_READ,
                                     .nsid = NVME_NAMESPACE,
                                     .data = (uint64_t)(uintptr_t)out,
                                     .data_bytes = part,
                                     .cdw10 = (uint32_t)lba,
                                     .cdw11 = (uint32_t)(lba >> 32),
                                     .cdw12 = (uint32_t)(part / CSD_LBA_BYTES - 1)};
    const int status = out == NULL ? CSD_STATUS_NO_MEMORY : tgt_io_engine(c, command, &s, &dw0);
    if (status != 0) {
      return status;
    }
    if (!tgt_local_memory_write(c->controller, to, out, part)) {
      return CSD_STATUS_NO_MEMORY;
    }
    to += part, lba += part / CSD_LBA_BYTES, bytes -= part;
  }
  return 0;
}

static uint16_t run_copy(struct tgt_connection *c, struct tgt_pending *command) {
  const struct nvme_command *sqe = &command->sqe;
  const struct copy copy = {.format = sqe->cdw12 >> 8 & 15,
                            .count = (sqe->cdw12 & 0xFF) + 1,
                            .to = (uint64_t)sqe->cdw11 << 32 | sqe->cdw10,
                            .bytes = (uint64_t)sqe->cdw3 << 32 | sqe->cdw2};
  const uint16_t fault = check_copy(&c->controller->programs->memory, command, &copy);
  uint64_t to = copy.to;
  if (fault != NVME_OK) {
    return fault | NVME_DNR;
  }
  for (uint32_t i = 0; i < copy.count; i++) {
    const uint8_t *source = command->data + i * SOURCE_BYTES;
    const uint64_t from = get64(source + SOURCE_FROM), bytes = bytes_of(&copy, source);
    int status = 0;
    if (!is_in_bytes(&copy)) {
      status = copy_lbas(c, command, to, from, bytes);
    } else if (!tgt_local_memory_copy(c->controller, to, from, bytes)) {
      status = CSD_STATUS_NO_MEMORY;
    }
    if (status != 0) {
      tgt_io_note(c, command, CSD_OPCODE_READ, status);
      return status == CSD_STATUS_NO_MEMORY ? NVME_CAPACITY_EXCEEDED
                                            : tgt_status_of(status, CSD_OPCODE_READ);
    }
    to += bytes;
  }
  return NVME_OK;
}

void tgt_memory_run(struct tgt_connection *c, struct tgt_pending *command,
                    struct tgt_reply *reply) {
  const struct nvme_command *sqe = &command->sqe;
  struct tgt_local_memory *m = &c->controller->programs->memory;
  const uint64_t from = (uint64_t)sqe->cdw11 << 32 | sqe->cdw10;
  const uint32_t bytes = sqe->cdw12;
  uint16_t status = NVME_OK;
  if (sqe->opcode == NVME_MEMORY_COPY) {
    status = run_copy(c, command);
  } else if (!tgt_local_memory_has(m, from, bytes)) {
    status = NVME_INVALID_FIELD | NVME_DNR;
  } else if (sqe->opcode == NVME_MEMORY_FILL) {
    status = tgt_local_memory_write(c->controller, from, NULL, bytes) ? 0 : NVME_CAPACITY_EXCEEDED;
  } else if (bytes > TGT_MAX_TRANSFER) {
    status = NVME_INVALID_FIELD | NVME_DNR;
  } else if (sqe->opcode == NVME_MEMORY_WRITE) {
    if (bytes > command->data_bytes) {
      status = NVME_SGL_LENGTH_INVALID | NVME_DNR;
    } else if (!tgt_local_memory_write(c->controller, from, command->data, bytes)) {
      status = NVME_CAPACITY_EXCEEDED;
    }
  } else {
    uint8_t *out = tgt_connection_out(c);
    if (bytes > sqe->sgl_length) {
      status = NVME_SGL_LENGTH_INVALID | NVME_DNR;
    } else if (out == NULL) {
      status = NVME_INTERNAL;
    } else {
      tgt_local_memory_read(m, from, out, bytes);
      reply->data_bytes = bytes;
    }
  }
  if (status != NVME_OK) {
    tgt_reply_status(reply, status);
  }
}
