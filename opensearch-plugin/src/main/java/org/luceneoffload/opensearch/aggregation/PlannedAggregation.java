/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.aggregation;

import java.util.List;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.opensearch.search.aggregations.InternalAggregation;

/** One aggregation of a request, as the device can answer it. */
interface PlannedAggregation {
  /** Returns what the device is asked. */
  List<Aggregation<?>> parts();

  /**
   * Returns the result of a shard, as OpenSearch's own aggregator would build it.
   *
   * @param empty what that aggregator says of no documents
   * @return null if its numbers may be others than OpenSearch's
   */
  InternalAggregation result(AggregationResults results, InternalAggregation empty);
}
