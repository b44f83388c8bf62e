/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.compile.TermLookup;
import org.luceneoffload.search.score.FeatureFunction;

/** Queries that score by a feature; without scores stock looks for its term, as any. */
final class FeatureKind extends QueryKind<Query> {
  FeatureKind() {
    super(FeatureFunction.QUERY);
  }

  @Override
  Query firstOther(Query query, Readings readings, boolean scored) {
    return readings.read(query, FeatureFunction.class, () -> FeatureFunction.of(query)) == null
        ? query
        : null;
  }

  @Override
  QueryNode node(Query query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    Compilation.checkWeight(boost, query);
    FeatureFunction function = c.readings.of(query, FeatureFunction.class);
    Term term = function.term();
    if (!scored) {
      return TermKind.compile(new TermQuery(term), c, false, 1f);
    }
    TermLookup lookup = c.lookUp(c.field(term.field()), term);
    QueryNode.TermNode unscored = new QueryNode.TermNode(term, lookup, null, 0f);
    return new QueryNode.FeatureNode(unscored, c.bm25.features().of(query, function, boost));
  }
}
