/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.wire.OffloadWire;

/** A facet of sessions that share the work of a plan between device and host. */
public interface SplitPlans {
  /** {@return whether plans can be shared now} */
  boolean canSplit();

  /**
   * Runs the plan in {@link DeviceSession#planBuffer()} as {@link DeviceSession#execute} does, on
   * the device's own threads and on the caller's at once: the docs are cut into windows, and the
   * thread that comes to one first does it, with the same engine. The result page is that of the
   * plan but for what it says of the work, and for a count that is a lower bound.
   *
   * @param planBytes bytes of the plan
   * @param windows to cut the docs into, about; 1: it is not cut, and a device in the process lets
   *     the caller's thread do it all
   * @param mode of {@link OffloadWire.TaskMode}: DYNAMIC, or STATIC, with which the device's
   *     threads do all windows, and one that finds the task queue full waits
   * @param stop asked now and then while the plan runs; true ends it with status ABORTED
   * @return the result page, valid until the next call
   * @throws IOException if the device fails
   */
  ByteBuffer executeSplit(int planBytes, int windows, int mode, StopSignal stop) throws IOException;

  /** {@return what became of the windows of the latest plan that {@link #executeSplit} answered} */
  Counts splitCounts();

  /**
   * What became of the windows of a plan that device and host shared.
   *
   * @param windows that the plan was cut into; 0: it was not
   * @param onDevice done by the device
   * @param raw refused by the device, whose task queue was full, and done by the host
   * @param handedBack taken by the device, not begun when the host had done its own, and done by
   *     the host
   */
  record Counts(int windows, int onDevice, int raw, int handedBack) {
    /** Of a plan that was not cut. */
    public static final Counts NONE = new Counts(0, 0, 0, 0);
  }
}
