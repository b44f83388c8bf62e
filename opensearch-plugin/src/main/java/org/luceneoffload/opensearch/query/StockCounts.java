/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.Weight;

/**
 * A weight of the device that knows the number of matches without a search where the stock weight
 * does: in the responses of some requests it shows who does.
 */
final class StockCounts extends FilterWeight {
  private final Weight stock;

  StockCounts(Weight device, Weight stock) {
    super(device);
    this.stock = stock;
  }

  @Override
  public int count(LeafReaderContext context) throws IOException {
    return stock.count(context);
  }
}
