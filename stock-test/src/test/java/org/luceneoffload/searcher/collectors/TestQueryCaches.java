/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.UsageTrackingQueryCachingPolicy;
import org.junit.jupiter.api.Test;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** Query caches, of one searcher or shared by stock searchers and ours. */
class TestQueryCaches extends SearcherTestCase {
  /** Caches everything at once: as an application's own policy, and as one of Lucene's kind. */
  static final List<QueryCachingPolicy> POLICIES =
      List.of(
          new QueryCachingPolicy() {
            @Override
            public void onUse(Query query) {}

            @Override
            public boolean shouldCache(Query query) {
              return true;
            }
          },
          new UsageTrackingQueryCachingPolicy() {
            @Override
            public boolean shouldCache(Query query) {
              return true;
            }
          });

  private static LRUQueryCache cache() {
    return new LRUQueryCache(1000, 1 << 24, leaf -> true, Float.MAX_VALUE);
  }

  private Query filtered() {
    return new BooleanQuery.Builder()
        .add(words.query(), Occur.FILTER)
        .add(new PhraseQuery(70_000, "body", "w0", "w1"), Occur.SHOULD)
        .add(words.query(), Occur.MUST_NOT)
        .build();
  }

  /** Readers that share segments and a cache, but not deletes. */
  @Test
  void sharedCacheAndDeletes() throws IOException {
    for (QueryCachingPolicy policy : POLICIES) {
      sharedCacheAndDeletes(policy);
    }
  }

  private void sharedCacheAndDeletes(QueryCachingPolicy policy) throws IOException {
    LRUQueryCache cache = cache();
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      queries.add(words.query());
      queries.add(new ConstantScoreQuery(words.query()));
      queries.add(filtered());
    }
    try (IndexWriter writer = new IndexWriter(directory, config())) {
      for (int round = 0; round < 3; round++) {
        words.delete(writer, 40);
        try (DirectoryReader next = DirectoryReader.open(writer)) {
          for (Query query : queries) {
            IndexSearcher stock = new IndexSearcher(next);
            stock.setQueryCache(cache);
            stock.setQueryCachingPolicy(policy);
            Answers.same(stock(next), query, stock, query);
            for (Way way : Way.values()) {
              IndexSearcher searcher = way.searcher(next);
              searcher.setQueryCache(cache);
              searcher.setQueryCachingPolicy(policy);
              Answers.same(stock(next), query, searcher, way.query(query));
            }
          }
        }
      }
    }
    assertTrue(cache.getHitCount() > 0);
  }

  /**
   * Stock leaves an unscored clause out that it has cached and found empty. Whichever clauses have
   * to match then, and in what order they are scored, is the cache's doing, in all segments alike,
   * if the policy is the application's own. (Lucene's own kind never caches terms.)
   */
  @Test
  void scoresBesideCachedClauses() throws IOException {
    for (String empty : List.of("w0x", "w12x", "w300", "w500", "w7x")) {
      for (String optional : List.of("w0", "w1", "w5")) {
        Query query =
            new BooleanQuery.Builder()
                .setMinimumNumberShouldMatch(1)
                .add(Words.bool("#" + empty), Occur.SHOULD)
                .add(MatchAllDocsQuery.INSTANCE, Occur.MUST)
                .add(Words.term(optional), Occur.SHOULD)
                .add(Words.term("w2"), Occur.MUST)
                .build();
        for (Way way : Way.values()) {
          IndexSearcher stock = new IndexSearcher(reader);
          IndexSearcher searcher = way.searcher(reader);
          for (IndexSearcher one : List.of(stock, searcher)) {
            one.setQueryCache(cache());
            one.setQueryCachingPolicy(POLICIES.get(0));
          }
          for (int time = 0; time < 3; time++) {
            Answers.same(stock, query, searcher, way.query(query));
          }
        }
      }
    }
  }

  /** The queries that the policy is told of. */
  private static final class Uses implements QueryCachingPolicy {
    private final List<Query> seen = new ArrayList<>();

    @Override
    public void onUse(Query query) {
      seen.add(query);
    }

    @Override
    public boolean shouldCache(Query query) {
      return false;
    }
  }

  private static List<Query> uses(IndexSearcher searcher, Query query) throws IOException {
    Uses uses = new Uses();
    searcher.setQueryCache(cache());
    searcher.setQueryCachingPolicy(uses);
    Answers.all(searcher, query, ScoreMode.COMPLETE_NO_SCORES);
    return uses.seen;
  }

  /**
   * A use of a query counts once, of a wrapped one as stock's use of the query that it has been
   * rewritten to: wrapped queries are rewritten before anyone says that no scores are needed. What
   * is inside of it is the device's business.
   */
  @Test
  void usesOfWholeQueries() throws IOException {
    for (int i = 0; i < 10; i++) {
      Query query = words.query();
      for (Way way : Way.values()) {
        IndexSearcher stock = new IndexSearcher(reader);
        Query known = way == Way.WRAPPED_QUERY ? stock.rewrite(query) : query;
        List<Query> expected = uses(stock, known);
        List<Query> got = uses(way.searcher(reader), way.query(query));
        if (expected.isEmpty() || stock(reader).count(query) == 0) {
          continue;
        }
        assertEquals(expected.get(0), got.get(0), way + " " + query);
        assertEquals(1, got.stream().filter(expected.get(0)::equals).count(), way + " " + query);
      }
    }
  }
}
