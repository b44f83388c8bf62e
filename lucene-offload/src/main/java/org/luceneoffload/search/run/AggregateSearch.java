/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.aggregate.Tallies;
import org.luceneoffload.search.aggregate.Tally;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.plan.AggregatePlan;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.PlanRequest;
import org.luceneoffload.wire.ResultReader;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregatePart;
import org.luceneoffload.wire.aggregate.AggregateReader;
import org.luceneoffload.wire.aggregate.AggregateResult;

/**
 * Aggregations of one search: an AGGREGATE plan for each segment does all of them in one pass. What
 * a segment comes to is added when it is complete, so that the host can take over from the device.
 */
public final class AggregateSearch {
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
    HostAggregation.walk(host, tallies, this::add);
    return tallies.results();
  }

  private void add(LeafReaderContextPartition partition, Tallies to) throws IOException {
    AggregatePlan plan = plans[partition.ctx.ord];
    if (plan.leaf().matchesNothing()) {
      return;
    }
    if (plan.leaf().onDevice() && !query.tookTooLong()) {
      offload.onDevice(
          host,
          query,
          plan.leaf(),
          plan.mode(),
          partition.ctx,
          (runner, liveDocs) -> device(plan, partition, to, runner, liveDocs),
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
      int liveDocs)
      throws IOException {
    LeafReaderContext context = partition.ctx;
    int limit = Math.min(partition.maxDocId, context.reader().maxDoc());
    PlanRequest request =
        PlanRequest.of(plan.mode(), partition.minDocId, limit, runner.maxResultBytes());
    request.liveDocs = liveDocs;
    Tallies leaf = to.next();
    if (request.mode == OffloadWire.Mode.COUNT) {
      runner.run(
          plan.leaf(),
          request,
          offload.stopSignal(),
          offload.host.strict(),
          (page, session) -> leaf.addMatches(page.matchCount()));
    } else {
      aggregate(runner, plan, request, context, leaf);
    }
    to.merge(leaf);
    offload.leafOffloaded(plan.leaf());
  }

  /** Runs the plan until every aggregate has given all its keys. */
  private void aggregate(
      PlanRunner runner,
      AggregatePlan plan,
      PlanRequest request,
      LeafReaderContext context,
      Tallies leaf)
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
      Page page = new Page();
      AggregatePart part = new AggregatePart(List.copyOf(asked));
      runner.run(
          plan.leaf(),
          request,
          part,
          offload.stopSignal(),
          offload.host.strict(),
          (bytes, session) -> {
            AggregateReader results = new AggregateReader(bytes, request, part.aggregates());
            page.matches = results.matchCount();
            page.results = results.results();
            ResultReader head = new ResultReader();
            head.resetHead(bytes, request);
            return head;
          });
      leaf.addMatches(again ? 0 : page.matches);
      List<Tally> rest = new ArrayList<>();
      asked.clear();
      for (int i = 0; i < open.size(); i++) {
        AggregateResult result = page.results.get(i);
        Aggregate aggregate = part.aggregates().get(i);
        open.get(i).add(context, aggregate, result, again);
        if (result.more()) {
          rest.add(open.get(i));
          asked.add(aggregate.from(result.next()));
        }
      }
      open = rest;
    }
  }

  /** Copy of a result page. */
  private static final class Page {
    long matches;
    List<AggregateResult> results;
  }

  private synchronized Weight stock() throws IOException {
    if (stock == null) {
      stock = host.createStockWeight(query.query(), ScoreMode.COMPLETE_NO_SCORES, 1f, true);
    }
    return stock;
  }
}
