/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A controller's description of itself: parts of the Identify Controller data structure (NVMe Base
 * Specification 2.0, figure 275).
 *
 * @param vendorId PCI vendor ID
 * @param serial serial number
 * @param model model number
 * @param firmware firmware revision
 * @param maxTransferPages most data of a command in pages of 4 KiB; 0: no limit
 * @param effectsLog whether it has the Commands Supported and Effects log page
 * @param optionalCommands ONCS: bit 2 set: it takes Dataset Management
 * @param subsystem NVMe qualified name of its subsystem; empty if it has none
 */
record IdentifyController(
    int vendorId,
    String serial,
    String model,
    String firmware,
    long maxTransferPages,
    boolean effectsLog,
    int optionalCommands,
    String subsystem) {
  /** Bytes of the data structure. */
  static final int BYTES = 4096;

  private static final int DATASET_MANAGEMENT = 1 << 2;
  private static final int LOG_PAGE_EFFECTS = 1 << 1;

  /** Returns whether LBAs can be given back. */
  boolean trims() {
    return (optionalCommands & DATASET_MANAGEMENT) != 0;
  }

  /** Reads the data structure, little-endian. */
  static IdentifyController of(ByteBuffer data) {
    int mdts = data.get(77) & 0xFF;
    return new IdentifyController(
        data.getShort(0) & 0xFFFF,
        ascii(data, 4, 20),
        ascii(data, 24, 40),
        ascii(data, 64, 8),
        mdts == 0 || mdts > 40 ? 0 : 1L << mdts,
        (data.get(261) & LOG_PAGE_EFFECTS) != 0,
        data.getShort(520) & 0xFFFF,
        ascii(data, 768, 256));
  }

  /**
   * Reads text that is padded with blanks or zeros; a byte that is not printable becomes a question
   * mark.
   */
  private static String ascii(ByteBuffer data, int from, int bytes) {
    byte[] text = new byte[bytes];
    data.get(from, text);
    int end = 0;
    while (end < bytes && text[end] != 0) {
      end++;
    }
    return new String(text, 0, end, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", "?").strip();
  }
}
