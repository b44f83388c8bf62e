/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.facet;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.facet.FacetsCollector;
import org.apache.lucene.facet.range.LongRange;
import org.apache.lucene.facet.range.LongRangeFacetCounts;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.RangeCounts;
import org.luceneoffload.aggregate.ValueRange;

/** {@link LongRangeFacetCounts} over the doc values of a field, counted by the device. */
public final class OffloadLongRangeFacetCounts extends LongRangeFacetCounts {
  /**
   * Counts matches by range. A match with several values counts once for each range.
   *
   * @param field name of the field
   * @param hits the matches
   * @param ranges the ranges, at least one
   * @throws IllegalStateException if a segment has doc values of another kind in the field
   * @see LongRangeFacetCounts#LongRangeFacetCounts(String, FacetsCollector, LongRange...)
   * @throws IOException if the index cannot be read
   */
  public OffloadLongRangeFacetCounts(String field, OffloadFacetsCollector hits, LongRange... ranges)
      throws IOException {
    // Stock is given no matches where it is to leave its counts to us.
    super(field, ranges.length == 0 ? hits : new FacetsCollector(), ranges);
    if (ranges.length > 0) {
      Aggregation<RangeCounts> each =
          Aggregation.ranges(
              field,
              Arrays.stream(ranges)
                  .map(range -> new ValueRange(range.min, range.max))
                  .toArray(ValueRange[]::new));
      RangeCounts found = hits.aggregate(each).get(each);
      counts = found.counts().stream().mapToInt(Math::toIntExact).toArray();
      totCount = Math.toIntExact(found.inAny());
    }
  }
}
