/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.device.PlainSession;
import org.luceneoffload.report.OffloadStats;

/** When a plan is told to stop, by a clock of the test. */
class TestPlanSession {
  private static final long MAX_NANOS = 1000;

  private boolean wanted;
  private long now = -77;
  private final PlanSession session =
      new PlanSession(
          new PlainSession(), new OffloadStats().share(), MAX_NANOS, () -> wanted, () -> now);

  /** Begins a plan; returns its signal. */
  private StopSignal begin(PlanSession.Limit limit) {
    StopSignal signal = session.signal(StopSignal.NEVER, limit);
    assertFalse(signal.stop());
    return signal;
  }

  @Test
  void aPlanThatNobodyWaitsForHasItsTime() {
    StopSignal signal = begin(PlanSession.Limit.YIELDING);
    now += MAX_NANOS;
    assertFalse(signal.stop());
    now++;
    assertTrue(signal.stop());
    assertFalse(session.yielded());
  }

  @Test
  void aPlanYieldsAfterAQuarterOfItsTime() {
    StopSignal signal = begin(PlanSession.Limit.YIELDING);
    wanted = true;
    now += MAX_NANOS / 4;
    assertFalse(signal.stop());
    now++;
    assertTrue(signal.stop());
    assertTrue(session.yielded());
    assertFalse(session.stoppedByCaller());
    begin(PlanSession.Limit.YIELDING);
    assertFalse(session.yielded());
  }

  @Test
  void aPlanOfAStrictSearcherNeverYields() {
    StopSignal signal = begin(PlanSession.Limit.TIME);
    wanted = true;
    now += MAX_NANOS;
    assertFalse(signal.stop());
    now++;
    assertTrue(signal.stop());
    assertFalse(session.yielded());
  }

  @Test
  void theTimeBeginsWithEachPlan() {
    wanted = true;
    for (int i = 0; i < 5; i++) {
      StopSignal signal = begin(PlanSession.Limit.YIELDING);
      now += MAX_NANOS / 4;
      assertFalse(signal.stop());
    }
    assertSame(StopSignal.NEVER, session.signal(StopSignal.NEVER, PlanSession.Limit.NONE));
  }
}
