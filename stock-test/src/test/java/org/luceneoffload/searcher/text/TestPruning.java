/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiCollectorManager;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.junit.jupiter.api.Test;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** Collectors that say which scores can compete are sent few of the others, and miss none. */
class TestPruning extends SearcherTestCase {
  private static final int LARGE = 30_000;
  private static final int SMALL = 3_000;

  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int i = 0; i < LARGE + SMALL; i++) {
      if (i == LARGE) {
        writer.flush();
      }
      Document document = new Document();
      document.add(new TextField("body", words.text(1 + random.nextInt(20)), Field.Store.NO));
      writer.addDocument(document);
    }
  }

  private long bytes(Action search) throws IOException {
    long before = stats().get(Counter.BYTES_FROM_DEVICE);
    search.run();
    return stats().get(Counter.BYTES_FROM_DEVICE) - before;
  }

  @Test
  void fewDocsComeBack() throws IOException {
    for (Way way : Way.values()) {
      IndexSearcher searcher = way.searcher(reader);
      Query query = way.query(Words.bool("w0 w1 w9"));
      long all = bytes(() -> searcher.search(query, new Answers.All(ScoreMode.COMPLETE)));
      TopScoreDocCollectorManager ten = new TopScoreDocCollectorManager(10, null, 1000);
      long top = bytes(() -> searcher.search(query, ten));
      assertTrue(top * 4 < all, way + ": bytes of all matches " + all + ", with pruning " + top);
    }
  }

  @Test
  void noneIsMissed() throws IOException {
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try {
      for (int i = 0; i < 20; i++) {
        Query query = i == 0 ? Words.term("w1") : words.query();
        // A k above what one window may return, and one below.
        int k = random.nextInt(4) == 0 ? 1500 : 1 + random.nextInt(20);
        int threshold = random.nextInt(3000);
        TopDocs expected =
            stock(reader).search(query, new TopScoreDocCollectorManager(k, null, threshold));
        int exact = stock(reader).count(query);
        Way way = Way.values()[i % Way.values().length];
        for (ExecutorService threads : new ExecutorService[] {null, executor}) {
          IndexSearcher searcher = way.searcher(reader, threads);
          TopScoreDocCollectorManager top = new TopScoreDocCollectorManager(k, null, threshold);
          String what = way + " " + query + " k " + k + " threshold " + threshold;
          int least = Math.max(k, threshold);
          Answers.sameTop(expected, searcher.search(way.query(query), top), exact, least, what);
          // Two that want different scores: the lower one counts.
          Object[] both =
              searcher.search(
                  way.query(query),
                  new MultiCollectorManager(
                      new TopScoreDocCollectorManager(k, null, threshold),
                      new TopScoreDocCollectorManager(3, null, 5)));
          Answers.sameTop(expected, (TopDocs) both[0], exact, least, what);
        }
      }
    } finally {
      executor.shutdown();
    }
  }

  /** Pages of hits, to the end of a query with many matches. */
  @Test
  void pagesToTheEnd() throws IOException {
    for (Way way : Way.values()) {
      Query query = Words.bool("+w3 w1");
      IndexSearcher stock = stock(reader);
      IndexSearcher searcher = way.searcher(reader);
      List<String> expected = new ArrayList<>();
      List<String> got = new ArrayList<>();
      ScoreDoc after = null;
      do {
        TopDocs page = stock.searchAfter(after, query, 500);
        expected.addAll(Answers.hits(page));
        TopDocs mine = searcher.searchAfter(after, way.query(query), 500);
        got.addAll(Answers.hits(mine));
        after = page.scoreDocs.length == 0 ? null : page.scoreDocs[page.scoreDocs.length - 1];
      } while (after != null);
      assertEquals(stock.count(query), expected.size());
      assertEquals(expected, got, way.toString());
    }
  }
}
