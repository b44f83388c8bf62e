/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.set;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.lucene.util.FixedBitSet;
import org.luceneoffload.device.Device;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** Puts bits of docs into device memory and drops them again. For any number of threads. */
public final class DeviceBits {
  private final Device device;
  private final OffloadStats stats;
  private final String what;

  /** Not needed any more, but the device failed to drop them: tried again later. */
  private final Queue<Integer> toDrop = new ConcurrentLinkedQueue<>();

  /**
   * @param what the bits are, for the log
   */
  public DeviceBits(Device device, OffloadStats stats, String what) {
    this.device = device;
    this.stats = stats;
    this.what = what;
  }

  /** Returns how many bytes the bits of so many docs take. */
  public static int bytes(int docs) {
    return FixedBitSet.bits2words(docs) * Long.BYTES;
  }

  /**
   * Sends bits.
   *
   * @return the resource that the device makes of them
   */
  public int put(FixedBitSet bits) throws OffloadException {
    dropLeft();
    int words = FixedBitSet.bits2words(bits.length());
    ByteBuffer buffer =
        ByteBuffer.allocateDirect(words * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asLongBuffer().put(bits.getBits(), 0, words);
    int resource;
    try {
      resource = device.putLiveDocs(buffer);
    } catch (Throwable t) {
      throw OffloadException.of(t);
    }
    stats.add(Counter.BYTES_TO_DEVICE, buffer.capacity());
    return resource;
  }

  /** Drops bits, now or later. If the device fails meanwhile, that is no error. */
  public void drop(int resource) {
    if (!tryDrop(resource)) {
      toDrop.add(resource);
    }
  }

  private boolean tryDrop(int resource) {
    try {
      device.dropResource(resource);
      return true;
    } catch (Throwable t) {
      OffloadException failure = OffloadException.of(t);
      if (failure.status() == OffloadWire.Status.NO_RESOURCE) {
        return true; // it was started anew since
      }
      CauseLog.warn(
          "drop " + what,
          device.name(),
          "device "
              + device.name()
              + " keeps "
              + what
              + " that nobody needs: "
              + failure.getMessage());
      return false;
    }
  }

  /** Drops what could not be dropped before. */
  public void dropLeft() {
    for (Integer left = toDrop.poll(); left != null; left = toDrop.poll()) {
      if (!tryDrop(left)) {
        toDrop.add(left);
        return;
      }
    }
  }

  /** Forgets all bits: the device was started anew, and what it had in memory is gone. */
  public void forgetAll() {
    toDrop.clear();
  }
}
