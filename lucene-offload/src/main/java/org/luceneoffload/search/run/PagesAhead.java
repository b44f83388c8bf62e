/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.util.function.IntFunction;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.plan.PageRuns;

/**
 * Has segments that a thread searches one after the other wait for storage together: once a plan
 * had to ask for pages, the first pages of all lists of the segments behind it are asked for. If
 * none has to, nothing is done. For one thread.
 */
final class PagesAhead {
  private final int turns;
  private final IntFunction<LeafPlan> plans;
  private boolean done;

  /**
   * @param turns segments
   * @param plans their plans, by their turns
   */
  PagesAhead(int turns, IntFunction<LeafPlan> plans) {
    this.turns = turns;
    this.plans = plans;
  }

  /** Told of each plan that a session has answered, while it may be asked. */
  void answered(LeafPlan plan, DeviceSession session) {
    if (done || !session.hasAsked()) {
      return;
    }
    done = true;
    PageRuns runs = new PageRuns();
    boolean behind = false;
    for (int turn = 0; turn < turns; turn++) {
      LeafPlan other = plans.apply(turn);
      if (behind && other.onDevice() && other.handle() == plan.handle()) {
        other.firstPages(runs);
      }
      behind |= other == plan;
    }
    if (runs.count() > 0) {
      session.ask(runs.pairs(), runs.count());
    }
  }
}
