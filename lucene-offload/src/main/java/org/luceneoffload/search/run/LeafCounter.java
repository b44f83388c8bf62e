/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.PlanRequest;

/** Counts the live matches of a segment on the device. */
public final class LeafCounter {
  /** Says that the host has to count. */
  static final int ON_HOST = -1;

  private final OffloadContext offload;
  private final CompiledQuery query;
  private long matches;
  private Refusal refusal;

  public LeafCounter(OffloadContext offload, CompiledQuery query) {
    this.offload = offload;
    this.query = query;
  }

  /** Returns why the device was not asked; null if it was, or was not needed. */
  public Refusal refusal() {
    return refusal;
  }

  /** The number of matches, or {@link #ON_HOST}; a failure is counted, a refusal is not yet. */
  public int count(LeafReaderContext context) throws IOException {
    CompiledQuery both = query.bothOfTwoUnevenTerms(context);
    if (both == null) {
      return countMatches(query, context);
    }
    int common = countMatches(both, context);
    return common < 0 ? ON_HOST : Math.toIntExact(both.sumOfCounts(context) - common);
  }

  private int countMatches(CompiledQuery counted, LeafReaderContext context) throws IOException {
    if (query.tookTooLong()) {
      refusal = Refusal.tookTooLong();
      return ON_HOST;
    }
    LeafPlan plan = offload.plan(counted, context, OffloadWire.Mode.COUNT);
    if (plan.matchesNothing()) {
      return 0;
    }
    if (!plan.onDevice()) {
      refusal = plan.refusal();
      return ON_HOST;
    }
    PlanRunner runner = null;
    try {
      runner = PlanRunner.of(plan.handle());
      int liveDocs = runner.liveDocs(context.reader());
      if (liveDocs == LiveDocsStore.UNAVAILABLE) {
        refusal = Refusal.noLiveDocs(context);
        return ON_HOST;
      }
      PlanRequest request =
          PlanRequest.of(
              OffloadWire.Mode.COUNT, 0, context.reader().maxDoc(), PlanRequest.MIN_RESULT_BYTES);
      request.liveDocs = liveDocs;
      runner.run(
          plan,
          request,
          offload.stopSignal(),
          offload.host.strict(),
          (page, session) -> matches = page.matchCount());
      offload.leafOffloaded(plan);
      return Math.toIntExact(matches);
    } catch (OffloadException failure) {
      if (!offload.isTimeout(failure)) {
        offload.fallBack(query, runner, failure);
      }
      return ON_HOST;
    }
  }
}
