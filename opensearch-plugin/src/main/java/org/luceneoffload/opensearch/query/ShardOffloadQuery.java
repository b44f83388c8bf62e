/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.opensearch.report.Answered;
import org.luceneoffload.opensearch.settings.IndexOffload;
import org.opensearch.search.internal.ContextIndexSearcher;

/**
 * The query of a shard's search, which the device answers if it can. Under any other searcher, as
 * that of a highlighter, it is the query that it wraps.
 */
public final class ShardOffloadQuery extends Query {
  private final Query query;
  private final IndexOffload index;
  private final InVain inVain;
  private final boolean simplified;
  private volatile Answered answered = Answered.COLLECTORS;

  /** Wraps a query, rewritten. */
  ShardOffloadQuery(Query query, IndexOffload index, InVain inVain) {
    this(query, index, inVain, true);
  }

  private ShardOffloadQuery(Query query, IndexOffload index, InVain inVain, boolean simplified) {
    this.query = query;
    this.index = index;
    this.inVain = inVain;
    this.simplified = simplified;
  }

  /**
   * The query for whoever makes weights of it himself, as aggregators do. A searcher first leaves
   * out what makes no difference without scores; the query cache shows that.
   */
  ShardOffloadQuery unsimplified() {
    return new ShardOffloadQuery(query, index, inVain, false);
  }

  /** The wrapped query, rewritten. */
  Query query() {
    return query;
  }

  /** What is set for the index. */
  IndexOffload index() {
    return index;
  }

  /** OpenSearch's cache, for a search of the query. */
  StockCache cache(ContextIndexSearcher searcher) {
    return new StockCache(searcher, query, inVain);
  }

  /** How the search was answered; until it was, how it will be if nothing shorter is found. */
  Answered answered() {
    return answered;
  }

  void setAnswered(Answered way) {
    answered = way;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) {
    return searcher instanceof ContextIndexSearcher ? this : query;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException {
    if (!(searcher instanceof ContextIndexSearcher context)) {
      return query.createWeight(searcher, scoreMode, boost);
    }
    PartSearcher parts = new PartSearcher(context);
    Query rewritten = parts.rewrite(new OffloadQuery(query));
    Weight weight =
        rewritten instanceof OffloadQuery offload
            ? offload.deviceWeight(parts, scoreMode, boost)
            : null;
    if (!scoreMode.needsScores()) {
      return unscored(context, weight, scoreMode);
    } else if (weight != null) {
      cache(context).scored();
      return weight;
    }
    return query.createWeight(context, scoreMode, boost);
  }

  private Weight unscored(ContextIndexSearcher context, Weight device, ScoreMode scoreMode)
      throws IOException {
    Query searched = simplified ? StockCache.unscored(context, query) : query.rewrite(context);
    Weight stock = searched.createWeight(context, scoreMode, 1f);
    Weight weight = device == null ? stock : new UnscoredWeight(device, stock, cache(context));
    // A weight that stock has made by the searcher is cached, even if nobody asks the searcher for
    // this one, as some aggregations do not.
    boolean cached = query instanceof ConstantScoreQuery && context.getQueryCache() != null;
    return cached
        ? context.getQueryCache().doCache(weight, context.getQueryCachingPolicy())
        : weight;
  }

  @Override
  public void visit(QueryVisitor visitor) {
    query.visit(visitor);
  }

  @Override
  public boolean equals(Object other) {
    return sameClassAs(other) && query.equals(((ShardOffloadQuery) other).query);
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + query.hashCode();
  }

  @Override
  public String toString(String field) {
    return "Offload(" + query.toString(field) + ")";
  }
}
