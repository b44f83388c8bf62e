/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.IndexSearcher.LeafSlice;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.plan.SortedPlan;
import org.luceneoffload.search.session.PagesAhead;
import org.luceneoffload.search.session.PlanJob;
import org.luceneoffload.search.session.PlanRunner;
import org.luceneoffload.search.session.StagedPlan;
import org.luceneoffload.search.session.StagedPlans;
import org.luceneoffload.search.session.StockWindows;
import org.luceneoffload.search.sort.AfterKeys;
import org.luceneoffload.search.sort.SortFieldKey;
import org.luceneoffload.search.sort.StoredNaNs;
import org.luceneoffload.util.SortedBlocks;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.ResultReader;
import org.luceneoffload.wire.sort.SortPart;
import org.luceneoffload.wire.sort.SortedResultReader;

/**
 * One search for the k best hits by sort keys: a TOP_K_BY_COLUMN plan for each segment, merged.
 * Each slice counts matches on its own up to the threshold, as stock collectors do.
 */
public final class SortSearch {
  private final OffloadContext offload;
  private final HostSearcher.Whole host;
  private final CompiledQuery query;
  private final Sort sort;
  private final List<SortFieldKey> fields;
  private final FieldDoc after;
  private final int k;
  private final int threshold;
  private final SortedPlan[] plans;
  private Weight stock;

  /**
   * @param sort rewritten
   * @param fields the keys of its fields
   * @param after hits have to come after this one; null for the first ones
   * @param k hits wanted, at most the docs of the index
   * @param threshold matches to count exactly; Integer.MAX_VALUE: all
   */
  public SortSearch(
      OffloadContext offload,
      HostSearcher.Whole host,
      CompiledQuery query,
      Sort sort,
      List<SortFieldKey> fields,
      FieldDoc after,
      int k,
      int threshold) {
    this.offload = offload;
    this.host = host;
    this.query = query;
    this.sort = sort;
    this.fields = fields;
    this.after = after;
    this.k = k;
    this.threshold = Math.max(threshold, k);
    this.plans = new SortedPlan[host.searcher().getLeafContexts().size()];
  }

  /** Runs the search; null if the device can do no part of it in this way. */
  public TopFieldDocs run() throws IOException {
    IndexSearcher searcher = host.searcher();
    String first = sort.getSort()[0].getField();
    if (first != null && SortedBlocks.areBy(searcher.getIndexReader(), first)) {
      return null; // what stock passes over there depends on the hits of the segments before
    }
    boolean anyOnDevice = false;
    boolean anyOnHost = false;
    for (LeafReaderContext context : searcher.getLeafContexts()) {
      SortedPlan plan = offload.planSorted(query, context, fields, k, threshold);
      if (plan.leaf().onDevice()) {
        int most = plan.leaf().handle().device().info().maxResultBytes();
        if (resultBytes(plan, Math.min(k, context.reader().maxDoc())) > most) {
          return null;
        }
      }
      plans[context.ord] = plan;
      anyOnDevice |= plan.leaf().suitsDevice();
      anyOnHost |= plan.leaf().refusal() != null;
    }
    if (anyOnHost && !anyOnDevice) {
      return null;
    }
    LeafSlice[] slices = searcher.getSlices();
    if (slices.length == 1) {
      return StoredNaNs.restore(sort, searcher.getLeafContexts(), slice(slices[0]));
    }
    List<Callable<TopFieldDocs>> tasks = new ArrayList<>(slices.length);
    for (LeafSlice slice : slices) {
      tasks.add(() -> slice(slice));
    }
    TopFieldDocs[] results = new TopFieldDocs[slices.length];
    searcher.getTaskExecutor().invokeAll(tasks).toArray(results);
    TopFieldDocs best = TopDocs.merge(sort, 0, k, results);
    return StoredNaNs.restore(sort, searcher.getLeafContexts(), best);
  }

  private static long resultBytes(SortedPlan plan, int hits) {
    return ResultHeaderLayout.BYTES + (long) hits * SortPart.entryBytes(plan.keys().size());
  }

