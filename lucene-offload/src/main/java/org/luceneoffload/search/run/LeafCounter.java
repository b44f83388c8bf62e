/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TotalHitCountCollector;
import org.apache.lucene.search.Weight;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.compile.CompiledQuery.BothTerms;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.session.LiveDocsStore;
import org.luceneoffload.search.session.PagesAhead;
import org.luceneoffload.search.session.PlanJob;
import org.luceneoffload.search.session.PlanRunner;
import org.luceneoffload.search.session.StagedPlan;
import org.luceneoffload.search.session.StagedPlans;
import org.luceneoffload.search.session.StockWindows;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanTail;

/** Counts the live matches of segments on the device. For one thread. */
public final class LeafCounter {
  /** Says that the host has to count. */
  static final int ON_HOST = -1;

  private final OffloadContext offload;
  private final CompiledQuery query;
  private Ahead[] ahead = {}; // by their turns
  private int turn;
  private PagesAhead pagesAhead = PagesAhead.none();
  private Refusal refusal;

  /** A plan for a segment that was made, and maybe run, before its turn. */
  private static final class Ahead {
    private final LeafReaderContext context;
    private final BothTerms both; // counted in place of the query; null: they are not
    private final LeafPlan plan;
    private StagedPlan staged; // null: it has to be run by itself
    private long matches;

    Ahead(LeafReaderContext context, BothTerms both, LeafPlan plan) {
      this.context = context;
      this.both = both;
      this.plan = plan;
    }
  }

  public LeafCounter(OffloadContext offload, CompiledQuery query) {
    this.offload = offload;
    this.query = query;
  }

  /**
   * Announces the segments that {@link #count} will be asked for, in this order, so that they need
   * not wait for the device or for storage one after the other: a device that is far away counts in
   * several at once, now.
   */
  public void begin(List<LeafReaderContext> contexts) throws IOException {
    if (contexts.size() < 2 || query.tookTooLong()) {
      return;
    }
    Ahead[] turns = new Ahead[contexts.size()];
    for (int turn = 0; turn < turns.length; turn++) {
      turns[turn] = ahead(contexts.get(turn));
    }
    ahead = turns;
    pagesAhead = new PagesAhead(turns.length, turn -> turns[turn].plan);
    runAhead();
  }

  private void runAhead() {
    StagedPlans plans = offload.stagedPlans(0);
    if (plans == null) {
      return;
    }
    for (Ahead one : ahead) {
      if (!one.plan.matchesNothing() && one.plan.onDevice()) {
        one.staged =
            plans.add(
                one.plan,
                one.context.reader(),
                request(one.context),
                (page, session) -> one.matches = page.matchCount());
      }
    }
    plans.run();
  }

  private Ahead ahead(LeafReaderContext context) throws IOException {
    BothTerms both = query.bothOfTwoUnevenTerms(context);
    CompiledQuery counted = both == null ? query : both.query();
    return new Ahead(context, both, offload.plan(counted, context, OffloadWire.Mode.COUNT));
  }

  /** Returns the plan of a segment, whose turn it is. */
  private Ahead next(LeafReaderContext context) throws IOException {
    if (turn < ahead.length && ahead[turn].context == context) {
      return ahead[turn++];
    }
    return ahead(context);
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

  /**
   * Returns the number of matches, or {@link #ON_HOST}; a failure is counted, a refusal is not yet.
   */
  public int count(LeafReaderContext context) throws IOException {
    refusal = null;
    if (query.tookTooLong()) {
      refusal = Refusal.tookTooLong();
      return ON_HOST;
    }
    Ahead one = next(context);
    int count = countMatches(one);
    return one.both == null || count < 0 ? count : Math.toIntExact(one.both.sum() - count);
  }

  private int countMatches(Ahead one) throws IOException {
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
        int liveDocs = runner.liveDocs(one.context.reader());
        if (liveDocs == LiveDocsStore.UNAVAILABLE) {
          refusal = Refusal.noLiveDocs(one.context);
          return ON_HOST;
        }
        run(runner, one, liveDocs);
      }
      offload.leafOffloaded(one.plan);
      return Math.toIntExact(one.matches);
    } catch (OffloadException failure) {
      if (!offload.isTimeout(failure)) {
        offload.fallBack(query, runner, failure);
      }
      return ON_HOST;
    }
  }

  private void run(PlanRunner runner, Ahead one, int liveDocs) throws IOException {
    PlanRequest request = request(one.context);
    request.liveDocs = liveDocs;
    // Both of two terms are not what the query asks for.
    StockWindows<TotalHitCountCollector> stock =
        one.plan.isShared() && one.both == null
            ? new StockWindows<>(one.context, this::stock, TotalHitCountCollector::new)
            : null;
    PlanJob job =
        new PlanJob(
            one.plan,
            request,
            PlanTail.NONE,
            offload.stopSignal(),
            offload.host.strict(),
            pagesAhead,
            PlanRunner.raw(request, (page, session) -> one.matches = page.matchCount()),
            stock);
    job.run(runner);
    if (stock != null) {
      for (TotalHitCountCollector collector : stock.collectors()) {
        one.matches += collector.getTotalHits();
      }
    }
  }

  private Weight stock() throws IOException {
    ScoreMode mode = ScoreMode.COMPLETE_NO_SCORES;
    return offload.host.createStockWeight(query.query(), mode, 1f, true);
  }
}
