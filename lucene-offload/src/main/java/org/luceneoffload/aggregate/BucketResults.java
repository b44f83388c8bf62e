/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.List;

/**
 * Buckets, and what the matches in each of them come to.
 *
 * @param buckets the buckets
 * @param inside one for each bucket that {@code buckets} lists, in the same order
 */
public record BucketResults<R>(R buckets, List<AggregationResults> inside) {
  /** Copies the list. */
  public BucketResults {
    inside = List.copyOf(inside);
  }
}
