/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.util.function.Supplier;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.automaton.ByteRunAutomaton;

/** Asks a query of a class that hides its parts for them: visitors get to see some. */
final class HiddenParts extends QueryVisitor {
  private String field;
  private MultiTermQuery inner;

  private HiddenParts() {}

  /** Returns the field that a query asks about; null if it names none. */
  static String field(Query query) {
    HiddenParts visitor = new HiddenParts();
    query.visit(visitor);
    return visitor.field;
  }

  /**
   * Returns the query whose terms a wrapper looks for, or the query itself; null if there is none.
   */
  static MultiTermQuery multiTerm(Query query) {
    HiddenParts visitor = new HiddenParts();
    query.visit(visitor);
    return visitor.inner;
  }

  @Override
  public boolean acceptField(String name) {
    field = name;
    return true;
  }

  @Override
  public QueryVisitor getSubVisitor(Occur occur, Query parent) {
    take(parent);
    return this;
  }

  @Override
  public void consumeTerms(Query query, Term... terms) {
    take(query);
  }

  @Override
  public void consumeTermsMatching(Query query, String name, Supplier<ByteRunAutomaton> automaton) {
    take(query);
  }

  @Override
  public void visitLeaf(Query query) {
    take(query);
  }

  private void take(Query query) {
    if (inner == null && query instanceof MultiTermQuery terms) {
      inner = terms;
    }
  }
}
