/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import java.util.Collection;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.workload.Queries;

/** Puts queries together. */
final class Clauses {
  private final BooleanQuery.Builder builder = new BooleanQuery.Builder();

  /** Joins optional clauses. */
  static Query or(Query... queries) {
    return new Clauses().add(Occur.SHOULD, queries).build();
  }

  /** Joins required clauses. */
  static Query and(Query... queries) {
    return new Clauses().add(Occur.MUST, queries).build();
  }

  /** Joins required clauses that do not score. */
  static Query filters(Query... queries) {
    return new Clauses().add(Occur.FILTER, queries).build();
  }

  /** Joins a required clause and a filter. */
  static Query filtered(Query query, Query filter) {
    return new Clauses().add(Occur.MUST, query).add(Occur.FILTER, filter).build();
  }

  /** Returns all documents without those of a query. */
  static Query allBut(Query query) {
    return new Clauses().add(Occur.MUST, all()).add(Occur.MUST_NOT, query).build();
  }

  static Query all() {
    return MatchAllDocsQuery.INSTANCE;
  }

  static Query constant(Query query) {
    return new ConstantScoreQuery(query);
  }

  /** Joins optional clauses, of which some must match. */
  static Query orOfWords(Collection<BytesRef> words, int minShould) {
    Clauses clauses = new Clauses();
    for (BytesRef word : words) {
      clauses.add(Occur.SHOULD, new TermQuery(new Term(Queries.DEFAULT_FIELD, word)));
    }
    clauses.builder.setMinimumNumberShouldMatch(minShould);
    return clauses.build();
  }

  Clauses add(Occur occur, Query... queries) {
    for (Query query : queries) {
      builder.add(query, occur);
    }
    return this;
  }

  Query build() {
    return builder.build();
  }
}
