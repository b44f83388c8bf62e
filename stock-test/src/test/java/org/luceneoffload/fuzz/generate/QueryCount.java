/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.luceneoffload.fuzz.base.Coverage;

/** Counts what queries are made of. */
public final class QueryCount extends QueryVisitor {
  private final Coverage coverage;

  private QueryCount(Coverage coverage) {
    this.coverage = coverage;
  }

  public static void add(Coverage coverage, Query query) {
    coverage.add("queries", name(query));
    query.visit(new QueryCount(coverage));
  }

  /** The simple name of a class, or of the named one that an anonymous class extends. */
  private static String name(Query query) {
    Class<?> type = query.getClass();
    return (type.isAnonymousClass() ? type.getSuperclass() : type).getSimpleName();
  }

  @Override
  public QueryVisitor getSubVisitor(Occur occur, Query parent) {
    coverage.add("clauses", name(parent) + " " + occur.name());
    return this;
  }

  @Override
  public void visitLeaf(Query leaf) {
    coverage.add("leaves", name(leaf));
  }

  @Override
  public void consumeTerms(Query leaf, Term... terms) {
    coverage.add("leaves", name(leaf));
  }
}
