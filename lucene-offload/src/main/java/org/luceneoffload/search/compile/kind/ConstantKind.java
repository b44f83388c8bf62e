/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.QueryNode;

/** Queries whose matches all have the same score. */
final class ConstantKind extends QueryKind<ConstantScoreQuery> {
  ConstantKind() {
    super(ConstantScoreQuery.class);
  }

  @Override
  Query firstOther(ConstantScoreQuery query, Readings readings, boolean scored) {
    return QueryKinds.firstOther(query.getQuery(), readings, false);
  }

  @Override
  QueryNode node(ConstantScoreQuery query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    QueryNode child = QueryKinds.node(query.getQuery(), c, false, 1f);
    Compilation.checkWeight(boost, query);
    return scored ? new QueryNode.ConstantNode(child, boost) : child;
  }
}
