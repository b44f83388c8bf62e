/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.search.compile.kind.QueryKinds;

/**
 * Finds the largest Boolean parts of a query that plans can express, if they cannot express the
 * whole, for searchers that do not find them by themselves.
 */
public final class BooleanParts {
  private BooleanParts() {}

  /**
   * Returns the query with its parts wrapped.
   *
   * @param query a rewritten query that plans cannot express
   * @param wrapper makes a query that asks for the device of a part
   * @return the query itself if there are none
   */
  public static Query wrapParts(Query query, UnaryOperator<Query> wrapper) {
    // A rewritten query is not rewritten again: its parts stay where they are.
    return switch (query) {
      case BooleanQuery bool -> {
        BooleanQuery.Builder builder =
            new BooleanQuery.Builder()
                .setMinimumNumberShouldMatch(bool.getMinimumNumberShouldMatch());
        boolean changed = false;
        for (BooleanClause clause : bool) {
          Query part = wrap(clause.query(), wrapper);
          changed |= part != clause.query();
          builder.add(part, clause.occur());
        }
        yield changed ? builder.build() : query;
      }
      case BoostQuery boost -> {
        Query part = wrap(boost.getQuery(), wrapper);
        yield part == boost.getQuery() ? query : new BoostQuery(part, boost.getBoost());
      }
      case ConstantScoreQuery constant -> {
        Query part = wrap(constant.getQuery(), wrapper);
        yield part == constant.getQuery() ? query : new ConstantScoreQuery(part);
      }
      case DisjunctionMaxQuery max -> {
        List<Query> parts = new ArrayList<>();
        boolean changed = false;
        for (Query disjunct : max) {
          Query part = wrap(disjunct, wrapper);
          changed |= part != disjunct;
          parts.add(part);
        }
        yield changed ? new DisjunctionMaxQuery(parts, max.getTieBreakerMultiplier()) : query;
      }
      default -> query;
    };
  }

  private static Query wrap(Query part, UnaryOperator<Query> wrapper) {
    boolean isOne =
        part instanceof BooleanQuery bool && ClauseGroup.of(bool, true) != null
            || OffloadWeight.isBoolean(part) && QueryKinds.isExpressible(part, true);
    return isOne ? wrapper.apply(part) : wrapParts(part, wrapper);
  }
}
