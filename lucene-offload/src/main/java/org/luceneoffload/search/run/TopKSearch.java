/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.IndexSearcher.LeafSlice;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.Weight;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.session.PagesAhead;
import org.luceneoffload.search.session.PlanJob;
import org.luceneoffload.search.session.PlanRunner;
import org.luceneoffload.search.session.StagedPlan;
import org.luceneoffload.search.session.StagedPlans;
import org.luceneoffload.search.session.StockWindows;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanTail;
import org.luceneoffload.wire.plan.ResultReader;

/**
 * One search for the k best hits: a TOP_K plan for each segment, merged. Each slice counts matches
 * on its own up to the threshold, and slices share the score that a hit has to beat, as stock
 * collectors do.
 */
public final class TopKSearch {
  private static final long NO_MINIMUM = -1;

  private final OffloadContext offload;
  private final HostSearcher.Whole host;
  private final CompiledQuery query;
  private final ScoreDoc after;
  private final int k;
  private final int threshold;
  private final LeafPlan[] plans;

  /**
   * The best k-th hit of any slice so far: score bits, then lower docs first. Null if there is one
   * slice, which knows its own hits.
   */
  private AtomicLong sharedMinimum;

  private Weight stock;

  /**
   * @param after hits have to come after this one; null for the first ones
   * @param k hits wanted, at most the docs of the index
   * @param threshold matches to count exactly; Integer.MAX_VALUE: all
   */
  public TopKSearch(
      OffloadContext offload,
      HostSearcher.Whole host,
      CompiledQuery query,
      ScoreDoc after,
      int k,
      int threshold) {
    this.offload = offload;
    this.host = host;
    this.query = query;
    // A hit is after NaN whatever its score: stock's comparisons are all false then.
    this.after = after == null || Float.isNaN(after.score) ? null : after;
    this.k = k;
    this.threshold = Math.max(threshold, k);
    this.plans = new LeafPlan[host.searcher().getLeafContexts().size()];
  }

  /** Returns the number of bytes of a result page with k hits. */
  static long resultBytes(int k) {
    return ResultHeaderLayout.BYTES + (long) k * ResultReader.entryBytes(OffloadWire.Mode.TOP_K);
  }

  /** Returns the number of hits that a result page of so many bytes has room for. */
  static int hitsIn(int resultBytes) {
    return (resultBytes - (int) resultBytes(0)) / ResultReader.entryBytes(OffloadWire.Mode.TOP_K);
  }

  /** Runs the search; null if the device can do no part of it in this way. */
  public TopDocs run() throws IOException {
    IndexSearcher searcher = host.searcher();
    boolean anyOnDevice = false;
    boolean anyOnHost = false;
    for (LeafReaderContext context : searcher.getLeafContexts()) {
      LeafPlan plan = offload.plan(query, context, OffloadWire.Mode.TOP_K, k, threshold);
      if (plan.onDevice()) {
        int most = plan.handle().device().info().maxResultBytes();
        if (resultBytes(Math.min(k, context.reader().maxDoc())) > most) {
          // So many hits come as a stream of scored docs, through a collector.
          return null;
        }
      }
      plans[context.ord] = plan;
      anyOnDevice |= plan.suitsDevice();
      anyOnHost |= plan.refusal() != null;
    }
    if (anyOnHost && !anyOnDevice) {
      return null;
    }
    LeafSlice[] slices = searcher.getSlices();
    if (slices.length == 1) {
      return slice(slices[0]);
    }
    sharedMinimum = new AtomicLong(NO_MINIMUM);
    List<Callable<TopDocs>> tasks = new ArrayList<>(slices.length);
    for (LeafSlice slice : slices) {
      tasks.add(() -> slice(slice));
    }
    TopDocs[] results = new TopDocs[slices.length];
    searcher.getTaskExecutor().invokeAll(tasks).toArray(results);
    return TopDocs.merge(0, k, results);
  }

