/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanTail;
import org.luceneoffload.wire.plan.ResultReader;

/** What a plan that was run ahead says when its segment's turn comes. */
class TestStagedPlan {
  private static StagedPlan plan() {
    return new StagedPlan(
        null, new PlanRequest(), PlanTail.NONE, List.of(), (page, session) -> new ResultReader());
  }

  @Test
  void isAnsweredOnceItsPageIsTaken() throws OffloadException {
    StagedPlan plan = plan();
    assertFalse(plan.isAnswered());
    plan.take(null, null, null);
    assertTrue(plan.isAnswered());
  }

  /** Plans of one exchange fail by one cause, and a search adds up what its segments throw. */
  @Test
  void throwsAnExceptionOfItsOwnEachTime() {
    OffloadException cause = new OffloadException(OffloadWire.Status.TIMED_OUT, "no answer");
    List<OffloadException> thrown = new ArrayList<>();
    for (StagedPlan plan : List.of(plan(), plan())) {
      plan.fail(null, cause);
      thrown.add(assertThrows(OffloadException.class, plan::isAnswered));
      thrown.add(assertThrows(OffloadException.class, plan::isAnswered));
    }
    OffloadException first = thrown.getFirst();
    for (OffloadException e : thrown) {
      assertEquals(cause.status(), e.status());
      assertEquals(cause.getMessage(), e.getMessage());
      assertSame(cause, e.getCause());
      if (e != first) {
        first.addSuppressed(e); // refuses itself
      }
    }
    assertEquals(3, first.getSuppressed().length);
    assertEquals(0, cause.getSuppressed().length);
  }
}
