/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import java.util.function.LongSupplier;

/**
 * How long a thread still waits for a device. Time in which the host itself stood still does not
 * count: a machine that was suspended, or collected garbage, or had no processor for the thread,
 * has not listened, and must not take that for the silence of a device. So the thread looks several
 * times while it waits, and what passed between two looks beyond the time that it meant to wait is
 * given to the device.
 *
 * <p>For one thread.
 */
public final class CallTime {
  /** Looks in the time of a call; the time of one may be lost unnoticed. */
  public static final int LOOKS = 16;

  private final LongSupplier clock;
  private final long sliceNanos;
  private long until;
  private long looked;
  private long nextLook; // when the thread means to look again

  /**
   * Begins to wait.
   *
   * @param until when to give up, by {@code clock}, unless the host stands still meanwhile
   * @param nanos what a call may take in all
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  public CallTime(long until, long nanos, LongSupplier clock) {
    this.clock = clock;
    this.sliceNanos = Math.max(1, nanos / LOOKS);
    this.until = until;
    this.looked = clock.getAsLong();
    this.nextLook = looked;
  }

  /**
   * Looks at the clock. Everything else here goes by this look.
   *
   * @return for how long the host stood still since the look before; 0 if it did not
   */
  public long look() {
    looked = clock.getAsLong();
    long late = looked - nextLook;
    nextLook = looked;
    if (late <= sliceNanos) {
      return 0;
    }
    until += late;
    return late;
  }

  /** Returns the nanoseconds that are left; 0 or less: none. */
  public long left() {
    return until - looked;
  }

  /** Begins anew: waits so long from now on. */
  public void restart(long nanos) {
    looked = clock.getAsLong();
    nextLook = looked;
    until = looked + nanos;
  }

  /** Waits at most so long from the latest look on. */
  public void shorten(long nanos) {
    until = looked + Math.min(left(), nanos);
  }

  /**
   * Returns how long to wait until the next look.
   *
   * @param most nanoseconds that the caller would wait, more than 0
   */
  public long untilNextLook(long most) {
    long wait = Math.min(Math.min(most, left()), sliceNanos);
    nextLook = looked + wait;
    return wait;
  }
}
