/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.nested;

import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.NumericDocValuesRangeQuery;
import org.apache.lucene.search.Query;

/**
 * Weighs a plan for each of some buckets against one pass of the host over the matches. All times
 * are in nanoseconds, measured on one machine: only their ratios matter.
 */
final class PassCosts {
  /** Planning and running a plan of a segment. */
  private static final double PLAN_NS = 10_000;

  /** For a doc of the index, where columns alone say which docs match. */
  private static final double SCAN_NS = 0.2;

  /** For a match, where lists say so. */
  private static final double MATCH_NS = 5;

  /** What the host takes to begin in a segment. */
  private static final double BEGIN_NS = 20_000;

  /** For a match, and each value that is looked up. */
  private static final double VALUE_NS = 15;

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
    double find = readsValuesOnly(query) ? SCAN_NS * reader.maxDoc() : MATCH_NS * matches;
    return plans * (segments * PLAN_NS + find) <= segments * BEGIN_NS + VALUE_NS * values * matches;
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
