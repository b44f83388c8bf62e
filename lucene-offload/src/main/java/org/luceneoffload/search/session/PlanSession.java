/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.report.OffloadStats;

/**
 * A session of a device and the counters of its runs; for one thread at a time. It is also the stop
 * signal of its plan: it asks the caller's, and may limit the plan's time. A plan that has used up
 * its share of that time ends if others need the session. A plan that ends before the device asks
 * reads no clock.
 */
final class PlanSession implements DeviceSession.StopSignal {
  /** Part of a plan's time after which it yields to others: a quarter. */
  private static final int YIELD_AFTER_PART = 4;

  /** The ways to limit the time of a plan. */
  enum Limit {
    /** Not at all. */
    NONE,
    /** To the time of a plan. */
    TIME,
    /** To the time of a plan; to a quarter of it if others need the session. */
    YIELDING
  }

  final DeviceSession device;
  final OffloadStats.Share counts;

  /** Whether its latest plans met storage, as the first ones of a device do. */
  boolean cold = true;

  private final long maxNanos;
  private final BooleanSupplier contended;
  private final LongSupplier clock;

  private DeviceSession.StopSignal caller = NEVER;
  private Limit limit = Limit.NONE;
  private boolean yielded;
  private boolean stoppedByCaller;
  private Throwable thrownByCaller;
  private boolean asked;
  private long firstAskedNanos;

  /**
   * @param maxNanos the time of a plan, from when the device first asks
   * @param contended returns whether others need the session
   */
  PlanSession(
      DeviceSession device, OffloadStats.Share counts, long maxNanos, BooleanSupplier contended) {
    this(device, counts, maxNanos, contended, System::nanoTime);
  }

  /**
   * With a clock of its own, for tests.
   *
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  PlanSession(
      DeviceSession device,
      OffloadStats.Share counts,
      long maxNanos,
      BooleanSupplier contended,
      LongSupplier clock) {
    this.clock = clock;
    this.device = device;
    this.counts = counts;
    this.maxNanos = maxNanos;
    this.contended = contended;
  }

  /**
   * Returns the signal for the next plan.
   *
   * @param stop the caller's signal
   * @param timeLimit how to limit the plan's time
   */
  DeviceSession.StopSignal signal(DeviceSession.StopSignal stop, Limit timeLimit) {
    caller = stop;
    limit = timeLimit;
    yielded = false;
    stoppedByCaller = false;
    thrownByCaller = null;
    asked = false;
    return stop == NEVER && timeLimit == Limit.NONE ? NEVER : this;
  }

  @Override
  public boolean stop() {
    if (callerStops()) {
      return true;
    }
    if (limit == Limit.NONE) {
      return false;
    }
    // The device asks for the first time soon after the plan has begun.
    long now = clock.getAsLong();
    if (!asked) {
      asked = true;
      firstAskedNanos = now;
    }
    long took = now - firstAskedNanos;
    if (limit == Limit.YIELDING
        && took > maxNanos / YIELD_AFTER_PART
        && took <= maxNanos
        && contended.getAsBoolean()) {
      yielded = true;
    }
    return yielded || took > maxNanos;
  }

  @Override
  public void answered() {
    asked = false;
  }

  /** Returns whether the latest plan was stopped before its time, for others. */
  boolean yielded() {
    return yielded;
  }

  /**
   * Returns whether the caller stops the plan; what its signal throws is the application's, and no
   * failure of the device.
   */
  private boolean callerStops() {
    try {
      stoppedByCaller = caller.stop();
    } catch (RuntimeException | Error e) {
      thrownByCaller = e;
      stoppedByCaller = true;
    }
    return stoppedByCaller;
  }

  /** Returns whether it was the caller that stopped the latest plan. */
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
