/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;

/**
 * A weight of the device, for matches without scores. The query cache sees the query that it sees
 * of stock, and the number of matches is known without a search where stock knows it: responses,
 * and what the cache is given to keep, depend on both.
 */
final class UnscoredWeight extends FilterWeight {
  private final Weight stock;
  private final StockCache cache;

  /**
   * A weight of the device.
   *
   * @param cache is told what the weight consists of, segment by segment as it is searched
   */
  UnscoredWeight(Weight device, Weight stock, StockCache cache) {
    super(stock.getQuery(), device);
    this.stock = stock;
    this.cache = cache;
  }

  @Override
  public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
    cache.unscoredClauses(getQuery(), context);
    return super.scorerSupplier(context);
  }

  @Override
  public int count(LeafReaderContext context) throws IOException {
    return stock.count(context);
  }
}
