/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import java.util.function.Predicate;
import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.QueryNode;

/**
 * A kind of Lucene query: says whether plans can express a query, and compiles it.
 *
 * @param <Q> the class of the queries
 */
abstract class QueryKind<Q extends Query> {
  private final Predicate<Class<?>> types;

  /** Makes the kind of the queries of one class. */
  QueryKind(Class<?> type) {
    this(type::equals);
  }

  /** Makes a kind of queries of several classes. */
  QueryKind(Predicate<Class<?>> types) {
    this.types = types;
  }

  /** Returns whether queries of exactly this class may be of the kind. */
  final boolean takes(Class<?> type) {
    return types.test(type);
  }

  /**
   * Finds the first part of a query that plans cannot express. Looks at classes and shapes, reads
   * no index.
   *
   * @param readings of the whole query, for what {@link #node} needs again
   * @param scored whether scores are needed: some queries cannot be scored alike, but matched
   * @return the query itself if it is not of the kind after all; null if plans express all of it
   */
  abstract Query firstOther(Q query, Readings readings, boolean scored);

  /**
   * Compiles a query of which plans express all.
   *
   * @param boost factor of all scores
   * @return null if the query is not of the kind after all
   * @throws RefusedException if the index or the similarity is in the way
   */
  abstract QueryNode node(Q query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException;
}
