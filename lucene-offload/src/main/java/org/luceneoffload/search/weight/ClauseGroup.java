/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.search.compile.kind.QueryKinds;

/**
 * The clauses of a Boolean query that plans can express, as one Boolean clause, beside the others.
 * The others filter or prohibit, so that the score of the group is that of the query, to the bit.
 */
public final class ClauseGroup {
  private final BooleanQuery clauses;
  private final boolean scored;
  private final List<BooleanClause> others;

  private ClauseGroup(BooleanQuery clauses, boolean scored, List<BooleanClause> others) {
    this.clauses = clauses;
    this.scored = scored;
    this.others = others;
  }

  /**
   * Returns the group of a query of which plans can express a part.
   *
   * @param query rewritten
   * @param scored whether scores are needed
   * @return null if there are no two such clauses, or these do not have to match, or if a clause
   *     that plans cannot express has a score
   */
  public static ClauseGroup of(BooleanQuery query, boolean scored) {
    BooleanQuery.Builder group =
        new BooleanQuery.Builder().setMinimumNumberShouldMatch(query.getMinimumNumberShouldMatch());
    List<BooleanClause> others = new ArrayList<>();
    int grouped = 0;
    boolean scoring = false;
    boolean required = query.getMinimumNumberShouldMatch() > 0;
    boolean filtered = false;
    for (BooleanClause clause : query) {
      boolean scores = scored && clause.isScoring();
      if (QueryKinds.isExpressible(clause.query(), scores)) {
        group.add(clause);
        grouped++;
        scoring |= scores;
        required |= clause.isRequired();
      } else if (scores || clause.occur() == Occur.SHOULD) {
        return null;
      } else {
        others.add(clause);
        filtered |= clause.isRequired();
      }
    }
    boolean optional = !required && filtered; // of optional clauses none has to match then
    return grouped < 2 || optional ? null : new ClauseGroup(group.build(), scoring, others);
  }

  /** Returns the clauses that plans can express. */
  public BooleanQuery clauses() {
    return clauses;
  }

  /** Returns whether any of them has a score that is needed. */
  public boolean isScored() {
    return scored;
  }

  /**
   * Returns the query with the group as one clause.
   *
   * @param part stands for the group
   */
  public BooleanQuery around(Query part) {
    BooleanQuery.Builder builder =
        new BooleanQuery.Builder().add(part, scored ? Occur.MUST : Occur.FILTER);
    others.forEach(builder::add);
    return builder.build();
  }
}
