/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.spans;

import org.apache.lucene.search.Query;

/**
 * Says what spans are in terms of other queries. Does without {@code lucene-queries} until it meets
 * a query of a class from there.
 */
public final class SpanForms {
  private static final String SPANS = "org.apache.lucene.queries.spans.";

  private static final ClassValue<Boolean> IS_SPAN =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type.getName().startsWith(SPANS);
        }
      };

  private SpanForms() {}

  /** Returns whether a query is of a class of Lucene's that finds spans. */
  public static boolean isSpan(Query query) {
    return IS_SPAN.get(query.getClass());
  }

  /**
   * The term or phrase with the same matches and scores as spans, given that no term is in a doc
   * twice at one position.
   *
   * @return null if there is none
   */
  public static Query exact(Query query) {
    return isSpan(query) ? NearPhrases.exact(query) : null;
  }
}
