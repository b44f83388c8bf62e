/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.ByteBuffer;

/**
 * The Commands Supported and Effects log page (NVMe Base Specification 2.0, log identifier 05h),
 * little-endian: a dword for each admin opcode, then one for each I/O opcode.
 *
 * @param data the log page
 */
record EffectsLog(ByteBuffer data) {
  /** Identifier of the log page. */
  static final int LOG_ID = 0x05;

  /** Bytes of the log page. */
  static final int BYTES = 4096;

  private static final int IO_COMMANDS_AT = 1024;
  private static final int SUPPORTED = 1;

  /** Returns whether the controller says that it takes an I/O command. */
  boolean supportsIo(int opcode) {
    return (data.getInt(IO_COMMANDS_AT + Integer.BYTES * opcode) & SUPPORTED) != 0;
  }
}
