/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.List;
import java.util.Objects;
import org.apache.lucene.search.SortField;

/**
 * See {@link Aggregation#topMetrics}.
 *
 * @param sort by a field
 * @param metrics fields of numbers
 * @param n matches wanted
 */
public record TopMetrics(SortField sort, List<String> metrics, int n)
    implements Aggregation<MetricHits> {
  /** Checks the arguments. */
  public TopMetrics {
    Objects.requireNonNull(sort.getField(), "field of " + sort);
    metrics = List.copyOf(metrics);
    Arguments.atLeastOne("number of metrics", metrics.size());
    Arguments.atLeastOne("n", n);
  }

  @Override
  public String field() {
    return sort.getField();
  }
}
