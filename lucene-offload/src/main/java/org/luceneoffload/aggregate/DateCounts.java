/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.List;

/**
 * Matches by interval of the calendar. A match with values in several intervals counts once in
 * each.
 *
 * @param docs matches that have a value
 * @param missing matches that have none
 * @param buckets the intervals that have matches, ascending
 */
public record DateCounts(long docs, long missing, List<Bucket> buckets) {
  /** Copies the list. */
  public DateCounts {
    buckets = List.copyOf(buckets);
  }

  /**
   * An interval.
   *
   * @param from its first millisecond, since 1970-01-01T00:00:00Z; that of the first long if it
   *     begins before
   * @param count matches that have a value in it
   */
  public record Bucket(long from, long count) {}
}
