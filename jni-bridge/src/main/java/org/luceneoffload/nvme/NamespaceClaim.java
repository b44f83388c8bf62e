/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.OffloadException;
import org.luceneoffload.store.volume.Volume;
import org.luceneoffload.wire.OffloadWire;

/**
 * Sees to it that a namespace with somebody's data is not written over: it must hold a volume, or
 * be given to us. Looks without writing.
 */
final class NamespaceClaim {
  /**
   * How much of the beginning and of the end must be zeros in a namespace that holds nothing. File
   * systems, partition tables, volume managers and RAID keep their labels there.
   */
  private static final int EDGE_BYTES = 4 << 20;

  private NamespaceClaim() {}

  /**
   * Checks that a device may be used, and clears its edges if they may be overwritten.
   *
   * @throws OffloadException with status LOCKED if it may not
   */
  static void check(Device device, NvmeOptions.Claim claim) throws IOException {
    if (Volume.isOn(device)) {
      return;
    }
    boolean empty = isEmpty(device);
    if (device.info().readOnly()) {
      throw refusal(device, empty ? "it holds nothing" : "it holds something else", "");
    }
    switch (claim) {
      case NO ->
          throw refusal(
              device,
              empty ? "it holds nothing" : "it holds something else",
              empty
                  ? "; claim=empty gives it over"
                  : "; claim=overwrite gives it over, and what it holds is lost");
      case EMPTY -> {
        if (!empty) {
          throw refusal(
              device,
              "it is not empty",
              "; claim=overwrite gives it over all the same, and what it holds is lost");
        }
      }
      case OVERWRITE -> {
        if (!empty) {
          clear(device);
        }
      }
    }
  }

  private static OffloadException refusal(Device device, String why, String what) {
    return new OffloadException(
        OffloadWire.Status.LOCKED,
        "the namespace of " + device.name() + " holds no volume of posting images: " + why + what);
  }

  private static boolean isEmpty(Device device) throws IOException {
    long lbas = device.info().lbaCount();
    long edge = Math.min(lbas, EDGE_BYTES / OffloadWire.LBA_BYTES);
    return isZero(device, 0, edge) && isZero(device, lbas - edge, edge);
  }

  private static boolean isZero(Device device, long first, long count) throws IOException {
    ByteBuffer buffer = transferBuffer(device);
    for (long lba = first; lba < first + count; ) {
      buffer.clear().limit(bytes(buffer, first + count - lba));
      device.read(lba, buffer);
      lba += buffer.limit() / OffloadWire.LBA_BYTES;
      buffer.flip();
      while (buffer.hasRemaining()) {
        if (buffer.getLong() != 0) {
          return false;
        }
      }
    }
    return true;
  }

  private static void clear(Device device) throws IOException {
    long lbas = device.info().lbaCount();
    long edge = Math.min(lbas, EDGE_BYTES / OffloadWire.LBA_BYTES);
    ByteBuffer zeros = transferBuffer(device);
    for (long first : new long[] {0, lbas - edge}) {
      for (long lba = first; lba < first + edge; ) {
        zeros.clear().limit(bytes(zeros, first + edge - lba));
        device.write(lba, zeros);
        lba += zeros.limit() / OffloadWire.LBA_BYTES;
      }
    }
    device.flush();
  }

  private static ByteBuffer transferBuffer(Device device) {
    int bytes = Math.min(device.info().maxTransferBytes(), 128 << 10);
    int whole = bytes / OffloadWire.LBA_BYTES * OffloadWire.LBA_BYTES;
    return ByteBuffer.allocateDirect(whole).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int bytes(ByteBuffer buffer, long lbas) {
    return (int) Math.min(buffer.capacity(), lbas * OffloadWire.LBA_BYTES);
  }
}
