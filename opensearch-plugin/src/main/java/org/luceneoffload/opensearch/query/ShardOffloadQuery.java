/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
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
  private final boolean stockCounts;
  private volatile Answered answered = Answered.COLLECTORS;

  /**
   * Wraps a query.
   *
   * @param query rewritten
   * @param stockCounts whether the number of matches is known without a search only where stock
   *     knows it
   */
  ShardOffloadQuery(Query query, IndexOffload index, boolean stockCounts) {
    this.query = query;
    this.index = index;
    this.stockCounts = stockCounts;
  }

  /** The wrapped query, rewritten. */
  Query query() {
    return query;
  }

  /** What is set for the index. */
  IndexOffload index() {
    return index;
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
    if (searcher instanceof ContextIndexSearcher context) {
      PartSearcher parts = new PartSearcher(context);
      Query rewritten = parts.rewrite(new OffloadQuery(query));
      Weight weight =
          rewritten instanceof OffloadQuery offload
              ? offload.deviceWeight(parts, scoreMode, boost)
              : null;
      if (weight != null) {
        return stockCounts
            ? new StockCounts(weight, query.createWeight(searcher, scoreMode, boost))
            : weight;
      }
    }
    return query.createWeight(searcher, scoreMode, boost);
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
