/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * What has come is taken, however late this process looks, and what is under way is waited for if
 * it stood still; but a node that drips is late. On a clock of the test's.
 */
class TestDeadline {
  private static final int MILLIS = 2_000;

  private long nanos = Long.MAX_VALUE - 1_000_000_000L; // a clock may overflow
  private final Deadline deadline = new Deadline(MILLIS, StopSignal.NEVER, () -> {}, () -> nanos);

  private void pass(long millis) {
    nanos += millis * 1_000_000;
  }

  /** Waits until nothing of its time is left, and nothing comes. */
  private void use() throws OffloadException {
    use(MILLIS);
  }

  private void use(long millis) throws OffloadException {
    long waited = 0;
    while (waited < millis) {
      long slice = Math.min(deadline.sliceMillis(), millis - waited);
      pass(slice);
      waited += slice;
      if (waited < millis) {
        deadline.check(false);
      }
    }
  }

  private void assertOver(boolean ready) {
    OffloadException e = assertThrows(OffloadException.class, () -> deadline.check(ready));
    assertEquals(OffloadWire.Status.TIMED_OUT, e.status());
  }

  @Test
  void nobodyWaitsForWhatDoesNotCome() throws Exception {
    use();
    assertOver(false);
  }

  @Test
  void whatIsThereIsTakenOnce() throws Exception {
    use();
    deadline.check(true);
    assertOver(true);
  }

  @Test
  void eachAnswerHasATimeOfItsOwn() throws Exception {
    use();
    deadline.check(true);
    deadline.answered();
    use();
    deadline.check(true);
    assertOver(false);
  }

  /** Again and again, and whether or not something came meanwhile. */
  @Test
  void aStandstillDoesNotCount() throws Exception {
    long meant = 0;
    for (int i = 0; i < 5; i++) {
      meant += deadline.sliceMillis();
      pass(3 * MILLIS);
      deadline.check(i % 2 == 0);
    }
    use(MILLIS - meant);
    assertOver(false);
  }

  /** Bytes that come one by one add up. */
  @Test
  void whoDripsIsLate() throws Exception {
    for (int i = 0; i < MILLIS / 10; i++) {
      deadline.sliceMillis();
      pass(10);
      deadline.check(true);
    }
    deadline.sliceMillis();
    pass(10);
    assertOver(true);
  }

  @Test
  void whoWasToldToStopHasLittleTime() throws Exception {
    boolean[] told = new boolean[2];
    Deadline stopped = new Deadline(60_000, () -> told[0], () -> told[1] = true, () -> nanos);
    assertTrue(stopped.sliceMillis() <= 5);
    stopped.check(false);
    told[0] = true;
    stopped.check(false);
    assertTrue(told[1] && stopped.isStopped());
    for (int i = 0; i < 999; i++) {
      stopped.sliceMillis();
      pass(1);
      stopped.check(false);
    }
    pass(1);
    assertThrows(OffloadException.class, () -> stopped.check(false));
  }
}
