/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.QueryCachingPolicy;
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

  private enum Policy implements QueryCachingPolicy {
    ALWAYS,
    NEVER;

    @Override
    public void onUse(Query query) {}

    @Override
    public boolean shouldCache(Query query) {
      return this == ALWAYS;
    }
  }

  private CacheProbe(Query query) {
    super(query);
  }

  /**
   * Returns whether a cache that is to keep the matches would have to look for them: not if it has
   * them, nor if it keeps none of the segment.
   */
  static boolean isToKeep(QueryCache cache, Query query, LeafReaderContext leaf)
      throws IOException {
    return !isCached(cache, query, leaf)
        && cache.doCache(new CacheProbe(query), Policy.ALWAYS).scorerSupplier(leaf) != NONE;
  }

  /** Returns whether a cache has the matches of a segment. */
  static boolean isCached(QueryCache cache, Query query, LeafReaderContext leaf)
      throws IOException {
    return cache.doCache(new CacheProbe(query), Policy.NEVER).scorerSupplier(leaf) != NONE;
  }

  /**
   * The number of matches of a segment that a cache has; -1 if it has them not, or not all live.
   */
  static int count(QueryCache cache, Query query, LeafReaderContext leaf) throws IOException {
    return cache.doCache(new CacheProbe(query), Policy.NEVER).count(leaf);
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
