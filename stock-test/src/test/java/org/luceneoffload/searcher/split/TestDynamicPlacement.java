/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.split;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldDocs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.Placement;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;

/** Placement.DYNAMIC over lists that are long enough to be split: answers, counters, devices. */
class TestDynamicPlacement {
  private static final boolean LONG = Boolean.getBoolean("tests.long");

  /** Enough for lists of so many pages that plans of several of them are cut. */
  private static final int DOCS = 60_000;

  private static final int WORDS = 12;
  private static final int QUERIES = LONG ? 40 : 6;
  private static final int CLIENTS = 4;
  private static final int CLOSES = LONG ? 100 : 2;
  private static final Sort BY_VALUE = new Sort(new SortField("value", SortField.Type.LONG));

  @TempDir static Path home;

  private static final Random RANDOM = new Random(5);

  /** Every word is in a good part of the docs. */
  @BeforeAll
  static void index() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setCodec(new OffloadCodec())
            .setRAMBufferSizeMB(512);
    try (OffloadDirectory directory = OffloadDirectory.open(home, "sim:capacity=1g");
        IndexWriter writer = new IndexWriter(directory, config)) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < DOCS; i++) {
        text.setLength(0);
        for (int word = 0; word < WORDS; word++) {
          for (int times = RANDOM.nextInt(5) - 2; times > 0; times--) {
            text.append(" w").append(word);
          }
        }
        Document document = new Document();
        document.add(new TextField("body", text.toString(), Field.Store.NO));
        document.add(new NumericDocValuesField("value", RANDOM.nextInt(1000)));
        writer.addDocument(document);
      }
      writer.commit();
      writer.deleteDocuments(new Term("body", "w0"));
    }
  }

  private static List<Query> queries(int count) {
    Random random = new Random(count);
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      BooleanQuery.Builder builder = new BooleanQuery.Builder();
      Occur occur = i % 2 == 0 ? Occur.SHOULD : Occur.MUST;
      for (int clause = 0; clause < 2 + i % 3; clause++) {
        builder.add(new TermQuery(new Term("body", "w" + (1 + random.nextInt(WORDS - 1)))), occur);
      }
      queries.add(builder.build());
    }
    return queries;
  }

  private static void assertSame(TopDocs expected, TopDocs actual, Query query) {
    assertEquals(expected.scoreDocs.length, actual.scoreDocs.length, query.toString());
    for (int i = 0; i < expected.scoreDocs.length; i++) {
      ScoreDoc stock = expected.scoreDocs[i];
      assertEquals(stock.doc, actual.scoreDocs[i].doc, query.toString());
      assertEquals(
          Float.floatToRawIntBits(stock.score),
          Float.floatToRawIntBits(actual.scoreDocs[i].score),
          query.toString());
    }
  }

  private static void compare(IndexSearcher stock, OffloadIndexSearcher ours, int count)
      throws IOException {
    compare(stock, ours, queries(count));
  }

  private static void compare(IndexSearcher stock, OffloadIndexSearcher ours, List<Query> queries)
      throws IOException {
    for (Query query : queries) {
      assertSame(stock.search(query, 10), ours.search(query, 10), query);
      assertEquals(stock.count(query), ours.count(query), query.toString());
      TopFieldDocs expected = stock.search(query, 20, BY_VALUE);
      TopFieldDocs actual = ours.search(query, 20, BY_VALUE);
      for (int i = 0; i < expected.scoreDocs.length; i++) {
        assertEquals(expected.scoreDocs[i].doc, actual.scoreDocs[i].doc, query.toString());
        assertArrayEquals(
            ((FieldDoc) expected.scoreDocs[i]).fields, ((FieldDoc) actual.scoreDocs[i]).fields);
      }
    }
  }

  private static OffloadIndexSearcher searcher(DirectoryReader reader) {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    searcher.setPlacement(Placement.DYNAMIC);
    return searcher;
  }

  @Test
  void answersAreStocksAndWindowsAreCounted() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(home, "sim:window=16");
        DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher ours = searcher(reader);
      OffloadStats.Snapshot before = directory.stats().read();
      compare(new IndexSearcher(reader), ours, QUERIES);
      OffloadStats.Snapshot work = directory.stats().read().since(before);
      assertTrue(work.get(Counter.PLANS_SPLIT) > 0, work.toString());
      long windows =
          work.get(Counter.WINDOWS_ON_DEVICE)
              + work.get(Counter.WINDOWS_RAW)
              + work.get(Counter.WINDOWS_HANDED_BACK);
      assertTrue(windows >= 2 * work.get(Counter.PLANS_SPLIT), work.toString());
      assertEquals(0, work.get(Counter.LEAVES_FALLEN_BACK), work.toString());
      ours.setPlacement(Placement.ALWAYS);
      before = directory.stats().read();
      compare(new IndexSearcher(reader), ours, 2);
      work = directory.stats().read().since(before);
      assertEquals(0, work.get(Counter.PLANS_SPLIT), "only DYNAMIC splits");
    }
  }

  /** A window that finds the queue full, of two places, waits: none is left to the host. */
  @Test
  void withStaticPlacementTheDeviceDoesAllWindows() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(home, "sim:window=16,queue=2");
        DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher ours = searcher(reader);
      ours.setPlacement(Placement.STATIC);
      OffloadStats.Snapshot before = directory.stats().read();
      compare(new IndexSearcher(reader), ours, QUERIES);
      OffloadStats.Snapshot work = directory.stats().read().since(before);
      assertTrue(work.get(Counter.PLANS_SPLIT) > 0, work.toString());
      assertTrue(
          work.get(Counter.WINDOWS_ON_DEVICE) >= 2 * work.get(Counter.PLANS_SPLIT),
          work.toString());
      assertEquals(0, work.get(Counter.WINDOWS_RAW), work.toString());
      assertEquals(0, work.get(Counter.WINDOWS_HANDED_BACK), work.toString());
      assertEquals(0, work.get(Counter.LEAVES_FALLEN_BACK), work.toString());
    }
  }

  /** Clients that share one device; some of them have it do everything. */
  @Test
  void clientsShareADevice() throws Exception {
    try (OffloadDirectory directory = OffloadDirectory.open(home, "sim:threads=1,window=16");
        DirectoryReader reader = DirectoryReader.open(directory);
        ExecutorService pool = Executors.newFixedThreadPool(CLIENTS)) {
      List<Callable<Void>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        OffloadIndexSearcher ours = searcher(reader);
        if (i == 0) {
          ours.setPlacement(Placement.ALWAYS);
        }
        int count = QUERIES / 3 + i;
        clients.add(
            () -> {
              compare(new IndexSearcher(reader), ours, count);
              return null;
            });
      }
      for (Future<Void> client : pool.invokeAll(clients)) {
        client.get();
      }
      assertEquals(0, directory.stats().get(Counter.PLANS_FAILED));
    }
  }

  /** AUTO shares the plans of a device with threads of its own, as DYNAMIC does. */
  @Test
  void autoSharesPlansToo() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(home, "sim:threads=1,window=16");
        DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher ours = searcher(reader);
      ours.setPlacement(Placement.AUTO);
      compare(new IndexSearcher(reader), ours, QUERIES);
      assertTrue(directory.stats().get(Counter.PLANS_SPLIT) > 0);
      assertEquals(0, directory.stats().get(Counter.PLANS_FAILED));
    }
  }

  /** A reader that is used after its device was closed answers from the host. */
  @Test
  void aClosedDeviceIsAFallback() throws IOException {
    OffloadDirectory directory = OffloadDirectory.open(home, "sim:window=16");
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher ours = searcher(reader);
      compare(new IndexSearcher(reader), ours, 2);
      directory.close();
      compare(new IndexSearcher(reader), ours, 2);
    }
  }

  /** A device that goes while it has windows of some plans leaves all of them to the host. */
  @Test
  void aDeviceMayGoBetweenTwoWindows() throws Exception {
    for (int round = 0; round < CLOSES; round++) {
      closeUnderClients();
    }
  }

  private static void closeUnderClients() throws Exception {
    BooleanQuery.Builder allWords = new BooleanQuery.Builder();
    for (int word = 1; word < WORDS; word++) {
      allWords.add(new TermQuery(new Term("body", "w" + word)), Occur.SHOULD);
    }
    List<Query> queries = List.of(allWords.build());
    OffloadDirectory directory = OffloadDirectory.open(home, "sim:threads=1,window=16");
    try (DirectoryReader reader = DirectoryReader.open(directory);
        ExecutorService pool = Executors.newFixedThreadPool(CLIENTS)) {
      CountDownLatch begun = new CountDownLatch(CLIENTS);
      AtomicBoolean closed = new AtomicBoolean();
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        OffloadIndexSearcher ours = searcher(reader);
        clients.add(
            pool.submit(
                () -> {
                  boolean last;
                  do {
                    last = closed.get(); // one round more, without the device
                    try {
                      compare(new IndexSearcher(reader), ours, queries);
                    } finally {
                      begun.countDown();
                    }
                  } while (!last);
                  return null;
                }));
      }
      try {
        begun.await();
        assertTrue(directory.stats().get(Counter.PLANS_SPLIT) > 0, "nothing was split");
      } finally {
        directory.close();
        closed.set(true);
      }
      for (Future<?> client : clients) {
        client.get();
      }
    }
  }
}
