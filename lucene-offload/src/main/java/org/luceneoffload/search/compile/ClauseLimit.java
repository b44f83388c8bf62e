/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.util.function.Supplier;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.automaton.ByteRunAutomaton;

/**
 * Says whether a whole query has more clauses than {@link IndexSearcher#rewrite(Query)} lets pass,
 * in advance and without an exception.
 */
public final class ClauseLimit {
  private ClauseLimit() {}

  /** Returns whether rewriting would end in {@link IndexSearcher.TooManyNestedClauses}. */
  public static boolean isExceeded(Query query) {
    Counter counter = new Counter();
    query.visit(counter);
    // Stock looks before it counts, so that one more than the limit passes.
    return counter.leaves - 1 > IndexSearcher.getMaxClauseCount();
  }

  /** Counts what stock counts. */
  private static final class Counter extends QueryVisitor {
    private int leaves;

    @Override
    public QueryVisitor getSubVisitor(BooleanClause.Occur occur, Query parent) {
      return this; // prohibited clauses count too
    }

    @Override
    public void visitLeaf(Query query) {
      leaves++;
    }

    @Override
    public void consumeTerms(Query query, Term... terms) {
      leaves++;
    }

    @Override
    public void consumeTermsMatching(
        Query query, String field, Supplier<ByteRunAutomaton> automaton) {
      leaves++;
    }
  }
}
