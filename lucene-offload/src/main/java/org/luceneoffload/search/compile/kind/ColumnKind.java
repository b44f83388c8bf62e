/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.ColumnFilter;
import org.luceneoffload.search.compile.QueryNode;

/** Queries for values of a doc-values field, as one reader of such queries knows them. */
final class ColumnKind extends QueryKind<Query> {
  private final BiFunction<IndexSearcher, Query, ColumnFilter> reader;

  /**
   * Makes a kind.
   *
   * @param types the classes of queries that the reader may know
   * @param reader returns the filter that a query stands for; null if it stands for none
   */
  ColumnKind(Predicate<Class<?>> types, BiFunction<IndexSearcher, Query, ColumnFilter> reader) {
    super(types);
    this.reader = reader;
  }

  @Override
  Query firstOther(Query query, Readings readings, boolean scored) {
    ColumnFilter filter =
        readings.read(query, ColumnFilter.class, () -> reader.apply(readings.searcher(), query));
    return filter == null ? query : null;
  }

  @Override
  QueryNode node(Query query, Compilation c, boolean scored, float boost) throws RefusedException {
    ColumnFilter filter = c.readings.of(query, ColumnFilter.class);
    if (filter == null) {
      return null;
    }
    Compilation.checkWeight(boost, query);
    return new QueryNode.ColumnNode(filter, scored, scored ? boost : 0f);
  }
}
