/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Matches;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TotalHitCountCollector;
import org.apache.lucene.search.Weight;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.compile.DeviceQuery;
import org.luceneoffload.search.compile.QueryCacheRules;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.run.LeafCounter;
import org.luceneoffload.search.run.OffloadContext;
import org.luceneoffload.wire.OffloadWire;

/**
 * The weight of a query that runs on the device, beside the stock weight of the same query, which
 * answers for everything else and is made when it is first needed.
 */
public final class OffloadWeight extends Weight {
  /** The purpose of the weight. */
  public enum Role {
    /** A whole query, run by a searcher of ours: collectors ask for bulk scorers and counts. */
    WHOLE,
    /** A part of a query that the host runs, made by a searcher of ours: no cache sees it. */
    PART,
    /** Some clauses of a query that the host runs, which are no query that a cache would know. */
    GROUP,
    /** A query, whole or part, around which the searcher puts its cache. */
    WRAPPED;

    /** Returns whether the host runs the query around it. */
    public boolean isPart() {
      return this == PART || this == GROUP;
    }
  }

  /** A parent that visits fewer than 1 in this many of the matches gets the stock scorer. */
  private static final long SPARSE_LEAD = 16;

  private final OffloadContext offload;
  private final CompiledQuery compiled;
  private final ScoreMode scoreMode;
  private final float boost;
  private final Role role;
  private final AtomicBoolean used;
  private final long[] costs; // of a group, by segment, as the thread that plans one needs it
  private volatile Weight stock;

  public OffloadWeight(
      OffloadContext offload, CompiledQuery compiled, ScoreMode scoreMode, float boost, Role role) {
    super(QueryCacheRules.ofWeight(compiled.query(), scoreMode.needsScores()));
    this.offload = offload;
    this.compiled = compiled;
    this.scoreMode = scoreMode;
    this.boost = boost;
    this.role = role;
    this.costs =
        role == Role.GROUP ? new long[offload.host.searcher().getLeafContexts().size()] : null;
    // A cache around this weight reports its use.
    this.used = new AtomicBoolean(role == Role.WRAPPED || role == Role.GROUP);
  }

  /** Returns whether the device says which docs match, and the host what they score. */
  private boolean hostScores() {
    return scoreMode.needsScores() && !compiled.scored();
  }

  private Weight stock() throws IOException {
    Weight weight = stock;
    if (weight == null) {
      synchronized (this) {
        weight = stock;
        if (weight == null) {
          // The cache reports a use of the query; if noteUse did, it must not do so again.
          boolean cached = used.compareAndSet(false, true);
          weight = offload.host.createStockWeight(compiled.query(), scoreMode, boost, cached);
          stock = weight;
        }
      }
    }
    return weight;
  }

  /** Reports one use to the caching policy, as the cache would if it saw the query. */
  private void noteUse() {
    if (!scoreMode.needsScores() && used.compareAndSet(false, true)) {
      IndexSearcher searcher = offload.host.searcher();
      if (searcher.getQueryCache() != null) {
        searcher.getQueryCachingPolicy().onUse(withoutScoreWrappers(getQuery()));
      }
    }
  }

  /**
   * Returns the query as the cache knows it: wrappers that only change scores make no weight of
   * their own.
   */
  public static Query withoutScoreWrappers(Query query) {
    Query inner = query;
    while (true) {
      if (inner instanceof BoostQuery b) {
        inner = b.getQuery();
      } else if (inner instanceof ConstantScoreQuery constant) {
        inner = constant.getQuery();
      } else if (inner instanceof DeviceQuery wrapper) {
        inner = wrapper.getQuery();
      } else {
        return inner;
      }
    }
  }

  /** Returns whether a query is a Boolean one, whatever its score. */
  public static boolean isBoolean(Query query) {
    return withoutScoreWrappers(query) instanceof BooleanQuery;
  }

