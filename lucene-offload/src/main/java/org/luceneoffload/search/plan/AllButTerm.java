/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.io.IOException;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/**
 * A query without scores for all docs but those of one term, which has been looked up. Whether it
 * is left to stock depends on that alone, so that nothing else of it need be compiled or planned to
 * find out; and stock, which needs the same look-up, gets it.
 *
 * @param query equal to the one that was asked for; its term knows where it is
 * @param docFreq documents that have the term
 */
public record AllButTerm(BooleanQuery query, int docFreq) {
  /** Looks up the term of a rewritten query; null if it is of another kind. */
  public static AllButTerm of(IndexSearcher searcher, Query rewritten) throws IOException {
    Query inner = rewritten instanceof ConstantScoreQuery c ? c.getQuery() : rewritten;
    TermQuery term = inner instanceof BooleanQuery bool ? onlyProhibited(bool) : null;
    if (term == null) {
      return null;
    }
    TermStates states = term.getTermStates();
    if (states == null || !states.wasBuiltFor(searcher.getTopReaderContext())) {
      states = TermStates.build(searcher, term.getTerm(), true);
    }
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (BooleanClause clause : ((BooleanQuery) inner).clauses()) {
      boolean isTerm = clause.occur() == Occur.MUST_NOT;
      builder.add(isTerm ? new TermQuery(term.getTerm(), states) : clause.query(), clause.occur());
    }
    return new AllButTerm(builder.build(), states.docFreq());
  }

  /** The term, if it is the only clause beside one that all docs have to match. */
  private static TermQuery onlyProhibited(BooleanQuery bool) {
    if (bool.clauses().size() != 2 || bool.getMinimumNumberShouldMatch() != 0) {
      return null;
    }
    TermQuery term = null;
    boolean all = false;
    for (BooleanClause clause : bool.clauses()) {
      if (clause.occur() == Occur.MUST_NOT && clause.query().getClass() == TermQuery.class) {
        term = (TermQuery) clause.query();
      } else {
        all |= clause.isRequired() && clause.query() instanceof MatchAllDocsQuery;
      }
    }
    return all ? term : null;
  }

  /**
   * Returns whether stock is expected to be quicker to hand over the docs.
   *
   * @param maxDoc of the reader
   */
  public boolean isQuicker(int maxDoc) {
    return AllButLead.isQuicker(docFreq, maxDoc);
  }
}
