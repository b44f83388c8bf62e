/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.report.OffloadStats;

/**
 * A session of a device and the counters of its runs; for one thread at a time. It is also the stop
 * signal of its plan: it asks the caller's, and may limit the plan's time. A plan that ends before
 * the device asks reads no clock.
 */
final class PlanSession implements DeviceSession.StopSignal {
  final DeviceSession device;
  final OffloadStats.Share counts;
  private final long maxNanos;

  private DeviceSession.StopSignal caller = NEVER;
  private boolean limited;
  private boolean stoppedByCaller;
  private Throwable thrownByCaller;
  private boolean asked;
  private long firstAskedNanos;

  /**
   * @param maxNanos what a plan may take from the time when the device first asks
   */
  PlanSession(DeviceSession device, OffloadStats.Share counts, long maxNanos) {
    this.device = device;
    this.counts = counts;
    this.maxNanos = maxNanos;
  }

  /**
   * The signal for the next plan.
   *
   * @param stop the caller's signal
   * @param limit whether to stop the plan, too, when it takes too long
   */
  DeviceSession.StopSignal signal(DeviceSession.StopSignal stop, boolean limit) {
    caller = stop;
    limited = limit;
    stoppedByCaller = false;
    thrownByCaller = null;
    asked = false;
    return stop == NEVER && !limit ? NEVER : this;
  }

  @Override
  public boolean stop() {
    if (callerStops()) {
      return true;
    }
    if (!limited) {
      return false;
    }
    // The device asks for the first time soon after the plan has begun.
    long now = System.nanoTime();
    if (!asked) {
      asked = true;
      firstAskedNanos = now;
    }
    return now - firstAskedNanos > maxNanos;
  }

  /** The caller's signal is the application's: what it throws is no failure of the device. */
  private boolean callerStops() {
    try {
      stoppedByCaller = caller.stop();
    } catch (RuntimeException | Error e) {
      thrownByCaller = e;
      stoppedByCaller = true;
    }
    return stoppedByCaller;
  }

  /** Whether it was the caller that stopped the latest plan. */
  boolean stoppedByCaller() {
    return stoppedByCaller;
  }

  /** Throws what the caller's signal threw when it was asked last, if it did. */
  void rethrow() {
    if (thrownByCaller instanceof RuntimeException e) {
      throw e;
    }
    if (thrownByCaller instanceof Error e) {
      throw e;
    }
  }
}
