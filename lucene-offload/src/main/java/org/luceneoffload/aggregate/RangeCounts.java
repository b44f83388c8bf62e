/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.List;

/**
 * Matches by range. A match with values in several ranges counts once in each.
 *
 * @param docs matches that have a value
 * @param missing matches that have none
 * @param inAny matches that have a value in at least one range
 * @param counts for each range, in the order in which they were given, the matches that have a
 *     value in it
 */
public record RangeCounts(long docs, long missing, long inAny, List<Long> counts) {
  /** Copies the list. */
  public RangeCounts {
    counts = List.copyOf(counts);
  }
}
