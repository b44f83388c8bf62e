/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.Query;

/**
 * A query that plans can express, with everything that is the same in every segment. Good for the
 * reader of the searcher that compiled it; for any number of threads.
 */
public final class CompiledQuery {
  private static final int UNEVEN = 10;

  private final Query query;
  private final QueryNode root;
  private final boolean scored;
  private volatile boolean tookTooLong;

  /** Makes a query of its tree. */
  public CompiledQuery(Query query, QueryNode root, boolean scored) {
    this.query = query;
    this.root = root;
    this.scored = scored;
  }

  /** Returns the query, rewritten. */
  public Query query() {
    return query;
  }

  /** Returns the tree of the query. */
  public QueryNode root() {
    return root;
  }

  /** Returns whether scores were compiled in. */
  public boolean scored() {
    return scored;
  }

  /** Notes that the device was told to stop since a plan of this query took too long. */
  public void markTooLong() {
    tookTooLong = true;
  }

  /**
   * Returns whether {@link #markTooLong} was called: the same would befall the segments that are
   * left.
   */
  public boolean tookTooLong() {
    return tookTooLong;
  }

  /**
   * Returns whether stock's query cache would take the query in a segment: it does not take huge
   * disjunctions, nor values that may be updated while the segment stays.
   */
  public boolean isCacheable(LeafReaderContext context) {
    return root.isCacheable(context);
  }

  /**
   * Both of two terms, any of which is asked for, in place of these.
   *
   * @param sum of the matches of each, of which those of both are counted twice
   */
  public record BothTerms(CompiledQuery query, long sum) {}

  /**
   * Returns the query for both of two terms if this asks for any of them and one list is far
   * longer; else null. To count the union by way of the intersection leaves most of the long list
   * unread.
   */
  public BothTerms bothOfTwoUnevenTerms(LeafReaderContext context) throws IOException {
    if (scored
        || !(root instanceof QueryNode.BoolNode bool)
        || bool.clauses().size() != 2
        || bool.minShould() > 1) {
      return null;
    }
    List<QueryNode.Clause> both = new ArrayList<>(2);
    long least = Long.MAX_VALUE;
    long most = 0;
    for (QueryNode.Clause clause : bool.clauses()) {
      if (clause.occur() != Occur.SHOULD || !(clause.node() instanceof QueryNode.TermNode)) {
        return null;
      }
      int count = QuickCount.count(clause.node(), context);
      least = Math.min(least, count);
      most = Math.max(most, count);
      both.add(new QueryNode.Clause(Occur.MUST, clause.node()));
    }
    if (least < 0 || least * UNEVEN > most) {
      return null;
    }
    QueryNode.BoolNode node = new QueryNode.BoolNode(both, 0, false);
    return new BothTerms(new CompiledQuery(query, node, false), least + most);
  }

  /** Returns the number of live matches in a segment, or -1 if that takes more than a look-up. */
  public int quickCount(LeafReaderContext context) throws IOException {
    ColumnFilter filter = loneFilter();
    return filter != null ? filter.stockCount(context) : QuickCount.count(root, context);
  }

  /** Returns the filter that is all of the query; null if there is more to it. */
  private ColumnFilter loneFilter() {
    QueryNode counted = root instanceof QueryNode.ConstantNode constant ? constant.child() : root;
    return counted instanceof QueryNode.ColumnNode column ? column.filter() : null;
  }
}
