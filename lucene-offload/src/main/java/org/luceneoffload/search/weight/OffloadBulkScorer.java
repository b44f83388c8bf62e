/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.run.DocStream;
import org.luceneoffload.search.run.OffloadContext;
import org.luceneoffload.search.session.LiveDocsStore;
import org.luceneoffload.search.session.PlanRunner;
import org.luceneoffload.wire.OffloadException;

/**
 * Feeds a collector with what the device finds in a segment. When the device fails, or is stopped
 * by a timeout, the stock bulk scorer goes on from the first doc that was not collected yet: the
 * caller that set the timeout ends the search between two windows, and a cache that collects must
 * not take a part for the whole.
 *
 * <p>From a collector that says which scores can still compete, docs that cannot are kept back.
 * They are then asked for in windows that grow, since each window raises what the next has to beat.
 */
final class OffloadBulkScorer extends BulkScorer {
  /** For collectors that may have enough after a few docs; the pages of others soon grow. */
  private static final int FIRST_DOCS = 128;

  /** Room for some more docs than stock collectors count before they say what can compete. */
  private static final int FIRST_PRUNED_PAGE_BYTES = 1 << 14;

  private final OffloadContext offload;
  private final CompiledQuery compiled;
  private final LeafReaderContext context;
  private final LeafPlan plan;
  private final boolean scored;
  private final boolean prunes;
  private final IOSupplier<ScorerSupplier> stockSupplier;
  private final int maxDoc;
  private final CollectedDoc scorable;

  private PlanRunner runner;
  private DocStream stream;
  private boolean counted;
  private boolean fallenBack;
  private BulkScorer fallback;
  private int previousMax = -1;

  OffloadBulkScorer(
      OffloadContext offload,
      CompiledQuery compiled,
      LeafReaderContext context,
      LeafPlan plan,
      ScoreMode scoreMode,
      IOSupplier<ScorerSupplier> stockSupplier) {
    this.offload = offload;
    this.compiled = compiled;
    this.context = context;
    this.plan = plan;
    this.scored = scoreMode.needsScores();
    this.prunes = scoreMode == ScoreMode.TOP_SCORES && plan.supportsTopK();
    this.scorable = new CollectedDoc(prunes, stockSupplier);
    this.stockSupplier = stockSupplier;
    this.maxDoc = context.reader().maxDoc();
  }

  @Override
  public long cost() {
    return plan.cost();
  }

  @Override
  public int score(LeafCollector collector, Bits acceptDocs, int min, int max) throws IOException {
    if (fallenBack) {
      return scoreOnHost(collector, acceptDocs, min, max);
    }
    int end = Math.min(max, maxDoc);
    EarlyStops stops = EarlyStops.of(collector);
    boolean failed = true;
    try {
      int next = scoreFromDevice(collector, stops, acceptDocs, min, max);
      failed = false;
      return next;
    } finally {
      if (failed) {
        stops.stopped();
      }
      // Of a page that ends here nothing is left, whether this was the last call or not: a caller
      // with a part of the segment does not say. The collector may also have seen enough and throw.
      if (stream != null && (failed || stream.next() <= end)) {
        stream.drop();
      }
    }
  }

  private int scoreFromDevice(
      LeafCollector collector, EarlyStops stops, Bits acceptDocs, int min, int max)
      throws IOException {
    collector.setScorer(scorable);
    DocIdSetIterator competitive = collector.competitiveIterator();
    int end = Math.min(max, maxDoc);
    int doc = min;
    if (competitive != null && competitive.docID() > doc) {
      doc = Math.min(competitive.docID(), end);
    }
    BestHits best =
        scored && doc == 0 && end == maxDoc && plan.supportsTopK()
            ? BestHits.behind(collector)
            : null;
    // A caller that comes back for the next window will do so again: read ahead.
    int limit = min == previousMax ? maxDoc : end;
    previousMax = end;
    while (doc < end) {
      if (scorable.least > plan.maxScore()) {
        return DocIdSetIterator.NO_MORE_DOCS;
      }
      int filter;
      try {
        filter = deviceFilter(stops, acceptDocs);
        boolean accepted = acceptDocs == null || filter != LiveDocsStore.ALL_LIVE;
        if (best != null && accepted && stream.hasRoomFor(Math.min(best.wanted(), maxDoc))) {
          fetchBest(best, filter);
          collectBest(best, collector);
          return DocIdSetIterator.NO_MORE_DOCS;
        }
        best = null;
        if (!stream.covers(doc, filter)) {
          fetch(doc, limit, filter);
        }
      } catch (OffloadException failure) {
        if (!offload.isTimeout(failure)) {
          offload.fallBack(compiled, runner, failure);
        }
        fallenBack = true;
        stream = null;
        return scoreOnHost(collector, acceptDocs, doc, max);
      }
      int to = Math.min(end, stream.next());
      Bits hostFilter = filter == LiveDocsStore.ALL_LIVE ? acceptDocs : null;
      if (competitive != null) {
        doc = collectCompetitive(collector, competitive, hostFilter, doc, to);
      } else {
        collect(collector, hostFilter, doc, to);
        doc = to;
      }
    }
    if (max < maxDoc) {
      return max;
    }
    stops.tookAll();
    return DocIdSetIterator.NO_MORE_DOCS;
  }

