/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.wire.OffloadWire;

/** A facet of sessions that share the work of a plan between device and host. */
public interface SplitPlans {
  /** Returns whether plans can be shared now. */
  boolean canSplit();

  /**
   * Runs the plan in {@link DeviceSession#planBuffer()} as {@link DeviceSession#execute} does, on
   * the device's own threads and on the caller's at once: the docs are cut into windows, and the
   * thread that comes to one first does it, with the same engine. The result page is that of the
   * plan but for what it says of the work, and for a count that is a lower bound.
   *
   * @param windows to cut the docs into, about; 1: it is not cut, and a device in the process lets
   *     the caller's thread do it all
   * @param mode of {@link OffloadWire.TaskMode}: DYNAMIC, or STATIC, with which the device's
   *     threads do all windows, and one that finds the task queue full waits
   */
  ByteBuffer executeSplit(int planBytes, int windows, int mode, StopSignal stop) throws IOException;

  /** Returns what became of the windows of the latest plan that {@link #executeSplit} answered. */
  SplitCounts splitCounts();
}
