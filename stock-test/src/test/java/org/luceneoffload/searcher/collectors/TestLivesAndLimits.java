/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherLifetimeManager;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.AlreadyClosedException;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** The life of searchers, and the limits of queries. */
class TestLivesAndLimits extends SearcherTestCase {
  private static SearcherFactory factory(Way way) {
    return new SearcherFactory() {
      @Override
      public IndexSearcher newSearcher(
          org.apache.lucene.index.IndexReader reader,
          org.apache.lucene.index.IndexReader previous) {
        return way.searcher(reader);
      }
    };
  }

  @Test
  void searcherManager() throws IOException {
    for (Way way : Way.values()) {
      try (IndexWriter writer = new IndexWriter(directory, config());
          SearcherManager manager = new SearcherManager(writer, factory(way))) {
        IndexSearcher first = manager.acquire();
        int docs = first.getIndexReader().numDocs();
        Query query = words.query();
        List<String> before = Answers.hits(first.search(way.query(query), 5));
        for (int round = 0; round < 3; round++) {
          words.add(writer, 40);
          words.delete(writer, 10);
          assertTrue(manager.maybeRefresh());
          IndexSearcher searcher = manager.acquire();
          try {
            Query asked = words.query();
            onDevice(() -> searcher.search(way.query(Words.bool("w0 w1")), 3));
            Answers.same(stock(searcher.getIndexReader()), asked, searcher, way.query(asked));
          } finally {
            manager.release(searcher);
          }
        }
        assertEquals(docs, first.getIndexReader().numDocs());
        assertEquals(before, Answers.hits(first.search(way.query(query), 5)));
        manager.release(first);
      }
    }
  }

  @Test
  void searcherLifetimes() throws IOException {
    for (Way way : Way.values()) {
      try (SearcherLifetimeManager lives = new SearcherLifetimeManager();
          DirectoryReader own = DirectoryReader.open(directory)) {
        Query query = words.query();
        IndexSearcher searcher = way.searcher(own);
        long token = lives.record(searcher);
        List<String> first = Answers.hits(searcher.search(way.query(query), 5));
        IndexSearcher again = lives.acquire(token);
        ScoreDoc[] hits = again.search(way.query(query), 5).scoreDocs;
        assertEquals(first.size(), hits.length);
        if (hits.length > 0) {
          ScoreDoc after = hits[hits.length - 1];
          assertEquals(
              Answers.hits(stock(own).searchAfter(after, query, 5)),
              Answers.hits(again.searchAfter(after, way.query(query), 5)));
        }
        lives.release(again);
        lives.prune((age, any) -> true);
        assertEquals(null, lives.acquire(token));
      }
    }
  }

