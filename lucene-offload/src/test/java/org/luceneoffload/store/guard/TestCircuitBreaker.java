/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Status;

class TestCircuitBreaker {
  private static final int WAIT_MILLIS = 40;

  private long now = Long.MAX_VALUE; // a clock may overflow
  private final CircuitBreaker breaker =
      new CircuitBreaker(
          new RamBlockDevice(16),
          OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMillis(WAIT_MILLIS)),
          () -> now);

  private void fail(int status) {
    breaker.failed(new OffloadException(status, "injected"));
  }

  private void pass(long millis) {
    now += millis * 1_000_000;
  }

  private long count(Counter counter) {
    return breaker.stats().get(counter);
  }

  @Test
  void failuresInARowSetItAside() throws Exception {
    for (int i = 1; i < CircuitBreaker.MAX_FAILURES; i++) {
      fail(Status.IO_ERROR);
      assertFalse(breaker.isOpen());
    }
    breaker.succeeded();
    for (int i = 1; i < CircuitBreaker.MAX_FAILURES; i++) {
      fail(Status.INTERNAL);
      breaker.enter();
    }
    fail(Status.IO_ERROR);
    assertTrue(breaker.isOpen());
    OffloadException refused = assertThrows(OffloadException.class, breaker::enter);
    assertEquals(Status.IO_ERROR, refused.status());
    assertTrue(refused.getMessage().contains("circuit breaker"), refused.getMessage());
    assertTrue(refused.getMessage().contains("injected"), refused.getMessage());
    assertEquals(1, count(Counter.BREAKER_OPENED));
  }

  @Test
  void aTimeoutOrACloseSetsItAsideAtOnce() {
    for (int status : new int[] {Status.TIMED_OUT, Status.CLOSED}) {
      CircuitBreaker other = new CircuitBreaker(new RamBlockDevice(16), OffloadOptions.DEFAULT);
      other.failed(new OffloadException(status, "injected"));
      assertTrue(other.isOpen());
    }
  }

  @Test
  void whatConcernsOnePlanDoesNot() throws Exception {
    for (int status = 1; status < 100; status++) {
      if (CircuitBreaker.concernsDevice(status)) {
        continue;
      }
      for (int i = 0; i < 10; i++) {
        fail(status);
      }
      breaker.enter();
    }
    assertFalse(breaker.isOpen());
    assertFalse(CircuitBreaker.concernsDevice(Status.PLAN_TOO_LARGE));
    assertFalse(CircuitBreaker.concernsDevice(Status.ABORTED));
    assertFalse(CircuitBreaker.concernsDevice(Status.PAGE_CORRUPT));
    assertFalse(CircuitBreaker.concernsDevice(Status.NO_SPACE));
  }

  @Test
  void aPlanIsTheProbeAndThereIsOnlyOne() throws Exception {
    fail(Status.TIMED_OUT);
    assertTrue(breaker.isOpen());
    pass(WAIT_MILLIS);
    assertFalse(breaker.isOpen());
    breaker.enter();
    assertTrue(breaker.isOpen(), "while the probe runs");
    assertThrows(OffloadException.class, breaker::enter);
    breaker.succeeded();
    breaker.leave();
    assertFalse(breaker.isOpen());
    assertNull(breaker.reason());
    assertEquals(1, count(Counter.BREAKER_PROBES));
    assertEquals(1, count(Counter.BREAKER_HALF_OPENED));
  }

  @Test
  void aProbeThatNeitherSucceedsNorFailsIsRepeated() throws Exception {
    fail(Status.TIMED_OUT);
    pass(WAIT_MILLIS);
    breaker.enter();
    fail(Status.ABORTED);
    breaker.leave();
    breaker.enter();
    breaker.succeeded();
    breaker.leave();
    assertFalse(breaker.isOpen());
  }

  @Test
  void eachFailedProbeDoublesTheWait() throws Exception {
    fail(Status.TIMED_OUT);
    pass(WAIT_MILLIS);
    breaker.enter();
    fail(Status.TIMED_OUT);
    breaker.leave();
    pass(WAIT_MILLIS);
    assertTrue(breaker.isOpen());
    pass(WAIT_MILLIS);
    assertFalse(breaker.isOpen());
    // That of one trouble is counted once.
    assertEquals(1, count(Counter.BREAKER_OPENED));
  }

  @Test
  void halfOpenOneFailureIsEnough() throws Exception {
    fail(Status.TIMED_OUT);
    pass(WAIT_MILLIS);
    breaker.enter();
    breaker.succeeded();
    for (int i = 1; i < CircuitBreaker.HALF_OPEN_PLANS; i++) {
      breaker.succeeded();
    }
    fail(Status.IO_ERROR);
    assertTrue(breaker.isOpen());
    pass(2 * WAIT_MILLIS);
    breaker.enter();
    breaker.succeeded();
    for (int i = 0; i < CircuitBreaker.HALF_OPEN_PLANS; i++) {
      breaker.succeeded();
    }
    fail(Status.IO_ERROR);
    assertFalse(breaker.isOpen());
  }

  @Test
  void aProbeOfItsOwn() throws Exception {
    int[] probes = {0};
    int[] told = {0};
    breaker.probeWith(() -> probes[0]++, () -> told[0]++);
    fail(Status.TIMED_OUT);
    assertEquals(1, told[0]);
    assertTrue(breaker.isOpen());
    assertEquals(0, probes[0]);
    pass(WAIT_MILLIS);
    for (int i = 0; i < 5; i++) {
      assertTrue(breaker.isOpen());
      assertThrows(OffloadException.class, breaker::enter);
      assertEquals(1, probes[0]);
    }
    fail(Status.TIMED_OUT);
    breaker.probeSoon();
    assertTrue(breaker.isOpen());
    assertEquals(2, probes[0]);
    breaker.succeeded();
    assertFalse(breaker.isOpen());
    breaker.enter();
  }

  @Test
  void aProbeThatCannotBeStartedIsRepeated() throws Exception {
    int[] probes = {0};
    breaker.probeWith(
        () -> {
          if (probes[0]++ == 0) {
            throw new OutOfMemoryError("no more threads");
          }
        },
        () -> {});
    fail(Status.TIMED_OUT);
    pass(WAIT_MILLIS);
    assertThrows(OutOfMemoryError.class, breaker::isOpen);
    assertTrue(breaker.isOpen());
    assertEquals(1, probes[0]);
    pass(WAIT_MILLIS);
    assertTrue(breaker.isOpen());
    assertEquals(2, probes[0]);
    breaker.succeeded();
    assertFalse(breaker.isOpen());
  }
}
