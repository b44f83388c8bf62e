/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.Weight;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.aggregate.Tallies;
import org.luceneoffload.search.aggregate.Tally;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.plan.AggregatePlan;
import org.luceneoffload.search.session.PagesAhead;
import org.luceneoffload.search.session.PlanJob;
import org.luceneoffload.search.session.PlanRunner;
import org.luceneoffload.search.session.StagedPlan;
import org.luceneoffload.search.session.StagedPlans;
import org.luceneoffload.search.session.StockWindows;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregatePart;
import org.luceneoffload.wire.aggregate.AggregateReader;
import org.luceneoffload.wire.aggregate.AggregateResult;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanTail;
import org.luceneoffload.wire.plan.ResultReader;

/**
 * Aggregations of one search: an AGGREGATE plan for each segment does all of them in one pass. What
 * a segment comes to is added when it is complete, so that the host can take over from the device.
 */
public final class AggregateSearch {
  /** A plan that may have a longer result page is run by itself. */
  private static final int MAX_AHEAD_BYTES = 32 << 10;

  private final OffloadContext offload;
  private final HostSearcher.Whole host;
  private final CompiledQuery query;
  private final Tallies tallies;
  private final AggregatePlan[] plans;
  private Weight stock;

  /**
   * Begins a search.
   *
   * @param query compiled without scores
   */
  public AggregateSearch(
      OffloadContext offload,
      HostSearcher.Whole host,
      CompiledQuery query,
      List<Aggregation<?>> aggregations) {
    this.offload = offload;
    this.host = host;
    this.query = query;
    this.tallies = Tallies.of(aggregations);
    this.plans = new AggregatePlan[host.searcher().getLeafContexts().size()];
  }

  /**
   * Runs the search.
   *
   * @return null if the device can do no part of it in this way
   * @throws IllegalStateException if doc values of a field cannot be aggregated
   */
  public AggregationResults run() throws IOException {
    HostAggregation.check(host, tallies);
    boolean anyOnDevice = false;
    boolean anyOnHost = false;
    for (LeafReaderContext context : host.searcher().getLeafContexts()) {
      AggregatePlan plan = offload.planAggregates(query, context, tallies);
      plans[context.ord] = plan;
      anyOnDevice |= plan.leaf().suitsDevice();
      anyOnHost |= plan.leaf().refusal() != null;
    }
    if (anyOnHost && !anyOnDevice) {
      return null;
    }
    HostAggregation.walk(host, tallies, new Turns());
    return tallies.results();
  }

  /** A plan that was run before its turn, and its first page. */
  private record Ahead(StagedPlan plan, Page page) {}

  private static StagedPlan addAggregates(
      StagedPlans staged,
      AggregatePlan plan,
      LeafReaderContextPartition partition,
      PlanRequest request,
      Page page) {
    AggregatePart part =
        new AggregatePart(plan.aggregates().stream().filter(Objects::nonNull).toList());
    return staged.add(
        plan.leaf(),
        partition.ctx.reader(),
        request,
        part,
        (bytes, session) -> page.take(bytes, request, part));
  }

  private static PlanRequest request(
      AggregatePlan plan, LeafReaderContextPartition partition, int resultBytes) {
    int limit = Math.min(partition.maxDocId, partition.ctx.reader().maxDoc());
    return PlanRequest.of(plan.mode(), partition.minDocId, limit, resultBytes);
  }

