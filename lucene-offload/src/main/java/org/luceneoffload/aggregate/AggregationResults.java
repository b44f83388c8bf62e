/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.Map;
import java.util.TreeMap;

/** What the aggregations of one search have come to. Immutable. */
public final class AggregationResults {
  private final long matches;
  private final Map<Aggregation<?>, Object> results;

  /**
   * Takes what was found.
   *
   * @param results by aggregation, of the kind that each of them asks for
   */
  public AggregationResults(long matches, Map<Aggregation<?>, ?> results) {
    this.matches = matches;
    this.results = Map.copyOf(results);
  }

  /** Returns the number of documents that match the query and are not deleted. */
  public long matches() {
    return matches;
  }

  /**
   * Returns the result of an aggregation, or of one that is equal to it.
   *
   * @throws IllegalArgumentException if the search was not asked for it
   */
  @SuppressWarnings("unchecked") // each result is of the kind of its key
  public <R> R get(Aggregation<R> aggregation) {
    Object result = results.get(aggregation);
    if (result == null) {
      throw new IllegalArgumentException("the search was not asked for " + aggregation);
    }
    return (R) result;
  }

  /** Returns whether another object has the same numbers in all its results. */
  @Override
  public boolean equals(Object other) {
    return other instanceof AggregationResults that
        && matches == that.matches
        && results.equals(that.results);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(matches) + results.hashCode();
  }

  /** Returns the matches and all results, in a fixed order. */
  @Override
  public String toString() {
    Map<String, Object> sorted = new TreeMap<>();
    results.forEach((aggregation, result) -> sorted.put(aggregation.toString(), result));
    return matches + " matches " + sorted;
  }
}
