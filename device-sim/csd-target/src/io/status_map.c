/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "io/status_map.h"

#include <stdbool.h>

#include "csd/csd.h"
#include "nvme.h"

static bool writes(uint8_t opcode) {
  return opcode == CSD_OPCODE_WRITE || opcode == CSD_OPCODE_TRIM || opcode == CSD_OPCODE_FLUSH;
}

/* Statuses that NVMe has as well; so block I/O gets what its kernel knows what to do with. */
static uint16_t standard(int wire, uint8_t opcode) {
  switch (wire) {
    case CSD_STATUS_OK: return NVME_OK;
    case CSD_STATUS_INVALID_OPCODE: return NVME_INVALID_OPCODE;
    case CSD_STATUS_INVALID_FIELD: return NVME_INVALID_FIELD;
    case CSD_STATUS_ABORTED: return NVME_ABORT_REQUESTED;
    case CSD_STATUS_READ_ONLY: return NVME_WRITE_PROTECTED;
    case CSD_STATUS_OUT_OF_RANGE: return NVME_LBA_OUT_OF_RANGE;
    case CSD_STATUS_NO_SPACE: return NVME_CAPACITY_EXCEEDED;
    case CSD_STATUS_IO_ERROR: return writes(opcode) ? NVME_WRITE_FAULT : NVME_UNRECOVERED_READ;
    default: return (uint16_t)(NVME_VENDOR | (wire & 0xFF));
  }
}

uint16_t tgt_status_of(int wire, uint8_t opcode) {
  const uint16_t status = standard(wire, opcode);
  switch (wire) {
    case CSD_STATUS_OK:
    case CSD_STATUS_BUSY:
    case CSD_STATUS_NO_MEMORY:
    case CSD_STATUS_TOO_MANY_SESSIONS:
    case CSD_STATUS_QUEUE_FULL: return status; /* may go another time */
    default: return (uint16_t)(status | NVME_DNR);
  }
}

int tgt_status_to_wire(uint16_t status) {
  const uint16_t code = status & 0x7FF;
  if ((code & 0x700) == NVME_VENDOR) {
    return code & 0xFF;
  }
  switch (code) {
    case NVME_OK: return CSD_STATUS_OK;
    case NVME_INVALID_OPCODE: return CSD_STATUS_INVALID_OPCODE;
    case NVME_INVALID_FIELD:
    case NVME_INVALID_NAMESPACE: return CSD_STATUS_INVALID_FIELD;
    case NVME_ABORT_REQUESTED: return CSD_STATUS_ABORTED;
    case NVME_WRITE_PROTECTED: return CSD_STATUS_READ_ONLY;
    case NVME_LBA_OUT_OF_RANGE: return CSD_STATUS_OUT_OF_RANGE;
    case NVME_CAPACITY_EXCEEDED: return CSD_STATUS_NO_SPACE;
    case NVME_WRITE_FAULT:
    case NVME_UNRECOVERED_READ: return CSD_STATUS_IO_ERROR;
    default: return -1;
  }
}