  @Override
  public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
    int mode = compiled.scored() ? OffloadWire.Mode.SCORED_DOCS : OffloadWire.Mode.DOCS;
    LeafPlan plan = offload.plan(compiled, context, mode);
    if (role == Role.GROUP) {
      costs[context.ord] = plan.cost();
    }
    if (plan.onDevice()) {
      noteUse();
      return new OffloadScorerSupplier(context, plan);
    }
    if (plan.matchesNothing() && role == Role.WHOLE) {
      noteUse();
      return null;
    }
    if (plan.refusal() != null) {
      offload.leafOnHost(plan.refusal());
    }
    // A parent on the host tells a missing supplier from one that finds nothing: let stock decide.
    return stock().scorerSupplier(context);
  }

  /**
   * Returns about the most docs of a group that match in a segment for which this thread has made a
   * scorer supplier; 0 if the device has no part in it.
   */
  long cost(LeafReaderContext context) {
    return costs[context.ord];
  }

  @Override
  public int count(LeafReaderContext context) throws IOException {
    int count = compiled.quickCount(context);
    if (count >= 0 || role.isPart()) {
      return count;
    }
    LeafCounter counter = new LeafCounter(offload, compiled);
    count = counter.count(context);
    if (counter.refusal() != null && counter.refusal().isChoice()) {
      offload.leafOnHost(counter.refusal());
      return countOnHost(context);
    }
    noteUse();
    return count;
  }

  private int countOnHost(LeafReaderContext context) throws IOException {
    int known = stock().count(context);
    BulkScorer scorer = known < 0 ? stock().bulkScorer(context) : null;
    if (scorer == null) {
      return Math.max(0, known);
    }
    TotalHitCountCollector counted = new TotalHitCountCollector();
    scorer.score(
        counted.getLeafCollector(context),
        context.reader().getLiveDocs(),
        0,
        DocIdSetIterator.NO_MORE_DOCS);
    return counted.getTotalHits();
  }

  @Override
  public Explanation explain(LeafReaderContext context, int doc) throws IOException {
    return stock().explain(context, doc);
  }

  @Override
  public Matches matches(LeafReaderContext context, int doc) throws IOException {
    return stock().matches(context, doc);
  }

  @Override
  public boolean isCacheable(LeafReaderContext context) {
    return compiled.isCacheable(context);
  }

  @Override
  public String toString() {
    return "OffloadWeight(" + getQuery() + ")";
  }

  private final class OffloadScorerSupplier extends ScorerSupplier {
    private final LeafReaderContext context;
    private final LeafPlan plan;
    private boolean topLevelScoringClause;

    OffloadScorerSupplier(LeafReaderContext context, LeafPlan plan) {
      this.context = context;
      this.plan = plan;
    }

    private ScorerSupplier stockSupplier() throws IOException {
      ScorerSupplier supplier = stock().scorerSupplier(context);
      if (supplier != null && topLevelScoringClause) {
        supplier.setTopLevelScoringClause();
      }
      return supplier;
    }

    /** Returns a scorer of all docs that the device finds, whichever of them compete. */
    private Scorer scorerOnHost(long leadCost) throws IOException {
      Weight scoring =
          offload.host.createStockWeight(compiled.query(), ScoreMode.COMPLETE, boost, true);
      ScorerSupplier scores = scoring.scorerSupplier(context);
      if (scores == null) {
        return new ConstantScoreScorer(0f, scoreMode, DocIdSetIterator.empty());
      }
      Scorer docs =
          new OffloadScorer(
              offload, compiled, context, plan, scoreMode, leadCost, this::stockSupplier);
      return new HostScorer(docs, scores.get(plan.cost()));
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      if (hostScores()) {
        return scorerOnHost(leadCost);
      }
      if (role == Role.WHOLE || !isBoolean(getQuery()) || leadCost < plan.cost() / SPARSE_LEAD) {
        ScorerSupplier supplier = stockSupplier();
        return supplier == null
            ? new ConstantScoreScorer(0f, scoreMode, DocIdSetIterator.empty())
            : supplier.get(leadCost);
      }
      return new OffloadScorer(
          offload, compiled, context, plan, scoreMode, leadCost, this::stockSupplier);
    }

    @Override
    public BulkScorer bulkScorer() throws IOException {
      if (hostScores()) {
        return new DefaultBulkScorer(scorerOnHost(Long.MAX_VALUE));
      }
      if (role == Role.GROUP) {
        return new DefaultBulkScorer(get(Long.MAX_VALUE)); // asked for what is between other docs
      }
      return new OffloadBulkScorer(
          offload, compiled, context, plan, scoreMode, this::stockSupplier);
    }

    @Override
    public long cost() {
      return plan.cost();
    }

    @Override
    public void setTopLevelScoringClause() {
      topLevelScoringClause = true;
    }
  }
}
