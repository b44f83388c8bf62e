/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.List;
import java.util.Objects;

/**
 * See {@link Aggregation#inside}.
 *
 * @param buckets one that has buckets: of keywords, numbers, a histogram, dates or ranges
 * @param inner what is asked about the matches of each bucket
 */
public record InsideBuckets<R>(Aggregation<R> buckets, List<Aggregation<?>> inner)
    implements Aggregation<BucketResults<R>> {
  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if there are no buckets, or nothing is asked about them
   */
  public InsideBuckets {
    Objects.requireNonNull(buckets, "buckets");
    inner = List.copyOf(inner);
    Arguments.atLeastOne("number of aggregations inside " + buckets, inner.size());
    boolean known =
        switch (buckets) {
          case Terms terms -> true;
          case Values values -> true;
          case Histogram histogram -> true;
          case Dates dates -> true;
          case Ranges ranges -> true;
          case AutoDates dates -> true;
          default -> false;
        };
    if (!known) {
      throw new IllegalArgumentException(buckets + " has no buckets");
    }
  }

  @Override
  public String field() {
    return buckets.field();
  }
}
