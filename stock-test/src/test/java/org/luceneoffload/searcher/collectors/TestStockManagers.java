/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.collectors;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MultiCollectorManager;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHitCountCollectorManager;
import org.apache.lucene.search.TotalHits;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** Lucene's own collector managers have the results that they have under a stock searcher. */
class TestStockManagers extends SearcherTestCase {
  private static final int[] HITS = {1, 10, 100, 5000};
  private static final int[] THRESHOLDS = {0, 1, 30, 1000, Integer.MAX_VALUE};

  /** What a search is asked for: made anew for each searcher, since managers remember things. */
  private interface Ask {
    CollectorManager<?, ?> manager(IndexSearcher searcher);

    /** Compares the results of stock and ours. */
    void same(Object expected, Object got, int exact, String what);
  }

  private record Hits(int numHits, ScoreDoc after, int threshold, boolean subclass) implements Ask {
    @Override
    public CollectorManager<?, ?> manager(IndexSearcher searcher) {
      return subclass
          ? new TopScoreDocCollectorManager(numHits, after, threshold) {}
          : new TopScoreDocCollectorManager(numHits, after, threshold);
    }

    @Override
    public void same(Object expected, Object got, int exact, String what) {
      int counted = Math.max(numHits, threshold);
      Answers.sameTop((TopDocs) expected, (TopDocs) got, exact, counted, what);
    }
  }

  /** Anything that has an exact result. */
  private enum Exact implements Ask {
    COUNT {
      @Override
      public CollectorManager<?, ?> manager(IndexSearcher searcher) {
        return new TotalHitCountCollectorManager(searcher.getSlices());
      }
    },
    ALL {
      @Override
      public CollectorManager<?, ?> manager(IndexSearcher searcher) {
        return new Answers.All(ScoreMode.COMPLETE);
      }
    },
    ALL_UNSCORED {
      @Override
      public CollectorManager<?, ?> manager(IndexSearcher searcher) {
        return new Answers.All(ScoreMode.COMPLETE_NO_SCORES);
      }
    };

    @Override
    public void same(Object expected, Object got, int exact, String what) {
      assertEquals(expected, got, what);
    }
  }

  /** By a field, of which Lucene's manager says nothing. */
  private record Sorted(Sort sort) implements Ask {
    @Override
    public CollectorManager<?, ?> manager(IndexSearcher searcher) {
      return new TopFieldCollectorManager(sort, 12, Integer.MAX_VALUE);
    }

    @Override
    public void same(Object expected, Object got, int exact, String what) {
      Answers.sameTop((TopDocs) expected, (TopDocs) got, exact, Integer.MAX_VALUE, what);
    }
  }

  private record Several(List<Ask> asks) implements Ask {
    @Override
    public CollectorManager<?, ?> manager(IndexSearcher searcher) {
      return new MultiCollectorManager(
          asks.stream()
              .map(ask -> ask.manager(searcher))
              .toArray(n -> new CollectorManager<?, ?>[n]));
    }

    @Override
    public void same(Object expected, Object got, int exact, String what) {
      Object[] all = (Object[]) got;
      assertEquals(asks.size(), all.length);
      for (int i = 0; i < all.length; i++) {
        asks.get(i).same(((Object[]) expected)[i], all[i], exact, what + " " + asks.get(i));
      }
    }
  }

  private Ask ask(ScoreDoc[] hits, int depth) {
    int kind = random.nextInt(depth == 0 ? 6 : 8);
    return switch (kind) {
      case 0, 1, 2 -> {
        ScoreDoc after = hits.length == 0 ? null : hits[random.nextInt(hits.length)];
        yield new Hits(
            HITS[random.nextInt(HITS.length)],
            random.nextBoolean() ? after : null,
            THRESHOLDS[random.nextInt(THRESHOLDS.length)],
            random.nextInt(4) == 0);
      }
      case 3 -> Exact.COUNT;
      case 4 -> random.nextBoolean() ? Exact.ALL : Exact.ALL_UNSCORED;
      case 5 -> new Sorted(new Sort(new SortField("number", SortField.Type.LONG)));
      default -> {
        List<Ask> asks = new ArrayList<>();
        // Stock mixes up the collectors of a MultiCollectorManager that is alone in another one.
        for (int n = 2 + random.nextInt(3); n > 0; n--) {
          asks.add(ask(hits, depth - 1));
        }
        yield new Several(asks);
      }
    };
  }

  /** Many that the device takes, some that it takes in part or not at all. */
  private Query query() {
    return switch (random.nextInt(8)) {
      case 0 -> new PhraseQuery("body", words.word(), words.word());
      case 1 ->
          new BooleanQuery.Builder()
              .add(words.query(), Occur.MUST)
              .add(IntPoint.newRangeQuery("point", 10, 60), Occur.FILTER)
              .build();
      case 2 -> random.nextBoolean() ? MatchAllDocsQuery.INSTANCE : Words.term("nowhere");
      default -> words.query();
    };
  }

