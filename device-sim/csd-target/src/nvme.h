/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** NVMe as far as the target speaks it: commands, completions, opcodes, status codes. */
#ifndef TGT_NVME_H
#define TGT_NVME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the structs here are laid out as a little-endian processor has them"
#endif

/** A submission queue entry as it comes over a fabric: its data pointer is one SGL descriptor. */
struct nvme_command {
  uint8_t opcode;
  uint8_t flags;
  uint16_t cid;
  uint32_t nsid; /* of a Fabrics command: the low byte is the Fabrics command type */
  uint32_t cdw2, cdw3;
  uint64_t metadata;
  uint64_t sgl_address;
  uint32_t sgl_length;
  uint8_t sgl_reserved[3];
  uint8_t sgl_type;
  uint32_t cdw10, cdw11, cdw12, cdw13, cdw14, cdw15;
};
_Static_assert(sizeof(struct nvme_command) == 64, "a submission queue entry has 64 bytes");
_Static_assert(offsetof(struct nvme_command, sgl_type) == 39, "the SGL's type is byte 39");
_Static_assert(offsetof(struct nvme_command, cdw10) == 40, "command dword 10 is at 40");

struct nvme_completion {
  uint64_t result;
  uint16_t sq_head;
  uint16_t sq_id;
  uint16_t cid;
  uint16_t status; /* phase tag in bit 0 (unused on a fabric), status in bits 15:1 */
};
_Static_assert(sizeof(struct nvme_completion) == 16, "a completion has 16 bytes");

/** Types of SGL descriptors, byte 39. */
enum { NVME_SGL_IN_CAPSULE = 0x01, NVME_SGL_TRANSPORT = 0x5A };
/** flags: bits 7:6 say SGL (01b or 10b); fused commands (bits 1:0) there are none. */
enum { NVME_FLAGS_SGL_MASK = 0xC0 };

enum nvme_fabrics_opcode { NVME_FABRICS = 0x7F };
enum nvme_fabrics_type {
  NVME_FABRICS_PROPERTY_SET = 0x00,
  NVME_FABRICS_CONNECT = 0x01,
  NVME_FABRICS_PROPERTY_GET = 0x04,
  NVME_FABRICS_AUTH_SEND = 0x05,
  NVME_FABRICS_AUTH_RECEIVE = 0x06,
  NVME_FABRICS_DISCONNECT = 0x08,
};

enum nvme_command_set { NVME_SET_NVM = 0, NVME_SET_MEMORY = 3, NVME_SET_PROGRAMS = 4 };

enum nvme_admin_opcode {
  NVME_ADMIN_GET_LOG_PAGE = 0x02,
  NVME_ADMIN_IDENTIFY = 0x06,
  NVME_ADMIN_ABORT = 0x08,
  NVME_ADMIN_SET_FEATURES = 0x09,
  NVME_ADMIN_GET_FEATURES = 0x0A,
  NVME_ADMIN_ASYNC_EVENT = 0x0C,
  NVME_ADMIN_KEEP_ALIVE = 0x18,
  NVME_ADMIN_PROGRAM_ACTIVATION = 0x88,
  NVME_ADMIN_MEMORY_RANGE_SETS = 0x89,
};

enum nvme_io_opcode {
  NVME_IO_FLUSH = 0x00,
  NVME_IO_WRITE = 0x01,
  NVME_IO_READ = 0x02,
  NVME_IO_WRITE_ZEROES = 0x08,
  NVME_IO_DATASET_MANAGEMENT = 0x09,
};

/** Of the Subsystem Local Memory Command Set. */
enum nvme_memory_opcode {
  NVME_MEMORY_COPY = 0x01,
  NVME_MEMORY_READ = 0x02,
  NVME_MEMORY_FILL = 0x04,
  NVME_MEMORY_WRITE = 0x05,
};

/** Of the Computational Programs Command Set. */
enum nvme_program_opcode { NVME_EXECUTE_PROGRAM = 0x01 };

/** Status: SCT in bits 10:8, SC in bits 7:0; DNR (do not retry) is bit 14, as Linux shows it. */
enum nvme_status {
  NVME_OK = 0,
  NVME_INVALID_OPCODE = 0x001,
  NVME_INVALID_FIELD = 0x002,
  NVME_INTERNAL = 0x006,
  NVME_ABORT_REQUESTED = 0x007,
  NVME_INVALID_NAMESPACE = 0x00B,
  NVME_SEQUENCE_ERROR = 0x00C,
  NVME_SGL_LENGTH_INVALID = 0x00F,
  NVME_SGL_TYPE_INVALID = 0x011,
  NVME_SGL_OFFSET_INVALID = 0x016,
  NVME_WRITE_PROTECTED = 0x020,
  NVME_TRANSIENT_TRANSPORT_ERROR = 0x022,
  NVME_LBA_OUT_OF_RANGE = 0x080,
  NVME_CAPACITY_EXCEEDED = 0x081,
  NVME_ASYNC_LIMIT_EXCEEDED = 0x105,
  NVME_INVALID_LOG_PAGE = 0x109,
  NVME_FEATURE_NOT_CHANGEABLE = 0x10E,
  NVME_INVALID_COMMAND_SET = 0x12C,
  NVME_CONNECT_INCOMPATIBLE_FORMAT = 0x180,
  NVME_CONNECT_CONTROLLER_BUSY = 0x181,
  NVME_CONNECT_INVALID_PARAMETERS = 0x182,
  NVME_CONNECT_INVALID_HOST = 0x184,
  NVME_AUTHENTICATION_REQUIRED = 0x191, /* of a Fabrics command, as those above it */
  NVME_COPY_TOO_LARGE = 0x183,          /* from here on of memory and programs */
  NVME_INCOMPATIBLE_NAMESPACE = 0x185,
  NVME_OVERLAPPING_COPY = 0x187,
  NVME_PROGRAM_RESOURCES = 0x18A,
  NVME_INVALID_MEMORY_NAMESPACE = 0x18B,
  NVME_INVALID_RANGE_SET = 0x18C,
  NVME_NO_RANGE_SET = 0x18D,
  NVME_NO_PROGRAM = 0x18F,
  NVME_TOO_MANY_RANGES = 0x191,
  NVME_TOO_MANY_RANGE_SETS = 0x192,
  NVME_RANGE_SET_IN_USE = 0x195,
  NVME_OVERLAPPING_RANGES = 0x197,
  NVME_PROGRAM_INACTIVE = 0x198,
  NVME_PROGRAM_IN_USE = 0x199,
  NVME_WRITE_FAULT = 0x280,
  NVME_UNRECOVERED_READ = 0x281,
  NVME_VENDOR = 0x700, /* SCT 7: the SC is a status of the wire */
  NVME_DNR = 0x4000,
};

/** Namespaces. */
enum { NVME_NAMESPACE = 1, NVME_MEMORY_NAMESPACE = 2, NVME_COMPUTE_NAMESPACE = 3 };
#define NVME_ALL_NAMESPACES 0xFFFFFFFFu

#define NVME_DISCOVERY_NQN "nqn.2014-08.org.nvmexpress.discovery"
/** Before a UUID: an NQN for whoever owns no domain. */
#define NVME_UUID_NQN "nqn.2014-08.org.nvmexpress:uuid:"
/** Longest NQN with its closing zero; a field for one has 256 bytes. */
enum { NVME_NQN_BYTES = 224, NVME_NQN_FIELD = 256 };

/** Version that the controllers conform to: 1.4, or 2.0 with several command sets. */
#define NVME_VERSION 0x00010400u
#define NVME_VERSION_OF_SETS 0x00020000u

#endif