  /** A closed reader is an AlreadyClosedException, as it is for stock. */
  @Test
  void closedReaders() throws IOException {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      for (Way way : Way.values()) {
        for (boolean used : new boolean[] {true, false}) {
          for (ExecutorService threads : new ExecutorService[] {null, executor}) {
            DirectoryReader closed = DirectoryReader.open(directory);
            IndexSearcher stock = new IndexSearcher(closed);
            IndexSearcher searcher = way.searcher(closed, threads);
            Query query = Words.bool("w0 w1");
            if (used) {
              searcher.search(way.query(query), 10);
              searcher.count(way.query(query));
            }
            closed.close();
            Query asked = way.query(query);
            assertThrows(AlreadyClosedException.class, () -> stock.search(query, 10));
            assertThrows(AlreadyClosedException.class, () -> searcher.search(asked, 10));
            assertThrows(AlreadyClosedException.class, () -> stock.count(query));
            assertThrows(AlreadyClosedException.class, () -> searcher.count(asked));
          }
        }
      }
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void emptyIndexes() throws IOException {
    try (OffloadDirectory empty = OffloadDirectory.open(home.resolve("empty"), DEVICE);
        IndexWriter writer = new IndexWriter(empty, config())) {
      writer.commit();
      try (DirectoryReader none = DirectoryReader.open(empty)) {
        same(none, Words.bool("+w0 -w1"));
      }
      writer.addDocument(words.document());
      writer.deleteDocuments(new Term("id", Integer.toString(reader.maxDoc())));
      writer.commit();
      try (DirectoryReader none = DirectoryReader.open(empty)) {
        same(none, Words.bool("+w0 -w1"));
      }
    }
  }

  /** Compares whatever comes of it, a failure too. */
  private void sameOutcome(Query query) throws IOException {
    String expected = outcome(stock(reader), query);
    for (Way way : Way.values()) {
      IndexSearcher searcher = way.searcher(reader);
      searcher.setQueryCache(null);
      String what = way + " " + expected;
      assertEquals(expected, outcome(searcher, way.query(query)), what);
    }
  }

  private static String outcome(IndexSearcher searcher, Query query) throws IOException {
    try {
      return Answers.hits(searcher.search(query, 10)) + " of " + searcher.count(query);
    } catch (RuntimeException | StackOverflowError e) {
      return e.getClass().getName();
    }
  }

  private static BooleanQuery wide(int clauses, Occur occur, int minShould) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < clauses; i++) {
      builder.add(Words.term("w" + i), occur);
    }
    return builder.setMinimumNumberShouldMatch(minShould).build();
  }

  @Test
  void wideQueries() throws IOException {
    for (int clauses : new int[] {17, 100, 1024}) {
      for (int minShould : new int[] {0, 2, clauses - 1, clauses, clauses + 1, 1 << 30}) {
        sameOutcome(wide(clauses, Occur.SHOULD, minShould));
      }
      sameOutcome(wide(clauses, Occur.MUST, 0));
    }
    BooleanQuery tooWide =
        new BooleanQuery.Builder()
            .add(wide(600, Occur.SHOULD, 2), Occur.MUST)
            .add(wide(600, Occur.SHOULD, 3), Occur.MUST)
            .build();
    assertEquals(
        IndexSearcher.TooManyNestedClauses.class.getName(), outcome(stock(reader), tooWide));
    sameOutcome(tooWide);
  }

  /** Without scores stock drops optional clauses, and only then counts what is left. */
  @Test
  void tooWideOnlyWithScores() throws IOException {
    BooleanQuery query =
        new BooleanQuery.Builder()
            .add(Words.term("w1"), Occur.MUST)
            .add(wide(600, Occur.SHOULD, 2), Occur.SHOULD)
            .add(wide(600, Occur.SHOULD, 3), Occur.SHOULD)
            .build();
    sameOutcome(query);
    sameOutcome(new ConstantScoreQuery(query));
    int expected = stock(reader).count(query);
    for (Way way : Way.values()) {
      assertEquals(expected, way.searcher(reader).count(way.query(query)), way.toString());
    }
  }

  /** The limit comes down when queries are made already. */
  @Test
  void lowerLimitOfClauses() throws IOException {
    Query query = wide(10, Occur.SHOULD, 0);
    int limit = IndexSearcher.getMaxClauseCount();
    IndexSearcher.setMaxClauseCount(8);
    try {
      sameOutcome(query);
    } finally {
      IndexSearcher.setMaxClauseCount(limit);
    }
  }

  @Test
  void deepQueries() throws IOException {
    for (int depth : new int[] {5, 14, 15, 16, 17, 33, 100}) {
      Query query = Words.bool("w0 w1");
      for (int i = 0; i < depth; i++) {
        query =
            new BooleanQuery.Builder()
                .add(query, i % 2 == 0 ? Occur.MUST : Occur.SHOULD)
                .add(Words.term("w" + (i % 5)), i % 2 == 0 ? Occur.SHOULD : Occur.MUST)
                .build();
      }
      sameOutcome(query);
    }
  }

  @Test
  void boosts() throws IOException {
    for (float boost : new float[] {0f, Float.MIN_VALUE, 1f, 1e30f, Float.MAX_VALUE}) {
      sameOutcome(new BoostQuery(Words.bool("+w1 w2"), boost));
      sameOutcome(
          new BooleanQuery.Builder()
              .add(new BoostQuery(Words.term("w1"), boost), Occur.SHOULD)
              .add(new BoostQuery(Words.bool("w2 w3"), boost), Occur.SHOULD)
              .build());
    }
    for (float boost : new float[] {-1f, Float.NaN, Float.POSITIVE_INFINITY}) {
      assertThrows(
          IllegalArgumentException.class, () -> new BoostQuery(Words.bool("+w1 w2"), boost));
    }
  }

  @Test
  void termsAndFields() throws IOException {
    List<Query> odd = new ArrayList<>();
    odd.add(new TermQuery(new Term("body", "x".repeat(40_000))));
    odd.add(new TermQuery(new Term("body", "")));
    odd.add(new TermQuery(new Term("nofield", "w0")));
    odd.add(new TermQuery(new Term("number", "w0")));
    odd.add(new TermQuery(new Term("point", "w0")));
    odd.add(MatchAllDocsQuery.INSTANCE);
    odd.add(MatchNoDocsQuery.INSTANCE);
    odd.add(new BooleanQuery.Builder().build());
    for (Query query : odd) {
      sameOutcome(query);
      for (Occur occur : Occur.values()) {
        sameOutcome(
            new BooleanQuery.Builder()
                .add(query, occur)
                .add(Words.term("w0"), Occur.SHOULD)
                .add(Words.term("w2"), Occur.SHOULD)
                .build());
      }
    }
  }

  @Test
  void arguments() throws IOException {
    Query query = Words.bool("w0 w1");
    for (Way way : Way.values()) {
      IndexSearcher searcher = way.searcher(reader);
      Query asked = way.query(query);
      ScoreDoc beyond = new ScoreDoc(reader.maxDoc(), 1f);
      for (IndexSearcher any : List.of(stock(reader), searcher)) {
        assertThrows(IllegalArgumentException.class, () -> any.searchAfter(beyond, asked, 5));
        assertThrows(NullPointerException.class, () -> any.search((Query) null, 5));
        assertThrows(NullPointerException.class, () -> any.count(null));
      }
      for (float score : new float[] {Float.NaN, Float.POSITIVE_INFINITY, 0f, -1f}) {
        ScoreDoc after = new ScoreDoc(3, score);
        assertEquals(
            Answers.hits(stock(reader).searchAfter(after, query, 5)),
            Answers.hits(searcher.searchAfter(after, asked, 5)),
            way + " after " + score);
      }
    }
    assertTrue(new OffloadIndexSearcher(reader).offloadStats() != null);
  }
}
