/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import java.io.IOException;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanTail;

/**
 * A plan that is to be run.
 *
 * @param tail a part of the plan that the mode has of its own
 * @param stop the application's signal; what it throws is thrown as it is
 * @param strict true if the host may not answer: the plan then waits for a session up to the
 *     device's timeout, and never yields
 * @param ahead what to ask for beside the pages of the plan
 * @param taker takes the result page
 * @param stock does windows of a shared plan by stock Lucene, where there is no engine for them in
 *     the process; null: the device has all of the plan
 */
public record PlanJob(
    LeafPlan plan,
    PlanRequest request,
    PlanTail tail,
    StopSignal stop,
    boolean strict,
    PagesAhead ahead,
    PlanRunner.RawPageTaker taker,
    StockWindows<?> stock) {
  /** A plan with nothing of its own in a mode that has no part of its own. */
  public PlanJob(
      LeafPlan plan,
      PlanRequest request,
      StopSignal stop,
      boolean strict,
      PlanRunner.RawPageTaker taker) {
    this(plan, request, PlanTail.NONE, stop, strict, PagesAhead.none(), taker, null);
  }

  /** Runs it; if that fails since stock Lucene does, that is no failure of the device. */
  public void run(PlanRunner runner) throws IOException {
    try {
      runner.run(this);
    } catch (OffloadException e) {
      if (stock != null) {
        stock.rethrow();
      }
      throw e;
    }
  }

  /** Returns whether it was stock Lucene that failed. */
  public boolean hasFailedOnHost() {
    return stock != null && stock.hasFailed();
  }
}
