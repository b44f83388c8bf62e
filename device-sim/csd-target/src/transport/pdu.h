/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Layout of the PDUs of NVMe/TCP. Offsets are from a PDU's start; numbers are little-endian. */
#ifndef TGT_PDU_H
#define TGT_PDU_H

#include <stdint.h>
#include <string.h>

enum pdu_type {
  PDU_IC_REQ = 0,
  PDU_IC_RESP = 1,
  PDU_H2C_TERM = 2,
  PDU_C2H_TERM = 3,
  PDU_CAPSULE_COMMAND = 4,
  PDU_CAPSULE_RESPONSE = 5,
  PDU_H2C_DATA = 6,
  PDU_C2H_DATA = 7,
  PDU_R2T = 9,
};

/** Bits of the common header's flags. */
enum { PDU_HDGST = 1, PDU_DDGST = 2, PDU_LAST = 4, PDU_SUCCESS = 8 };

/** The common header: type, flags, hlen, pdo (one byte each), plen (four). */
enum { PDU_COMMON_BYTES = 8, PDU_HLEN = 2, PDU_PDO = 3, PDU_PLEN = 4 };

/** Lengths of headers. */
enum {
  PDU_IC_BYTES = 128,
  PDU_COMMAND_BYTES = 72,
  PDU_RESPONSE_BYTES = 24,
  PDU_DATA_BYTES = 24,
  PDU_TERM_BYTES = 24,
  PDU_MAX_HEADER = 128,
  PDU_MAX_TERM = 152,
  PDU_DIGEST_BYTES = 4,
};

/** ICReq and ICResp. */
enum {
  IC_PFV = 8,
  IC_ALIGNMENT = 10, /* HPDA, CPDA: dwords - 1 */
  IC_DIGESTS = 11,   /* bit 0 header, bit 1 data */
  IC_LIMIT = 12,     /* MAXR2T - 1 of the host, MAXH2CDATA of the controller */
};
enum { IC_DIGEST_HEADER = 1, IC_DIGEST_DATA = 2, IC_MAX_ALIGNMENT = 31 };

/** R2T, H2CData, C2HData. */
enum { DATA_CID = 8, DATA_TAG = 10, DATA_OFFSET = 12, DATA_LENGTH = 16 };

/** C2HTermReq, H2CTermReq. */
enum { TERM_STATUS = 8, TERM_INFO = 10 };
enum pdu_fatal {
  FATAL_INVALID_HEADER = 1,
  FATAL_SEQUENCE = 2,
  FATAL_HEADER_DIGEST = 3,
  FATAL_OUT_OF_RANGE = 4,
  FATAL_LIMIT_EXCEEDED = 5,
  FATAL_UNSUPPORTED = 6,
};

static inline uint16_t get16(const uint8_t *from) { return (uint16_t)(from[0] | from[1] << 8); }

static inline uint32_t get32(const uint8_t *from) {
  return (uint32_t)get16(from) | (uint32_t)get16(from + 2) << 16;
}

static inline uint64_t get64(const uint8_t *from) {
  return (uint64_t)get32(from) | (uint64_t)get32(from + 4) << 32;
}

static inline void put16(uint8_t *to, uint32_t value) {
  to[0] = (uint8_t)value;
  to[1] = (uint8_t)(value >> 8);
}

static inline void put32(uint8_t *to, uint32_t value) {
  put16(to, value & 0xFFFF);
  put16(to + 2, value >> 16);
}

static inline void put64(uint8_t *to, uint64_t value) {
  put32(to, (uint32_t)value);
  put32(to + 4, (uint32_t)(value >> 32));
}

#endif
