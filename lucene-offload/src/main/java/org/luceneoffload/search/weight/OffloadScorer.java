/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.run.DocStream;
import org.luceneoffload.search.run.OffloadContext;
import org.luceneoffload.search.session.LiveDocsStore;
import org.luceneoffload.search.session.PlanRunner;
import org.luceneoffload.wire.OffloadException;

/**
 * Iterates over what the device finds in a segment, for a parent that runs on the host. Deleted
 * docs are not filtered: what asks for a scorer may be the query cache, which outlives deletes.
 */
final class OffloadScorer extends Scorer {
  private static final int FIRST_PAGE_BYTES = 1 << 13;

  /** Room for docs that a parent may drop before it has seen enough to say what can compete. */
  private static final int FIRST_PRUNED_PAGE_BYTES = 1 << 15;

  private final OffloadContext offload;
  private final CompiledQuery compiled;
  private final LeafPlan plan;
  private final boolean scored;
  private final boolean prunes;
  private final long leadCost;
  private final IOSupplier<ScorerSupplier> stockSupplier;
  private final int maxDoc;
  private final DocIdSetIterator iterator = new StreamIterator();

  private PlanRunner runner;
  private DocStream stream;
  private int index;
  private int doc = -1;
  private float least;
  private boolean fallenBack;
  private Scorer fallback;
  private DocIdSetIterator fallbackIterator;

  OffloadScorer(
      OffloadContext offload,
      CompiledQuery compiled,
      LeafReaderContext context,
      LeafPlan plan,
      ScoreMode scoreMode,
      long leadCost,
      IOSupplier<ScorerSupplier> stockSupplier) {
    this.offload = offload;
    this.compiled = compiled;
    this.plan = plan;
    this.scored = compiled.scored();
    this.prunes = scored && scoreMode == ScoreMode.TOP_SCORES && plan.supportsTopK();
    this.leadCost = leadCost;
    this.stockSupplier = stockSupplier;
    this.maxDoc = context.reader().maxDoc();
  }

  @Override
  public int docID() {
    return doc;
  }

  @Override
  public DocIdSetIterator iterator() {
    return iterator;
  }

  @Override
  public float score() throws IOException {
    if (fallback != null) {
      return fallback.score();
    }
    return scored ? stream.scores()[index] : 0f;
  }

  @Override
  public float getMaxScore(int upTo) {
    return scored ? plan.maxScore() : 0f;
  }

  @Override
  public void setMinCompetitiveScore(float minScore) throws IOException {
    if (fallback != null) {
      fallback.setMinCompetitiveScore(minScore);
    }
    least = prunes ? minScore : 0f;
  }

  private int advanceTo(int target) throws IOException {
    if (fallenBack) {
      return doc = advanceOnHost(target);
    }
    int wanted = target;
    while (wanted < maxDoc && least <= plan.maxScore()) {
      if (stream == null || !stream.covers(wanted, LiveDocsStore.ALL_LIVE)) {
        try {
          fetch(wanted);
        } catch (OffloadException failure) {
          // When time is up, the parent on the host is about to notice too.
          if (!offload.isTimeout(failure)) {
            offload.fallBack(compiled, runner, failure);
          }
          fallenBack = true;
          stream = null;
          return doc = advanceOnHost(wanted);
        }
      }
      index = stream.indexOf(wanted, index);
      if (index < stream.count()) {
        return doc = stream.docs()[index];
      }
      wanted = stream.next();
    }
    return doc = DocIdSetIterator.NO_MORE_DOCS;
  }

  private void fetch(int from) throws OffloadException {
    boolean first = stream == null;
    if (first) {
      runner = PlanRunner.of(plan.handle());
      int bytes = prunes ? FIRST_PRUNED_PAGE_BYTES : FIRST_PAGE_BYTES;
      stream = new DocStream(offload, plan, runner, scored, bytes, false, false);
    }
    int live = LiveDocsStore.ALL_LIVE;
    stream.fetchCompeting(least, from, maxDoc, live, offload.stopSignal(maxDoc - from));
    index = 0;
    if (first) {
      offload.leafOffloaded(plan);
    }
  }

  private int advanceOnHost(int target) throws IOException {
    if (fallback == null) {
      ScorerSupplier supplier = stockSupplier.get();
      if (supplier == null) {
        return DocIdSetIterator.NO_MORE_DOCS;
      }
      fallback = supplier.get(leadCost);
      fallbackIterator = fallback.iterator();
    }
    return fallbackIterator.advance(target);
  }

  private final class StreamIterator extends DocIdSetIterator {
    @Override
    public int docID() {
      return doc;
    }

    @Override
    public int nextDoc() throws IOException {
      if (stream != null && index + 1 < stream.count() && doc == stream.docs()[index]) {
        return doc = stream.docs()[++index];
      }
      return advanceTo(doc + 1);
    }

    @Override
    public int advance(int target) throws IOException {
      return advanceTo(target);
    }

    @Override
    public void intoBitSet(int upTo, FixedBitSet bits, int offset) throws IOException {
      while (stream != null && doc < upTo) {
        int[] docs = stream.docs();
        int count = stream.count();
        while (index < count && docs[index] < upTo) {
          bits.set(docs[index++] - offset);
        }
        doc = index < count ? docs[index] : advanceTo(stream.next());
      }
      super.intoBitSet(upTo, bits, offset);
    }

    @Override
    public long cost() {
      return plan.cost();
    }
  }
}