  private TopFieldDocs slice(LeafSlice slice) throws IOException {
    SortedHits hits = new SortedHits(sort, fields, k);
    QueryTimeout timeout = host.searcher().getTimeout();
    Map<LeafReaderContextPartition, Ahead> ahead = runAhead(slice);
    PagesAhead pagesAhead =
        new PagesAhead(
            slice.partitions.length, turn -> plans[slice.partitions[turn].ctx.ord].leaf());
    for (LeafReaderContextPartition partition : slice.partitions) {
      SortedPlan plan = plans[partition.ctx.ord];
      if (plan.leaf().matchesNothing()) {
        continue;
      }
      if (timeout != null && timeout.shouldExit()) {
        host.markTimedOut();
        break;
      }
      if (plan.leaf().onDevice() && !query.tookTooLong()) {
        offload.onDevice(
            host,
            query,
            plan.leaf(),
            partition.ctx,
            (runner, liveDocs) ->
                device(plan, partition, hits, runner, liveDocs, ahead.get(partition), pagesAhead),
            () -> host(partition, hits));
      } else {
        offload.leafOnHost(plan.leaf().onDevice() ? Refusal.tookTooLong() : plan.leaf().refusal());
        host(partition, hits);
      }
    }
    return hits.toTopDocs();
  }

  private int remainingThreshold(SortedHits hits) {
    return threshold == Integer.MAX_VALUE
        ? Integer.MAX_VALUE
        : (int) Math.max(0, threshold - hits.count());
  }

  /** A plan that was run before its turn, and its hits. */
  private record Ahead(StagedPlan plan, SortPart part, LeafHits hits) {}

  /**
   * Runs the plans of several segments at once, if the device is far away. None of them knows the
   * hits of another, so that each finds k, and counts up to the threshold.
   */
  private Map<LeafReaderContextPartition, Ahead> runAhead(LeafSlice slice) throws IOException {
    StagedPlans staged =
        slice.partitions.length < 2 || query.tookTooLong() ? null : offload.stagedPlans(0);
    if (staged == null) {
      return Map.of();
    }
    Map<LeafReaderContextPartition, Ahead> ahead = new HashMap<>();
    SortedHits none = new SortedHits(sort, fields, k);
    for (LeafReaderContextPartition partition : slice.partitions) {
      SortedPlan plan = plans[partition.ctx.ord];
      if (plan.leaf().matchesNothing() || !plan.leaf().onDevice()) {
        continue;
      }
      PlanRequest request = request(plan, partition, threshold);
      SortPart part = part(plan, partition.ctx, none);
      LeafHits found = new LeafHits();
      StagedPlan one =
          staged.add(
              plan.leaf(),
              partition.ctx.reader(),
              request,
              part,
              (page, session) -> found.take(page, request, part));
      if (one != null) {
        ahead.put(partition, new Ahead(one, part, found));
      }
    }
    staged.run();
    return ahead;
  }

  /**
   * Returns a request for the hits of a partition.
   *
   * @param countThreshold matches to count exactly
   */
  private PlanRequest request(
      SortedPlan plan, LeafReaderContextPartition partition, int countThreshold) {
    int limit = Math.min(partition.maxDocId, partition.ctx.reader().maxDoc());
    int wanted = Math.min(k, limit - partition.minDocId);
    PlanRequest request =
        PlanRequest.of(
            OffloadWire.Mode.TOP_K_BY_COLUMN,
            partition.minDocId,
            limit,
            (int) resultBytes(plan, wanted));
    request.k = wanted;
    request.countThreshold =
        countThreshold == Integer.MAX_VALUE ? OffloadWire.EXACT_COUNT : countThreshold;
    return request;
  }

  private void device(
      SortedPlan plan,
      LeafReaderContextPartition partition,
      SortedHits hits,
      PlanRunner runner,
      int liveDocs,
      Ahead ahead,
      PagesAhead pagesAhead)
      throws IOException {
    if (ahead != null && ahead.plan.isAnswered()) {
      // Each segment may have counted to the threshold: beyond it the sum is no exact count.
      boolean beyond = hits.count() + ahead.hits.count > threshold;
      take(plan, partition.ctx, hits, ahead.part, ahead.hits, ahead.hits.lowerBound || beyond);
      return;
    }
    PlanRequest request = request(plan, partition, remainingThreshold(hits));
    request.liveDocs = liveDocs;
    SortPart part = part(plan, partition.ctx, hits);
    LeafHits found = new LeafHits();
    int remaining = remainingThreshold(hits);
    StockWindows<TopFieldCollector> stock =
        plan.leaf().isShared() && !query.scored() && !byDistance()
            ? new StockWindows<>(
                partition.ctx, () -> stock(collector(remaining)), () -> collector(remaining))
            : null;
    PlanJob job =
        new PlanJob(
            plan.leaf(),
            request,
            part,
            offload.stopSignal(),
            offload.host.strict(),
            pagesAhead,
            (page, session) -> found.take(page, request, part),
            stock);
    job.run(runner);
    if (stock == null || stock.collectors().isEmpty()) {
      take(plan, partition.ctx, hits, part, found, found.lowerBound);
    } else {
      takeBoth(plan, partition.ctx, hits, part, found, stock.collectors());
    }
  }

