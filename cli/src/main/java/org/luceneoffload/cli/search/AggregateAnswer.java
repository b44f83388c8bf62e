/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.util.List;

/**
 * What an aggregation found; parts that its kind does not have are null.
 *
 * @param aggregate what was asked, as on the command line
 * @param docs matches with a value
 * @param missing matches without one
 * @param values values of all matches
 * @param sum of the values: a whole number, or a floating-point one; dates have none
 * @param mean of the values; dates have none
 * @param min the least value, as a corpus has it
 * @param max the greatest value
 * @param distinct different keywords of all matches
 * @param inAny matches with a value in any of the ranges
 * @param buckets keywords with most matches, buckets of a histogram that have any, or ranges
 */
public record AggregateAnswer(
    String aggregate,
    long docs,
    long missing,
    Long values,
    Number sum,
    Double mean,
    Object min,
    Object max,
    Long distinct,
    Long inAny,
    List<Bucket> buckets) {
  /**
   * Matches that have something in common.
   *
   * @param name keyword, least value or range
   * @param count how many there are
   * @param inside what was asked about these matches alone; null: nothing
   */
  public record Bucket(String name, long count, AggregateAnswer inside) {
    /** Matches about which nothing is asked. */
    Bucket(String name, long count) {
      this(name, count, null);
    }
  }
}
