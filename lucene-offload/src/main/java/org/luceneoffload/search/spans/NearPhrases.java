/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.spans;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.wire.OffloadWire;

/**
 * Spans of terms near each other, as phrases or as they are. Linked to {@code lucene-queries}:
 * loaded when a query of a class from there is met.
 */
final class NearPhrases {
  private static final int MAX_SLOP = 0xFFFF; // a u16 of the wire

  private NearPhrases() {}

  /**
   * Returns the term or phrase with the same matches and scores: a term's spans are its positions,
   * and spans side by side count as much as a phrase that matches there.
   */
  static Query exact(Query query) {
    if (query.getClass() == SpanTermQuery.class) {
      SpanTermQuery term = (SpanTermQuery) query;
      return term.getTermStates() == null ? new TermQuery(term.getTerm()) : null;
    }
    if (query.getClass() != SpanNearQuery.class) {
      return null;
    }
    SpanNearQuery near = (SpanNearQuery) query;
    Set<Term> terms = near.isInOrder() && near.getSlop() == 0 ? terms(near) : null;
    if (terms == null) {
      return null;
    }
    PhraseQuery.Builder phrase = new PhraseQuery.Builder();
    terms.forEach(phrase::add);
    return phrase.build();
  }

  /** Returns the terms of spans that are scored by their widths; null if they are other spans. */
  static NearTerms near(Query query) {
    if (query.getClass() != SpanNearQuery.class) {
      return null;
    }
    SpanNearQuery near = (SpanNearQuery) query;
    boolean ordered = near.isInOrder();
    boolean limited = near.getSlop() >= (ordered ? 1 : 0) && near.getSlop() <= MAX_SLOP;
    Set<Term> terms = limited ? terms(near) : null;
    int op = ordered ? OffloadWire.Op.ORDERED_SPANS : OffloadWire.Op.UNORDERED_SPANS;
    return terms == null ? null : new NearTerms(List.copyOf(terms), op, near.getSlop());
  }

  /**
   * Returns the terms of the clauses; null if there are others than terms, or a term comes twice.
   */
  private static Set<Term> terms(SpanNearQuery near) {
    Set<Term> terms = new LinkedHashSet<>();
    for (SpanQuery clause : near.getClauses()) {
      if (clause.getClass() != SpanTermQuery.class
          || !terms.add(((SpanTermQuery) clause).getTerm())) {
        return null;
      }
    }
    return terms.size() < 2 ? null : terms;
  }
}