  /**
   * Runs the plans of several segments at once, if the device is far away and none of them begins
   * with what another came to.
   */
  private Map<LeafReaderContextPartition, Ahead> runAhead(
      LeafReaderContextPartition[] partitions, Tallies to) {
    StagedPlans staged =
        partitions.length < 2 || query.tookTooLong() || to.inDocOrder()
            ? null
            : offload.stagedPlans(0);
    if (staged == null) {
      return Map.of();
    }
    Map<LeafReaderContextPartition, Ahead> ahead = new HashMap<>();
    for (LeafReaderContextPartition partition : partitions) {
      AggregatePlan plan = plans[partition.ctx.ord];
      if (plan.leaf().matchesNothing()
          || !plan.leaf().onDevice()
          || plan.resultBytes() > MAX_AHEAD_BYTES) {
        continue;
      }
      boolean counts = plan.mode() == OffloadWire.Mode.COUNT;
      int room = counts ? PlanRequest.MIN_RESULT_BYTES : (int) plan.resultBytes();
      PlanRequest request = request(plan, partition, room);
      Page page = new Page();
      StagedPlan one =
          counts
              ? staged.add(
                  plan.leaf(),
                  partition.ctx.reader(),
                  request,
                  (bytes, session) -> page.matches = bytes.matchCount())
              : addAggregates(staged, plan, partition, request, page);
      if (one != null) {
        ahead.put(partition, new Ahead(one, page));
      }
    }
    staged.run();
    return ahead;
  }

  /** The segments that one thread adds, one after the other. */
  private final class Turns implements HostAggregation.PartitionTally {
    private final Map<LeafReaderContextPartition, Ahead> ahead;
    private final PagesAhead pagesAhead;

    /** None yet. */
    Turns() {
      this(Map.of(), new LeafReaderContextPartition[0]);
    }

    private Turns(
        Map<LeafReaderContextPartition, Ahead> ahead, LeafReaderContextPartition[] partitions) {
      this.ahead = ahead;
      this.pagesAhead =
          new PagesAhead(partitions.length, turn -> plans[partitions[turn].ctx.ord].leaf());
    }

    @Override
    public Turns begin(LeafReaderContextPartition[] partitions, Tallies to) {
      return new Turns(runAhead(partitions, to), partitions);
    }

    @Override
    public void add(LeafReaderContextPartition partition, Tallies to) throws IOException {
      AggregateSearch.this.add(partition, to, ahead.get(partition), pagesAhead);
    }
  }

  private void add(
      LeafReaderContextPartition partition, Tallies to, Ahead known, PagesAhead pagesAhead)
      throws IOException {
    AggregatePlan plan = plans[partition.ctx.ord];
    if (plan.leaf().matchesNothing()) {
      return;
    }
    if (plan.leaf().onDevice() && !query.tookTooLong()) {
      offload.onDevice(
          host,
          query,
          plan.leaf(),
          partition.ctx,
          (runner, liveDocs) -> device(plan, partition, to, runner, liveDocs, known, pagesAhead),
          () -> HostAggregation.add(host, stock(), partition, to));
    } else {
      offload.leafOnHost(plan.leaf().onDevice() ? Refusal.tookTooLong() : plan.leaf().refusal());
      HostAggregation.add(host, stock(), partition, to);
    }
  }

  private void device(
      AggregatePlan plan,
      LeafReaderContextPartition partition,
      Tallies to,
      PlanRunner runner,
      int liveDocs,
      Ahead known,
      PagesAhead pagesAhead)
      throws IOException {
    PlanRequest request = request(plan, partition, runner.maxResultBytes());
    request.liveDocs = liveDocs;
    Tallies leaf = to.next();
    Page first = known != null && known.plan.isAnswered() ? known.page : null;
    List<Tallies> byStock = new ArrayList<>();
    StockWindows<SimpleCollector> stock =
        plan.leaf().isShared()
            ? new StockWindows<>(
                partition.ctx,
                this::stock,
                () -> {
                  byStock.add(to.next());
                  return byStock.getLast().collector();
                })
            : null;
    if (request.mode == OffloadWire.Mode.COUNT && first != null) {
      leaf.addMatches(first.matches);
    } else if (request.mode == OffloadWire.Mode.COUNT) {
      PlanRunner.RawPageTaker taker =
          PlanRunner.raw(request, (page, session) -> leaf.addMatches(page.matchCount()));
      run(runner, new Job(plan, request, PlanTail.NONE, pagesAhead, taker), stock);
    } else {
      // Sums of doubles depend on the order, and more pages than one on who has done which window.
      boolean whole = !to.inDocOrder() && plan.resultBytes() <= runner.maxResultBytes();
      aggregate(
          runner, plan, request, partition.ctx, leaf, first, pagesAhead, whole ? stock : null);
    }
    byStock.forEach(leaf::merge);
    to.merge(leaf);
    offload.leafOffloaded(plan.leaf());
  }

