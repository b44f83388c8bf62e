/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.GeoQueries;
import org.luceneoffload.search.compile.KeywordQueries;
import org.luceneoffload.search.compile.MultiRangeQueries;
import org.luceneoffload.search.compile.NumberQueries;
import org.luceneoffload.search.compile.PhraseTerms;
import org.luceneoffload.search.compile.QueryNode;

/** The list of all kinds of queries that plans can express. */
public final class QueryKinds {
  /** Of several kinds that take queries of one class, the first that knows a query has it. */
  private static final QueryKind<?>[] ROWS = {
    new BooleanKind(),
    new TermKind(),
    new ConstantKind(),
    new BoostKind(),
    new WrapperKind(),
    new AllKind(),
    new NoneKind(),
    new DisMaxKind(),
    new SynonymKind(),
    new CombinedKind(),
    new PhraseKind<>(PhraseQuery.class, PhraseTerms::areExpressible, PhraseTerms::of),
    new PhraseKind<>(MultiPhraseQuery.class, PhraseTerms::areExpressible, PhraseTerms::of),
    new NearKind(),
    new FeatureKind(),
    new UnionKind(),
    new JoinKind(),
    new NumberJoinKind(),
    new ColumnKind(NumberQueries::isExistence, NumberQueries::existence),
    new ColumnKind(NumberQueries::takes, NumberQueries::filter),
    new ColumnKind(GeoQueries::takes, GeoQueries::filter),
    new ColumnKind(KeywordQueries::takes, KeywordQueries::filter),
    new ColumnKind(MultiRangeQueries::takes, MultiRangeQueries::filter),
  };

  private static final ClassValue<QueryKind<Query>[]> BY_CLASS =
      new ClassValue<>() {
        @Override
        @SuppressWarnings("unchecked") // a kind is handed queries of the classes that it takes
        protected QueryKind<Query>[] computeValue(Class<?> type) {
          return Arrays.stream(ROWS)
              .filter(kind -> kind.takes(type))
              .toArray((IntFunction<QueryKind<Query>[]>) QueryKind[]::new);
        }
      };

  private QueryKinds() {}

  /**
   * Returns whether plans can express queries of this kind: what else may be in the way is not
   * looked at.
   *
   * @param scored whether scores are needed
   */
  public static boolean isExpressible(Query query, boolean scored) {
    return firstOther(query, new Readings(null, null), scored) == null;
  }

  /** Returns the first part of a query that plans cannot express; null if there is none. */
  static Query firstOther(Query query, Readings readings, boolean scored) {
    Query other = query;
    for (QueryKind<Query> kind : BY_CLASS.get(query.getClass())) {
      other = kind.firstOther(query, readings, scored);
      if (other == null) {
        return null;
      }
    }
    return other;
  }

  /** Compiles a query of which plans express all. */
  static QueryNode node(Query query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    for (QueryKind<Query> kind : BY_CLASS.get(query.getClass())) {
      QueryNode node = kind.node(query, c, scored, boost);
      if (node != null) {
        return node;
      }
    }
    throw new AssertionError("no kind knows " + query);
  }
}
