/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntUnaryOperator;

/**
 * An atomic number that has its part of the cache to itself: small objects of several sessions come
 * to stand side by side in the heap, and threads that run plans would write to one another's lines.
 */
public final class LoneInt {
  /** Ints before and after the number: two lines of 64 bytes. */
  private static final int MARGIN = 32;

  private final AtomicIntegerArray line = new AtomicIntegerArray(2 * MARGIN + 1);

  /** A new one, 0. */
  public LoneInt() {}

  /** Returns the number. */
  public int get() {
    return line.get(MARGIN);
  }

  /** Sets the number. */
  public void set(int value) {
    line.set(MARGIN, value);
  }

  /** Sets the number if it is {@code expected}; says whether it was. */
  public boolean compareAndSet(int expected, int value) {
    return line.compareAndSet(MARGIN, expected, value);
  }

  /** Takes one off; returns what is left. */
  public int decrementAndGet() {
    return line.decrementAndGet(MARGIN);
  }

  /** Changes the number; returns what it was. */
  public int getAndUpdate(IntUnaryOperator update) {
    return line.getAndUpdate(MARGIN, update);
  }
}
