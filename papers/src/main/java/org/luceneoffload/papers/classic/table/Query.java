/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic.table;

/**
 * A scan of a table: the rows whose first column is below a bound. It returns their second column,
 * or the sum of it.
 *
 * @param bound of the first column, 0 to {@link #RANGE}
 * @param sums whether it returns one sum
 */
public record Query(int bound, boolean sums) {
  /** Values of all columns are below this. */
  public static final int RANGE = 1_000_000;

  /**
   * What a scan found.
   *
   * @param matches rows
   * @param sum of their second column
   */
  public record Found(long matches, long sum) {}

  /** Returns a query that a share of the rows match. */
  public static Query ofPpm(int ppm, boolean sums) {
    return new Query((int) ((long) RANGE * ppm / 1_000_000), sums);
  }
}
