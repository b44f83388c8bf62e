/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.util.EnumSet;
import java.util.Set;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Query;

/** Shapes of queries, by the signs of all clauses at all levels. */
public enum QueryShape {
  /** Only {@code +}. */
  AND,
  /** Only optional clauses; a single term too. */
  OR,
  /** {@code +} and {@code -}. */
  NOT,
  /** Anything else. */
  MIXED;

  /** Returns the shape of a query. */
  public static QueryShape of(Query query) {
    Set<Occur> signs = EnumSet.noneOf(Occur.class);
    collect(query, signs);
    if (signs.isEmpty() || signs.equals(EnumSet.of(Occur.SHOULD))) {
      return OR;
    } else if (signs.equals(EnumSet.of(Occur.MUST))) {
      return AND;
    } else if (signs.equals(EnumSet.of(Occur.MUST, Occur.MUST_NOT))) {
      return NOT;
    }
    return MIXED;
  }

  private static void collect(Query query, Set<Occur> signs) {
    if (query instanceof BoostQuery boost) {
      collect(boost.getQuery(), signs);
    } else if (query instanceof BooleanQuery bool) {
      for (BooleanClause clause : bool) {
        signs.add(clause.occur());
        collect(clause.query(), signs);
      }
    }
  }
}
