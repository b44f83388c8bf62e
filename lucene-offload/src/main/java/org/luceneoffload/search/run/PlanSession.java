/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.report.OffloadStats;

/**
 * A session of a device and the counters of its runs; for one thread at a time. It is also the stop
 * signal of its plan, which limits the plan's time: a plan that ends before the device asks reads
 * no clock.
 */
final class PlanSession implements DeviceSession.StopSignal {
  final DeviceSession device;
  final OffloadStats.Share counts;
  private final long mostNanos;

  private DeviceSession.StopSignal caller = NEVER;
  private boolean asked;
  private boolean tookTooLong;
  private long firstAskedNanos;

  PlanSession(DeviceSession device, OffloadStats.Share counts, long mostNanos) {
    this.device = device;
    this.counts = counts;
    this.mostNanos = mostNanos;
  }

  /** The signal for the next plan: the caller's, or that the plan takes too long. */
  DeviceSession.StopSignal limit(DeviceSession.StopSignal stop) {
    caller = stop;
    asked = false;
    return this;
  }

  @Override
  public boolean stop() {
    if (caller.stop()) {
      return true;
    }
    // The device asks for the first time soon after the plan has begun.
    long now = System.nanoTime();
    if (!asked) {
      asked = true;
      firstAskedNanos = now;
    }
    tookTooLong = now - firstAskedNanos > mostNanos;
    return tookTooLong;
  }

  /** Whether the plan that was stopped last was so since it took too long. */
  boolean tookTooLong() {
    return asked && tookTooLong;
  }
}
