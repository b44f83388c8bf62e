/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.QueryNode;

/** Disjunctions of which the greatest score counts. */
final class DisMaxKind extends QueryKind<DisjunctionMaxQuery> {
  DisMaxKind() {
    super(DisjunctionMaxQuery.class);
  }

  @Override
  Query firstOther(DisjunctionMaxQuery query, Readings readings, boolean scored) {
    for (Query disjunct : query) {
      Query part = QueryKinds.firstOther(disjunct, readings, scored);
      if (part != null) {
        return part;
      }
    }
    return null;
  }

  @Override
  QueryNode node(DisjunctionMaxQuery query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    List<QueryNode> children = new ArrayList<>();
    for (Query disjunct : query) {
      children.add(QueryKinds.node(disjunct, c, scored, boost));
    }
    return scored
        ? new QueryNode.DisMaxNode(children, query.getTieBreakerMultiplier())
        : BooleanKind.anyOf(children);
  }
}
