/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.searcher;

import java.util.Random;
import java.util.concurrent.Executor;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.similarities.Similarity;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.Placement;
import org.luceneoffload.fuzz.base.Seeds;
import org.luceneoffload.fuzz.generate.Recipe;

/**
 * How searchers are set up. The stock one runs on one thread and has no timeout.
 *
 * @param threads who runs slices
 * @param partitionDocs most documents of a partition; 0: segments stay whole
 * @param cache the query cache
 * @param patient whether there is a timeout that never fires
 * @param placement who answers what the device can
 * @param distributed whether statistics are those of many indexes
 * @param similarity how both searchers score
 */
public record SearcherSetup(
    Threads threads,
    int partitionDocs,
    Cache cache,
    boolean patient,
    Placement placement,
    boolean distributed,
    Similarity similarity) {
  /** Who runs slices. */
  public enum Threads {
    NONE,
    CALLER,
    POOL
  }

  /** Query caches. */
  public enum Cache {
    DEFAULT,
    NONE,
    GREEDY
  }

  private static final QueryCachingPolicy ALWAYS =
      new QueryCachingPolicy() {
        @Override
        public void onUse(Query query) {}

        @Override
        public boolean shouldCache(Query query) {
          return true;
        }
      };

  public static SearcherSetup random(Random random, Recipe recipe) {
    Threads threads = Threads.values()[random.nextInt(Threads.values().length)];
    boolean partitions = threads != Threads.NONE && random.nextBoolean();
    return new SearcherSetup(
        threads,
        partitions ? 3 + random.nextInt(random.nextBoolean() ? 40 : 400) : 0,
        Cache.values()[random.nextInt(Cache.values().length)],
        Seeds.oneIn(random, 4),
        placement(random),
        Seeds.oneIn(random, 6),
        Seeds.oneIn(random, 4) ? recipe.otherSimilarity() : recipe.similarity());
  }

  private static Placement placement(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> Placement.NEVER;
      case 1 -> Placement.ALWAYS;
      case 2 -> Placement.DYNAMIC;
      case 3 -> Placement.FILTER;
      case 4 -> Placement.STATIC;
      default -> Placement.AUTO;
    };
  }

  /** A stock searcher without a cache. */
  public IndexSearcher plain(IndexReader reader) {
    IndexSearcher searcher = stockSearcher(reader);
    searcher.setQueryCache(null);
    return searcher;
  }

  /** A stock searcher with a cache of the same kind: it shows in explanations. */
  public IndexSearcher stock(IndexReader reader) {
    IndexSearcher searcher = stockSearcher(reader);
    setCache(searcher);
    return searcher;
  }

  private IndexSearcher stockSearcher(IndexReader reader) {
    IndexSearcher searcher =
        new StockSearcher(
            reader, threads == Threads.NONE ? null : Runnable::run, partitionDocs, distributed);
    searcher.setSimilarity(similarity);
    return searcher;
  }

  /** A searcher that offloads; its cache is its own. */
  public OffloadIndexSearcher offload(IndexReader reader, Executor pool) {
    Executor executor =
        switch (threads) {
          case NONE -> null;
          case CALLER -> Runnable::run;
          case POOL -> pool;
        };
    OffloadIndexSearcher searcher =
        partitionDocs == 0 && !distributed
            ? new OffloadIndexSearcher(reader, executor)
            : new OffloadSearcher(reader, executor, partitionDocs, distributed);
    searcher.setSimilarity(similarity);
    searcher.setPlacement(placement);
    setCache(searcher);
    if (patient) {
      searcher.setTimeout(() -> false);
    }
    return searcher;
  }

  private void setCache(IndexSearcher searcher) {
    switch (cache) {
      case DEFAULT -> {}
      case NONE -> searcher.setQueryCache(null);
      case GREEDY -> {
        searcher.setQueryCache(new LRUQueryCache(200, 1 << 22, context -> true, Float.MAX_VALUE));
        searcher.setQueryCachingPolicy(ALWAYS);
      }
    }
  }

  @Override
  public String toString() {
    return threads
        + (partitionDocs == 0 ? "" : ", partitions of " + partitionDocs)
        + ", cache "
        + cache
        + (patient ? ", patient" : "")
        + ", placement "
        + placement
        + (distributed ? ", distributed" : "")
        + ", "
        + similarity;
  }
}
