/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.PhraseTerms;
import org.luceneoffload.search.compile.QueryNode;

/** Phrases, of terms or of alternatives. */
final class PhraseKind<Q extends Query> extends QueryKind<Q> {
  private final Predicate<Q> expressible;
  private final Function<Q, PhraseTerms> terms;

  /** Makes the kind of the phrases of a class, with its way to tell and to take out their terms. */
  PhraseKind(Class<Q> type, Predicate<Q> expressible, Function<Q, PhraseTerms> terms) {
    super(type);
    this.expressible = expressible;
    this.terms = terms;
  }

  @Override
  Query firstOther(Q query, Readings readings, boolean scored) {
    return expressible.test(query) ? null : query;
  }

  @Override
  QueryNode node(Q query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    return new PhraseNodes(c, query, scored, boost).phrase(terms.apply(query));
  }
}
