/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.spans;

import org.apache.lucene.search.Query;

/**
 * Says what spans are in terms of other queries, and which spans and intervals are terms near each
 * other. Does without {@code lucene-queries} until it meets a query of a class from there.
 */
public final class SpanForms {
  private static final String SPANS = "org.apache.lucene.queries.spans.";
  private static final String INTERVALS = "org.apache.lucene.queries.intervals.IntervalQuery";

  private static final ClassValue<Boolean> IS_SPAN =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type.getName().startsWith(SPANS);
        }
      };

  private static final ClassValue<Boolean> IS_INTERVAL =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type.getName().equals(INTERVALS);
        }
      };

  private SpanForms() {}

  /** Returns whether a query is of a class of Lucene's that finds spans. */
  public static boolean isSpan(Query query) {
    return IS_SPAN.get(query.getClass());
  }

  /** Returns whether a query is Lucene's of intervals, which has scores of its own. */
  public static boolean isInterval(Query query) {
    return IS_INTERVAL.get(query.getClass());
  }

  /** Returns whether queries of a class are of spans or intervals, of any kind. */
  public static boolean isOne(Class<?> type) {
    return IS_SPAN.get(type) || IS_INTERVAL.get(type);
  }

  /** Returns the terms near each other that spans or intervals are; null if they are others. */
  public static NearTerms near(Query query) {
    if (isInterval(query)) {
      return TermIntervals.of(query);
    }
    return isSpan(query) ? NearPhrases.near(query) : null;
  }

  /**
   * Returns the term or phrase with the same matches and scores as spans, given that no term is in
   * a doc twice at one position.
   *
   * @return null if there is none
   */
  public static Query exact(Query query) {
    return isSpan(query) ? NearPhrases.exact(query) : null;
  }
}
