/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.QueryNode;

/** Queries for all docs. */
final class AllKind extends QueryKind<MatchAllDocsQuery> {
  AllKind() {
    super(MatchAllDocsQuery.class);
  }

  @Override
  Query firstOther(MatchAllDocsQuery query, Readings readings, boolean scored) {
    return null;
  }

  @Override
  QueryNode node(MatchAllDocsQuery query, Compilation c, boolean scored, float boost)
      throws RefusedException {
    Compilation.checkWeight(boost, query);
    return new QueryNode.AllNode(scored ? boost : 0f);
  }
}
