/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import org.luceneoffload.planner.CostModel;
import org.luceneoffload.planner.ProgramEstimate;
import org.luceneoffload.planner.ProgramRequest;
import org.luceneoffload.report.PlanExplanation.LeafEstimate;
import org.luceneoffload.search.plan.node.PlanLayout;

/** Weighs device and host by the expected cost of a segment's plan. */
public final class LeafCosts {
  private LeafCosts() {}

  /**
   * Returns the expected times of a plan on the device and on the host.
   *
   * @param mode the mode that it runs in
   * @param k TOP_K: hits wanted
   * @param threshold TOP_K: matches to count exactly
   */
  public static LeafEstimate estimate(
      CostModel costs, LeafPlan plan, int mode, int k, int threshold) {
    PlanLayout layout = plan.layout();
    return ProgramEstimate.of(
        costs,
        plan.root().estimate(layout.maxDoc()),
        new ProgramRequest(
            mode, k, threshold, layout.maxDoc(), layout.bytes(), layout.tailColumnPages()));
  }
}
