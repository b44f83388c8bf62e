/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.UsageTrackingQueryCachingPolicy;

/**
 * Rules of what has to be left to a searcher's query cache. Under Lucene's own caching policy that
 * is nothing: it would not have kept what the device answers anew at once. A policy of another
 * class is the application's decision, and is asked and told as by stock Lucene: what needs no
 * scores, whole queries and clauses alike, runs on the host and under the cache.
 */
public final class QueryCacheRules {
  private QueryCacheRules() {}

  /** Returns whether the application has a policy of its own for a cache that is there. */
  public static boolean ownPolicy(IndexSearcher searcher) {
    return !(searcher.getQueryCachingPolicy() instanceof UsageTrackingQueryCachingPolicy)
        && searcher.getQueryCache() != null;
  }

  /** Returns whether a part of a query that needs scores needs none itself. */
  public static boolean hasUnscoredParts(Query query) {
    return switch (query) {
      case ConstantScoreQuery constant -> true;
      case BoostQuery boost -> hasUnscoredParts(boost.getQuery());
      case DeviceQuery wrapper -> hasUnscoredParts(wrapper.getQuery());
      case BooleanQuery bool -> {
        for (BooleanClause clause : bool) {
          if (!clause.isScoring() || hasUnscoredParts(clause.query())) {
            yield true;
          }
        }
        yield false;
      }
      default -> false;
    };
  }

  /**
   * Returns the query of a weight, as the weight that stock makes of a query says it: wrappers that
   * make no weight of their own are taken off. The cache demands it of what it keeps.
   */
  public static Query ofWeight(Query query, boolean scored) {
    Query inner = query;
    while (true) {
      if (inner instanceof BoostQuery boost) {
        inner = boost.getQuery();
      } else if (!scored && inner instanceof ConstantScoreQuery constant) {
        inner = constant.getQuery();
      } else {
        TermUnion union = TermUnion.of(inner);
        return union == null ? inner : union.query();
      }
    }
  }
}
