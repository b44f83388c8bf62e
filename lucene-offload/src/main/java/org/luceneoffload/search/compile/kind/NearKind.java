/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.PhraseTerms;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.spans.NearTerms;
import org.luceneoffload.search.spans.SpanForms;

/**
 * Spans and intervals of terms near each other, and spans that are as good as a term or a phrase.
 * They are read as a {@link TermQuery}, a {@link PhraseQuery} or {@link NearTerms}.
 */
final class NearKind extends QueryKind<Query> {
  NearKind() {
    super(SpanForms::isOne);
  }

  @Override
  Query firstOther(Query query, Readings readings, boolean scored) {
    return readings.read(query, Object.class, () -> read(query)) == null ? query : null;
  }

  private static Object read(Query query) {
    Query exact = SpanForms.exact(query);
    return exact != null ? exact : SpanForms.near(query);
  }

  @Override
  QueryNode node(Query query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    Compilation.checkWeight(boost, query);
    PhraseNodes nodes = new PhraseNodes(c, query, scored, boost);
    return switch (c.readings.of(query, Object.class)) {
      case PhraseQuery phrase -> nodes.phrase(PhraseTerms.of(phrase));
      case TermQuery term -> {
        c.positionedField(term.getTerm().field()); // stock reads positions
        yield TermKind.compile(term, c, scored, boost);
      }
      case NearTerms near -> {
        PhraseTerms terms = PhraseTerms.of(near);
        yield SpanForms.isInterval(query) ? nodes.intervals(terms) : nodes.phrase(terms);
      }
      default -> throw new AssertionError(query);
    };
  }
}
