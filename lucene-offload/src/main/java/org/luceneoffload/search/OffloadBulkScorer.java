/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.util.Bits;
import org.luceneoffload.device.OffloadException;

/**
 * Feeds a collector with what the device finds in a segment. When the device fails, the stock bulk
 * scorer goes on from the first doc that was not collected yet.
 */
final class OffloadBulkScorer extends BulkScorer {
  private static final int FIRST_PAGE_BYTES = 1 << 18;

  /** Makes the stock scorer supplier of the same weight and segment; may return null. */
  @FunctionalInterface
  interface StockSupplier {
    ScorerSupplier get() throws IOException;
  }

  /** The score of the doc that is being collected. */
  private static final class CurrentScore extends Scorable {
    float score;

    @Override
    public float score() {
      return score;
    }
  }

  private final OffloadContext offload;
  private final LeafReaderContext context;
  private final LeafPlan plan;
  private final boolean scored;
  private final StockSupplier stockSupplier;
  private final int maxDoc;
  private final CurrentScore scorable = new CurrentScore();

  private PlanRunner runner;
  private DocStream stream;
  private boolean counted;
  private boolean fallenBack;
  private BulkScorer fallback;
  private int previousMax = -1;

  OffloadBulkScorer(
      OffloadContext offload,
      LeafReaderContext context,
      LeafPlan plan,
      boolean scored,
      StockSupplier stockSupplier) {
    this.offload = offload;
    this.context = context;
    this.plan = plan;
    this.scored = scored;
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
    boolean failed = true;
    try {
      int next = scoreFromDevice(collector, acceptDocs, min, max);
      failed = false;
      return next;
    } finally {
      // Of a page that ends here nothing is left, whether this was the last call or not: a caller
      // with a part of the segment does not say. The collector may also have seen enough and throw.
      if (stream != null && (failed || stream.next() <= end)) {
        stream.drop();
      }
    }
  }

  private int scoreFromDevice(LeafCollector collector, Bits acceptDocs, int min, int max)
      throws IOException {
    collector.setScorer(scorable);
    DocIdSetIterator competitive = collector.competitiveIterator();
    int end = Math.min(max, maxDoc);
    int doc = min;
    if (competitive != null && competitive.docID() > doc) {
      doc = Math.min(competitive.docID(), end);
    }
    // A caller that comes back for the next window will do so again: read ahead.
    int limit = min == previousMax ? maxDoc : end;
    previousMax = end;
    while (doc < end) {
      int filter;
      try {
        filter = deviceFilter(acceptDocs);
        if (!stream.covers(doc, filter)) {
          fetch(doc, limit, filter);
        }
      } catch (OffloadException failure) {
        if (offload.isTimeout(failure)) {
          return nextWindow(max);
        }
        offload.fallBack(runner, failure);
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
    return nextWindow(max);
  }

  private int nextWindow(int max) {
    return max >= maxDoc ? DocIdSetIterator.NO_MORE_DOCS : max;
  }

  /** The live docs on the device, if they are the docs to accept; else ALL_LIVE. */
  private int deviceFilter(Bits acceptDocs) throws OffloadException {
    if (stream == null) {
      runner = PlanRunner.of(plan.handle());
      stream = new DocStream(plan, runner, scored, FIRST_PAGE_BYTES, true);
    }
    if (acceptDocs == null || acceptDocs != context.reader().getLiveDocs()) {
      return LiveDocsStore.ALL_LIVE;
    }
    int resource = runner.liveDocs(context.reader());
    return resource == LiveDocsStore.UNAVAILABLE ? LiveDocsStore.ALL_LIVE : resource;
  }

  private void fetch(int doc, int limit, int filter) throws OffloadException {
    stream.fetch(doc, limit, filter, offload.stopSignal());
    if (!counted) {
      counted = true;
      offload.leafOffloaded(plan);
    }
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
    if (!scored && hostFilter == null) {
      collector.collect(new ArrayDocIdStream(docs, start, end));
      return;
    }
    float[] scores = stream.scores();
    for (int i = start; i < end; i++) {
      int doc = docs[i];
      if (hostFilter == null || hostFilter.get(doc)) {
        if (scored) {
          scorable.score = scores[i];
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
