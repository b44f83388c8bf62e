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

class TestDeviceHealth {
  private static final int WAIT_MILLIS = 40;

  private long now = Long.MAX_VALUE; // a clock may overflow
  private final DeviceHealth health =
      new DeviceHealth(
          new RamBlockDevice(16),
          OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMillis(WAIT_MILLIS)),
          () -> now);

  private void fail(int status) {
    health.failed(new OffloadException(status, "injected"));
  }

  private void pass(long millis) {
    now += millis * 1_000_000;
  }

  private long count(Counter counter) {
    return health.stats().get(counter);
  }

  @Test
  void failuresInARowSetItAside() throws Exception {
    for (int i = 1; i < DeviceHealth.MOST_FAILURES; i++) {
      fail(Status.IO_ERROR);
      assertFalse(health.isSetAside());
    }
    health.succeeded();
    for (int i = 1; i < DeviceHealth.MOST_FAILURES; i++) {
      fail(Status.INTERNAL);
      health.enter();
    }
    fail(Status.IO_ERROR);
    assertTrue(health.isSetAside());
    OffloadException refused = assertThrows(OffloadException.class, health::enter);
    assertEquals(Status.IO_ERROR, refused.status());
    assertTrue(refused.getMessage().contains("set aside"), refused.getMessage());
    assertTrue(refused.getMessage().contains("injected"), refused.getMessage());
    assertEquals(1, count(Counter.DEVICE_SET_ASIDE));
  }

  @Test
  void aTimeoutOrACloseSetsItAsideAtOnce() {
    for (int status : new int[] {Status.TIMED_OUT, Status.CLOSED}) {
      DeviceHealth other = new DeviceHealth(new RamBlockDevice(16), OffloadOptions.DEFAULT);
      other.failed(new OffloadException(status, "injected"));
      assertTrue(other.isSetAside());
    }
  }

  @Test
  void whatConcernsOnePlanDoesNot() throws Exception {
    for (int status = 1; status < 100; status++) {
      if (DeviceHealth.concernsDevice(status)) {
        continue;
      }
      for (int i = 0; i < 10; i++) {
        fail(status);
      }
      health.enter();
    }
    assertFalse(health.isSetAside());
    assertFalse(DeviceHealth.concernsDevice(Status.PLAN_TOO_LARGE));
    assertFalse(DeviceHealth.concernsDevice(Status.ABORTED));
    assertFalse(DeviceHealth.concernsDevice(Status.PAGE_CORRUPT));
    assertFalse(DeviceHealth.concernsDevice(Status.NO_SPACE));
  }

  @Test
  void aPlanIsTheProbeAndThereIsOnlyOne() throws Exception {
    fail(Status.TIMED_OUT);
    assertTrue(health.isSetAside());
    pass(WAIT_MILLIS);
    assertFalse(health.isSetAside());
    health.enter();
    assertTrue(health.isSetAside(), "while the probe runs");
    assertThrows(OffloadException.class, health::enter);
    health.succeeded();
    health.leave();
    assertFalse(health.isSetAside());
    assertNull(health.reason());
    assertEquals(1, count(Counter.DEVICE_PROBES));
    assertEquals(1, count(Counter.DEVICE_TAKEN_BACK));
  }

  @Test
  void aProbeThatNeitherSucceedsNorFailsIsRepeated() throws Exception {
    fail(Status.TIMED_OUT);
    pass(WAIT_MILLIS);
    health.enter();
    fail(Status.ABORTED);
    health.leave();
    health.enter();
    health.succeeded();
    health.leave();
    assertFalse(health.isSetAside());
  }

  @Test
  void eachFailedProbeDoublesTheWait() throws Exception {
    fail(Status.TIMED_OUT);
    pass(WAIT_MILLIS);
    health.enter();
    fail(Status.TIMED_OUT);
    health.leave();
    pass(WAIT_MILLIS);
    assertTrue(health.isSetAside());
    pass(WAIT_MILLIS);
    assertFalse(health.isSetAside());
    // That of one trouble is counted once.
    assertEquals(1, count(Counter.DEVICE_SET_ASIDE));
  }

  @Test
  void onTrialOneFailureIsEnough() throws Exception {
    fail(Status.TIMED_OUT);
    pass(WAIT_MILLIS);
    health.enter();
    health.succeeded();
    for (int i = 1; i < DeviceHealth.TRIAL_PLANS; i++) {
      health.succeeded();
    }
    fail(Status.IO_ERROR);
    assertTrue(health.isSetAside());
    pass(2 * WAIT_MILLIS);
    health.enter();
    health.succeeded();
    for (int i = 0; i < DeviceHealth.TRIAL_PLANS; i++) {
      health.succeeded();
    }
    fail(Status.IO_ERROR);
    assertFalse(health.isSetAside());
  }

  @Test
  void aProbeOfItsOwn() throws Exception {
    int[] probes = {0};
    int[] told = {0};
    health.probeWith(() -> probes[0]++, () -> told[0]++);
    fail(Status.TIMED_OUT);
    assertEquals(1, told[0]);
    assertTrue(health.isSetAside());
    assertEquals(0, probes[0]);
    pass(WAIT_MILLIS);
    for (int i = 0; i < 5; i++) {
      assertTrue(health.isSetAside());
      assertThrows(OffloadException.class, health::enter);
      assertEquals(1, probes[0]);
    }
    fail(Status.TIMED_OUT);
    health.probeSoon();
    assertTrue(health.isSetAside());
    assertEquals(2, probes[0]);
    health.succeeded();
    assertFalse(health.isSetAside());
    health.enter();
  }

  @Test
  void aProbeThatCannotBeStartedIsRepeated() throws Exception {
    int[] probes = {0};
    health.probeWith(
        () -> {
          if (probes[0]++ == 0) {
            throw new OutOfMemoryError("no more threads");
          }
        },
        () -> {});
    fail(Status.TIMED_OUT);
    pass(WAIT_MILLIS);
    assertThrows(OutOfMemoryError.class, health::isSetAside);
    assertTrue(health.isSetAside());
    assertEquals(1, probes[0]);
    pass(WAIT_MILLIS);
    assertTrue(health.isSetAside());
    assertEquals(2, probes[0]);
    health.succeeded();
    assertFalse(health.isSetAside());
  }
}
