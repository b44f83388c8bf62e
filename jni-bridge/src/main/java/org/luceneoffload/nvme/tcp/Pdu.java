/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

/**
 * Layout of the PDUs of NVMe/TCP (NVMe TCP Transport Specification 1.0). Offsets are from a PDU's
 * start; numbers are little-endian.
 */
final class Pdu {
  // Types.
  static final int IC_REQ = 0;
  static final int IC_RESP = 1;
  static final int C2H_TERM = 3;
  static final int CAPSULE_COMMAND = 4;
  static final int CAPSULE_RESPONSE = 5;
  static final int H2C_DATA = 6;
  static final int C2H_DATA = 7;
  static final int R2T = 9;

  // Flags.
  static final int HEADER_DIGEST = 1;
  static final int DATA_DIGEST = 2;
  static final int LAST = 4;
  static final int SUCCESS = 8;

  // The common header: type, flags, hlen, pdo (a byte each), plen (four).
  static final int COMMON_BYTES = 8;
  static final int FLAGS = 1;
  static final int HLEN = 2;
  static final int PDO = 3;
  static final int PLEN = 4;

  // Lengths of headers.
  static final int IC_BYTES = 128;
  static final int COMMAND_BYTES = 72;
  static final int SHORT_BYTES = 24; // of all others
  static final int MAX_TERM_BYTES = 152;
  static final int DIGEST_BYTES = 4;

  // ICReq and ICResp.
  static final int IC_VERSION = 8;
  static final int IC_ALIGNMENT = 10;
  static final int IC_DIGESTS = 11;
  static final int IC_LIMIT = 12;

  // R2T, H2CData, C2HData.
  static final int DATA_CID = 8;
  static final int DATA_TAG = 10;
  static final int DATA_OFFSET = 12;
  static final int DATA_LENGTH = 16;

  // CapsuleResp: a completion.
  static final int RESULT = 8;
  static final int RESPONSE_CID = 20;
  static final int STATUS = 22;

  // CapsuleCmd: a submission queue entry.
  static final int OPCODE = 8;
  static final int ENTRY_FLAGS = 9;
  static final int COMMAND_CID = 10;
  static final int NSID = 12;
  static final int SGL_LENGTH = 40;
  static final int SGL_TYPE = 47;
  static final int CDW2 = 16;
  static final int CDW10 = 48;

  static final int FLAGS_SGL = 0x40;
  static final int SGL_IN_CAPSULE = 0x01;
  static final int SGL_TRANSPORT = 0x5A;

  // C2HTermReq.
  static final int TERM_STATUS = 8;

  private Pdu() {}
}
