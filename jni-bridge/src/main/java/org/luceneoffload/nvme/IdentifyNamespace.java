/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.ByteBuffer;

/**
 * A controller's description of a namespace: parts of the Identify Namespace data structure (NVM
 * Command Set Specification 1.0, figure 97).
 *
 * @param lbaCount size in LBAs
 * @param lbaBytes bytes of an LBA
 * @param metadataBytes bytes of metadata beside each LBA
 */
record IdentifyNamespace(long lbaCount, long lbaBytes, int metadataBytes) {
  /** Bytes of the data structure. */
  static final int BYTES = 4096;

  /** Reads the data structure, little-endian. */
  static IdentifyNamespace of(ByteBuffer data) {
    int flbas = data.get(26) & 0xFF;
    int format = flbas & 0x0F | (flbas >>> 5 & 3) << 4;
    int lbaFormat = data.getInt(128 + Integer.BYTES * format);
    int lbaShift = lbaFormat >>> 16 & 0xFF;
    return new IdentifyNamespace(
        data.getLong(0), lbaShift > 31 ? 0 : 1L << lbaShift, lbaFormat & 0xFFFF);
  }
}
