/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import java.lang.reflect.Modifier;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;

/**
 * A weight that finds out whether a cache has the matches of its query. A cache shows that by what
 * it makes of the weight: nothing is searched for, and nothing is kept.
 */
final class CacheProbe extends Weight {
  private static final ScorerSupplier NONE =
      new ScorerSupplier() {
        @Override
        public Scorer get(long leadCost) {
          throw new UnsupportedOperationException("asks a cache, and finds nothing");
        }

        @Override
        public long cost() {
          return 0;
        }
      };

  /** Keeps all or nothing, and counts no uses. */
  private record Policy(boolean keeps) implements QueryCachingPolicy {
    @Override
    public void onUse(Query query) {}

    @Override
    public boolean shouldCache(Query query) {
      return keeps;
    }
  }

  private CacheProbe(Query query) {
    super(query);
  }

  /** Returns a query as stock searches for it where scores are not needed. */
  static Query unscored(IndexSearcher searcher, Query query) throws IOException {
    return unwrapped(searcher.rewrite(new ConstantScoreQuery(query)));
  }

  /** Returns a query without what only gives other scores. */
  static Query unwrapped(Query query) {
    Query at = query;
    while (true) {
      if (at instanceof ConstantScoreQuery constant) {
        at = constant.getQuery();
      } else if (at instanceof BoostQuery boost) {
        at = boost.getQuery();
      } else {
        return at;
      }
    }
  }

  /**
   * Returns the key under which the cache of a searcher has the matches of a query. Some queries
   * are in Lucene only to make a weight of another one; their classes are not public.
   */
  static Query key(IndexSearcher searcher, Query query) throws IOException {
    Query unscored = unscored(searcher, query);
    return Modifier.isPublic(unscored.getClass().getModifiers())
        ? unscored
        : unscored.createWeight(searcher, ScoreMode.COMPLETE_NO_SCORES, 1f).getQuery();
  }

  /**
   * Returns whether a cache that is to keep the matches would have to look for them: not if it has
   * them, nor if it keeps none of the segment.
   */
  static boolean isToKeep(QueryCache cache, Query key, LeafReaderContext leaf) throws IOException {
    return asks(cache, key, leaf, false) && !asks(cache, key, leaf, true);
  }

  /** Returns whether a cache hands out the probe's own answer: it has no matches, nor keeps any. */
  private static boolean asks(QueryCache cache, Query key, LeafReaderContext leaf, boolean keeps)
      throws IOException {
    return cache.doCache(new CacheProbe(key), new Policy(keeps)).scorerSupplier(leaf) == NONE;
  }

  /**
   * Returns the number of matches of a segment that a cache has; -1 if it has them not, or not all
   * live.
   */
  static int count(QueryCache cache, Query key, LeafReaderContext leaf) throws IOException {
    return cache.doCache(new CacheProbe(key), new Policy(false)).count(leaf);
  }

  @Override
  public ScorerSupplier scorerSupplier(LeafReaderContext context) {
    return NONE;
  }

  @Override
  public boolean isCacheable(LeafReaderContext context) {
    return true;
  }

  @Override
  public Explanation explain(LeafReaderContext context, int doc) {
    return Explanation.noMatch("not a search");
  }
}
