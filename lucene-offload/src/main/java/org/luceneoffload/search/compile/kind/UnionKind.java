/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.compile.TermUnion;

/** Multi-term queries: prefixes, patterns, ranges and sets of terms. */
final class UnionKind extends QueryKind<Query> {
  UnionKind() {
    super(TermUnion::takes);
  }

  @Override
  Query firstOther(Query query, Readings readings, boolean scored) {
    return readings.read(query, TermUnion.class, () -> TermUnion.of(query)) == null ? query : null;
  }

  @Override
  QueryNode node(Query query, Compilation c, boolean scored, float boost) throws RefusedException {
    Compilation.checkWeight(boost, query);
    QueryNode terms = new QueryNode.UnionNode(c.readings.of(query, TermUnion.class));
    return scored ? new QueryNode.ConstantNode(terms, boost) : terms;
  }
}
