/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.compile.TermUnion;
import org.luceneoffload.search.join.JoinTerms;

/** Joins by terms with scores; without scores they are a set of terms, as joins without are. */
final class JoinKind extends QueryKind<Query> {
  JoinKind() {
    super(JoinTerms::takes);
  }

  @Override
  Query firstOther(Query query, Readings readings, boolean scored) {
    JoinTerms join = readings.read(query, JoinTerms.class, () -> JoinTerms.of(query));
    return join == null || (scored && !join.hasPlainScores()) ? query : null;
  }

  @Override
  QueryNode node(Query query, Compilation c, boolean scored, float boost) throws RefusedException {
    JoinTerms join = c.readings.of(query, JoinTerms.class);
    Compilation.checkWeight(join.most() * boost, query);
    TermUnion union = TermUnion.ofTerms(join.terms());
    return scored ? new QueryNode.JoinNode(join, union, boost) : new QueryNode.UnionNode(union);
  }
}
