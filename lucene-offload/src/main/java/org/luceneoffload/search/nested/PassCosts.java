/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.nested;

import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.NumericDocValuesRangeQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.search.choice.Costs;

/** Weighs a plan for each of some buckets against one pass of the host over the matches. */
final class PassCosts {
  private PassCosts() {}

  /**
   * Returns whether plans are expected to be as quick as the host.
   *
   * @param plans for each segment
   * @param matches of the query
   * @param values that the host looks up for a match
   */
  static boolean plansPay(IndexReader reader, Query query, int plans, long matches, int values) {
    int segments = Math.max(1, reader.leaves().size());
    double find =
        readsValuesOnly(query)
            ? Costs.PASS_SCAN_NS * reader.maxDoc()
            : Costs.PASS_MATCH_NS * matches;
    return plans * (segments * Costs.PASS_PLAN_NS + find)
        <= segments * Costs.PASS_BEGIN_NS + Costs.PASS_VALUE_NS * values * matches;
  }

  private static boolean readsValuesOnly(Query query) {
    return switch (query) {
      case MatchAllDocsQuery all -> true;
      case NumericDocValuesRangeQuery range -> true;
      case IndexOrDocValuesQuery either -> true;
      case ConstantScoreQuery constant -> readsValuesOnly(constant.getQuery());
      case BooleanQuery bool ->
          bool.clauses().stream().allMatch(clause -> readsValuesOnly(clause.query()));
      default -> false;
    };
  }
}
