/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FilterWeight;
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
  private volatile Answered answered = Answered.COLLECTORS;

  /** Wraps a query, rewritten. */
  ShardOffloadQuery(Query query, IndexOffload index) {
    this.query = query;
    this.index = index;
  }

  /** Returns the wrapped query, rewritten. */
  Query query() {
    return query;
  }

  /** Returns what is set for the index. */
  IndexOffload index() {
    return index;
  }

  /**
   * Returns how the search was answered; until it was, how it will be if nothing shorter is found.
   */
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
      Weight stock = CacheProbe.unscored(context, query).createWeight(context, scoreMode, 1f);
      return weight == null ? stock : unscored(weight, stock);
    }
    return weight != null ? weight : query.createWeight(context, scoreMode, boost);
  }

  /**
   * Returns a weight of the device that OpenSearch's cache knows by the key of stock's, and whose
   * counts are those that stock knows without a search: aggregators ask for them.
   */
  private static Weight unscored(Weight device, Weight stock) {
    return new FilterWeight(stock.getQuery(), device) {
      @Override
      public int count(LeafReaderContext context) throws IOException {
        return stock.count(context);
      }
    };
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
