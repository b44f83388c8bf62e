/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** A plan that takes too long, and a device that has fallen silent; on a clock of the test's. */
class TestPlanWatch {
  private static final long TIMEOUT = 800;

  private long now = 5_000;
  private PlanWatch.Check check = () -> true;
  private final Queue<Runnable> started = new ArrayDeque<>();
  private final PlanWatch watch = new PlanWatch(TIMEOUT, () -> check.run(), () -> now);

  private PlanWatch.Watched begin() {
    PlanWatch.Watched plan = watch.begin();
    now++;
    return plan;
  }

  private boolean isTimeToStop(PlanWatch.Watched plan) {
    return plan.isTimeToStop(started::add);
  }

  private void startCheck(PlanWatch.Watched plan) {
    now += TIMEOUT / 2;
    assertFalse(isTimeToStop(plan));
    assertEquals(1, started.size());
  }

  private void runCheck() {
    now++;
    started.remove().run();
  }

  @Test
  void aDeviceThatAnswersNobodyIsSilent() {
    PlanWatch.Watched earlier = begin();
    PlanWatch.Watched plan = begin();
    earlier.answered();
    startCheck(plan);
    plan.giveUp();
    assertFalse(plan.answersOthers());
  }

  @Test
  void aDeviceThatAnswersALaterPlanIsNot() {
    PlanWatch.Watched plan = begin();
    PlanWatch.Watched later = begin();
    later.answered();
    now += TIMEOUT;
    isTimeToStop(plan);
    assertTrue(started.isEmpty(), "no need to check");
    plan.giveUp();
    assertTrue(plan.answersOthers());
  }

  @Test
  void aDeviceThatPassesTheCheckIsNot() {
    PlanWatch.Watched plan = begin();
    startCheck(plan);
    assertFalse(isTimeToStop(plan));
    assertEquals(1, started.size(), "one check for a plan");
    runCheck();
    plan.giveUp();
    assertTrue(plan.answersOthers());
    PlanWatch.Watched next = begin();
    startCheck(next);
    next.giveUp();
    assertFalse(next.answersOthers(), "it says nothing of the time after");
  }

  @Test
  void aDeviceThatFailsTheCheckIsSilent() {
    check =
        () -> {
          throw new IOException("expected");
        };
    PlanWatch.Watched plan = begin();
    startCheck(plan);
    runCheck();
    plan.giveUp();
    assertFalse(plan.answersOthers());
  }

  @Test
  void thereIsOneCheckAtATime() {
    PlanWatch.Watched one = begin();
    PlanWatch.Watched other = begin();
    startCheck(one);
    assertFalse(isTimeToStop(other));
    assertEquals(1, started.size());
    runCheck();
    other.giveUp();
    assertTrue(other.answersOthers());
  }

  @Test
  void withoutASessionForTheCheckOnePlanIsBelieved() {
    check = () -> false;
    PlanWatch.Watched one = begin();
    startCheck(one);
    runCheck();
    one.giveUp();
    assertTrue(one.answersOthers());
    PlanWatch.Watched other = begin();
    startCheck(other);
    runCheck();
    other.giveUp();
    assertFalse(other.answersOthers(), "two have not come back");
    one.endedLate();
    other.endedLate();
    PlanWatch.Watched next = begin();
    startCheck(next);
    runCheck();
    next.giveUp();
    assertTrue(next.answersOthers());
  }

  @Test
  void aPlanIsToldToStopBeforeItIsGivenUp() {
    PlanWatch.Watched plan = begin();
    now += plan.nanosToNext();
    assertFalse(isTimeToStop(plan));
    assertEquals(1, started.size());
    now += plan.nanosToNext() - 1;
    assertFalse(isTimeToStop(plan));
    now++;
    assertTrue(isTimeToStop(plan));
    assertEquals(Long.MAX_VALUE, plan.nanosToNext());
    assertEquals(1, started.size());
  }

  /** Of a host that has just stood still nothing is told to stop, and no check is started. */
  @Test
  void timeInWhichTheHostStoodStillIsNotThePlans() {
    PlanWatch.Watched plan = begin();
    long next = plan.nanosToNext();
    now += 10 * TIMEOUT;
    plan.stoodStill(10 * TIMEOUT);
    assertFalse(isTimeToStop(plan));
    assertTrue(started.isEmpty());
    assertEquals(next, plan.nanosToNext());
    startCheck(plan);
    now += plan.nanosToNext();
    assertTrue(isTimeToStop(plan));
  }
}
