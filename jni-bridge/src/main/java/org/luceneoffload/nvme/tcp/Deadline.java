/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.util.function.LongSupplier;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.util.CallTime;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * The time by which an answer has to come, and the signal that ends the wait. Time in which this
 * process stood still does not count: see {@link CallTime}. For one thread.
 */
final class Deadline {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Between two looks at the stop signal. */
  private static final long LOOK_NANOS = 5 * NANOS_PER_MILLI;

  /** For a command that was told to stop. */
  private static final long GRACE_NANOS = 1_000 * NANOS_PER_MILLI;

  /**
   * A look that comes so much later than it was meant to shows a standstill; less is a timer's
   * business.
   */
  private static final long MIN_STANDSTILL_NANOS = 10 * NANOS_PER_MILLI;

  private final long millis;
  private final StopSignal stop;
  private final Runnable onStop;
  private final CallTime time;
  private boolean stopped;
  private boolean late; // something came after the end

  /**
   * Begins now.
   *
   * @param millis in which the answer comes
   * @param stop asked now and then
   * @param onStop run once when it says so, within the little time that is left then
   */
  Deadline(long millis, StopSignal stop, Runnable onStop) {
    this(millis, stop, onStop, System::nanoTime);
  }

  /**
   * With a clock of its own, for tests.
   *
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  Deadline(long millis, StopSignal stop, Runnable onStop, LongSupplier clock) {
    this.millis = millis;
    this.stop = stop;
    this.onStop = onStop;
    long nanos = millis * NANOS_PER_MILLI;
    long looks = Math.max(nanos, CallTime.LOOKS * MIN_STANDSTILL_NANOS);
    this.time = new CallTime(clock.getAsLong() + nanos, looks, clock);
  }

  /** Returns a deadline without a stop signal. */
  static Deadline of(long millis) {
    return new Deadline(millis, StopSignal.NEVER, () -> {});
  }

  /** Returns the milliseconds, at least 1, after which {@link #check} is called again. */
  long sliceMillis() {
    long most = stop == StopSignal.NEVER || stopped ? Long.MAX_VALUE : LOOK_NANOS;
    return Math.max(1, (time.untilNextLook(most) + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
  }

  /**
   * Goes on waiting, or not. What is there is taken, also if the time is over: the node may have
   * been in time. But that comes about once, and not with each byte of a node that sends them one
   * by one.
   *
   * @param ready whether there is something to take
   * @throws OffloadException with status TIMED_OUT
   */
  void check(boolean ready) throws OffloadException {
    time.look();
    if (!stopped && stop.stop()) {
      stopped = true;
      time.shorten(GRACE_NANOS);
      onStop.run();
      time.look();
    }
    if (time.left() <= 0) {
      if (ready && !late) {
        late = true;
        return;
      }
      throw new OffloadException(
          OffloadWire.Status.TIMED_OUT,
          (stopped ? "told to stop, it did not" : "no answer in " + millis + " ms")
              + ": whether the device has executed it is unknown");
    }
  }

  /** Notes that one of several commands was answered: the time of the next begins. */
  void answered() {
    if (!stopped) {
      time.restart(millis * NANOS_PER_MILLI);
      late = false;
      stop.answered();
    }
  }

  /** Returns whether the stop signal has been seen. */
  boolean isStopped() {
    return stopped;
  }
}
