/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.Matches;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.luceneoffload.search.run.HostSearcher;

/**
 * The weight of a query that finds its docs by way of another form of it. Caches see the form by
 * which stock caches it; an explanation is of the query as it was.
 */
public class WrappedWeight extends FilterWeight {
  private final HostSearcher host;
  private final Query asked;
  private final ScoreMode scoreMode;
  private final float boost;
  private volatile Weight stock;

  /**
   * @param host explains
   * @param asked the query as it was
   * @param known the form by which caches know it
   * @param in finds the docs
   */
  public WrappedWeight(
      HostSearcher host, Query asked, Query known, ScoreMode scoreMode, float boost, Weight in) {
    super(known, in);
    this.host = host;
    this.asked = asked;
    this.scoreMode = scoreMode;
    this.boost = boost;
  }

  /** Returns the stock weight of the query as it was. */
  final Weight stock() throws IOException {
    Weight weight = stock;
    if (weight == null) {
      weight = host.createStockWeight(asked, scoreMode, boost, false);
      stock = weight;
    }
    return weight;
  }

  @Override
  public Explanation explain(LeafReaderContext context, int doc) throws IOException {
    return stock().explain(context, doc);
  }

  @Override
  public Matches matches(LeafReaderContext context, int doc) throws IOException {
    return stock().matches(context, doc);
  }
}
