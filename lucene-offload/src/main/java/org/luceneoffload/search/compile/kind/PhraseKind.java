/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.PhraseTerms;
import org.luceneoffload.search.compile.QueryNode;

/** Phrases. */
final class PhraseKind extends QueryKind<PhraseQuery> {
  PhraseKind() {
    super(PhraseQuery.class);
  }

  @Override
  Query firstOther(PhraseQuery query, Readings readings, boolean scored) {
    return PhraseTerms.areExpressible(query) ? null : query;
  }

  @Override
  QueryNode node(PhraseQuery query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    return new PhraseNodes(c, query, scored, boost).phrase(PhraseTerms.of(query));
  }
}
