/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.function.BooleanSupplier;

/** Waits for the garbage collector. */
public final class Collected {
  private static final int ROUNDS = 200;
  private static final int PAUSE_MILLIS = 20;

  private Collected() {}

  /** Runs the collector until something that nobody holds is gone. */
  public static void once() throws InterruptedException {
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    await("garbage", () -> garbage.get() == null);
  }

  /** Runs the collector until something holds; fails if it never does. */
  public static void await(String what, BooleanSupplier holds) throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      if (holds.getAsBoolean()) {
        return;
      }
      System.gc();
      if (holds.getAsBoolean()) {
        return;
      }
      Thread.sleep(PAUSE_MILLIS); // references are cleared and enqueued by threads of the JVM
    }
    assertTrue(holds.getAsBoolean(), what);
  }
}