  private TopDocs slice(LeafSlice slice) throws IOException {
    TopHits hits = new TopHits(k);
    QueryTimeout timeout = host.searcher().getTimeout();
    Map<LeafReaderContextPartition, Ahead> ahead = runAhead(slice);
    PagesAhead pagesAhead =
        new PagesAhead(slice.partitions.length, turn -> planOf(slice.partitions[turn]));
    for (LeafReaderContextPartition partition : slice.partitions) {
      LeafPlan plan = planOf(partition);
      if (plan.matchesNothing()) {
        continue;
      }
      if (timeout != null && timeout.shouldExit()) {
        host.markTimedOut();
        break;
      }
      if (plan.onDevice() && !query.tookTooLong()) {
        offload.onDevice(
            host,
            query,
            plan,
            partition.ctx,
            (runner, liveDocs) ->
                device(plan, partition, hits, runner, liveDocs, ahead.get(partition), pagesAhead),
            () -> host(partition, hits));
      } else {
        offload.leafOnHost(plan.onDevice() ? Refusal.tookTooLong() : plan.refusal());
        host(partition, hits);
      }
      if (sharedMinimum != null && hits.isFull()) {
        long minimum = encode(hits.lastScore(), hits.lastDoc());
        sharedMinimum.accumulateAndGet(minimum, Math::max);
      }
    }
    if (query.root().hasEqualScores()) {
      hits.stopCountingBeyond(threshold);
    }
    return hits.toTopDocs();
  }

  /**
   * Returns a score and a doc as one number that orders hits: scores are not negative, so their
   * bits order as they do.
   */
  private static long encode(float score, int doc) {
    return ((long) Float.floatToRawIntBits(score) << 32) | (Integer.MAX_VALUE - doc);
  }

  private int remainingThreshold(TopHits hits) {
    return threshold == Integer.MAX_VALUE
        ? Integer.MAX_VALUE
        : (int) Math.max(0, threshold - hits.count());
  }

  /** A plan that was run before its turn, and its hits. */
  private record Ahead(StagedPlan plan, LeafHits hits) {}

  /**
   * Runs the plans of several segments at once, if the device is far away. On a device that knows
   * no series, none of them knows the hits of another, so that each finds k, and counts up to the
   * threshold.
   */
  private Map<LeafReaderContextPartition, Ahead> runAhead(LeafSlice slice) {
    StagedPlans plans =
        slice.partitions.length < 2 || query.tookTooLong() ? null : offload.stagedPlans(k);
    if (plans == null) {
      return Map.of();
    }
    Map<LeafReaderContextPartition, Ahead> ahead = new HashMap<>();
    for (LeafReaderContextPartition partition : slice.partitions) {
      LeafPlan plan = planOf(partition);
      if (plan.matchesNothing() || !plan.onDevice()) {
        continue;
      }
      PlanRequest request = request(partition, threshold);
      setMinimum(request, partition.ctx.docBase + partition.minDocId, new TopHits(k));
      LeafHits hits = new LeafHits();
      StagedPlan staged =
          plans.add(
              plan, partition.ctx.reader(), request, (page, session) -> hits.take(page, request));
      if (staged != null) {
        ahead.put(partition, new Ahead(staged, hits));
      }
    }
    plans.run();
    return ahead;
  }

  private LeafPlan planOf(LeafReaderContextPartition partition) {
    return plans[partition.ctx.ord];
  }

  /**
   * Returns a request for the hits of a partition.
   *
   * @param countThreshold matches to count exactly
   */
  private PlanRequest request(LeafReaderContextPartition partition, int countThreshold) {
    int limit = Math.min(partition.maxDocId, partition.ctx.reader().maxDoc());
    int wanted = Math.min(k, limit - partition.minDocId);
    PlanRequest request =
        PlanRequest.of(
            OffloadWire.Mode.TOP_K, partition.minDocId, limit, (int) resultBytes(wanted));
    request.k = wanted;
    request.countThreshold =
        countThreshold == Integer.MAX_VALUE ? OffloadWire.EXACT_COUNT : countThreshold;
    if (after != null) {
      request.after(after.score, after.doc - partition.ctx.docBase);
    }
    return request;
  }

  private void device(
      LeafPlan plan,
      LeafReaderContextPartition partition,
      TopHits hits,
      PlanRunner runner,
      int liveDocs,
      Ahead ahead,
      PagesAhead pagesAhead)
      throws IOException {
    if (ahead != null && ahead.plan.isAnswered()) {
      // Each segment may have counted to the threshold: beyond it the sum is no exact count, as
      // little as stock's.
      boolean beyond = hits.count() + ahead.hits.count > threshold;
      if (ahead.hits.lowerBound && !beyond) {
        throw new OffloadException(
            OffloadWire.Status.INTERNAL,
            "the device stopped counting at " + ahead.hits.count + ", before the threshold");
      }
      take(plan, partition, hits, ahead.hits, ahead.hits.lowerBound || beyond);
      return;
    }
    int remaining = remainingThreshold(hits);
    PlanRequest request = request(partition, remaining);
    request.liveDocs = liveDocs;
    setMinimum(request, partition.ctx.docBase + partition.minDocId, hits);
    if (remaining == 0 && hits.count() > threshold && cannotCompete(plan, request)) {
      hits.addCount(0, true);
      return;
    }
    LeafHits leafHits = new LeafHits();
    StockWindows<TopScoreDocCollector> stock =
        plan.isShared() && query.root().hasEqualScores()
            ? new StockWindows<>(
                partition.ctx, () -> stock(collector(remaining)), () -> collector(remaining))
            : null;
    PlanJob job =
        new PlanJob(
            plan,
            request,
            PlanTail.NONE,
            offload.stopSignal(),
            offload.host.strict(),
            pagesAhead,
            PlanRunner.raw(request, (page, session) -> leafHits.take(page, request)),
            stock);
    job.run(runner);
    if (stock == null || stock.collectors().isEmpty()) {
      take(plan, partition, hits, leafHits, leafHits.lowerBound);
    } else {
      takeBoth(plan, partition, hits, leafHits, stock.collectors());
    }
  }

