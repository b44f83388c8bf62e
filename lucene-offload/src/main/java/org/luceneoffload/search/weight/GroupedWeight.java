/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.luceneoffload.search.run.HostSearcher;

/**
 * The weight of a Boolean query of which the device finds what a group of clauses matches. Segments
 * in which other clauses lead to far fewer docs have stock's weight of the whole query.
 */
public final class GroupedWeight extends WrappedWeight {
  /** A group that stock does not do in one loop with other lists is left if it has so much more. */
  private static final long SPARSE_OTHERS = 4;

  private final OffloadWeight group;
  private final long sparse;

  /**
   * @param host makes the stock weight
   * @param asked the query as it was
   * @param clauses those of the group
   * @param group finds what these match
   * @param in finds what the query matches by that of the group
   */
  public GroupedWeight(
      HostSearcher host,
      BooleanQuery asked,
      BooleanQuery clauses,
      ScoreMode scoreMode,
      float boost,
      OffloadWeight group,
      Weight in) {
    super(host, asked, asked, scoreMode, boost, in);
    this.group = group;
    boolean conjunction = clauses.clauses().stream().allMatch(BooleanClause::isRequired);
    this.sparse = conjunction ? 1 : SPARSE_OTHERS;
  }

  @Override
  public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
    ScorerSupplier supplier = super.scorerSupplier(context);
    long cost = group.cost(context);
    return supplier == null || cost == 0 || supplier.cost() < cost / sparse
        ? stock().scorerSupplier(context)
        : supplier;
  }
}
