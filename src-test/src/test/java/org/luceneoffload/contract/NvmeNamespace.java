/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.NvmeDeviceProvider;
import org.luceneoffload.wire.OffloadWire;

/** Real namespaces for the contracts, named by system properties. */
final class NvmeNamespace {
  /** One of 4 MiB. */
  static final String SMALL = "offload.nvme.small";

  /** A larger one. */
  static final String BIG = "offload.nvme.big";

  /** After which the driver gives a command up: what a busy machine does not reach. */
  private static final String TIMEOUT = ",timeout=60000";

  private NvmeNamespace() {}

  /** A namespace without a volume, whatever it held. */
  static Device overwritten(String property) throws IOException {
    Device device = open(property);
    // The claim keeps a volume that is there: take it away.
    ByteBuffer zeros = ByteBuffer.allocateDirect(OffloadWire.LBA_BYTES);
    device.write(0, zeros);
    device.close();
    return open(property);
  }

  /** A namespace of {@code lbaCount} LBAs, all zeros. */
  static Device cleared(String property, long lbaCount) throws IOException {
    Device device = open(property);
    if (device.info().lbaCount() != lbaCount) {
      long there = device.info().lbaCount();
      device.close();
      throw new IOException("the namespace has " + there + " LBAs, not " + lbaCount);
    }
    int bytes = device.info().maxTransferBytes();
    for (long lba = 0; lba < lbaCount; ) {
      ByteBuffer zeros = ByteBuffer.allocateDirect(bytes);
      zeros.limit((int) Math.min(bytes, (lbaCount - lba) * OffloadWire.LBA_BYTES));
      int lbas = zeros.remaining() / OffloadWire.LBA_BYTES;
      device.write(lba, zeros);
      lba += lbas;
    }
    return device;
  }

  private static Device open(String property) throws IOException {
    String name = System.getProperty(property) + ",claim=overwrite" + TIMEOUT;
    // The back end itself, without what Devices puts around one that may fail in any way.
    return new NvmeDeviceProvider().openForWriting(name, Path.of("/"));
  }
}
