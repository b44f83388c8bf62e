/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long a thread waits, on a clock of the test's; a host that stands still has not listened. */
class TestCallTime {
  private static final long TIMEOUT = 1_600;
  private static final long SLICE = TIMEOUT / CallTime.LOOKS;

  private long now = Long.MAX_VALUE - 700; // a clock may overflow
  private final CallTime time = new CallTime(now + TIMEOUT, TIMEOUT, () -> now);

  /** Waits until the next look, and so much longer. */
  private long waitAndLook(long late) {
    now += time.untilNextLook(Long.MAX_VALUE) + late;
    return time.look();
  }

  @Test
  void itLooksSeveralTimesAndThenItIsOver() {
    for (int i = 1; i <= CallTime.LOOKS; i++) {
      assertTrue(time.left() > 0);
      assertEquals(0, waitAndLook(0));
      assertEquals(TIMEOUT - i * SLICE, time.left());
    }
    assertEquals(0, time.left());
  }

  @Test
  void whatTheHostStoodStillIsGivenBack() {
    now += 10 * TIMEOUT; // before it has waited at all
    assertEquals(10 * TIMEOUT, time.look());
    assertEquals(TIMEOUT, time.left());
    assertEquals(0, time.look(), "it is counted once");
    waitAndLook(0);
    assertEquals(3 * TIMEOUT, waitAndLook(3 * TIMEOUT));
    assertEquals(TIMEOUT - 2 * SLICE, time.left());
  }

  @Test
  void toBeALittleLateIsNoStandstill() {
    assertEquals(0, waitAndLook(SLICE));
    assertEquals(TIMEOUT - 2 * SLICE, time.left());
  }

  @Test
  void whoIsWokenEarlyLooksAgain() {
    now += time.untilNextLook(Long.MAX_VALUE) / 2;
    assertEquals(0, time.look());
    assertEquals(SLICE / 4, time.untilNextLook(SLICE / 4));
    now += SLICE / 4;
    assertEquals(0, time.look());
    assertEquals(TIMEOUT - SLICE / 2 - SLICE / 4, time.left());
  }

  /** Who looks without having waited has worked meanwhile, which counts. */
  @Test
  void workBetweenLooksAddsUp() {
    for (int i = 1; i <= 2 * CallTime.LOOKS; i++) {
      now += SLICE / 2;
      assertEquals(0, time.look());
    }
    assertEquals(0, time.left());
  }

  @Test
  void itBeginsAnew() {
    waitAndLook(0);
    now += 2 * SLICE;
    time.restart(3 * SLICE);
    assertEquals(3 * SLICE, time.left());
    assertEquals(0, waitAndLook(0));
    assertEquals(2 * SLICE, time.left());
  }

  @Test
  void theLastLookIsAtTheEnd() {
    time.shorten(SLICE / 2);
    assertEquals(SLICE / 2, time.left());
    assertEquals(SLICE / 2, time.untilNextLook(Long.MAX_VALUE));
    time.shorten(TIMEOUT);
    assertEquals(SLICE / 2, time.left(), "it is not made longer");
    assertEquals(0, waitAndLook(0));
    assertEquals(0, time.left());
  }
}