  /** A plan, and what takes its page. */
  private record Job(
      AggregatePlan plan,
      PlanRequest request,
      PlanTail tail,
      PagesAhead ahead,
      PlanRunner.RawPageTaker taker) {}

  /**
   * Runs a plan.
   *
   * @param stock does windows of it; null: the device has all of it
   */
  private void run(PlanRunner runner, Job job, StockWindows<SimpleCollector> stock)
      throws IOException {
    new PlanJob(
            job.plan.leaf(),
            job.request,
            job.tail,
            offload.stopSignal(),
            offload.host.strict(),
            job.ahead,
            job.taker,
            stock)
        .run(runner);
  }

  /**
   * Runs the plan until every aggregate has given all its keys.
   *
   * @param first its first page, if that is here; else null
   * @param stock does windows of the plan; null: the device has all of it
   */
  private void aggregate(
      PlanRunner runner,
      AggregatePlan plan,
      PlanRequest request,
      LeafReaderContext context,
      Tallies leaf,
      Page first,
      PagesAhead pagesAhead,
      StockWindows<SimpleCollector> stock)
      throws IOException {
    List<Tally> open = new ArrayList<>();
    List<Aggregate> asked = new ArrayList<>();
    for (int i = 0; i < leaf.all().size(); i++) {
      if (plan.aggregates().get(i) != null) {
        open.add(leaf.all().get(i));
        asked.add(leaf.all().get(i).begin(plan.aggregates().get(i)));
      }
    }
    for (boolean again = false; !asked.isEmpty(); again = true) {
      AggregatePart part = new AggregatePart(List.copyOf(asked));
      Page page = again || first == null ? new Page() : first;
      if (page != first) {
        PlanRunner.RawPageTaker taker = (bytes, session) -> page.take(bytes, request, part);
        run(runner, new Job(plan, request, part, pagesAhead, taker), again ? null : stock);
      }
      if (page.results == null) {
        return; // the device has done no window
      }
      leaf.addMatches(again ? 0 : page.matches);
      List<Tally> rest = new ArrayList<>();
      asked.clear();
      for (int i = 0; i < open.size(); i++) {
        AggregateResult result = page.results.get(i);
        Aggregate aggregate = part.aggregates().get(i);
        open.get(i).add(context, aggregate, result, again);
        if (result.more()) {
          checkNotShared(stock);
          rest.add(open.get(i));
          asked.add(aggregate.from(result.next()));
        }
      }
      open = rest;
    }
  }

  /** Refuses further keys of a shared plan, as they would be those of all windows. */
  private static void checkNotShared(StockWindows<?> stock) throws OffloadException {
    if (stock != null && !stock.collectors().isEmpty()) {
      throw new OffloadException(
          OffloadWire.Status.BUSY, "a shared plan has more keys than a page has room for");
    }
  }

  /** Copy of a result page. */
  private static final class Page {
    long matches;
    List<AggregateResult> results;

    ResultReader take(ByteBuffer bytes, PlanRequest request, AggregatePart part)
        throws OffloadException {
      AggregateReader reader = new AggregateReader(bytes, request, part.aggregates());
      matches = reader.matchCount();
      results = reader.results();
      ResultReader head = new ResultReader();
      head.resetHead(bytes, request);
      return head;
    }
  }

  private synchronized Weight stock() throws IOException {
    if (stock == null) {
      stock = host.createStockWeight(query.query(), ScoreMode.COMPLETE_NO_SCORES, 1f, true);
    }
    return stock;
  }
}
