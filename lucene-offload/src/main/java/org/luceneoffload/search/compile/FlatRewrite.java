/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/**
 * Rewrites Boolean queries whose clauses are distinct plain terms, to what {@link
 * IndexSearcher#rewrite(Query)} makes of them. Nothing of such a query can be simplified, and to
 * find that out stock hashes every clause several times: more work than to look up the terms.
 */
public final class FlatRewrite {
  // Clauses are compared each with each; beyond this, hashing them is no worse.
  private static final int MAX_CLAUSES = 16;

  private FlatRewrite() {}

  /**
   * Returns the rewritten form of a query, or of a {@link ConstantScoreQuery} around one.
   *
   * @return null if the query is of another kind, so that stock has to rewrite it
   */
  public static Query rewrite(Query query) {
    if (query.getClass() == BooleanQuery.class) {
      return isFlat((BooleanQuery) query) ? query : null;
    }
    if (query.getClass() != ConstantScoreQuery.class
        || ((ConstantScoreQuery) query).getQuery().getClass() != BooleanQuery.class) {
      return null;
    }
    BooleanQuery inner = (BooleanQuery) ((ConstantScoreQuery) query).getQuery();
    if (!isFlat(inner)) {
      return null;
    }
    boolean dropShould = dropsShould(inner);
    if (!dropShould && !has(inner, Occur.MUST)) {
      return query;
    }
    BooleanQuery unscored = unscored(inner, dropShould);
    // A clause that is left alone is simplified further.
    return unscored.clauses().size() > 1 ? new ConstantScoreQuery(unscored) : null;
  }

  /**
   * Returns whether the matches of a query can be counted clause by clause as it stands: it is
   * rewritten, and has no clause that {@link #rewrite} would drop for not needing scores.
   */
  public static boolean countsAsItIs(Query query) {
    return query.getClass() == BooleanQuery.class
        && isFlat((BooleanQuery) query)
        && !dropsShould((BooleanQuery) query);
  }

  /** Returns whether stock rewrites a query to itself; false if that takes more than a look. */
  static boolean isFlat(BooleanQuery query) {
    List<BooleanClause> clauses = query.clauses();
    int size = clauses.size();
    // The limit may have come down since the query was built: the error is for stock to raise.
    if (size < 2 || size > MAX_CLAUSES || size > IndexSearcher.getMaxClauseCount()) {
      return false;
    }
    int optional = 0;
    int prohibited = 0;
    for (int i = 0; i < size; i++) {
      BooleanClause clause = clauses.get(i);
      if (clause.query().getClass() != TermQuery.class) {
        return false;
      }
      Term term = ((TermQuery) clause.query()).getTerm();
      for (int j = 0; j < i; j++) {
        if (term.equals(((TermQuery) clauses.get(j).query()).getTerm())) {
          return false;
        }
      }
      Occur occur = clause.occur();
      if (occur == Occur.SHOULD) {
        optional++;
      } else if (occur == Occur.MUST_NOT) {
        prohibited++;
      }
    }
    int minShould = query.getMinimumNumberShouldMatch();
    return prohibited < size && (optional > minShould || (optional == 0 && minShould == 0));
  }

  private static boolean dropsShould(BooleanQuery query) {
    return query.getMinimumNumberShouldMatch() == 0
        && has(query, Occur.SHOULD)
        && (has(query, Occur.MUST) || has(query, Occur.FILTER));
  }

  /** Returns whether any clause has an occur. */
  static boolean has(BooleanQuery query, Occur occur) {
    List<BooleanClause> clauses = query.clauses();
    for (int i = 0; i < clauses.size(); i++) {
      if (clauses.get(i).occur() == occur) {
        return true;
      }
    }
    return false;
  }

  private static BooleanQuery unscored(BooleanQuery query, boolean dropShould) {
    BooleanQuery.Builder builder =
        new BooleanQuery.Builder().setMinimumNumberShouldMatch(query.getMinimumNumberShouldMatch());
    for (BooleanClause clause : query) {
      if (clause.occur() == Occur.MUST) {
        builder.add(clause.query(), Occur.FILTER);
      } else if (clause.occur() != Occur.SHOULD || !dropShould) {
        builder.add(clause);
      }
    }
    return builder.build();
  }
}
