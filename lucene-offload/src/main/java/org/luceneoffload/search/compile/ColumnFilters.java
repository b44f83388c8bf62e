/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/**
 * The column filters that the clauses of one query stand for. Each clause is taken apart once: a
 * set may have thousands of values. For one thread.
 */
final class ColumnFilters {
  private final IndexSearcher searcher;
  private Map<Query, ColumnFilter> found = Map.of();

  /**
   * No filters yet.
   *
   * @param searcher the searcher that the filters are for; null if none will be asked for
   */
  ColumnFilters(IndexSearcher searcher) {
    this.searcher = searcher;
  }

  /** Returns whether a clause stands for a filter. */
  boolean take(Query clause) {
    if (found.containsKey(clause)) {
      return true;
    }
    ColumnFilter filter = ColumnQueries.filter(searcher, clause);
    if (filter == null) {
      return false;
    }
    if (found.isEmpty()) {
      found = new IdentityHashMap<>(4);
    }
    found.put(clause, filter);
    return true;
  }

  /** The filter that a clause stands for which was taken before. */
  ColumnFilter of(Query clause) {
    return found.get(clause);
  }
}
