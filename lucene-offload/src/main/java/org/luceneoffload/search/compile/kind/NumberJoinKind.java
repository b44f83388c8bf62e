/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import org.apache.lucene.search.Query;
import org.luceneoffload.search.compile.ColumnFilter;
import org.luceneoffload.search.compile.NumberQueries;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.join.NumberJoin;

/** Joins by numbers: a set of numbers where no score is needed, or all have the same one. */
final class NumberJoinKind extends QueryKind<NumberJoin> {
  NumberJoinKind() {
    super(NumberJoin.class);
  }

  @Override
  Query firstOther(NumberJoin query, Readings readings, boolean scored) {
    ColumnFilter filter =
        readings.read(
            query, ColumnFilter.class, () -> NumberQueries.join(readings.searcher(), query));
    return filter == null || (scored && !query.hasOneScore()) ? query : null;
  }

  @Override
  QueryNode node(NumberJoin query, Compilation c, boolean scored, float boost) {
    ColumnFilter filter = c.readings.of(query, ColumnFilter.class);
    return new QueryNode.ColumnNode(filter, scored, scored ? query.score() : 0f);
  }
}
