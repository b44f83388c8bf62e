/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.QueryNode;

/** Queries with another boost. */
final class BoostKind extends QueryKind<BoostQuery> {
  BoostKind() {
    super(BoostQuery.class);
  }

  @Override
  Query firstOther(BoostQuery query, Readings readings, boolean scored) {
    return QueryKinds.firstOther(query.getQuery(), readings, scored);
  }

  @Override
  QueryNode node(BoostQuery query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    return QueryKinds.node(query.getQuery(), c, scored, query.getBoost() * boost);
  }
}
