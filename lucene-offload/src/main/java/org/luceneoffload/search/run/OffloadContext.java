/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.util.IORunnable;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.events.OffloadEvents;
import org.luceneoffload.planner.CostModel;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.aggregate.Tallies;
import org.luceneoffload.search.choice.Choice;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.compile.IndexedFields;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.compile.kind.QueryCompiler;
import org.luceneoffload.search.plan.AggregatePlan;
import org.luceneoffload.search.plan.AggregatePlanner;
import org.luceneoffload.search.plan.LeafCosts;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.plan.LeafPlanner;
import org.luceneoffload.search.plan.SortedPlan;
import org.luceneoffload.search.score.Bm25Tables;
import org.luceneoffload.search.session.LiveDocsStore;
import org.luceneoffload.search.session.PlanRunner;
import org.luceneoffload.search.session.StagedPlans;
import org.luceneoffload.search.sort.SortFieldKey;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * The parts that all queries of one searcher share: its stock side, the compiler, counting,
 * strictness.
 */
public final class OffloadContext {
  private static final int MIN_DOCS_TO_STOP = 1 << 15;

  public final HostSearcher host;
  final DeviceHandle handle;
  public final OffloadStats stats;
  private final IndexedFields fields;
  private final Bm25Tables bm25;
  private final Runnable openSession = this::openSession;

  /**
   * @param fields of the searcher, filled as its queries ask
   * @param bm25 the same
   */
  public OffloadContext(
      HostSearcher host, DeviceHandle handle, IndexedFields fields, Bm25Tables bm25) {
    this.host = host;
    this.fields = fields;
    this.bm25 = bm25;
    this.handle = handle;
    this.stats = handle.stats();
  }

  private QueryCompiler compiler() {
    return new QueryCompiler(host.searcher(), fields, bm25, openSession);
  }

  /** Compiles a rewritten query; counts nothing. */
  public CompiledQuery compile(Query query, boolean scored, float boost)
      throws RefusedException, IOException {
    return compiler().compile(query, scored, boost);
  }

  /**
   * Compiles a query as {@link #compile}; returns null, without an exception, if plans know no
   * query of this kind.
   */
  public CompiledQuery compileIfExpressible(Query query, boolean scored, float boost)
      throws RefusedException, IOException {
    return compiler().compileIfExpressible(query, scored, boost);
  }

  /** Returns the rules by which work is left to stock. */
  private Choice choice() {
    if (host.placement() != Placement.AUTO) {
      return Choice.NONE;
    }
    return handle.costs() == null ? Choice.MEASURED : Choice.MODELLED;
  }

  /**
   * Returns why a rewritten query is left to stock before it is compiled; null if it is not.
   *
   * @param mode what is asked for
   */
  public Refusal quickerByStock(Query rewritten, int mode) throws IOException {
    return choice().ofQuery(rewritten, mode, host.searcher(), fields);
  }

  /**
   * Returns why the best hits of a query are left to stock before it is planned; null if they are
   * not.
   *
   * @param threshold matches to count exactly
   */
  public Refusal quickerByStock(CompiledQuery query, int threshold) {
    int maxDoc = host.searcher().getIndexReader().maxDoc();
    return choice().ofTree(query.root(), OffloadWire.Mode.TOP_K, threshold, maxDoc);
  }

  /** Returns whether stock is expected to be quicker with some clauses beside others of its own. */
  public boolean isGroupQuickerByStock(CompiledQuery group, ScoreMode scoreMode) {
    int maxDoc = host.searcher().getIndexReader().maxDoc();
    return group.root() instanceof QueryNode.BoolNode bool
        && choice().ofGroup(bool, scoreMode, maxDoc) != null;
  }

  /** Opens the session that the first plan will need, while its terms are waited for. */
  private void openSession() {
    try {
      PlanRunner.of(handle).openSession();
    } catch (OffloadException e) {
      // Whoever runs a plan finds out.
    }
  }

  /** Counts a query of which {@link #compileIfExpressible} makes nothing. */
  public void refusedKind(Query query) {
    refused(compiler().unsupported(query));
  }

  /**
   * Plans a segment; what the device cannot do becomes work for the host.
   *
   * @param mode the mode that is needed
   */
  public LeafPlan plan(CompiledQuery query, LeafReaderContext context, int mode)
      throws IOException {
    return plan(query, context, mode, 0, 0);
  }