  private static <C extends Collector, T> T search(
      IndexSearcher searcher, Query query, CollectorManager<C, T> manager) throws IOException {
    return searcher.search(query, manager);
  }

  private void check(IndexSearcher searcher, Query query, Query asked, Ask ask) throws IOException {
    IndexSearcher stock = stock(reader);
    Object expected = search(stock, query, ask.manager(stock));
    Object got = search(searcher, asked, ask.manager(searcher));
    ask.same(expected, got, stock.count(query), asked + " " + ask);
  }

  @Test
  void randomManagers() throws IOException {
    try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
      for (int i = 0; i < 300; i++) {
        Query query = query();
        ScoreDoc[] hits = stock(reader).search(query, 50).scoreDocs;
        Ask ask = ask(hits, 2);
        for (Way way : Way.values()) {
          IndexSearcher searcher = way.searcher(reader, random.nextBoolean() ? executor : null);
          searcher.setQueryCache(null);
          check(searcher, query, way.query(query), ask);
        }
        // Where the host scores, it may round otherwise if segments are cut.
        Query ours = words.query();
        check(sliced(reader, executor), ours, ours, ask);
      }
    }
  }

  /** One plan for each segment, as for our own entry points. */
  @Test
  void theDeviceAnswersThemWhole() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setStrict(true);
    Query query = Words.bool("w0 w1 w2");
    List<Ask> asks =
        List.of(
            new Hits(10, null, 1000, false),
            new Hits(10, null, Integer.MAX_VALUE, false),
            Exact.COUNT,
            new Several(List.of(Exact.COUNT, new Hits(10, null, 50, false))));
    for (Ask ask : asks) {
      long plans = stats().get(Counter.PLANS_EXECUTED);
      search(searcher, query, ask.manager(searcher));
      long more = stats().get(Counter.PLANS_EXECUTED) - plans;
      assertTrue(more > 0 && more <= reader.leaves().size(), ask + ": " + more);
    }
  }

  /** The best hits of a segment are collected alone, though a stock searcher knows of no plan. */
  @Test
  void equalScoresAreCountedToOneBeyondTheThreshold() throws IOException {
    Query same = new ConstantScoreQuery(Words.term("w0"));
    Query filtered =
        new BooleanQuery.Builder()
            .add(same, Occur.SHOULD)
            .add(Words.term("w0"), Occur.FILTER)
            .build();
    for (Query query : List.of(same, filtered)) {
      for (int threshold : new int[] {10, 17, 100, 100_000}) {
        TopScoreDocCollectorManager manager = new TopScoreDocCollectorManager(10, null, threshold);
        TotalHits expected = stock(reader).search(query, manager).totalHits;
        assertEquals(expected, new OffloadIndexSearcher(reader).search(query, manager).totalHits);
      }
    }
  }

  @Test
  void stockSearchersGetTheBestHitsAlone() throws IOException {
    IndexSearcher searcher = stock(reader);
    Query query = new OffloadQuery(Words.bool("w0 w1 w2"));
    for (int threshold : new int[] {20, Integer.MAX_VALUE}) {
      long plans = stats().get(Counter.PLANS_EXECUTED);
      long bytes = stats().get(Counter.BYTES_FROM_DEVICE);
      TopDocs hits = search(searcher, query, new TopScoreDocCollectorManager(5, null, threshold));
      int leaves = reader.leaves().size();
      assertTrue(stats().get(Counter.PLANS_EXECUTED) - plans <= leaves, stats().toString());
      // Of a stream of all matches, that would hold few.
      assertTrue(stats().get(Counter.BYTES_FROM_DEVICE) - bytes <= 512L * leaves, hits.toString());
      assertTrue(hits.totalHits.value() > 20, hits.totalHits.toString());
    }
  }

  /** Whoever makes collectors of their own gets those back. */
  @Test
  void subclassesCollect() throws IOException {
    List<TopScoreDocCollector> made = new ArrayList<>();
    TopScoreDocCollectorManager manager =
        new TopScoreDocCollectorManager(5, null, Integer.MAX_VALUE) {
          @Override
          public TopScoreDocCollector newCollector() {
            made.add(super.newCollector());
            return made.get(made.size() - 1);
          }
        };
    Query query = Words.term("w0");
    TopDocs got = new OffloadIndexSearcher(reader).search(query, manager);
    assertEquals(got.totalHits.value(), made.stream().mapToInt(c -> c.getTotalHits()).sum());
    assertArrayEquals(
        Answers.hits(stock(reader).search(query, 5)).toArray(), Answers.hits(got).toArray());
  }
}