  /**
   * Takes the hits of the device's windows and those of stock Lucene's, which lie between each
   * other.
   */
  private void takeBoth(
      LeafPlan plan,
      LeafReaderContextPartition partition,
      TopHits hits,
      LeafHits found,
      List<TopScoreDocCollector> stock) {
    List<TopDocs> parts = new ArrayList<>(stock.size() + 1);
    TopHits device = new TopHits(k);
    device.merge(found.docs, found.scores, found.size, partition.ctx.docBase);
    device.addCount(found.count, found.lowerBound);
    parts.add(device.toTopDocs());
    stock.forEach(collector -> parts.add(collector.topDocs()));
    hits.merge(TopDocs.merge(0, k, parts.toArray(TopDocs[]::new)));
    offload.leafOffloaded(plan);
  }

  private void take(
      LeafPlan plan,
      LeafReaderContextPartition partition,
      TopHits hits,
      LeafHits found,
      boolean lowerBound) {
    hits.merge(found.docs, found.scores, found.size, partition.ctx.docBase);
    hits.addCount(found.count, lowerBound);
    offload.leafOffloaded(plan);
  }

  /** Copy of a TOP_K page. */
  private static final class LeafHits {
    int[] docs = {};
    float[] scores = {};
    int size;
    long count;
    boolean lowerBound;

    void take(ResultReader page, PlanRequest request) throws OffloadException {
      size = page.entryCount();
      docs = new int[size];
      scores = new float[size];
      page.hits(docs, scores);
      count = page.matchCount();
      lowerBound = page.lowerBound();
      page.checkCounted(request);
    }
  }

  /** Asks only for hits that can still get into the k best of the whole search. */
  private void setMinimum(PlanRequest request, int firstDoc, TopHits hits) {
    long shared = sharedMinimum == null ? NO_MINIMUM : sharedMinimum.get();
    if (hits.isFull()) {
      // Hits in hand have lower docs: an equal score comes too late.
      request.minScore(hits.lastScore(), false);
    }
    if (shared != NO_MINIMUM) {
      float score = Float.intBitsToFloat((int) (shared >>> 32));
      int doc = Integer.MAX_VALUE - (int) shared;
      boolean ties = firstDoc <= doc;
      boolean has = (request.flags & OffloadWire.PlanFlag.HAS_MIN_SCORE) != 0;
      if (!has || score > request.minScore) {
        request.minScore(score, ties);
      }
    }
  }

  private static boolean cannotCompete(LeafPlan plan, PlanRequest request) {
    if ((request.flags & OffloadWire.PlanFlag.HAS_MIN_SCORE) == 0) {
      return false;
    }
    boolean ties = (request.flags & OffloadWire.PlanFlag.MIN_SCORE_TIES) != 0;
    return ties ? plan.maxScore() < request.minScore : plan.maxScore() <= request.minScore;
  }

  /** Searches a partition as stock does and merges what it finds. */
  private void host(LeafReaderContextPartition partition, TopHits hits) throws IOException {
    TopScoreDocCollector collector = collector(remainingThreshold(hits));
    Weight weight = stock(collector);
    collector.setWeight(weight);
    host.searchLeafStock(partition.ctx, partition.minDocId, partition.maxDocId, weight, collector);
    hits.merge(collector.topDocs());
  }

  private TopScoreDocCollector collector(int countThreshold) {
    return new TopScoreDocCollectorManager(k, after, countThreshold).newCollector();
  }

  private synchronized Weight stock(TopScoreDocCollector collector) throws IOException {
    if (stock == null) {
      stock = host.createStockWeight(query.query(), collector.scoreMode(), 1f, true);
    }
    return stock;
  }
}
