/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.QueryNode;

/** Boolean queries. */
final class BooleanKind extends QueryKind<BooleanQuery> {
  BooleanKind() {
    super(BooleanQuery.class);
  }

  @Override
  Query firstOther(BooleanQuery query, Readings readings, boolean scored) {
    List<BooleanClause> clauses = query.clauses();
    for (int i = 0; i < clauses.size(); i++) {
      BooleanClause clause = clauses.get(i);
      boolean scores = scored && clause.isScoring();
      Query part = QueryKinds.firstOther(clause.query(), readings, scores);
      if (part != null) {
        return part;
      }
    }
    return null;
  }

  @Override
  QueryNode node(BooleanQuery query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    List<BooleanClause> parts = query.clauses();
    List<QueryNode.Clause> clauses = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      BooleanClause clause = parts.get(i);
      QueryNode child =
          clause.occur() == Occur.MUST_NOT && clause.query() instanceof TermQuery term
              ? TermKind.prohibited(term, c)
              : QueryKinds.node(clause.query(), c, scored && clause.isScoring(), boost);
      clauses.add(new QueryNode.Clause(occur(clause.occur(), scored), child));
    }
    return new QueryNode.BoolNode(clauses, query.getMinimumNumberShouldMatch(), scored);
  }

  /**
   * Turns MUST into FILTER where no score is needed, as stock's rewriting does: not all queries saw
   * it.
   */
  private static Occur occur(Occur occur, boolean scored) {
    return occur == Occur.MUST && !scored ? Occur.FILTER : occur;
  }

  /** Returns a disjunction without scores. */
  static QueryNode anyOf(List<QueryNode> children) {
    List<QueryNode.Clause> clauses = new ArrayList<>(children.size());
    for (QueryNode child : children) {
      clauses.add(new QueryNode.Clause(Occur.SHOULD, child));
    }
    return new QueryNode.BoolNode(clauses, 0, false);
  }
}
