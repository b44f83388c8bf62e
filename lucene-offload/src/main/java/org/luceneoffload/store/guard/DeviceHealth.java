/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import java.lang.System.Logger.Level;
import java.util.function.LongSupplier;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.events.OffloadEvents;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Status;

/**
 * Whether a device is to be used. One that hangs, is closed, or fails {@link #MOST_FAILURES} times
 * in a row is set aside: no plan goes to it. After a while, longer each time, a single probe finds
 * out whether it answers again; then it is taken back, on trial: the next failure sets it aside at
 * once, and only {@link #TRIAL_PLANS} plans that succeed clear its name.
 *
 * <p>The probe is a plan of a query, or, if the device may hang, what {@link #probeWith} was given,
 * so that no query has to wait for it. There is no thread and no timer: who would use the device
 * starts the probe.
 *
 * <p>All methods may be called from several threads, and none waits. As long as there is no trouble
 * they read one field.
 */
public final class DeviceHealth {
  /** Failures in a row that set a device aside, of those that may also come alone. */
  static final int MOST_FAILURES = 3;

  /** Plans that have to succeed until a device that was taken back counts as sound. */
  static final int TRIAL_PLANS = 16;

  private static final int MOST_DOUBLINGS = 5;

  private enum State {
    IN_USE,
    SET_ASIDE,
    PROBING
  }

  private final Device device;
  private final OffloadStats stats = new OffloadStats();
  private final long timeoutNanos;
  private final LongSupplier clock;

  /** False: in use, no failure lately, nothing below is of interest. */
  private volatile boolean troubled;

  // Guarded by the monitor of this object.
  private State state = State.IN_USE;
  private int failuresInRow;
  private int timesSetAside; // since its name was clear
  private int trialPlansLeft;
  private long probeAtNanos;
  private OffloadException cause;
  private Runnable probe; // null: a plan is the probe
  private Runnable onSetAside = () -> {};

  /**
   * A device in use.
   *
   * @param device the device
   * @param options give what a call may take; also the first wait for a probe
   */
  DeviceHealth(Device device, OffloadOptions options) {
    this(device, options, System::nanoTime);
  }

  /**
   * With a clock of its own, for tests.
   *
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  DeviceHealth(Device device, OffloadOptions options, LongSupplier clock) {
    this.device = device;
    this.clock = clock;
    this.timeoutNanos = options.deviceTimeout().toNanos();
  }

  /** Counters of the device. */
  OffloadStats stats() {
    return stats;
  }

  /** What one call of the device may take. */
  public long timeoutNanos() {
    return timeoutNanos;
  }

  /**
   * Says how to probe a device without a plan, and who is told when it is set aside. Both must not
   * wait. The probe ends with {@link #succeeded} or {@link #failed}.
   */
  synchronized void probeWith(Runnable probing, Runnable toldOfSetAside) {
    this.probe = probing;
    this.onSetAside = toldOfSetAside;
  }

  /** Whether a status tells of the device, and not of the one command that it refused. */
  public static boolean concernsDevice(int status) {
    return switch (status) {
      case Status.IO_ERROR,
          Status.CLOSED,
          Status.TIMED_OUT,
          Status.NO_SESSION,
          Status.QUEUE_FULL,
          Status.INTERNAL ->
          true;
      default -> false;
    };
  }

  /**
   * Whether a plan would be refused now, so that it is not worth making one. Starts a probe if it
   * is time for one that is no plan.
   */
  public boolean isSetAside() {
    return troubled && !mayEnter(false);
  }

  /** Why the device is set aside; null if it is not. */
  public synchronized String reason() {
    return state == State.IN_USE ? null : cause.getMessage();
  }

  /**
   * Called before a plan is run; {@link #succeeded} or {@link #failed} and {@link #leave} follow.
   *
   * @throws OffloadException if the device is set aside, with the status of what it did last
   */
  public void enter() throws OffloadException {
    if (troubled && !mayEnter(true)) {
      throw setAsideFailure();
    }
  }

  /** What a call gets that is not made, since the device is set aside. */
  synchronized OffloadException setAsideFailure() {
    return new OffloadException(
        cause == null ? Status.BUSY : cause.status(),
        "device "
            + device.name()
            + " is set aside"
            + (cause == null ? "" : ": " + cause.getMessage()));
  }

