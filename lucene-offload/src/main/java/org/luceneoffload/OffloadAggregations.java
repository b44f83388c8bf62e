/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.Query;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;

/**
 * Aggregations of doc values over the matches of a query: the device does all of a search in one
 * pass over each segment. What it cannot do, or fails to do, the host does, with the same numbers.
 *
 * <pre class="prettyprint">
 * Aggregation&lt;LongStats&gt; prices = Aggregation.stats("price");
 * Aggregation&lt;TermCounts&gt; brands = Aggregation.terms("brand", 10);
 * AggregationResults results = OffloadAggregations.search(searcher, query, prices, brands);
 * long sum = results.get(prices).sum();
 * </pre>
 */
public final class OffloadAggregations {
  private OffloadAggregations() {}

  /**
   * Aggregates the matches of a query that are not deleted. If {@link
   * OffloadIndexSearcher#timedOut()} then, the numbers are about some of the matches only.
   *
   * <p>With {@link Aggregation#statsOfDoubles} among the aggregations, segments are searched one
   * after the other; else slices are searched on the searcher's executor.
   *
   * @throws IllegalStateException if a segment has doc values of another kind in a field, or if a
   *     histogram has more buckets than allowed
   * @throws UnsupportedOperationException in strict mode, if the query cannot run on the device
   */
  public static AggregationResults search(
      OffloadIndexSearcher searcher, Query query, Aggregation<?>... aggregations)
      throws IOException {
    return searcher.aggregate(query, List.of(aggregations));
  }
}