  /**
   * Plans a segment; what the device cannot do, or is not expected to do faster, becomes work for
   * the host.
   *
   * @param mode the mode that is needed
   * @param k TOP_K: hits wanted
   * @param threshold TOP_K: matches to count exactly
   */
  public LeafPlan plan(
      CompiledQuery query, LeafReaderContext context, int mode, int k, int threshold)
      throws IOException {
    if (query.tookTooLong()) {
      return LeafPlan.onHost(Refusal.tookTooLong());
    }
    Refusal quicker = choice().ofSegment(query.root(), mode, context);
    if (quicker != null) {
      return LeafPlan.onHost(quicker);
    }
    LeafPlan plan = new LeafPlanner(context, mode == OffloadWire.Mode.COUNT).plan(query.root());
    return checked(plan, context, mode, k, threshold);
  }

  /**
   * Plans a segment for a sorted search, as {@link #plan(CompiledQuery, LeafReaderContext, int,
   * int, int)}.
   *
   * @param fields what hits are sorted by
   */
  SortedPlan planSorted(
      CompiledQuery query,
      LeafReaderContext context,
      List<SortFieldKey> fields,
      int k,
      int threshold)
      throws IOException {
    if (query.tookTooLong()) {
      return new SortedPlan(LeafPlan.onHost(Refusal.tookTooLong()), List.of());
    }
    SortedPlan plan = new LeafPlanner(context, !query.scored()).planSorted(query.root(), fields);
    LeafPlan checked =
        checked(plan.leaf(), context, OffloadWire.Mode.TOP_K_BY_COLUMN, k, threshold);
    return new SortedPlan(checked, plan.keys());
  }

  /**
   * Plans a segment for aggregations, as {@link #plan(CompiledQuery, LeafReaderContext, int)}.
   *
   * @param tallies what to aggregate
   */
  AggregatePlan planAggregates(CompiledQuery query, LeafReaderContext context, Tallies tallies)
      throws IOException {
    if (query.tookTooLong()) {
      return AggregatePlan.onHost(LeafPlan.onHost(Refusal.tookTooLong()));
    }
    AggregatePlan plan = AggregatePlanner.plan(context, query.root(), tallies.all());
    LeafPlan leaf = checked(plan.leaf(), context, plan.mode(), 0, 0);
    return new AggregatePlan(leaf, plan.aggregates(), plan.resultBytes());
  }

  private LeafPlan checked(LeafPlan plan, LeafReaderContext context, int mode, int k, int threshold)
      throws IOException {
    // Strict searchers find out when they run the plan, and have the device's own error then.
    if (plan.onDevice() && plan.handle().breaker().isOpen() && !host.strict()) {
      return LeafPlan.onHost(
          new Refusal(
              Refusal.Reason.BREAKER_OPEN,
              plan.handle() + ", " + plan.handle().breaker().reason()));
    }
    if (plan.onDevice() && !plan.handle().device().info().hasMode(mode)) {
      return LeafPlan.onHost(
          new Refusal(Refusal.Reason.DEVICE_LACKS_MODE, plan.handle() + ", mode " + mode));
    }
    if (!plan.onDevice()) {
      return plan;
    }
    switch (host.placement()) {
      case DYNAMIC -> {
        return plan.shared(OffloadWire.TaskMode.DYNAMIC);
      }
      case STATIC -> {
        return plan.shared(OffloadWire.TaskMode.STATIC);
      }
      case AUTO -> {
        // weighed below
      }
      default -> {
        return plan;
      }
    }
    CostModel costs = plan.handle().costs();
    if (costs != null) {
      return plan.weighed(LeafCosts.estimate(costs, plan, mode, k, threshold));
    }
    Refusal quicker = choice().ofPlan(plan, mode, context);
    if (quicker != null) {
      return LeafPlan.onHost(quicker);
    }
    return plan.handle().device().plansRunElsewhere()
        ? plan.shared(OffloadWire.TaskMode.DYNAMIC)
        : plan;
  }

  /** Counts a query that the compiler refused; an error in strict mode. */
  public void refused(RefusedException e) {
    Refusal refusal = e.refusal();
    stats.increment(Counter.QUERIES_REFUSED);
    count(refusal, refusal.isTrouble() && host.strict() ? e.inFull() : refusal, true);
  }

  /** Counts a query that is not compiled; an error in strict mode if that is trouble. */
  public void refused(Refusal refusal) {
    stats.increment(Counter.QUERIES_REFUSED);
    count(refusal, refusal, true);
  }

