/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.luceneoffload.wire.OffloadWire;

/** Runs plans on a device, one at a time, from one thread at a time, in a fixed grant of memory. */
public interface DeviceSession extends Closeable {
  /**
   * The buffer into which the caller encodes a plan, from byte 0; direct, little-endian, the same
   * one for the life of the session.
   */
  ByteBuffer planBuffer();

  /**
   * Runs the plan in {@link #planBuffer()}.
   *
   * @param planBytes bytes of the plan
   * @param stop asked now and then while the plan runs; true ends it with status ABORTED
   * @return the result page, from byte 0 to the limit, little-endian; valid until the next call
   * @throws OffloadException if the device refuses or fails; the message says why
   */
  ByteBuffer execute(int planBytes, StopSignal stop) throws IOException;

  /**
   * Copies doc IDs out of a result page and tells whether they ascend. It is the host that does so,
   * never the device: a back end has it here so that its own native code can do it faster.
   *
   * @param page what {@link #execute} returned last
   * @param from the byte of the page where the first doc ID stands
   * @param count doc IDs to copy, all of them within the limit of the page
   * @param docs takes them from index 0 on; what it holds is undefined if they do not ascend
   * @return whether none is negative, and each is greater than the one before it
   */
  default boolean copyAscending(ByteBuffer page, int from, int count, int[] docs) {
    page.slice(from, count * Integer.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asIntBuffer()
        .get(docs, 0, count);
    int previous = -1;
    for (int i = 0; i < count; i++) {
      int doc = docs[i];
      if (doc <= previous) {
        return false;
      }
      previous = doc;
    }
    return true;
  }

  /**
   * Whether another plan may run in this session. Not if an earlier one was given up and may still
   * be running; such a session is closed and never lent again.
   */
  default boolean isUsable() {
    return true;
  }

  /**
   * What the device's model says of the plan that was run last; see {@link Device#startModel}.
   *
   * @param data what is wanted, of {@link OffloadWire.ModelData}
   * @return a model_report, or any number of model_trace_record, from byte 0 to the limit,
   *     little-endian; valid until the next call
   * @throws OffloadException with status INVALID_OPCODE if the device cannot model, another one if
   *     the plan was not modelled
   */
  default ByteBuffer modelData(int data) throws IOException {
    throw new OffloadException(
        OffloadWire.Status.INVALID_OPCODE, "the device models no time and energy");
  }

  /** Asked now and then by a running plan. */
  @FunctionalInterface
  interface StopSignal {
    /** Never stops. */
    StopSignal NEVER = () -> false;

    /** Whether the plan should end now. */
    boolean stop();
  }
}
