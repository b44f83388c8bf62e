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
 * Keeps plans off a device that fails. It is closed as long as the device works. It opens when the
 * device hangs, is closed, or fails {@link #MAX_FAILURES} times in a row: no plan goes to the
 * device. After a while, longer each time, a single probe finds out whether the device answers
 * again. Then the breaker is half-open: the next failure opens it at once, and {@link
 * #HALF_OPEN_PLANS} plans that succeed close it.
 *
 * <p>The probe is a plan of a query, or, if the device may hang, what {@link #probeWith} was given,
 * so that no query has to wait for it. There is no thread and no timer: who would use the device
 * starts the probe.
 *
 * <p>All methods may be called from several threads, and none waits. As long as there is no trouble
 * they read one field.
 */
public final class CircuitBreaker {
  /** Failures in a row that open the breaker, of those that may also come alone. */
  static final int MAX_FAILURES = 3;

  /** Plans that have to succeed until a half-open breaker is closed. */
  static final int HALF_OPEN_PLANS = 16;

  private static final int MAX_DOUBLINGS = 5;

  private enum State {
    CLOSED,
    OPEN,
    PROBING
  }

  private final Device device;
  private final OffloadStats stats = new OffloadStats();
  private final long timeoutNanos;
  private final LongSupplier clock;

  /** False: closed, no failure lately, nothing below is of interest. */
  private volatile boolean troubled;

  // Guarded by the monitor of this object.
  private State state = State.CLOSED;
  private int failuresInRow;
  private int timesOpened; // since it was closed for good
  private int halfOpenPlansLeft;
  private long probeAtNanos;
  private OffloadException cause;
  private Runnable probe; // null: a plan is the probe
  private Runnable onOpen = () -> {};

  /**
   * A closed one.
   *
   * @param device the device
   * @param options give what a call may take; also the first wait for a probe
   */
  CircuitBreaker(Device device, OffloadOptions options) {
    this(device, options, System::nanoTime);
  }

  /**
   * With a clock of its own, for tests.
   *
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  CircuitBreaker(Device device, OffloadOptions options, LongSupplier clock) {
    this.device = device;
    this.clock = clock;
    this.timeoutNanos = options.deviceTimeout().toNanos();
    stats.follow(counter -> memory(device, counter));
  }

  /** Returns what the device's memory did, as a counter. */
  private static long memory(Device device, Counter counter) {
    return switch (counter) {
      case MEMORY_HITS -> device.memoryCounts().hits();
      case MEMORY_LOADS -> device.memoryCounts().loads();
      case MEMORY_RELOADS -> device.memoryCounts().reloads();
      case MEMORY_EVICTIONS -> device.memoryCounts().evictions();
      case MEMORY_ASKED -> device.memoryCounts().asked();
      case MEMORY_BYTES_READ -> device.memoryCounts().loads() * device.info().pageBytes();
      case MEMORY_READ_AHEAD -> device.memoryCounts().readAhead();
      case READS_AHEAD -> device.memoryCounts().readsAhead();
      case READS_DEEPEST -> device.memoryCounts().deepest();
      default -> 0;
    };
  }

  /** Returns the counters of the device. */
  OffloadStats stats() {
    return stats;
  }

  /** Returns the time that one call of the device may take. */
  public long timeoutNanos() {
    return timeoutNanos;
  }

  /**
   * Sets how to probe a device without a plan, and who is told when the breaker opens. Both must
   * not wait. The probe ends with {@link #succeeded} or {@link #failed}.
   */
  synchronized void probeWith(Runnable probing, Runnable toldOfOpening) {
    this.probe = probing;
    this.onOpen = toldOfOpening;
  }

  /** Returns whether a status concerns the device, and not the one command that it refused. */
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
   * Returns whether a plan would be refused now, so that it is not worth making one. Starts a probe
   * if it is time for one that is no plan.
   */
  public boolean isOpen() {
    return troubled && !mayEnter(false);
  }

  /** Returns why the breaker is open; null if it is not. */
  public synchronized String reason() {
    return state == State.CLOSED ? null : cause.getMessage();
  }

  /**
   * Begins a call before a plan is run; {@link #succeeded} or {@link #failed} and {@link #leave}
   * follow.
   *
   * @throws OffloadException if the breaker is open, with the status of what the device did last
   */
  public void enter() throws OffloadException {
    if (troubled && !mayEnter(true)) {
      throw openFailure();
    }
  }

  /** Returns what a call gets that is not made, since the breaker is open. */
  synchronized OffloadException openFailure() {
    return new OffloadException(
        cause == null ? Status.BUSY : cause.status(),
        "the circuit breaker of device "
            + device.name()
            + " is open"
            + (cause == null ? "" : ": " + cause.getMessage()));
  }

  private boolean mayEnter(boolean toUse) {
    Runnable toStart;
    synchronized (this) {
      if (state == State.CLOSED) {
        return true;
      }
      if (state == State.PROBING || clock.getAsLong() - probeAtNanos < 0) {
        return false;
      }
      if (probe == null && !toUse) {
        return true;
      }
      state = State.PROBING;
      stats.increment(Counter.BREAKER_PROBES);
      if (probe == null) {
        return true;
      }
      toStart = probe;
    }
    try {
      toStart.run();
    } catch (Throwable t) {
      probeLater(); // no thread to be had, most likely
      throw t;
    }
    return false;
  }

  private synchronized void probeLater() {
    if (state == State.PROBING) {
      state = State.OPEN;
      probeAtNanos = clock.getAsLong() + timeoutNanos;
    }
  }

  /** Notes that the device did what it was asked to. */
  public void succeeded() {
    if (troubled) {
      hasSucceeded();
    }
  }

  private synchronized void hasSucceeded() {
    if (state == State.OPEN) {
      return; // it began before the trouble did
    }
    failuresInRow = 0;
    if (state == State.PROBING) {
      state = State.CLOSED;
      halfOpenPlansLeft = HALF_OPEN_PLANS;
      stats.increment(Counter.BREAKER_HALF_OPENED);
      OffloadEvents.circuitBreaker(device, false, "it answers again");
      CauseLog.log(
          Level.INFO,
          "half-open",
          device.name(),
          "device " + device.name() + " answers again and is used again");
    } else if (halfOpenPlansLeft == 0 || --halfOpenPlansLeft == 0) {
      timesOpened = 0;
      cause = null;
      troubled = false;
    }
  }

  /**
   * Notes that the device failed a call, or refused it.
   *
   * @return whether that opens the breaker, which was not open
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
      if (state == State.OPEN) {
        return false;
      }
      troubled = true;
      cause = failure;
      failuresInRow++;
      boolean suspect = state == State.PROBING || timesOpened > 0;
      if (!severe && !suspect && failuresInRow < MAX_FAILURES) {
        return false;
      }
      long wait = timeoutNanos << Math.min(timesOpened, MAX_DOUBLINGS);
      probeAtNanos = clock.getAsLong() + wait;
      timesOpened++;
      failuresInRow = 0;
      if (state == State.PROBING) {
        state = State.OPEN;
        return false;
      }
      state = State.OPEN;
      tell = onOpen;
    }
    stats.increment(Counter.BREAKER_OPENED);
    OffloadEvents.circuitBreaker(device, true, failure.getMessage());
    CauseLog.warn(
        "circuit breaker: " + Status.name(failure.status()),
        device.name(),
        "the circuit breaker of device "
            + device.name()
            + " opens, the host does the device's work until it answers again: "
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
      state = State.OPEN;
      probeAtNanos = clock.getAsLong();
    }
  }

  /** Lets the next probe come at once, after a sign of life. */
  synchronized void probeSoon() {
    if (state == State.OPEN) {
      probeAtNanos = clock.getAsLong();
    }
  }

  /** Counts a call that was given up. */
  void countAbandoned() {
    stats.increment(Counter.CALLS_ABANDONED);
  }
}
