/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ArrayBlockingQueue;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.wire.OffloadWire;

/** Buffers for transfers to and from a device. */
public final class Transfers {
  private static final int PREFERRED_BYTES = 64 * OffloadWire.LBA_BYTES;
  private static final int MAX_POOLED = 8;

  private static final ArrayBlockingQueue<ByteBuffer> POOL = new ArrayBlockingQueue<>(MAX_POOLED);

  private Transfers() {}

  /** Returns the number of bytes that one transfer should carry, a multiple of an LBA. */
  static int bytes(DeviceInfo info) {
    int most = Math.min(PREFERRED_BYTES, info.maxTransferBytes());
    return Math.max(OffloadWire.LBA_BYTES, most / OffloadWire.LBA_BYTES * OffloadWire.LBA_BYTES);
  }

  /** Returns a direct little-endian buffer of {@link #PREFERRED_BYTES}, contents undefined. */
  public static ByteBuffer acquire() {
    ByteBuffer pooled = POOL.poll();
    return pooled != null
        ? pooled.clear()
        : ByteBuffer.allocateDirect(PREFERRED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Releases what {@link #acquire} gave. */
  public static void release(ByteBuffer buffer) {
    POOL.offer(buffer);
  }

  /** Returns a part of a buffer, little-endian. */
  static ByteBuffer slice(ByteBuffer buffer, int from, int bytes) {
    return buffer.slice(from, bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
