/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Tells a plan that is too big for its time from a device that has fallen silent. The device is
 * heard if it answers a plan that was begun later. If no other plan has run by half of the plan's
 * time, a check is started, which runs a plan of its own.
 *
 * <p>All methods may be called from several threads, and none waits.
 */
final class PlanWatch {
  /** A plan that has not ended after so much of its time is told to stop: in eighths. */
  private static final int STOP_AT_EIGHTHS = 7;

  /** Finds out whether the device runs plans. */
  @FunctionalInterface
  interface Check {
    /**
     * Runs a plan, on a thread of its own.
     *
     * @return whether it did; false if the device answers but has no session left
     * @throws Exception if the device fails
     */
    boolean run() throws Exception;
  }

  private final long timeoutNanos;
  private final Check check;
  private final LongSupplier clock;
  private final long base;
  private final AtomicBoolean checking = new AtomicBoolean();
  private final AtomicInteger lost = new AtomicInteger();

  /** When the latest plan began of those that were answered; nanoseconds after {@link #base}. */
  private final AtomicLong heardSince = new AtomicLong(Long.MIN_VALUE);

  /** When the latest check began that found the device without a session. */
  private final AtomicLong fullSince = new AtomicLong(Long.MIN_VALUE);

  /**
   * @param timeoutNanos what a plan may take
   */
  PlanWatch(long timeoutNanos, Check check) {
    this(timeoutNanos, check, System::nanoTime);
  }

  /**
   * With a clock of its own, for tests.
   *
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  PlanWatch(long timeoutNanos, Check check, LongSupplier clock) {
    this.timeoutNanos = timeoutNanos;
    this.check = check;
    this.clock = clock;
    this.base = clock.getAsLong();
  }

  private long now() {
    return clock.getAsLong() - base;
  }

  /** Begins to watch a plan. */
  Watched begin() {
    return new Watched();
  }

  /** One plan. */
  final class Watched {
    private final long began = now();
    private long stoodStill; // time since then that does not count
    private boolean checked;
    private boolean alone; // the only one that was given up and has not ended

    /** Notes that the device answered the plan, be it with a refusal. */
    void answered() {
      heardSince.accumulateAndGet(began, Math::max);
    }

    /** Notes how long the host stood still, which does not count as the plan's time. */
    void stoodStill(long nanos) {
      stoodStill += nanos;
    }

    private long took() {
      return now() - began - stoodStill;
    }

    /**
     * Returns whether the plan should stop; called by the thread that waits for the plan, now and
     * then.
     *
     * @param starter starts the check, if it is time for one
     * @return whether it is time to tell the plan to stop
     */
    boolean isTimeToStop(Executor starter) {
      long took = took();
      if (!checked && took >= timeoutNanos / 2) {
        checked = true;
        if (heardSince.get() <= began && checking.compareAndSet(false, true)) {
          start(starter);
        }
      }
      return took >= stopNanos();
    }

    /** Returns the number of nanoseconds until {@link #isTimeToStop} has something to do. */
    long nanosToNext() {
      long took = took();
      long next = checked ? stopNanos() : timeoutNanos / 2;
      return took < next ? next - took : Long.MAX_VALUE;
    }

    private long stopNanos() {
      return timeoutNanos / 8 * STOP_AT_EIGHTHS;
    }

    /** Gives the plan up, as its caller no longer waits for it. */
    void giveUp() {
      alone = lost.getAndIncrement() == 0;
    }

    /** Notes that a plan that was given up has ended after all. */
    void endedLate() {
      lost.decrementAndGet();
    }

    /**
     * Returns whether the device answers others, so that it is this plan, which was given up, that
     * takes too long. Of a device without a session to check it with, that is believed of one plan
     * at a time.
     */
    boolean answersOthers() {
      return heardSince.get() > began || (alone && fullSince.get() > began);
    }

    private void start(Executor starter) {
      try {
        starter.execute(PlanWatch.this::check);
      } catch (Throwable t) {
        checking.set(false);
        throw t;
      }
    }
  }

  private void check() {
    long began = now();
    try {
      (check.run() ? heardSince : fullSince).accumulateAndGet(began, Math::max);
    } catch (Throwable t) {
      // Nothing was heard of the device; whoever waits for it draws the conclusion.
    } finally {
      checking.set(false);
    }
  }
}
