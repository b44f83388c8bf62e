/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.PlanRequest;

/** Counts the live matches of segments on the device. For one thread. */
public final class LeafCounter {
  /** Says that the host has to count. */
  static final int ON_HOST = -1;

  private final OffloadContext offload;
  private final CompiledQuery query;
  private Map<LeafReaderContext, Ahead> ahead = Map.of();
  private Refusal refusal;
  private LeafPlan shed; // null: the latest segment was not left to the host for the load
  private long shedFrom;

  /** A plan for a segment that was made, and maybe run, before its turn. */
  private static final class Ahead {
    private final LeafPlan plan;
    private StagedPlan staged; // null: it has to be run by itself
    private long matches;

    Ahead(LeafPlan plan) {
      this.plan = plan;
    }
  }

  public LeafCounter(OffloadContext offload, CompiledQuery query) {
    this.offload = offload;
    this.query = query;
  }

  /**
   * Counts in several segments at once, if the device is far away; {@link #count} then has the
   * answers.
   */
  public void runAhead(List<LeafReaderContext> contexts) throws IOException {
    StagedPlans plans = contexts.size() < 2 || query.tookTooLong() ? null : StagedPlans.of(offload);
    if (plans == null) {
      return;
    }
    ahead = new HashMap<>();
    for (LeafReaderContext context : contexts) {
      CompiledQuery both = query.bothOfTwoUnevenTerms(context);
      LeafPlan plan = offload.plan(both == null ? query : both, context, OffloadWire.Mode.COUNT);
      Ahead one = new Ahead(plan);
      ahead.put(context, one);
      if (!plan.matchesNothing() && plan.onDevice()) {
        one.staged =
            plans.add(
                plan,
                context.reader(),
                request(context),
                (page, session) -> one.matches = page.matchCount());
      }
    }
    plans.run();
  }

  private static PlanRequest request(LeafReaderContext context) {
    return PlanRequest.of(
        OffloadWire.Mode.COUNT, 0, context.reader().maxDoc(), PlanRequest.MIN_RESULT_BYTES);
  }

  /**
   * Returns why the device was not asked about the latest segment; null if it was, or was not
   * needed.
   */
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
    refusal = null;
    shed = null;
    if (query.tookTooLong()) {
      refusal = Refusal.tookTooLong();
      return ON_HOST;
    }
    Ahead known = ahead.get(context);
    Ahead one =
        known != null ? known : new Ahead(offload.plan(counted, context, OffloadWire.Mode.COUNT));
    if (one.plan.matchesNothing()) {
      return 0;
    }
    if (!one.plan.onDevice()) {
      refusal = one.plan.refusal();
      return ON_HOST;
    }
    PlanRunner runner = null;
    try {
      runner = PlanRunner.of(one.plan.handle());
      if (one.staged == null || !one.staged.isAnswered()) {
        int liveDocs = runner.liveDocs(context.reader());
        if (liveDocs == LiveDocsStore.UNAVAILABLE) {
          refusal = Refusal.noLiveDocs(context);
          return ON_HOST;
        }
        run(runner, one, context, liveDocs);
      }
      offload.leafOffloaded(one.plan);
      return Math.toIntExact(one.matches);
    } catch (OffloadException failure) {
      if (!offload.isTimeout(failure)) {
        offload.fallBack(query, runner, failure);
        if (OffloadContext.isShed(one.plan, failure)) {
          shed = one.plan;
          shedFrom = one.plan.handle().load().now();
        }
      }
      return ON_HOST;
    }
  }

  /** The host has counted the latest segment, right after {@link #count} has said that it must. */
  public void countedOnHost() {
    if (shed != null) {
      OffloadContext.hostTook(shed, OffloadWire.Mode.COUNT, shedFrom);
      shed = null;
    }
  }

  private void run(PlanRunner runner, Ahead one, LeafReaderContext context, int liveDocs)
      throws OffloadException {
    PlanRequest request = request(context);
    request.liveDocs = liveDocs;
    runner.run(
        one.plan,
        request,
        offload.stopSignal(),
        offload.host.strict(),
        (page, session) -> one.matches = page.matchCount());
  }
}