  /** Returns whether a key is a distance: what stock says of hits does not order them all. */
  private boolean byDistance() {
    return fields.stream().anyMatch(field -> field.origin() != null);
  }

  /**
   * Takes the hits of the device's windows and those of stock Lucene's, which lie between each
   * other.
   */
  private void takeBoth(
      SortedPlan plan,
      LeafReaderContext context,
      SortedHits hits,
      SortPart part,
      LeafHits found,
      List<TopFieldCollector> stock)
      throws IOException {
    List<TopFieldDocs> parts = new ArrayList<>(stock.size() + 1);
    SortedHits device = new SortedHits(sort, fields, k);
    device.merge(part, found.docs, found.keys, found.size, context.docBase, keywords(context));
    device.addCount(found.count, found.lowerBound);
    parts.add(device.toTopDocs());
    stock.forEach(collector -> parts.add(collector.topDocs()));
    hits.merge(part, TopDocs.merge(sort, 0, k, parts.toArray(TopFieldDocs[]::new)), context);
    offload.leafOffloaded(plan.leaf());
  }

  private void take(
      SortedPlan plan,
      LeafReaderContext context,
      SortedHits hits,
      SortPart part,
      LeafHits found,
      boolean lowerBound)
      throws IOException {
    hits.merge(part, found.docs, found.keys, found.size, context.docBase, keywords(context));
    hits.addCount(found.count, lowerBound);
    offload.leafOffloaded(plan.leaf());
  }

  private SortPart part(SortedPlan plan, LeafReaderContext context, SortedHits hits)
      throws IOException {
    SortPart part = new SortPart(plan.keys());
    if (after != null) {
      AfterKeys.of(
              fields,
              after,
              context.docBase,
              (field, keyword) ->
                  DocValues.getSortedSet(context.reader(), field).lookupTerm(keyword))
          .limit(part);
    }
    if (hits.hasBottom()) {
      // Hits in hand have lower docs: equal keys come too late.
      part.bottom(hits.bottom(context.docBase), false);
    }
    return part;
  }

  /** Returns the keywords of a segment, by field; null for other fields. */
  private SortFieldKey.Keywords[] keywords(LeafReaderContext context) throws IOException {
    SortFieldKey.Keywords[] keywords = new SortFieldKey.Keywords[fields.size()];
    for (int i = 0; i < keywords.length; i++) {
      if (fields.get(i).isKeyword()) {
        SortedSetDocValues values = DocValues.getSortedSet(context.reader(), fields.get(i).field());
        keywords[i] = ord -> keyword(values, ord);
      }
    }
    return keywords;
  }

  private static BytesRef keyword(SortedSetDocValues values, long ord) throws IOException {
    if (ord < 0 || ord >= values.getValueCount()) {
      throw new OffloadException(
          OffloadWire.Status.INTERNAL,
          "the device has ordinal " + ord + " of " + values.getValueCount() + " keywords");
    }
    return values.lookupOrd(ord);
  }

  /** Copy of a result page. */
  private static final class LeafHits {
    int[] docs = {};
    long[] keys = {};
    int size;
    long count;
    boolean lowerBound;

    ResultReader take(ByteBuffer page, PlanRequest request, SortPart part) throws OffloadException {
      SortedResultReader reader = new SortedResultReader();
      reader.reset(page, request, part);
      size = reader.header().entryCount();
      int width = part.keys().size();
      docs = new int[size];
      keys = new long[size * width];
      for (int i = 0; i < size; i++) {
        docs[i] = reader.doc(i);
        for (int key = 0; key < width; key++) {
          keys[i * width + key] = reader.key(i, key);
        }
      }
      count = reader.header().matchCount();
      lowerBound = reader.header().lowerBound();
      reader.header().checkCounted(request);
      return reader.header();
    }
  }

  /** Searches a partition as stock does and merges what it finds. */
  private void host(LeafReaderContextPartition partition, SortedHits hits) throws IOException {
    TopFieldCollector collector = collector(remainingThreshold(hits));
    Weight weight = stock(collector);
    collector.setWeight(weight);
    host.searchLeafStock(partition.ctx, partition.minDocId, partition.maxDocId, weight, collector);
    hits.merge(
        new SortPart(fields.stream().map(field -> field.key(-1, 0)).toList()),
        collector.topDocs(),
        partition.ctx);
  }

  private TopFieldCollector collector(int countThreshold) {
    return new TopFieldCollectorManager(sort, k, after, countThreshold).newCollector();
  }

  private synchronized Weight stock(TopFieldCollector collector) throws IOException {
    if (stock == null) {
      stock = host.createStockWeight(query.query(), collector.scoreMode(), 1f, true);
    }
    return stock;
  }
}
