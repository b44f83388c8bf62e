/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.shrink;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;

/** Smaller queries in place of a query. */
public final class QueryShrinker {
  private QueryShrinker() {}

  /** Queries with something left out, the smallest ones first. */
  public static List<Query> smaller(Query query) {
    List<Query> smaller = new ArrayList<>();
    switch (query) {
      case BoostQuery boost -> {
        smaller.add(boost.getQuery());
        for (Query inner : smaller(boost.getQuery())) {
          smaller.add(new BoostQuery(inner, boost.getBoost()));
        }
      }
      case ConstantScoreQuery constant -> {
        smaller.add(constant.getQuery());
        for (Query inner : smaller(constant.getQuery())) {
          smaller.add(new ConstantScoreQuery(inner));
        }
      }
      case DisjunctionMaxQuery max -> smaller.addAll(max.getDisjuncts());
      case BooleanQuery bool -> {
        bool.clauses().forEach(clause -> smaller.add(clause.query()));
        for (int i = 0; i < bool.clauses().size(); i++) {
          smaller.add(with(bool, i, null, bool.getMinimumNumberShouldMatch()));
        }
        if (bool.getMinimumNumberShouldMatch() > 0) {
          smaller.add(with(bool, -1, null, bool.getMinimumNumberShouldMatch() - 1));
        }
        for (int i = 0; i < bool.clauses().size(); i++) {
          for (Query inner : smaller(bool.clauses().get(i).query())) {
            smaller.add(with(bool, i, inner, bool.getMinimumNumberShouldMatch()));
          }
        }
      }
      default -> {}
    }
    return smaller;
  }

  /** The query with another clause at an index, or without it. */
  private static Query with(BooleanQuery query, int index, Query instead, int minimum) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < query.clauses().size(); i++) {
      BooleanClause clause = query.clauses().get(i);
      if (i != index) {
        builder.add(clause);
      } else if (instead != null) {
        builder.add(instead, clause.occur());
      }
    }
    return builder.setMinimumNumberShouldMatch(minimum).build();
  }
}