  /** Returns the live docs on the device, if they are the docs to accept; else ALL_LIVE. */
  private int deviceFilter(EarlyStops stops, Bits acceptDocs) throws OffloadException {
    if (stream == null) {
      runner = PlanRunner.of(plan.handle());
      int first = firstPageBytes(stops);
      stream = new DocStream(offload, plan, runner, scored, first, true, !prunes);
    }
    if (acceptDocs == null || acceptDocs != context.reader().getLiveDocs()) {
      return LiveDocsStore.ALL_LIVE;
    }
    int resource = runner.liveDocs(context.reader());
    return resource == LiveDocsStore.UNAVAILABLE ? LiveDocsStore.ALL_LIVE : resource;
  }

  private int firstPageBytes(EarlyStops stops) {
    if (prunes) {
      return FIRST_PRUNED_PAGE_BYTES;
    }
    return stops.areUnlikely() ? Integer.MAX_VALUE : DocStream.pageBytes(FIRST_DOCS, scored);
  }

  private void fetch(int doc, int limit, int filter) throws OffloadException {
    stream.fetchCompeting(scorable.least, doc, limit, filter, offload.stopSignal(limit - doc));
    if (!counted) {
      counted = true;
      offload.leafOffloaded(plan);
    }
  }

  private void fetchBest(BestHits best, int filter) throws OffloadException {
    ScoreDoc after = best.after();
    stream.fetchBest(
        Math.min(best.wanted(), maxDoc),
        best.toCount(),
        after == null || Float.isNaN(after.score)
            ? null
            : new ScoreDoc(after.doc - context.docBase, after.score),
        best.least(),
        maxDoc,
        filter,
        offload.stopSignal());
    offload.leafOffloaded(plan);
  }

  /** Collects the docs of the page, and counts the other matches. */
  private void collectBest(BestHits best, LeafCollector collector) throws IOException {
    int[] docs = stream.docs();
    float[] scores = stream.scores();
    int count = stream.count();
    for (int i = 0; i < count; i++) {
      scorable.score = scores[i];
      collector.collect(docs[i]);
    }
    best.count(stream.matches() - count, stream.isLowerBound());
  }

  /** Collects the docs of the page in [from, to). */
  private void collect(LeafCollector collector, Bits hostFilter, int from, int to)
      throws IOException {
    int[] docs = stream.docs();
    int start = stream.indexOf(from, 0);
    int end = stream.indexOf(to, start);
    if (start == end) {
      return;
    }
    if (!scored && hostFilter == null && !scorable.isFollowed()) {
      collector.collect(new ArrayDocIdStream(docs, start, end));
      return;
    }
    float[] scores = stream.scores();
    for (int i = start; i < end; i++) {
      int doc = docs[i];
      if (hostFilter == null || hostFilter.get(doc)) {
        if (scored) {
          if (scores[i] < scorable.least) {
            continue;
          }
          scorable.score = scores[i];
        }
        if (scorable.isFollowed()) {
          scorable.follow(doc);
        }
        collector.collect(doc);
      }
    }
  }

  /**
   * Collects the docs of the page in [from, to) that the collector's own iterator also has.
   *
   * @return where to go on: {@code to}, or later if the iterator skips more
   */
  private int collectCompetitive(
      LeafCollector collector, DocIdSetIterator competitive, Bits hostFilter, int from, int to)
      throws IOException {
    int i = stream.indexOf(from, 0);
    while (i < stream.count()) {
      int doc = stream.docs()[i];
      if (doc >= to) {
        break;
      }
      if (competitive.docID() < doc) {
        int target = competitive.advance(doc);
        if (target != doc) {
          if (target >= to) {
            return Math.min(target, Math.max(to, previousMax));
          }
          i = stream.indexOf(target, i);
          continue;
        }
      }
      if (hostFilter == null || hostFilter.get(doc)) {
        if (scored) {
          scorable.score = stream.scores()[i];
        }
        if (scorable.isFollowed()) {
          scorable.follow(doc);
        }
        collector.collect(doc);
      }
      i++;
    }
    return to;
  }

  private int scoreOnHost(LeafCollector collector, Bits acceptDocs, int min, int max)
      throws IOException {
    if (fallback == null) {
      ScorerSupplier supplier = stockSupplier.get();
      if (supplier == null) {
        return DocIdSetIterator.NO_MORE_DOCS;
      }
      fallback = supplier.bulkScorer();
    }
    return fallback.score(collector, acceptDocs, min, max);
  }
}