  private boolean mayEnter(boolean toUse) {
    Runnable toStart;
    synchronized (this) {
      if (state == State.IN_USE) {
        return true;
      }
      if (state == State.PROBING || clock.getAsLong() - probeAtNanos < 0) {
        return false;
      }
      if (probe == null && !toUse) {
        return true;
      }
      state = State.PROBING;
      stats.increment(Counter.DEVICE_PROBES);
      if (probe == null) {
        return true;
      }
      toStart = probe;
    }
    boolean started = false;
    try {
      toStart.run();
      started = true;
    } finally {
      if (!started) {
        probeLater(); // no thread to be had, most likely
      }
    }
    return false;
  }

  private synchronized void probeLater() {
    if (state == State.PROBING) {
      state = State.SET_ASIDE;
      probeAtNanos = clock.getAsLong() + timeoutNanos;
    }
  }

  /** The device did what it was asked to. */
  public void succeeded() {
    if (troubled) {
      hasSucceeded();
    }
  }

  private synchronized void hasSucceeded() {
    if (state == State.SET_ASIDE) {
      return; // it began before the trouble did
    }
    failuresInRow = 0;
    if (state == State.PROBING) {
      state = State.IN_USE;
      trialPlansLeft = TRIAL_PLANS;
      stats.increment(Counter.DEVICE_TAKEN_BACK);
      OffloadEvents.deviceSetAside(device, false, "it answers again");
      CauseLog.log(
          Level.INFO,
          "taken back",
          device.name(),
          "device " + device.name() + " answers again and is taken back into use");
    } else if (trialPlansLeft == 0 || --trialPlansLeft == 0) {
      timesSetAside = 0;
      cause = null;
      troubled = false;
    }
  }

  /**
   * The device failed a call, or refused it.
   *
   * @return whether that sets the device aside, which was in use
   */
  public boolean failed(OffloadException failure) {
    int status = failure.status();
    if (concernsDevice(status)) {
      return blame(failure, status == Status.TIMED_OUT || status == Status.CLOSED);
    }
    if (status != Status.ABORTED) {
      succeeded(); // that it refuses a plan shows that it is there
    }
    return false;
  }

  private boolean blame(OffloadException failure, boolean severe) {
    Runnable tell;
    synchronized (this) {
      if (state == State.SET_ASIDE) {
        return false;
      }
      troubled = true;
      cause = failure;
      failuresInRow++;
      boolean suspect = state == State.PROBING || timesSetAside > 0;
      if (!severe && !suspect && failuresInRow < MOST_FAILURES) {
        return false;
      }
      long wait = timeoutNanos << Math.min(timesSetAside, MOST_DOUBLINGS);
      probeAtNanos = clock.getAsLong() + wait;
      timesSetAside++;
      failuresInRow = 0;
      if (state == State.PROBING) {
        state = State.SET_ASIDE;
        return false;
      }
      state = State.SET_ASIDE;
      tell = onSetAside;
    }
    stats.increment(Counter.DEVICE_SET_ASIDE);
    OffloadEvents.deviceSetAside(device, true, failure.getMessage());
    CauseLog.warn(
        "set aside: " + Status.name(failure.status()),
        device.name(),
        "device "
            + device.name()
            + " is set aside, the host does its work until it answers again: "
            + failure.getMessage());
    tell.run();
    return true;
  }

  /**
   * Ends what {@link #enter} began. If a plan was the probe, and neither succeeded nor failed, the
   * next one is.
   */
  public void leave() {
    if (troubled) {
      endPlanProbe();
    }
  }

  private synchronized void endPlanProbe() {
    if (state == State.PROBING && probe == null) {
      state = State.SET_ASIDE;
      probeAtNanos = clock.getAsLong();
    }
  }

  /** A sign of life: the next probe need not wait any longer. */
  synchronized void probeSoon() {
    if (state == State.SET_ASIDE) {
      probeAtNanos = clock.getAsLong();
    }
  }

  /** Counts a call that was given up. */
  void countAbandoned() {
    stats.increment(Counter.CALLS_ABANDONED);
  }
}
