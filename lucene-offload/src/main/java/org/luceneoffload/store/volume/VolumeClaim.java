/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Device.Claim;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Keeps a device with another owner's data from being written over: it must hold a volume, or its
 * {@link Claim} must give it to us.
 */
final class VolumeClaim {
  /**
   * How much of the beginning and of the end must be zeros in a device that holds nothing. File
   * systems, partition tables, volume managers and RAID keep their labels there.
   */
  private static final int EDGE_BYTES = 4 << 20;

  private VolumeClaim() {}

  /**
   * Checks that a device may be used; reads, and writes nothing.
   *
   * @return whether it holds something else that is to be overwritten, see {@link #clear}
   * @throws OffloadException with status LOCKED if it may not be used
   */
  static boolean check(Device device) throws IOException {
    Claim claim = device.claim();
    if (claim == Claim.OWN_STORE || VolumeMetadata.isOn(device)) {
      return false;
    }
    boolean empty = isEmpty(device);
    if (!empty && claim != Claim.OVERWRITE && VolumeMetadata.hasTraces(device)) {
      throw refusal(
          device,
          "it looks like a damaged one, since it has file tables of a volume",
          "; do not overwrite it, and restore its store from a backup");
    }
    if (device.info().readOnly()) {
      throw refusal(device, empty ? "it holds nothing" : "it holds something else", "");
    }
    if (claim == Claim.NONE) {
      throw refusal(
          device,
          empty ? "it holds nothing" : "it holds something else",
          empty
              ? "; claim=empty gives it over"
              : "; claim=overwrite gives it over, and what it holds is lost");
    }
    if (claim == Claim.EMPTY && !empty) {
      throw refusal(
          device,
          "it is not empty",
          "; claim=overwrite gives it over all the same, and what it holds is lost");
    }
    return !empty;
  }

  private static OffloadException refusal(Device device, String why, String what) {
    return new OffloadException(
        OffloadWire.Status.LOCKED,
        "device " + device.name() + " holds no volume of posting images: " + why + what);
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

  /** Overwrites the beginning and the end of a device with zeros. */
  static void clear(Device device) throws IOException {
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
