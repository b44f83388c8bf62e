/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.luceneoffload.report.PlanExplanation.LeafEstimate;

/** The arithmetic of regret. */
class TestRegret {
  private static final LeafEstimate DEVICE = new LeafEstimate(1, 2);
  private static final LeafEstimate HOST = new LeafEstimate(2, 1);

  @Test
  void onlyWrongChoicesCost() {
    PlannerRegret regret = new PlannerRegret();
    assertEquals(0, regret.mean());
    assertEquals(0, regret.total());
    assertNull(regret.worst());
    regret.add(new PlannerRegret.Choice("right", DEVICE, 100, 150));
    regret.add(new PlannerRegret.Choice("wrong", HOST, 100, 150));
    regret.add(new PlannerRegret.Choice("right too", HOST, 300, 200));
    regret.add(new PlannerRegret.Choice("even", new LeafEstimate(5, 5), 100, 100));
    assertEquals(0.5 / 4, regret.mean(), 1e-12);
    assertEquals(50.0 / 500, regret.total(), 1e-12);
    assertEquals("wrong", regret.worst().label());
    assertEquals(1, regret.wrong());
    assertEquals(4, regret.choices().size());
  }

  @Test
  void timesAreAboveZero() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new PlannerRegret().add(new PlannerRegret.Choice("none", DEVICE, 0, 1)));
  }
}
