/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.List;

/**
 * Matches by bucket of equal width. A match with values in several buckets counts once in each.
 *
 * @param docs matches that have a value
 * @param missing matches that have none
 * @param buckets the buckets that have matches, ascending
 */
public record HistogramCounts(long docs, long missing, List<Bucket> buckets) {
  /** Copies the list. */
  public HistogramCounts {
    buckets = List.copyOf(buckets);
  }

  /**
   * A bucket.
   *
   * @param number its values divided by the width, rounded down
   * @param count matches that have a value in it
   */
  public record Bucket(long number, long count) {}
}
