/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** How long somebody waits for an answer, and who may tell him to stop. For one thread. */
final class Patience {
  /** Between two looks at the stop signal. */
  private static final long LOOK_MILLIS = 5;

  /** For a command that was told to stop. */
  private static final long GRACE_NANOS = 1_000_000_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long millis;
  private final StopSignal stop;
  private final Runnable onStop;
  private long endNanos;
  private boolean stopped;
  private boolean late; // something came after the end

  /**
   * Begins now.
   *
   * @param millis in which the answer comes
   * @param stop asked now and then
   * @param onStop run once when it says so, within the little time that is left then
   */
  Patience(long millis, StopSignal stop, Runnable onStop) {
    this.millis = millis;
    this.stop = stop;
    this.onStop = onStop;
    this.endNanos = System.nanoTime() + millis * NANOS_PER_MILLI;
  }

  /** Without a stop signal. */
  static Patience of(long millis) {
    return new Patience(millis, StopSignal.NEVER, () -> {});
  }

  /** Milliseconds, at least 1, after which {@link #check} is called again. */
  long sliceMillis() {
    long left = Math.max(1, (endNanos - System.nanoTime()) / NANOS_PER_MILLI + 1);
    return stop == StopSignal.NEVER || stopped ? left : Math.min(left, LOOK_MILLIS);
  }

  /**
   * Goes on waiting, or not. What is there is taken, also if the time is over: this process may
   * have stood still, and the node not. But that comes about once, and not with each byte of a node
   * that sends them one by one.
   *
   * @param ready whether there is something to take
   * @throws OffloadException with status TIMED_OUT
   */
  void check(boolean ready) throws OffloadException {
    if (!stopped && stop.stop()) {
      stopped = true;
      endNanos = Math.min(endNanos, System.nanoTime() + GRACE_NANOS);
      onStop.run();
    }
    if (System.nanoTime() - endNanos >= 0) {
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

  /** One of several commands was answered: the time of the next begins. */
  void answered() {
    if (!stopped) {
      endNanos = System.nanoTime() + millis * NANOS_PER_MILLI;
      late = false;
      stop.answered();
    }
  }

  /** Returns whether the stop signal has been seen. */
  boolean isStopped() {
    return stopped;
  }
}