  /** Counts a segment that the host searches; an error in strict mode if that is trouble. */
  public void leafOnHost(Refusal refusal) {
    stats.increment(Counter.LEAVES_ON_HOST);
    count(refusal, refusal, false);
  }

  private void count(Refusal refusal, Refusal inFull, boolean wholeQuery) {
    String reason = refusal.reason().text();
    stats.countRefusal(reason);
    OffloadEvents.refused(handle.device(), wholeQuery, reason, refusal.detail());
    if (!refusal.isTrouble()) {
      return;
    }
    if (host.strict()) {
      throw new UnsupportedOperationException("not offloaded: " + inFull);
    }
    CauseLog.log(
        System.Logger.Level.INFO, "the host answers", reason, () -> "the host answers: " + refusal);
  }

  /**
   * Counts a segment that the host searches because the device failed or is busy; throws in strict
   * mode. If the query took the device too long, the host searches the segments that are left, too.
   */
  public void fallBack(CompiledQuery query, PlanRunner runner, OffloadException failure)
      throws OffloadException {
    if (host.strict()) {
      throw failure;
    }
    if (failure.status() == OffloadWire.Status.ABORTED) {
      query.markTooLong();
    }
    if (failure.status() == OffloadWire.Status.TOO_MANY_SESSIONS
        || failure.status() == OffloadWire.Status.BUSY) {
      leafOnHost(new Refusal(Refusal.Reason.DEVICE_BUSY, handle + ": " + failure.getMessage()));
      return;
    }
    if (runner != null) {
      runner.countFallback(failure);
    } else {
      PlanRunner.countFallback(handle, failure);
    }
  }

  /** The part of a search that a device does for a segment. */
  @FunctionalInterface
  interface DeviceWork {
    /**
     * Runs plans and takes what they find, all or nothing.
     *
     * @param liveDocs the resource of the live docs
     */
    void run(PlanRunner runner, int liveDocs) throws IOException;
  }

  /**
   * Has the device of a segment do a part of a search, or the host if that fails.
   *
   * @param plan with work for the device
   */
  void onDevice(
      HostSearcher.Whole whole,
      CompiledQuery query,
      LeafPlan plan,
      LeafReaderContext context,
      DeviceWork device,
      IORunnable onHost)
      throws IOException {
    PlanRunner runner = null;
    try {
      runner = PlanRunner.of(plan.handle());
      int liveDocs = runner.liveDocs(context.reader());
      if (liveDocs == LiveDocsStore.UNAVAILABLE) {
        leafOnHost(Refusal.noLiveDocs(context));
        onHost.run();
        return;
      }
      device.run(runner, liveDocs);
    } catch (OffloadException failure) {
      if (isTimeout(failure)) {
        whole.markTimedOut();
      } else {
        fallBack(query, runner, failure);
        onHost.run();
      }
    }
  }

  /**
   * Returns an empty collection of plans; null for a device that gains nothing by one; see {@link
   * StagedPlans#of}.
   */
  StagedPlans stagedPlans(int seriesHits) {
    return StagedPlans.of(handle, stopSignal(), host.strict(), seriesHits);
  }

  /** Counts a segment that the device answered. */
  public void leafOffloaded(LeafPlan plan) {
    stats.increment(Counter.LEAVES_OFFLOADED);
    stats.add(Counter.LIST_BYTES, plan.listBytes());
  }

  /** Returns the searcher's timeout as a signal to a running plan. */
  public StopSignal stopSignal() {
    return stopSignal(Integer.MAX_VALUE);
  }

  /**
   * Returns the searcher's timeout as a signal to a running plan that may be about few docs.
   *
   * @param docs doc IDs that the plan is about; over few of them it is done before it would be
   *     asked, and whoever set the timeout asks between two such windows
   */
  public StopSignal stopSignal(int docs) {
    QueryTimeout timeout = host.searcher().getTimeout();
    return timeout == null || docs < MIN_DOCS_TO_STOP ? StopSignal.NEVER : timeout::shouldExit;
  }

  /** Returns whether a failure is the answer to the searcher's timeout. */
  public boolean isTimeout(OffloadException failure) {
    if (failure.status() != OffloadWire.Status.ABORTED) {
      return false;
    }
    QueryTimeout timeout = host.searcher().getTimeout();
    return timeout != null && timeout.shouldExit();
  }
}
