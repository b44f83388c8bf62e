/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import java.util.function.IntFunction;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.plan.node.PageRuns;

/**
 * Has segments that a thread searches one after the other wait for storage together. If the search
 * before had to ask for pages, the first pages of all lists of all segments are asked for at once,
 * before the first plan is run. Else those of the segments behind are, once a plan had to ask. If
 * none has to, nothing is done. For one thread.
 */
public final class PagesAhead {
  private final int turns;
  private final IntFunction<LeafPlan> plans;
  private boolean begun;
  private boolean done;

  /**
   * @param turns segments
   * @param plans their plans, by their turns
   */
  public PagesAhead(int turns, IntFunction<LeafPlan> plans) {
    this.turns = turns;
    this.plans = plans;
  }

  /** Returns an object that asks for nothing, for a plan that is alone. */
  public static PagesAhead none() {
    return new PagesAhead(0, turn -> null);
  }

  /** Notes before each plan which session will run it. */
  void begin(LeafPlan plan, PlanSession session) {
    if (begun || turns < 2) {
      return;
    }
    begun = true;
    if (session.cold) {
      session.cold = false;
      done = true;
      ask(0, plan, session);
    }
  }

  /** Notes each plan that a session has answered, while the session may be asked. */
  void answered(LeafPlan plan, PlanSession session) {
    if (!session.device.hasAsked()) {
      return;
    }
    session.cold = true;
    if (!done) {
      done = true;
      int turn = 0;
      while (turn < turns && plans.apply(turn) != plan) {
        turn++;
      }
      ask(turn + 1, plan, session);
    }
  }

  /** Asks for the first pages of the segments from a turn on that are on the plan's device. */
  private void ask(int first, LeafPlan plan, PlanSession session) {
    PageRuns runs = new PageRuns();
    for (int turn = first; turn < turns; turn++) {
      LeafPlan other = plans.apply(turn);
      if (other.onDevice() && other.handle() == plan.handle()) {
        other.firstPages(runs);
      }
    }
    if (runs.count() > 0) {
      session.device.ask(runs.pairs(), runs.count());
    }
  }
}
